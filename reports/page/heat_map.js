// A quantity over two inputs as coloured cells, hatched where there is no value or a limit does not hold.

const CELL_TEXT = 11; // height of a value within its cell

function heatMap({ axes, place, limit, points, width, chosen }) {
  const [across, up] = axes, columns = across.values.length, rows = up.values.length;
  const left = 30 + Math.min(140, widthOfTexts(up.texts));
  const tall = Math.min(460, Math.max(180, rows * 30)), area = { left, right: width - 12, top: 8, bottom: 8 + tall };
  const wide = (area.right - area.left) / columns, high = tall / rows, height = area.bottom + 44;
  const box = (x, y) => [area.left + x * wide, area.bottom - (y + 1) * high, wide, high];
  const colour = heatColours(place, points);
  const canvas = element("canvas", { width: columns, height: rows, class: "cells", "--left": `${area.left}px`, "--top": `${area.top}px`, "--width": `${area.right - area.left}px`, "--height": `${tall}px` });
  paintCells(canvas, points, columns, rows, colour);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${nodes[place][0]} by ${across.name} and ${up.name}; the arrow keys go from one cell to the next, Enter takes its values` });
  svg.append(hatching(), ...hatched(points, columns, rows, box), ...cellTexts(points, place, columns, box, colour));
  const centres = across.texts.map((_, at) => area.left + (at + 0.5) * wide);
  for (const at of freePlaces(centres, across.texts)) svg.append(drawn("text", { x: centres[at], y: area.bottom + 17, class: "axis", "text-anchor": "middle", text: across.texts[at] }));
  const every = Math.ceil(15 / high);
  up.texts.forEach((text, at) => at % every || svg.append(drawn("text", { x: area.left - 7, y: area.bottom - (at + 0.5) * high + 4, class: "axis", "text-anchor": "end", text })));
  const middle = (area.top + area.bottom) / 2;
  svg.append(drawn("text", { x: (area.left + area.right) / 2, y: area.bottom + 37, class: "axis title", "text-anchor": "middle", text: across.title }), drawn("text", { x: 11, y: middle, class: "axis title", "text-anchor": "middle", transform: `rotate(-90 11 ${middle})`, text: up.title }));
  const now = [across, up].map((axis) => axis.values.indexOf(axis.now));
  if (now.every((each) => each >= 0)) svg.append(drawn("rect", { class: "here", ...boxAttributes(box(...now)) }));
  withCursor(svg, {
    columns, rows, box, chosen,
    nearest: (px, py) => (px < area.left || px >= area.right || py < area.top || py >= area.bottom ? null : [Math.floor((px - area.left) / wide), Math.floor((area.bottom - py) / high)]),
    lines: (x, y) => pointLines([[across, x], [up, y]], points[y * columns + x], place, limit),
  });
  return element("div", { class: "heat" }, canvas, svg, heatLegend(place, limit, points, colour));
}

function boxAttributes([x, y, width, height]) {
  return { x, y, width, height };
}

// From a value to its colour: a shade between the least and the most, or a colour for each word.
function heatColours(place, points) {
  const words = wordsOf(quantityOf(place)), { turn, status } = data.palette;
  if (words.length) {
    const looks = words.map((_, at) => (quantityOf(place)[0] === "flag" ? [status.bad, status.good][at] : turn[at % turn.length])), colours = looks.map(colourOf);
    return { of: (value) => colours[value], words: words.map((word, at) => [word, looks[at]]) };
  }
  const values = points.filter((each) => Number.isFinite(each?.value)).map(({ value }) => value);
  const least = Math.min(...values), most = Math.max(...values), log = multiplies(values, false);
  const shades = [0, 1, 2, 3, 4].map((at) => colourNumbers(getComputedStyle(document.documentElement).getPropertyValue(`--heat-${at}`)));
  const share = (value) => (most === least ? 0.5 : log ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least));
  return { of: (value) => shadeAt(shades, share(value)), least, most, middle: log ? Math.sqrt(least * most) : (least + most) / 2 };
}

function colourNumbers(text) {
  return [1, 3, 5].map((at) => parseInt(text.trim().slice(at, at + 2), 16));
}

function colourOf(look) {
  const probe = element("span", { class: look });
  document.body.append(probe);
  const found = colourNumbers(getComputedStyle(probe).getPropertyValue("--c"));
  probe.remove();
  return found;
}

function shadeAt(shades, share) {
  const at = Math.min(shades.length - 2, Math.max(0, Math.floor(share * (shades.length - 1)))), rest = share * (shades.length - 1) - at;
  return shades[at].map((each, part) => Math.round(each + (shades[at + 1][part] - each) * rest));
}

// One pixel for each cell; the browser makes them large.
function paintCells(canvas, points, columns, rows, colour) {
  const context = canvas.getContext("2d"), image = context.createImageData(columns, rows);
  points.forEach((point, at) => {
    if (!Number.isFinite(point?.value)) return;
    const pixel = 4 * ((rows - 1 - Math.floor(at / columns)) * columns + (at % columns));
    image.data.set([...colour.of(point.value), 255], pixel);
  });
  context.putImageData(image, 0, 0);
}

function hatching() {
  const line = (id, className) => drawn("pattern", { id, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, drawn("line", { x1: 0, x2: 0, y1: 0, y2: 7, class: className }));
  return drawn("defs", {}, line("hatch-none", "hatch none"), line("hatch-beyond", "hatch beyond"));
}

// A rectangle for each run of cells in a row that have no value, or do not hold.
function hatched(points, columns, rows, box) {
  const kind = (point) => (point?.reason ? "none" : point?.holds === false ? "beyond" : "");
  const found = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; ) {
      const start = x, of = kind(points[y * columns + x]);
      while (x < columns && kind(points[y * columns + x]) === of) x++;
      const [left, top, wide, high] = box(start, y);
      if (of) found.push(drawn("rect", { class: `hatched ${of}`, ...boxAttributes([left, top, wide * (x - start), high]), fill: `url(#hatch-${of})` }));
    }
  }
  return found;
}

// The values within their cells, where all of them have room.
function cellTexts(points, place, columns, box, colour) {
  const [, , wide, high] = box(0, 0), quantity = quantityOf(place);
  if (high < 18 || wide < 26) return [];
  const texts = points.map((point) => (Number.isFinite(point?.value) ? tickText(point.value, quantity, LONGEST_UNIT) : ""));
  if (Math.max(...texts.map((each) => each.length)) * 6.4 + 6 > wide) return [];
  return points.flatMap((point, at) => {
    if (!texts[at]) return [];
    const [x, y] = box(at % columns, Math.floor(at / columns)), [red, green, blue] = colour.of(point.value);
    const light = 0.299 * red + 0.587 * green + 0.114 * blue > 128;
    return [drawn("text", { x: x + wide / 2, y: y + high / 2 + 4, class: light ? "cell-text" : "cell-text on-dark", "text-anchor": "middle", "font-size": CELL_TEXT, text: texts[at] })];
  });
}

function heatLegend(place, limit, points, colour) {
  const items = [];
  if (colour.words) items.push(...colour.words.map(([word, look]) => element("li", {}, element("span", { class: `swatch ${look}`, "aria-hidden": "true" }), word)));
  else if (Number.isFinite(colour.least)) {
    const text = (value) => element("span", { text: shown(value, quantityOf(place)) });
    items.push(element("li", { class: "shades" }, text(colour.least), element("span", { class: "shade", "aria-hidden": "true" }), text(colour.most)));
  }
  if (points.some((point) => point?.holds === false)) items.push(element("li", {}, element("span", { class: "swatch hatch-beyond", "aria-hidden": "true" }), limit.title));
  if (points.some((point) => point?.reason)) items.push(element("li", {}, element("span", { class: "swatch hatch-none", "aria-hidden": "true" }), "no value"));
  return element("ul", { class: "legend" }, items);
}
