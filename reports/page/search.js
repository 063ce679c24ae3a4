// The configurations that none beats in two quantities at once, computed in the worker: a chart of all, and the front as a table.

const MOST_OF_A_FRONT = 12;

let searchFound = { found: [], front: [], done: true };

function buildSearch(section) {
  const { panel, body } = figure(section, "candidates");
  const view = searchFound = { section, found: [], front: [], points: [], done: true, problem: "", visible: false, state: "" };
  const progress = progressLine("search", () => { giveUp("search"); Object.assign(view, { done: true, cancelled: true }); show(); });
  const problem = element("p", { class: "problem", role: "status" }), holder = element("div", { class: "search-drawing" }), rows = element("tbody");
  const heads = ["", ...section.over.map(({ input }) => lastWords(input)), ...section.shows.map(({ title }) => title)].map((text) => element("th", { scope: "col", class: "figures", text }));
  const table = element("table", {}, element("caption", { class: "unseen", text: section.title }), element("thead", {}, element("tr", {}, heads)), rows);
  const reasons = element("div"), command = element("code", { class: "command" });
  body.append(progress.whole, problem, holder, element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": section.title }, table), reasons, element("p", { class: "remark" }, "As a command: ", command));
  const show = () => {
    progress.show({ ...view, found: view.found.length });
    view.front = frontOf(view);
    problem.textContent = view.problem || (view.done && !view.front.length ? "No configuration meets all conditions." : "");
    table.hidden = !view.front.length;
    emptied(rows, evenly(view.front).map((each) => searchRow(section, each)));
    emptied(holder, view.front.length ? searchChart(view, widthOf(body)) : "");
    emptied(reasons, reasonsOf({ ...view, points: view.found, found: view.found.length }, () => "infeasible"));
    command.textContent = commandText(["search"], { ...state.values, ...Object.fromEntries(section.over.map(({ input, values }) => [input, values])) }, []);
  };
  const start = () => {
    if (!current?.shown || !view.visible || panel.hidden) return;
    clearTimeout(view.waiting);
    view.state = JSON.stringify(state);
    startSearch(view, show);
  };
  seenFirst(body, () => {
    view.visible = true;
    start();
  });
  redrawnWhenResized(body, () => {
    clearTimeout(view.waiting);
    if (view.state !== JSON.stringify(state)) view.waiting = setTimeout(start, 250);
    else if (view.done) show();
  });
  addEventListener("recoloured", show);
}

function startSearch(view, show) {
  const { section } = view, along = section.over.map(({ input, values }) => [input, axisValues(values, places.get(input))]);
  const size = along.reduce((product, [, values]) => product * values.length, 1), named = [...section.front.map(goalName), ...section.shows.map(({ name }) => name)];
  const limits = section.limits.map(({ title, name, most }) => ({ title, place: places.get(name), most: places.get(most) }));
  Object.assign(view, { found: [], front: [], points: { length: size }, done: false, cancelled: false, problem: "", began: performance.now() });
  askWorker("search", "candidates", { chosen: structuredClone(state), quantities: named.map((name) => places.get(name)), limits, along }, (more, done, failure) => {
    view.found.push(...more);
    Object.assign(view, { done, problem: failure ?? "" });
    show();
  });
}

const goalName = ({ maximise, minimise }) => maximise ?? minimise;

// The configurations that none equals in one goal and beats in the other, the best in the first goal first.
function frontOf({ section, found }) {
  const worth = ({ values }, goal) => (section.front[goal].maximise ? values[goal] : -values[goal]);
  const answered = found.filter(({ values }) => values && section.front.every((_, goal) => Number.isFinite(values[goal])));
  answered.sort((one, other) => worth(other, 0) - worth(one, 0) || worth(other, 1) - worth(one, 1));
  let best = -inf;
  return answered.filter((each) => worth(each, 1) > best && ((best = worth(each, 1)), true));
}

// Both ends of a long front, and as many between them as a table has room for.
function evenly(front) {
  const step = (front.length - 1) / (MOST_OF_A_FRONT - 1);
  return front.length <= MOST_OF_A_FRONT ? front : Array.from({ length: MOST_OF_A_FRONT }, (_, at) => front[Math.round(at * step)]);
}

function taken(numbers) {
  Object.assign(state.values, Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, editable(value, quantityOf(places.get(name)))])));
  update();
}

function searchRow(section, { numbers, values }) {
  const inputs = Object.entries(numbers).map(([name, value]) => shown(value, quantityOf(places.get(name))));
  const told = section.shows.map(({ name }, at) => shown(values[section.front.length + at], quantityOf(places.get(name))));
  const take = element("button", { type: "button", class: "small", text: "show", "aria-label": `Show ${inputs.join(", ")}`, onclick: () => taken(numbers) });
  return element("tr", {}, element("td", {}, take), [...inputs, ...told].map((text) => element("td", { class: "figures", text })));
}

// All that meets the limits by both goals, and the front as a line whose points can be taken.
function searchChart({ section, found, front }, width) {
  const height = 280, [up, across] = section.front, answered = found.filter(({ values }) => values && values[0] > 0 && values[1] > 0 && Number.isFinite(values[0] * values[1]));
  const quantities = section.front.map((goal) => quantityOf(places.get(goalName(goal))));
  const y = logarithmicScale(answered.map(({ values }) => values[0]), height - 46, 24), texts = y.ticks.map((tick) => tickText(tick, quantities[0], LONGEST_UNIT));
  const left = 18 + widthOfTexts(texts), x = logarithmicScale(answered.map(({ values }) => values[1]), left, width - 16), svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `${up.title} by ${across.title}; the arrow keys go along the front` });
  y.ticks.forEach((tick, at) => svg.append(drawn("line", { x1: left, x2: width - 16, y1: y.at(tick), y2: y.at(tick), class: "grid" }), drawn("text", { x: left - 7, y: y.at(tick) + 4, class: "axis", "text-anchor": "end", text: texts[at] })));
  const ticks = x.ticks.map((tick) => tickText(tick, quantities[1], LONGEST_UNIT));
  for (const at of freePlaces(x.ticks.map(x.at), ticks)) svg.append(drawn("text", { x: x.at(x.ticks[at]), y: height - 28, class: "axis", "text-anchor": "middle", text: ticks[at] }));
  svg.append(drawn("text", { x: (left + width) / 2, y: height - 8, class: "axis title", "text-anchor": "middle", text: across.title }), drawn("text", { x: left - 7, y: 12, class: "axis title", text: up.title }));
  const at = ({ values }) => [x.at(values[1]), y.at(values[0])], [behind, ahead] = data.palette.turn;
  svg.append(...answered.filter((each) => !front.includes(each)).map((each) => drawn("circle", { cx: at(each)[0], cy: at(each)[1], r: 2.5, class: `point ${behind} beyond` })));
  svg.append(drawn("path", { class: `curve ${ahead}`, d: `M${front.map((each) => at(each).join(",")).join("L")}` }));
  const marks = front.map((each) => searchMark(section, each, at(each), ahead));
  svg.append(...marks);
  if (marks.length) roving(marks);
  return svg;
}

function searchMark(section, each, [cx, cy], look) {
  const inputs = Object.entries(each.numbers).map(([name, value]) => `${lastWords(name)} ${shown(value, quantityOf(places.get(name)))}`).join(", ");
  const lines = () => [inputs, ...section.front.map((goal, at) => `${goal.title} ${shown(each.values[at], quantityOf(places.get(goalName(goal))))}`)];
  const mark = drawn("g", { class: "mark", role: "button", "aria-label": lines().join(", "), onclick: () => taken(each.numbers) }, drawn("circle", { cx, cy, r: 9, class: "reach" }), drawn("circle", { cx, cy, r: 4, class: `point ${look}` }));
  mark.addEventListener("keydown", (event) => { if (event.key === "Enter") taken(each.numbers); });
  return withTip(mark, lines);
}
