// A quantity along one input as a line, broken where there is no value and dashed where a limit does not hold.

const MOST_POINTS = 80; // of which each has a mark of its own

// `axis` has the input, its values and its texts, `points` what was found at each: value, whether the limit holds, reason.
function lineChart({ axis, place, limit, points, width, chosen }) {
  const height = 310, quantity = quantityOf(place), top = 14, bottom = height - 44;
  const values = points.filter(({ value }) => Number.isFinite(value)).map(({ value }) => value);
  const words = wordsOf(quantity), low = bottom - (points.some(({ reason }) => reason) ? 18 : 0);
  const y = words.length ? evenScale(words.map((_, at) => at), low, top) : axisScale(values, low, top, multiplies(values, false));
  const ticks = words.length ? words.map((_, at) => at) : y.ticks, tickTexts = ticks.map((tick) => (words.length ? words[tick] : tickText(tick, quantity, LONGEST_UNIT)));
  const area = { left: 18 + widthOfTexts(tickTexts), right: width - 16, top, bottom };
  const x = axis.isNumber ? axisScale(axis.values, area.left, area.right, multiplies(axis.values, true)) : evenScale(axis.values.map((_, at) => at), area.left, area.right);
  const xs = axis.values.map((value, at) => x.at(axis.isNumber ? value : at));
  const ys = points.map(({ value }) => (Number.isFinite(value) ? y.at(value) : NaN));
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${nodes[place][0]} by ${axis.name}; the arrow keys go from one point to the next, Enter takes its value` });
  ticks.forEach((tick, at) => svg.append(drawn("line", { x1: area.left, x2: area.right, y1: y.at(tick), y2: y.at(tick), class: "grid" }), drawn("text", { x: area.left - 7, y: y.at(tick) + 4, class: "axis", "text-anchor": "end", text: tickTexts[at] })));
  for (const at of freePlaces(xs, axis.texts)) svg.append(drawn("text", { x: xs[at], y: area.bottom + 18, class: "axis", "text-anchor": "middle", text: axis.texts[at] }));
  svg.append(drawn("text", { x: (area.left + area.right) / 2, y: area.bottom + 38, class: "axis title", "text-anchor": "middle", text: axis.title }));
  const now = axis.values.indexOf(axis.now);
  if (now >= 0) svg.append(drawn("line", { x1: xs[now], x2: xs[now], y1: area.top, y2: area.bottom, class: "edge" }));
  const look = data.palette.turn[0];
  svg.append(...linePieces(points, xs, ys, look), ...(points.length > MOST_POINTS ? [] : linePoints(points, xs, ys, look)));
  svg.append(...points.flatMap(({ reason }, at) => (reason ? [drawn("path", { class: "gap", d: `M${xs[at] - 3},${area.bottom - 9}l6,6m0,-6l-6,6` })] : [])));
  withCursor(svg, {
    columns: points.length, rows: 1, chosen,
    box: (at) => [xs[at] - 8, (Number.isFinite(ys[at]) ? ys[at] : area.bottom - 6) - 8, 16, 16],
    nearest: (px) => [xs.reduce((best, each, at) => (Math.abs(each - px) < Math.abs(xs[best] - px) ? at : best), 0), 0],
    lines: (at) => pointLines([[axis, at]], points[at], place, limit),
  });
  return svg;
}

// The words that a value may be, none for a number.
function wordsOf([kind, , , words]) {
  return kind === "flag" ? ["no", "yes"] : words;
}

// What is told of a point of a sweep.
function pointLines(along, point, place, limit) {
  const { value, holds, reason } = point ?? {};
  const head = point === undefined ? "not computed yet" : reason || shown(value, quantityOf(place));
  return [head, ...along.map(([axis, at]) => `${axis.name} ${axis.told[at]}`), ...(holds === false ? [limit.title] : [])];
}

// A path for each run of points with a value: dashed to and from one that does not hold.
function linePieces(points, xs, ys, look) {
  const solid = [], dashed = [];
  for (let at = 1; at < points.length; at++) {
    if (!Number.isFinite(ys[at - 1]) || !Number.isFinite(ys[at])) continue;
    const piece = `M${xs[at - 1]},${ys[at - 1]}L${xs[at]},${ys[at]}`;
    (points[at - 1].holds && points[at].holds ? solid : dashed).push(piece);
  }
  return [drawn("path", { d: solid.join(""), class: `curve ${look}` }), drawn("path", { d: dashed.join(""), class: `curve dashed ${look}` })];
}

function linePoints(points, xs, ys, look) {
  return points.flatMap(({ holds }, at) => (Number.isFinite(ys[at]) ? [drawn("circle", { cx: xs[at], cy: ys[at], r: 3.5, class: `point ${look}${holds ? "" : " beyond"}` })] : []));
}
