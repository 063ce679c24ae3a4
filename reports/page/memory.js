// Parts of one whole as a bar, against what may be used of it.

const MOST_COPIES = 64; // that are drawn, each by itself

function figure(section, className) {
  const body = element("div", { class: "drawing" });
  const says = section.says ? element("p", { class: "remark", text: section.says }) : "";
  const panel = element("section", { class: `panel ${className}`, "aria-label": section.title }, element("h2", { text: section.title }), says, body);
  document.getElementById("results").append(panel);
  shownWhereAsked(section, panel);
  return { panel, body };
}

function shownWhereAsked(section, part) {
  if (section.with || section.without || section.when) views.push(() => { part.hidden = !isAsked(section); });
}

const widths = new WeakMap();

// The width of a drawing in pixels of the page, so that its letters are as large as all others. It is measured when the
// window changes and not with every number, since measuring makes the browser lay out the page.
function widthOf(body) {
  if (!widths.has(body)) widths.set(body, measured(body));
  return widths.get(body);
}

function measured(body) {
  return Math.max(280, body.clientWidth || 600);
}

function redrawnWhenResized(body, draw) {
  new ResizeObserver(() => {
    const width = measured(body);
    if (!current || widthOf(body) === width) return;
    widths.set(body, width);
    draw();
  }).observe(body);
  views.push(draw);
}

function stackParts(section) {
  const whole = valueOf(section.whole), within = valueOf(section.within), used = valueOf(section.used);
  const parts = section.parts.map((part) => ({ title: part.title, size: valueOf(part.name), name: part.name, look: part.look }));
  if (used < within) parts.push({ title: section.free ?? "Free", size: within - used, look: "free" });
  if (used < within && whole > within) parts.push({ title: section.rest ?? "Rest", size: whole - within, look: "rest" });
  return { parts, whole, within, used };
}

function buildStack(section) {
  const { body } = figure(section, "stack");
  const holder = element("div"), copies = element("div", { class: "copies" }), legend = element("ul", { class: "legend" }), facts = element("dl", { class: "facts" });
  body.append(holder, legend, copies, facts);
  redrawnWhenResized(holder, () => {
    if (!current.shown) return;
    const { parts, whole, within, used } = stackParts(section);
    emptied(holder, stackDrawing(section, parts, Math.max(whole, used), within, whole, widthOf(holder)));
    emptied(legend, parts.filter((part) => part.size !== 0).map((part) => stackLegend(part, section)));
    emptied(copies, (section.copies ?? []).flatMap((each) => copiesDrawing(each, parts, Math.max(whole, used))));
    emptied(facts, (section.entries ?? []).filter((entry) => !saysNothing(entry)).map((entry) => element("div", {}, element("dt", { text: entry.title }), element("dd", {}, openable(places.get(entry.name), entry.title)))));
  });
}

function stackLegend(part, section) {
  const text = shown(part.size, quantityOf(places.get(section.within)));
  const value = part.name ? openable(places.get(part.name), part.title) : element("span", { class: "number", text });
  return element("li", {}, element("span", { class: `swatch ${part.look}`, "aria-hidden": "true" }), element("span", { text: part.title }), value);
}

function stackDrawing(section, parts, most, within, whole, width) {
  const height = 86, top = 26, tall = 38, quantity = quantityOf(places.get(section.within));
  const at = (size) => (most > 0 ? (size / most) * width : 0);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${section.title}: ${parts.map((part) => `${part.title} ${shown(part.size, quantity)}`).join(", ")}` });
  let left = 0;
  for (const part of parts) {
    const wide = at(part.size);
    const mark = drawn("rect", { x: left, y: top, width: Math.max(0, wide - 1), height: tall, rx: 2, class: `segment ${part.look}` });
    withTip(mark, () => [part.title, shown(part.size, quantity), percent(part.size, whole) && `${percent(part.size, whole)} of the memory`]);
    svg.append(mark);
    if (wide > part.title.length * 7.5 + 14) svg.append(drawn("text", { x: left + 9, y: top + tall / 2 + 4.5, class: `inside ${part.look}`, text: part.title }));
    left += wide;
  }
  if (within !== whole) svg.append(...stackMark(at(within), top, tall, `usable ${shown(within, quantity)}`, width, true));
  svg.append(...stackMark(at(whole), top, tall, `capacity ${shown(whole, quantity)}`, width, false));
  return svg;
}

// All that are filled alike, such as the accelerators that share a model: those of a node stand together.
function copiesDrawing({ name, title, per }, parts, most) {
  const count = valueOf(name), together = Math.min(count, (per && valueOf(per)) || count), drawnCount = Math.min(count, MOST_COPIES);
  if (!(count > 1 && Number.isInteger(count))) return "";
  const unit = () => element("span", { class: "copy" }, parts.map((part) => element("span", { class: part.look, "--share": `${most > 0 ? (100 * part.size) / most : 0}%` })));
  const groups = Array.from({ length: Math.ceil(drawnCount / together) }, (_, at) => Math.min(together, drawnCount - at * together));
  const text = `${plainNumber(count)} ${title}${count > together ? `, ${plainNumber(together)} on each node` : ""}${count > drawnCount ? `; ${plainNumber(drawnCount)} are drawn` : ""}`;
  return [element("div", { class: "groups", role: "img", "aria-label": text }, groups.map((size) => element("div", { class: "group" }, Array.from({ length: size }, unit)))), element("p", { class: "remark", text })];
}

// A line across the bar, its words above or beneath it.
function stackMark(x, top, tall, words, width, above) {
  const place = Math.min(Math.max(x, 1), width - 1);
  const end = place > words.length * 6.6;
  return [
    drawn("line", { x1: place, x2: place, y1: above ? top - 8 : top, y2: above ? top + tall : top + tall + 8, class: above ? "limit" : "edge" }),
    drawn("text", { x: end ? place - 5 : place + 5, y: above ? top - 9 : top + tall + 18, class: "axis", "text-anchor": end ? "end" : "start", text: words }),
  ];
}
