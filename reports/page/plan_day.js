// The hours of a day: what each alternative takes with the replicas of each hour, and the hours of the first that meets the targets.

const QUIET = 1e-9; // requests a second with which an hour without any is computed: one replica stays, and is idle
const BARS = 150, FOOT = 20;

// The quantities of an hour without replicas.
const nothingRuns = (name) => (data.day.none.includes(name) || name === data.day.rented ? 0 : NaN);

// The quantities of each hour with its fewest replicas, and how many of these start for it; and with those of the busiest hour.
function dayOf(turn) {
  const given = inputsOf(turn), { rate, replicas } = data.load, busiest = given[freePlace.get(rate)];
  const held = new Map();
  const planned = data.day.shares.map((share) => {
    const at = withInput(given, rate, Math.max(share * busiest, QUIET));
    if (!held.has(share)) held.set(share, share || !data.alternatives[turn].stops ? fewestReplicas(turn, at) : 0);
    return { given: at, count: held.get(share), stated: share * busiest };
  });
  const most = Math.max(...planned.map(({ count }) => count));
  const sized = (inputs, count) => withInput(inputs, replicas, count);
  const rented = ({ of }) => of(data.day.rented);
  const scaled = (committed) => {
    const hours = planned.map(({ given: at, count, stated }) => ({ stated, of: count === 0 ? nothingRuns : quantitiesAt(turn, committed === undefined ? sized(at, count) : withInput(sized(at, count), data.commitment.input, committed)), count }));
    return hours.map((each, hour) => ({ ...each, starts: Math.max(0, rented(each) - rented(hours.at(hour - 1))) }));
  };
  const all = planned.map(({ given: at, count }) => committedAll(turn, sized(at, count)));
  const counts = commits(turn) ? [...new Set(all.map((inputs) => inputs[freePlace.get(data.commitment.input)]))] : [];
  const costs = counts.map((committed) => [scaled(committed).reduce((sum, hour) => sum + hourValue(data.day.sums[0], hour), 0), committed]);
  const [, cheapest] = costs.filter(([cost]) => cost === cost).reduce((best, each) => (each[0] < best[0] ? each : best), [Infinity]);
  return scaled(cheapest).map((each, hour) => ({ ...each, steady: quantitiesAt(turn, committedAll(turn, sized(planned[hour].given, most))) }));
}

function hourValue(row, { of, starts, stated }) {
  return row.name === data.load.rate ? stated : of(row.name) + (row.start && starts ? starts * of(row.start) : 0);
}

function sumsOf(row, day) {
  const scaled = day.reduce((sum, hour) => sum + hourValue(row, hour), 0);
  const steady = day.reduce((sum, hour) => sum + hour.steady(row.name), 0);
  return [scaled, steady];
}

function dayRow(title, texts) {
  return element("tr", {}, element("th", { scope: "row", text: title }), texts.map((text) => element("td", { class: "figures", text })));
}

function dayTable(head, rows) {
  const titles = element("tr", {}, element("td"), head.map((text) => element("th", { scope: "col", class: "figures", text })));
  return element("div", { class: "scrolled" }, element("table", {}, element("thead", {}, titles), element("tbody", {}, rows)));
}

function drawDay(day, title, width) {
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${BARS + FOOT}`, width, height: BARS + FOOT, role: "img", "aria-label": title });
  const most = Math.max(...day.map(({ count }) => count)), step = width / day.length;
  day.forEach(({ count }, hour) => {
    const height = ((BARS - 16) * count) / most, x = hour * step;
    const mark = drawn("g", { class: "mark", tabindex: 0, role: "img", "aria-label": `${data.day.hours[hour]}: ${count}` }, drawn("rect", { class: `segment ${data.palette.turn[0]}`, x: x + 1, y: BARS - height, width: step - 2, height }));
    svg.append(withTip(mark, () => [String(count), data.day.hours[hour]]));
    svg.append(drawn("text", { class: "axis", "text-anchor": "middle", x: x + step / 2, y: BARS - height - 4, text: count }));
    if (hour % 3 === 0) svg.append(drawn("text", { class: "axis", x, y: BARS + 16, text: data.day.hours[hour] }));
  });
  return svg;
}

function buildDay() {
  const panel = document.getElementById("day");
  panel.hidden = false;
  const body = panel.querySelector(".day");
  return (hours) => {
    const days = data.alternatives.map((_, turn) => dayOf(turn)), first = Math.max(0, hours.findIndex((each) => !each.missed.length));
    const sums = data.day.sums.flatMap((row) => {
      const found = days.map((day) => sumsOf(row, day));
      const less = found.map(([scaled, steady]) => (steady > 0 ? percent(steady - scaled, steady) : "-"));
      return [...row.titles.map((title, turn) => dayRow(title, found.map((each) => rowText(row, each[turn])))), dayRow("less by", less)];
    });
    const rows = days[first].map((hour, at) => dayRow(data.day.hours[at], [...data.day.columns.map((row) => rowText(row, hourValue(row, hour))), hour.starts ? String(hour.starts) : ""]));
    const { name } = data.alternatives[first];
    return emptied(body, dayTable(data.alternatives.map((each) => each.name), sums), element("h3", { text: `${name}: replicas by the hour` }), days[first].every(({ count }) => Number.isFinite(count)) ? drawDay(days[first], `${name}: replicas by the hour`, Math.max(280, body.clientWidth || 560)) : "", dayTable([...data.day.columns.map(({ title }) => title), data.day.starts], rows));
  };
}
