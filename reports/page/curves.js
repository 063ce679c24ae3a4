// What the page's quantities become as one input grows: each value of it is computed as if it had been typed.

function buildCurves(section) {
  const { panel, body } = figure(section, "curves");
  const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": section.title });
  const id = `curves-${document.querySelectorAll(".curves").length}`;
  const panels = section.groups.map((group, place) => {
    const name = `${id}-${place}`;
    tabs.append(element("button", { type: "button", role: "tab", id: `${name}-tab`, "aria-controls": name, onclick: () => choosePanel(tabs, place), onkeydown: (event) => stepTabs(event, tabs, place) }, group.title));
    const holder = element("div", { class: "charts" });
    const says = group.says ? element("p", { class: "remark", text: group.says }) : "";
    return { group, holder, panel: element("div", { role: "tabpanel", id: name, "aria-labelledby": `${name}-tab` }, says, holder) };
  });
  body.append(tabs, ...panels.map((each) => each.panel));
  tabs.classList.toggle("single", panels.length === 1);
  let waiting = 0;
  const draw = () => {
    clearTimeout(waiting);
    if (!current?.shown) return null;
    const chosen = panels.find((each) => !each.panel.classList.contains("unchosen"));
    const points = curvePoints(chosen.group);
    if (points.length < 2) return emptied(chosen.holder, element("p", { class: "remark", text: `Other inputs allow no other value of ${lastWords(chosen.group.vary)} here.` }));
    return emptied(chosen.holder, chosen.group.charts.map((chart) => curveChart(chosen.group, chart, points, widthOf(body))));
  };
  // A dozen evaluations are not worth a slider that stumbles: they follow when it rests.
  redrawnWhenResized(body, () => {
    clearTimeout(waiting);
    waiting = setTimeout(draw, 120);
  });
  tabs.addEventListener("chosen", draw);
  choosePanel(tabs, 0);
  return panel;
}

// The stops of a group and the value that holds, in order, each with all the values of the page; those refused are left out.
function curvePoints(group) {
  const place = places.get(group.vary), now = valueOf(group.vary);
  const stops = group.stops.map((each) => [typeof each === "string" ? read(each, place) : each, String(each)]).filter(([at]) => at !== now);
  const wanted = [...group.charts.flatMap((chart) => chart.lines.map((line) => line.name)), group.fits].filter(Boolean).map((name) => places.get(name));
  const under = calculator(wanted), kept = (values) => values && Object.fromEntries(wanted.map((each) => [each, values[each]]));
  const found = stops.map(([at, text]) => ({ at, text, values: kept(under({ ...state, values: { ...state.values, [group.vary]: text } }).values) }));
  if (!current.refused.length) found.push({ at: now, text: editable(now, quantityOf(place)), values: kept(current.values), now: true });
  return found.filter((each) => each.values && each.at > 0).sort((one, other) => one.at - other.at);
}

function curveChart(group, chart, points, width) {
  const wide = width > 700 ? (width - 28) / 2 : width, height = 250;
  const lines = chart.lines.map((line, number) => ({ ...line, look: data.palette.turn[number % data.palette.turn.length], place: places.get(line.name), points: points.filter((each) => each.values[places.get(line.name)] > 0 && Number.isFinite(each.values[places.get(line.name)])) })).filter((line) => line.points.length);
  const head = element("h3", {}, chart.title);
  if (!lines.length) return element("div", {}, head, element("p", { class: "remark", text: "Nothing to show." }));
  const legend = element("ul", { class: "legend" }, lines.map((line) => element("li", {}, element("span", { class: `swatch ${line.look}`, "aria-hidden": "true" }), line.title, " ", openable(line.place, line.title))));
  return element("div", {}, head, curveDrawing(group, chart, lines, wide, height), legend);
}

function curveDrawing(group, chart, lines, width, height) {
  const area = { left: 64, right: width - 16, top: 12, bottom: height - 38 };
  const of = (line, point) => point.values[line.place];
  const x = logarithmicScale(lines.flatMap((line) => line.points.map((point) => point.at)), area.left, area.right);
  const y = logarithmicScale(lines.flatMap((line) => line.points.map((point) => of(line, point))), area.bottom, area.top);
  const quantity = quantityOf(lines[0].place), input = quantityOf(places.get(group.vary));
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `${chart.title} by ${lastWords(group.vary)}; the arrow keys go from one point to the next` });
  for (const decade of y.ticks) svg.append(drawn("line", { x1: area.left, x2: area.right, y1: y.at(decade), y2: y.at(decade), class: "grid" }), drawn("text", { x: area.left - 7, y: y.at(decade) + 4, class: "axis", "text-anchor": "end", text: tickText(decade, quantity) }));
  const stops = [...new Map(lines.flatMap((line) => line.points.map((point) => [point.at, point]))).values()].sort((one, other) => one.at - other.at);
  const centres = stops.map((each) => x.at(each.at)), texts = stops.map((each) => plainNumber(each.at));
  for (const at of freePlaces(centres, texts)) svg.append(drawn("text", { x: centres[at], y: area.bottom + 17, class: "axis", "text-anchor": "middle", text: texts[at] }));
  svg.append(drawn("text", { x: (area.left + area.right) / 2, y: area.bottom + 34, class: "axis title", "text-anchor": "middle", text: group.axis ?? lastWords(group.vary) }));
  const now = stops.find((each) => each.now);
  if (now) svg.append(drawn("line", { x1: x.at(now.at), x2: x.at(now.at), y1: area.top, y2: area.bottom, class: "edge" }));
  const marks = lines.flatMap((line) => {
    const at = (point) => `${x.at(point.at)},${y.at(of(line, point))}`;
    svg.append(drawn("path", { d: `M${line.points.map(at).join("L")}`, class: `curve ${line.look}` }));
    return line.points.map((point) => curveMark(group, line, point, x.at(point.at), y.at(of(line, point)), input));
  });
  svg.append(...marks);
  roving(marks);
  return svg;
}

// A point, which sets the input to its value when it is chosen; hollow where the memory does not suffice.
function curveMark(group, line, point, x, y, input) {
  const holds = !group.fits || point.values[places.get(group.fits)] === true;
  const lines = () => [
    `${line.title} ${shown(point.values[line.place], quantityOf(line.place))}`,
    `${lastWords(group.vary)} ${shown(point.at, input)}${point.now ? ", as set" : ""}`,
    ...(holds ? [] : ["does not fit into memory"]),
  ];
  const set = () => !point.now && setValue(group.vary, point.text);
  const mark = drawn("g", { class: "mark", role: "button", "data-value": point.text, "aria-label": lines().join(", "), onclick: set }, drawn("circle", { cx: x, cy: y, r: 9, class: "reach" }), drawn("circle", { cx: x, cy: y, r: point.now ? 5.5 : 3.5, class: `point ${line.look}${holds ? "" : " beyond"}` }));
  mark.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    set();
  });
  return withTip(mark, lines);
}
