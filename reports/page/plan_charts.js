// Charts of a plan: a line for each alternative, with its percentiles against a target, or with a bar of its parts.

const LINE = 34, NAMES = 12;

function planChart(title) {
  const body = element("div", { class: "drawing" });
  const panel = element("section", { class: "panel", "aria-label": title }, element("h2", { text: title }), body);
  document.getElementById("charts").append(panel);
  return body;
}

function emptyChart(body, title) {
  const names = data.alternatives.map(({ name }) => name), width = Math.max(280, body.clientWidth || 560);
  const left = Math.min(NAMES + widthOfTexts(names), 0.4 * width), height = LINE * names.length + 42;
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
  const middle = (turn) => LINE * turn + LINE / 2 + 14;
  names.forEach((text, turn) => svg.append(drawn("text", { x: left - 10, y: middle(turn) + 4, "text-anchor": "end", text })));
  return { svg, left, right: width - 90, bottom: LINE * names.length + 18, middle };
}

function drawTicks({ svg, bottom }, scale, quantity) {
  for (const tick of scale.ticks) {
    svg.append(drawn("line", { class: "grid", x1: scale.at(tick), x2: scale.at(tick), y1: 14, y2: bottom }));
  }
  const texts = scale.ticks.map((tick) => tickText(tick, quantity, LONGEST_UNIT));
  for (const at of freePlaces(scale.ticks.map(scale.at), texts)) {
    svg.append(drawn("text", { class: "axis", "text-anchor": "middle", x: scale.at(scale.ticks[at]), y: bottom + 17, text: texts[at] }));
  }
}

// Percentiles as points on a line, and the target that they are held against.
function buildPercentiles(chart) {
  const body = planChart(chart.title), { quantity } = chart.rows[0];
  return (hours) => {
    const found = hours.map((_, turn) => chart.rows.map((row) => valueTold(row, turn, hours)));
    const targets = data.alternatives.map((_, turn) => inputsOf(turn)[freePlace.get(chart.target)]);
    const values = [...found.flat(), ...targets].filter((value) => Number.isFinite(value) && value > 0);
    if (!values.length) return emptied(body, element("p", { class: "remark", text: "No value: requests arrive faster than they are served." }));
    const frame = emptyChart(body, `${chart.title}: ${chart.rows.map(({ title }) => title).join(", ")} of each alternative against the target`);
    const scale = axisScale(values, frame.left, frame.right, multiplies(values, false));
    drawTicks(frame, scale, quantity);
    found.forEach((row, turn) => drawPercentiles(frame, scale, { chart, values: row, target: targets[turn], turn }));
    return emptied(body, frame.svg, element("ul", { class: "legend" }, element("li", {}, element("span", { class: "target-mark" }), "target"), element("li", { text: `from left to right: ${chart.rows.map(({ title }) => title).join(", ")}` })));
  };
}

function drawPercentiles({ svg, right, middle }, scale, { chart, values, target, turn }) {
  const y = middle(turn), known = values.filter((value) => Number.isFinite(value) && value > 0);
  if (Number.isFinite(target)) svg.append(drawn("line", { class: "limit", x1: scale.at(target), x2: scale.at(target), y1: y - 12, y2: y + 12 }));
  if (!known.length) return;
  svg.append(drawn("line", { class: `curve ${data.palette.turn[0]}`, x1: scale.at(known[0]), x2: scale.at(known.at(-1)), y1: y, y2: y }));
  values.forEach((value, at) => {
    if (!(value > 0) || !Number.isFinite(value)) return;
    const isLate = value > target, row = chart.rows[at];
    const mark = drawn("g", { class: "mark", tabindex: 0, role: "img", "aria-label": `${data.alternatives[turn].name}, ${row.title}: ${rowText(row, value)}` }, drawn("circle", { class: `point ${isLate ? data.palette.status.bad : data.palette.turn[0]}`, cx: scale.at(value), cy: y, r: 5.5 }));
    svg.append(withTip(mark, () => [rowText(row, value), `${data.alternatives[turn].name}, ${row.title}`, ...(isLate ? ["beyond the target"] : [])]));
  });
  svg.append(drawn("text", { class: "axis", x: right + 10, y: y + 4, text: rowText(chart.rows.at(-1), known.at(-1)) }));
}

// What the parts of an alternative's bar sum up to; null where its first part has no value, such as a rent without a price.
function barSum(chart, of) {
  const [first, ...others] = chart.rows.map((row) => Number(of[row.hour]?.(row.name)));
  return Number.isFinite(first) ? others.reduce((sum, each) => sum + (each > 0 && Number.isFinite(each) ? each : 0), first) : null;
}

// The parts of each alternative's bar, one behind the other, with their sum; none of one that misses what is asked.
function buildBars(chart) {
  const body = planChart(chart.title), { quantity } = chart.rows[0], isOne = chart.rows.length === 1;
  return (hours) => {
    const found = hours.map((of) => chart.rows.map((row) => (of.missed.length ? 0 : Math.max(0, Number(of[row.hour]?.(row.name)) || 0)))), known = hours.map((of) => barSum(chart, of) !== null);
    const sums = found.map((row) => row.reduce((sum, each) => sum + each, 0));
    const frame = emptyChart(body, `${chart.title} of each alternative`), most = Math.max(...sums);
    if (!(most > 0) || !Number.isFinite(most)) return emptied(body, element("p", { class: "remark", text: "None meets the targets, or a price is missing." }));
    const at = (value) => frame.left + (value / most) * (frame.right - frame.left), { held, inUnit } = described(quantity);
    const ticks = evenScale([0, inUnit(most)], frame.left, frame.right).ticks.map(held);
    drawTicks(frame, { at, ticks: ticks.filter((tick) => tick >= 0 && tick <= most) }, quantity);
    found.forEach((row, turn) => drawBar(frame, at, { chart, values: row, said: hours[turn].missed.length ? "misses what is asked" : known[turn] ? rowText(chart.rows[0], sums[turn]) : "not known", turn }));
    const legend = chart.rows.map((row, place) => element("li", {}, element("span", { class: `swatch ${data.palette.turn[place]}` }), row.title));
    return emptied(body, frame.svg, isOne ? "" : element("ul", { class: "legend" }, legend));
  };
}

function drawBar({ svg, middle }, at, { chart, values, said, turn }) {
  let before = 0;
  values.forEach((value, place) => {
    const row = chart.rows[place], x = at(before), width = at(before + value) - x;
    before += value;
    if (!(width > 0)) return;
    const mark = drawn("g", { class: "mark", tabindex: 0, role: "img", "aria-label": `${data.alternatives[turn].name}, ${row.title}: ${rowText(row, value)}` }, drawn("rect", { class: `segment ${data.palette.turn[place]}`, x, y: middle(turn) - 9, width, height: 18, rx: 2 }));
    svg.append(withTip(mark, () => [rowText(row, value), `${data.alternatives[turn].name}, ${row.title}`]));
  });
  svg.append(drawn("text", { class: "axis", x: at(before) + 8, y: middle(turn) + 4, text: said }));
}
