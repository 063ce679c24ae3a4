// Kernels between the peaks of the accelerator and its bandwidth, on logarithmic axes.

function buildRoofline(section) {
  coloured(bindingWords(section));
  const { body } = figure(section, "roofline");
  const holder = element("div"), legend = element("ul", { class: "legend" });
  body.append(holder, legend);
  redrawnWhenResized(holder, () => {
    if (!current.shown) return;
    const points = section.groups.flatMap((group, place) => (isAsked(group) ? rooflinePoints(section, group, place) : []));
    emptied(holder, points.length ? rooflineDrawing(section, points, widthOf(holder)) : element("p", { class: "remark", text: "No kernel to show." }));
    emptied(legend, rooflineLegend(section, points));
  });
}

function rooflinePoints(section, group, shape) {
  const kernels = kernelsOf(section, group);
  const total = kernels.reduce((sum, kernel) => sum + kernel.time, 0);
  return kernels
    .map((kernel) => {
      const cell = (key) => valueOf(kernel.cells[section[key]]);
      return { ...kernel, group, shape, share: kernel.time / total, x: cell("flops") / cell("bytes"), y: cell("flops") / cell("time") };
    })
    .filter((point) => point.x > 0 && point.y > 0 && Number.isFinite(point.x) && Number.isFinite(point.y));
}

function rooflineLegend(section, points) {
  const shapes = section.groups.map((group, shape) => isAsked(group) && element("li", {}, legendShape(shape), element("span", { text: group.title })));
  const words = [...palette.keys()].filter((word) => points.some((point) => point.bound === word));
  return [...shapes.filter(Boolean), ...words.map((word) => element("li", {}, element("span", { class: `swatch ${lookOf(word)}`, "aria-hidden": "true" }), element("span", { text: word })))];
}

function legendShape(shape) {
  return drawn("svg", { width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true" }, pointShape(shape, 7, 7, 5, "hollow"));
}

function pointShape(shape, x, y, r, className) {
  if (shape === 0) return drawn("circle", { cx: x, cy: y, r, class: className });
  const d = shape === 1 ? `M${x},${y - r * 1.25}l${r * 1.25},${r * 1.25}l${-r * 1.25},${r * 1.25}l${-r * 1.25},${-r * 1.25}z` : `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
  return drawn("path", { d, class: className });
}

function rooflineDrawing(section, points, width) {
  const height = Math.round(Math.min(440, Math.max(300, width * 0.52)));
  const peaks = section.peaks.map((peak) => ({ ...peak, value: valueOf(peak.name) })).filter((peak) => peak.value > 0);
  const bandwidth = valueOf(section.bandwidth), top = Math.max(...peaks.map((peak) => peak.value));
  const area = { left: 62, right: width - 14, top: 18, bottom: height - 40 };
  const x = axis([...points.map((point) => point.x), top / bandwidth / 3, (top / bandwidth) * 3], area.left, area.right);
  const y = axis([...points.map((point) => point.y), top * 1.3], area.bottom, area.top);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `${section.title}: ${points.length} kernels; the arrow keys go from one to the next` });
  const names = peakNames(peaks, bandwidth, points, x, y, area);
  svg.append(...gridLines(x, y, area), ...roofs(section, peaks, bandwidth, x, y, area), ...names.map((each) => each.text));
  const ordered = [...points].sort((a, b) => b.share - a.share);
  const marks = ordered.map((point) => pointMark(section, point, x, y));
  svg.append(...marks, ...pointNames(ordered, [...roofBoxes(peaks, bandwidth, x, y, area), ...names.map((each) => each.box)], x, y, area));
  roving(marks);
  return svg;
}

// A logarithmic axis with some room around its values, from one pixel to another.
function axis(values, from, to) {
  const low = Math.log10(Math.min(...values)) - 0.3, high = Math.log10(Math.max(...values)) + 0.15;
  const at = (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  const decades = Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, step) => Math.ceil(low) + step);
  return { at, low: 10 ** low, high: 10 ** high, decades, step: Math.abs(to - from) / (high - low) };
}

function decadeText(decade) {
  if (decade < -3) return `1e${decade}`;
  const [scale, prefix] = DECIMAL.find(([each, letter]) => !letter || (each >= 1e6 && 10 ** decade >= each));
  return `${grouped(String(10 ** decade / scale))}${prefix && ` ${prefix}`}`;
}

function gridLines(x, y, area) {
  const found = [];
  for (const decade of x.decades) {
    const at = x.at(10 ** decade);
    found.push(drawn("line", { x1: at, x2: at, y1: area.top, y2: area.bottom, class: "grid" }));
    if (x.step > 34 || decade % 2 === 0) found.push(drawn("text", { x: at, y: area.bottom + 16, class: "axis", "text-anchor": "middle", text: decadeText(decade) }));
  }
  for (const decade of y.decades) {
    const at = y.at(10 ** decade);
    found.push(drawn("line", { x1: area.left, x2: area.right, y1: at, y2: at, class: "grid" }));
    if (y.step > 22 || decade % 2 === 0) found.push(drawn("text", { x: area.left - 7, y: at + 4, class: "axis", "text-anchor": "end", text: decadeText(decade) }));
  }
  found.push(drawn("text", { x: (area.left + area.right) / 2, y: area.bottom + 34, class: "axis title", "text-anchor": "middle", text: "arithmetic intensity (FLOP/byte)" }));
  found.push(drawn("text", { x: 12, y: (area.top + area.bottom) / 2, class: "axis title", "text-anchor": "middle", transform: `rotate(-90 12 ${(area.top + area.bottom) / 2})`, text: "attainable FLOP/s" }));
  return found;
}

// The slope of the bandwidth up to the highest peak; lower peaks branch off it.
function roofs(section, peaks, bandwidth, x, y, area) {
  const ordered = [...peaks].sort((a, b) => b.value - a.value).filter((peak, place, all) => place === 0 || peak.value !== all[0].value);
  const found = [];
  ordered.forEach((peak, place) => {
    const ridge = Math.min(Math.max(peak.value / bandwidth, x.low), x.high);
    const start = Math.max(x.low, y.low / bandwidth);
    const slope = place ? "" : `M${x.at(start)},${y.at(bandwidth * start)}L${x.at(ridge)},${y.at(peak.value)}`;
    found.push(drawn("path", { d: `${slope}M${x.at(ridge)},${y.at(peak.value)}H${area.right}`, class: place ? "roof lower" : "roof" }));
    if (!place) found.push(slopeName(section, bandwidth, start, ridge, peak, x, y));
  });
  return found;
}

// The name of each peak at the right end of its line, above or beneath, wherever the fewest points are.
function peakNames(peaks, bandwidth, points, x, y, area) {
  const taken = points.map((point) => boxOf(point, x, y));
  return peaks.filter((peak, place) => peaks.findIndex((each) => each.value === peak.value) === place).map((peak) => {
    const words = `${peak.title} ${textOf(peak.name)}`, wide = words.length * 7.2, line = y.at(peak.value);
    const ridge = Math.min(x.at(Math.max(peak.value / bandwidth, x.low)) + 8, area.right - wide);
    const boxes = [area.right - 4 - wide, ridge].flatMap((left) => [line - 19, line + 4, line - 29, line + 14].map((top) => [left, top, left + wide, top + 15]));
    const hidden = (box) => taken.filter((other) => !apart(box, other)).length;
    const box = boxes.reduce((best, each) => (hidden(each) < hidden(best) ? each : best));
    taken.push(box);
    return { box, text: drawn("text", { x: box[0], y: box[1] + 12, class: "roof-name", text: words }) };
  });
}

function slopeName(section, bandwidth, start, ridge, peak, x, y) {
  const from = [x.at(start), y.at(bandwidth * start)], to = [x.at(ridge), y.at(peak.value)];
  const middle = [from[0] + (to[0] - from[0]) * 0.68, from[1] + (to[1] - from[1]) * 0.68];
  const turn = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
  return drawn("text", { x: middle[0], y: middle[1] - 7, class: "roof-name", "text-anchor": "middle", transform: `rotate(${turn} ${middle[0]} ${middle[1]})`, text: textOf(section.bandwidth) });
}

function pointMark(section, point, x, y) {
  const cell = (key) => textOf(point.cells[section[key]]);
  const lines = () => [
    `${point.title}, ${point.group.title.toLowerCase()}`,
    `${cell("time")} a run, ${cell("times")} runs, ${fixed(100 * point.share, 1)}% of the kernels`,
    `${cell("flops")}, ${cell("bytes")}, ${digits(point.x)} FLOP/byte`,
    `waits for: ${point.bound}`,
  ];
  const shape = pointShape(point.shape, x.at(point.x), y.at(point.y), radius(point), `point ${lookOf(point.bound)}`);
  const mark = drawn("g", { class: "mark", role: "button", "data-open": point.place, "aria-label": lines().join(", ") }, shape);
  return openedByKey(withTip(mark, lines));
}

function radius(point) {
  return 4 + 11 * Math.sqrt(point.share);
}

function boxOf(point, x, y) {
  const at = [x.at(point.x), y.at(point.y)], r = radius(point);
  return [at[0] - r, at[1] - r, at[0] + r, at[1] + r];
}

function apart(a, b) {
  return a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
}

// Where the lines and the name of the slope are, as small boxes that no other name should cover.
function roofBoxes(peaks, bandwidth, x, y, area) {
  const boxes = peaks.map((peak) => [area.left, y.at(peak.value) - 2, area.right, y.at(peak.value) + 2]);
  const top = Math.max(...peaks.map((peak) => peak.value));
  for (let px = area.left; px < x.at(Math.min(top / bandwidth, x.high)); px += 6) {
    const share = (px - area.left) / (area.right - area.left);
    const py = y.at(bandwidth * 10 ** (Math.log10(x.low) + share * (Math.log10(x.high) - Math.log10(x.low))));
    boxes.push([px, py - 4, px + 6, py + 4]);
  }
  return boxes;
}

// The names of the larger points, each on the first side where there is room.
function pointNames(points, roofs, x, y, area) {
  const taken = [...points.map((point) => boxOf(point, x, y)), ...roofs];
  return points.filter((point) => point.share > 0.015).flatMap((point) => {
    const box = boxOf(point, x, y), wide = point.title.length * 6.2, middle = (box[1] + box[3]) / 2, left = (box[0] + box[2] - wide) / 2;
    const sides = [[box[2] + 5, middle - 7], [left, box[1] - 18], [left, box[3] + 4], [box[0] - 5 - wide, middle - 7]];
    const places = sides.map(([at, top]) => [at, top, at + wide, top + 14]);
    const free = places.find((each) => each[0] > area.left && each[2] < area.right + 10 && each[3] < area.bottom && taken.every((other) => apart(each, other)));
    if (!free) return [];
    taken.push(free);
    return [drawn("text", { x: free[0], y: free[1] + 11, class: "point-name", text: point.title })];
  });
}
