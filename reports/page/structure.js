// The kernels of each phase as a graph: what each does in one pass and what it waits for. Where they stand was computed
// before, for each set of kernels that some record leads to.

const NODE = { width: 214, height: 66, across: 234, down: 88, frame: 30, label: 26 };
const LEAST_ZOOM = 0.75; // what is wider still scrolls

function buildStructure(section) {
  const own = section.groups.flatMap((group) => group.nodes.map((node) => boundOf(section, node)));
  coloured([...bindingWords(section), ...own]);
  const { body } = figure(section, "structure");
  const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": section.title });
  const panels = section.groups.map((group, place) => structurePanel(section, group, place, tabs));
  const legend = element("ul", { class: "legend" }), phases = element("div", { class: "phases" }, panels.map((each) => each.panel));
  body.append(tabs, phases, legend);
  redrawnWhenResized(body, () => {
    if (!current.shown) return;
    const there = panels.filter((each) => isAsked(each.group)), bounds = new Set(there.flatMap((each) => each.refresh()));
    const wide = there.reduce((sum, each) => sum + each.width(), 0) + 28 * (there.length - 1);
    const together = body.classList.toggle("together", wide <= widthOf(body));
    there.forEach((each) => each.fit(together ? inf : widthOf(body)));
    emptied(legend, [...palette.keys()].filter((word) => bounds.has(word)).map((word) => element("li", {}, element("span", { class: `swatch ${lookOf(word)}`, "aria-hidden": "true" }), `waits for: ${word}`)));
  });
  choosePanel(tabs, 0);
  tabs.addEventListener("chosen", () => phases.querySelectorAll(".phase:not(.unchosen) .graph").forEach(centred));
}

function boundOf(section, node) {
  return node.name ? node.bound : section.rest_word;
}

function structurePanel(section, group, place, tabs) {
  const id = `structure-${place}`;
  const tab = element("button", { type: "button", role: "tab", id: `${id}-tab`, "aria-controls": id, onclick: () => choosePanel(tabs, place), onkeydown: (event) => stepTabs(event, tabs, place) }, group.title);
  tabs.append(tab);
  const total = element("span"), graph = element("div", { class: "graph", role: "group", "aria-label": `${group.title}: operators in the order in which they run` });
  const head = element("div", { class: "bar-head" }, element("h3", {}, element("strong", { text: group.title }), group.says ? ` ${group.says}` : ""), total);
  const panel = element("div", { class: "phase", role: "tabpanel", id, "aria-labelledby": tab.id }, head, element("div", { class: "scrolled" }, graph));
  const held = { key: null, nodes: new Map(), box: [], width: 0 };
  const refresh = () => {
    emptied(total, openable(places.get(group.total), group.title, "number strong"));
    const operators = structureOperators(section, group);
    redrawStructure(section, graph, held, operators);
    for (const [name, node] of held.nodes) node.show(operators.get(name) ?? idleOperator(section, group, name));
    held.box.forEach((each) => each());
    return [...operators.values()].filter((each) => each.time > 0).map((each) => each.bound);
  };
  const fit = (room) => {
    const zoom = String(Math.max(LEAST_ZOOM, Math.min(1, room / held.width)));
    if (held.zoom === zoom) return;
    held.zoom = graph.style.zoom = zoom;
    centred(graph);
  };
  shownWhereAsked(group, panel);
  shownWhereAsked(group, tab);
  return { group, panel, refresh, fit, width: () => held.width };
}

// What each node does in one pass, by its id.
function structureOperators(section, group) {
  const total = valueOf(group.total), found = new Map();
  for (const kernel of kernelsOf(section, group)) {
    const runs = valueOf(kernel.cells[section.times]);
    const sum = (key) => runs * valueOf(kernel.cells[section[key]]);
    const texts = ["flops", "bytes"].filter((key) => sum(key) > 0).map((key) => shown(sum(key), quantityOf(places.get(kernel.cells[section[key]]))));
    const once = ["flops", "bytes", "time"].map((key) => textOf(kernel.cells[section[key]])).join(", ");
    found.set(kernel.row, { ...kernel, runs, says: rowSentence(kernel.cells[section.time].split("@")[0]), amounts: texts.join(" \u00b7 "), once: runs === 1 ? "" : `One run: ${once}` });
  }
  let rest = total - [...found.values()].reduce((sum, each) => sum + each.time, 0);
  for (const node of group.nodes.filter((each) => each.name)) {
    const time = valueOf(node.name);
    rest -= time;
    if (time > 0) found.set(node.id, { ...node, runs: 1, time, place: places.get(node.name), amounts: node.says ?? "" });
  }
  const left = group.nodes.find((each) => !each.name);
  if (left && rest > total * 1e-9) found.set(left.id, { ...left, bound: section.rest_word, runs: 1, time: rest, place: places.get(group.total), amounts: left.says ?? "" });
  for (const each of found.values()) each.share = each.time / total;
  return found;
}

// The drawing with the fewest nodes that has all of these. Where no record leads to just these, it has some more, which
// are faint.
function drawnFor(section, operators) {
  const { ids, flags, drawn: all } = section.structures;
  const held = `${flags.map((name) => (valueOf(name) ? "1" : "0")).join("")}:`;
  const size = (key) => Object.keys(all[key].nodes).length;
  const fit = Object.keys(all).filter((key) => key.startsWith(held) && [...operators.keys()].every((name) => key[held.length + ids.indexOf(name)] === "1"));
  return fit.sort((a, b) => size(a) - size(b))[0];
}

// A node that does not run: its button opens what would be its time.
function idleOperator(section, group, name) {
  const node = group.nodes.find((each) => each.id === name);
  const time = node ? (node.name ?? group.total) : (group.cells[name] ?? {})[section.time];
  return { title: node?.title ?? rowTitle(section, name), runs: 1, time: 0, share: 0, bound: "", amounts: "does not run", place: places.get(time ?? group.total) };
}

function redrawStructure(section, graph, held, operators) {
  const key = drawnFor(section, operators);
  if (held.key === key) return;
  const { nodes: stand, arrows, lanes, layers } = section.structures.drawn[key];
  const framed = section.boxes.length ? NODE.frame : 0, top = framed / 2;
  const at = ([lane, layer]) => [framed + lane * NODE.across, top + layer * NODE.down];
  const width = 2 * framed + (lanes - 1) * NODE.across + NODE.width, height = top + (layers - 1) * NODE.down + NODE.height + 2;
  const focused = [...held.nodes].find(([, node]) => node.button === document.activeElement)?.[0];
  Object.assign(held, { key, width, box: [], nodes: new Map(Object.entries(stand).map(([name, place]) => [name, structureNode(at(place))])) });
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
  const boxes = section.boxes.map((box) => structureBox(box, Object.entries(stand).filter(([name]) => !box.outside.includes(name)).map(([, place]) => at(place)), held)).filter(Boolean);
  svg.append(...boxes.map((each) => each.frame), ...arrows.flatMap((points) => structureArrow(points.map(at))));
  const buttons = [...held.nodes.values()].map((node) => node.button);
  emptied(graph, svg, boxes.map((each) => each.label), buttons);
  graph.style.setProperty("--w", `${width}px`);
  graph.style.setProperty("--h", `${height}px`);
  roving(buttons);
  centred(graph);
  if (focused) (held.nodes.get(focused)?.button ?? buttons[0]).focus();
}

// What is wider than its box begins in its middle.
function centred(graph) {
  const box = graph.parentElement;
  box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
}

// A frame around what runs several times, and how often.
function structureBox(box, corners, held) {
  if (!corners.length) return null;
  const [xs, ys] = [0, 1].map((axis) => corners.map((each) => each[axis]));
  const left = Math.min(...xs) - NODE.label, right = Math.max(...xs) + NODE.width + NODE.label;
  const top = Math.min(...ys) - 11, bottom = Math.max(...ys) + NODE.height + 11;
  const label = element("div", { class: "times-run", "--x": `${left}px`, "--y": `${top}px`, "--h": `${bottom - top}px` });
  held.box.push(() => emptied(label, element("span", {}, `${box.title} \u00d7 `, openable(places.get(box.name), box.title))));
  return { frame: drawn("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: 10, class: "around" }), label };
}

// From the foot of one node to the head of the next, past the nodes of the layers between.
function structureArrow(points) {
  const [[start, head], ...rest] = points.map(([x, y]) => [x + NODE.width / 2, y]);
  let path = `M${start} ${head + NODE.height}`, [x, y] = [start, head + NODE.height];
  rest.forEach(([across, down], place) => {
    const bend = (y + down) / 2, last = place === rest.length - 1;
    path += `C${x} ${bend} ${across} ${bend} ${across} ${last ? down - 4 : down}${last ? "" : `v${NODE.height}`}`;
    [x, y] = [across, down + NODE.height];
  });
  const [tip, foot] = rest.at(-1);
  return [drawn("path", { d: path, class: "arrow" }), drawn("path", { d: `M${tip - 4} ${foot - 7}h8l-4 7z`, class: "arrow-head" })];
}

function structureNode([x, y]) {
  const parts = Object.fromEntries(["title", "runs", "time", "bound", "share", "amounts", "part"].map((name) => [name, element("span", { class: `node-${name}` })]));
  let lines = [];
  const button = withTip(element("button", { type: "button", "--x": `${x}px`, "--y": `${y}px` }, Object.values(parts)), () => lines);
  const show = (operator) => {
    button.className = operator.bound ? `node ${lookOf(operator.bound)}` : "node idle";
    const { title, runs, time, share, amounts, bound, place, says, once } = operator;
    const texts = { title, runs: runs === 1 ? "" : `\u00d7 ${plainNumber(runs)}`, time: shown(time, quantityOf(place)), bound, share: bound ? percent(share, 1) : "", amounts };
    for (const [name, text] of Object.entries(texts)) parts[name].textContent = text;
    parts.part.style.setProperty("--share", `${fixed(100 * Math.min(1, share), 2)}%`);
    button.setAttribute("data-open", place);
    const told = [title, texts.time, texts.share, amounts === says ? "" : amounts, runs === 1 ? "" : `${plainNumber(runs)} runs`, bound && `waits for: ${bound}`].filter(Boolean);
    button.setAttribute("aria-label", told.join(", "));
    lines = [...told, once, says].filter(Boolean);
  };
  return { button, show };
}
