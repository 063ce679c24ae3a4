// The columns of a sequence over its index, above the table of its rows: a chart for each unit.

const LEAST_ROWS = 8; // fewer are read as they stand
const MOST_CHARTS = 4, MOST_LINES = 6;

// The columns of numbers, a list for each unit; `rows` are the names of rows, each with its cells.
function sequenceUnits(section, [[, cells]]) {
  const found = new Map();
  for (const column of section.columns) {
    const quantity = column in cells && quantityOf(places.get(cells[column]));
    if (!quantity || section.indices.includes(spaced(column)) || !["number", "whole"].includes(quantity[0])) continue;
    found.set(quantity[1], [...(found.get(quantity[1]) ?? []), column]);
  }
  return [...found.values()].slice(0, MOST_CHARTS).map((columns) => columns.slice(0, MOST_LINES));
}

function sequenceCharts(section, rows, width) {
  if (!section.indices || rows.length < LEAST_ROWS) return [];
  const units = sequenceUnits(section, rows), wide = units.length > 1 && width > 700 ? (width - 28) / 2 : width;
  return units.map((columns) => sequenceChart(section, rows, columns, wide));
}

function sequenceChart(section, rows, columns, width) {
  const lines = columns.map((column, turn) => ({ title: spaced(column), look: data.palette.turn[turn % data.palette.turn.length], values: rows.map(([, cells]) => (column in cells ? valueOf(cells[column]) : NaN)) }));
  const legend = element("ul", { class: "legend" }, lines.map((line) => element("li", {}, element("span", { class: `swatch ${line.look}`, "aria-hidden": "true" }), line.title)));
  const title = `${lines.map((line) => line.title).join(", ")} by ${section.indices.join(", ")}`;
  return element("div", {}, sequenceDrawing(section, rows, columns, lines, width, title), legend);
}

function sequenceDrawing(section, rows, columns, lines, width, title) {
  const height = 250, top = 12, bottom = height - 38, all = lines.flatMap((line) => line.values.filter(Number.isFinite));
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
  if (!all.length) return svg;
  const quantity = quantityOf(places.get(rows[0][1][columns[0]])), indices = rows.map(([row]) => (typeof section.along[row] === "string" ? valueOf(section.along[row]) : section.along[row]));
  const y = evenScale(all, bottom, top), ticks = y.ticks.map((tick) => [tick, tickText(tick, quantity, LONGEST_UNIT)]);
  const area = { left: 18 + widthOfTexts(ticks.map(([, text]) => text)), right: width - 16 };
  const x = evenScale(indices, area.left, area.right);
  for (const [tick, text] of ticks) svg.append(drawn("line", { x1: area.left, x2: area.right, y1: y.at(tick), y2: y.at(tick), class: "grid" }), drawn("text", { x: area.left - 7, y: y.at(tick) + 4, class: "axis", "text-anchor": "end", text }));
  const marks = section.runs ?? x.ticks.map((tick) => [tick, plainNumber(tick)]), centres = marks.map(([mark]) => x.at(mark)), texts = marks.map(([, text]) => text);
  for (const at of freePlaces(centres, texts)) svg.append(drawn("text", { x: centres[at], y: bottom + 17, class: "axis", "text-anchor": "middle", text: texts[at] }));
  svg.append(drawn("text", { x: (area.left + area.right) / 2, y: bottom + 34, class: "axis title", "text-anchor": "middle", text: section.indices.join(", ") }));
  for (const { look, values } of lines) svg.append(drawn("path", { class: `curve ${look}`, d: values.map((value, at) => (Number.isFinite(value) ? `${Number.isFinite(values[at - 1]) ? "L" : "M"}${x.at(indices[at])},${y.at(value)}` : "")).join("") }));
  return svg;
}
