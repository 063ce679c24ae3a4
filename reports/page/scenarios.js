// Scenarios that a reader pinned, side by side with the one that the page shows: what they are given and what comes of it.

const MOST_PINS = 8;

// What was said in each. The address keeps them.
let pins = [];

function buildScenarios(section) {
  const { panel, body } = figure(section, "scenarios");
  const table = element("table"), pin = document.getElementById("pin");
  body.append(element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": section.title }, table));
  pin.hidden = false;
  const groups = sectionsOf("cards"), parts = groups.flatMap((group) => [group, ...group.entries]);
  const wanted = parts.flatMap(({ name, when }) => [places.get(name), places.get(when)]).filter((place) => place !== undefined);
  const at = calculator(wanted), known = new Map();
  const outcome = (chosen) => {
    const key = JSON.stringify(chosen);
    if (!known.has(key)) {
      const { values, reason } = at(chosen), { given } = givenBy(chosen);
      known.set(key, { reason, given, values: values && Object.fromEntries(wanted.map((place) => [place, values[place]])) });
    }
    return known.get(key);
  };
  const change = (next) => {
    pins = next;
    for (const view of views) view();
    keepInLink();
  };
  pin.addEventListener("click", () => change([...pins, structuredClone(state)]));
  views.push(() => {
    panel.hidden = !pins.length;
    const isPinned = pins.some((each) => JSON.stringify(each) === JSON.stringify(state));
    pin.disabled = isPinned || pins.length >= MOST_PINS || Boolean(current.failure || current.refused.length);
    if (!pins.length) return;
    const columns = [state, ...pins].map((chosen) => ({ chosen, ...outcome(chosen) }));
    const heads = pins.map((chosen, turn) => pinHead(turn, chosen, change));
    emptied(table, element("caption", { class: "unseen", text: section.title }),
      element("thead", {}, element("tr", {}, element("td"), element("th", { scope: "col", class: "figures", text: "Now" }), heads)),
      element("tbody", {}, differingRows(columns)), groups.map((group) => outcomeRows(group, columns)));
  });
}

function pinHead(turn, chosen, change) {
  const name = `Scenario ${turn + 1}`;
  const show = element("button", { type: "button", class: "more", text: "show", "aria-label": `Show ${name}`, onclick: () => { Object.assign(state, structuredClone(chosen)); update(); } });
  const unpin = element("button", { type: "button", class: "more", text: "unpin", "aria-label": `Unpin ${name}`, onclick: () => change(pins.filter((_, at) => at !== turn)) });
  return element("th", { scope: "col", class: "figures" }, name, element("div", { class: "head-actions" }, show, unpin));
}

// The records and inputs that are not the same in all of them.
function differingRows(columns) {
  const records = data.places.map(({ name, kind, title }) => [title, columns.map(({ chosen }) => {
    const id = recordsInForce(chosen.records)[name];
    return id ? recordOf(kind, id)?.title ?? id : "none";
  })]);
  const names = new Set(columns.flatMap(({ chosen }) => Object.keys(chosen.values)).filter((name) => places.has(name)));
  const inputs = [...names].map((name) => [name, columns.map(({ chosen }) => inputText(places.get(name), givenBy(chosen).given))]);
  return [...records, ...inputs].filter(([, texts]) => new Set(texts).size > 1).map(([title, texts]) =>
    element("tr", {}, element("th", { scope: "row", text: title }), texts.map((text) => element("td", { class: "figures", text }))));
}

function inputText(place, given) {
  const name = nodes[place][0];
  return shown(name in given ? given[name] : defaultOf(place, given), quantityOf(place));
}

// What heads the page, in each of them.
function outcomeRows(group, columns) {
  const isAskedIn = (part) => columns.some(({ given, values }) => isAskedUnder(part, given, (name) => values?.[places.get(name)]));
  if (!isAskedIn(group)) return "";
  const rows = group.entries.filter(isAskedIn).map((entry) => outcomeRow(entry, columns)).filter(Boolean);
  const title = group.says ? `${group.title}: ${group.says}` : group.title;
  const head = element("tr", { class: "group" }, element("th", { scope: "rowgroup", colspan: columns.length + 1, text: title }));
  return rows.length ? element("tbody", {}, head, rows) : "";
}

// A quantity in each of them, and by how much it differs from what it is now.
function outcomeRow(entry, columns) {
  const place = places.get(entry.name), values = columns.map((column) => (column.values ? Number(column.values[place]) : NaN)), [now] = values;
  if (!values.some((value) => Number.isFinite(value) && !(entry.unless_zero && value === 0))) return null;
  const cells = columns.map(({ reason }, turn) => {
    const value = values[turn], change = turn && now !== 0 && Number.isFinite(value / now) ? value / now - 1 : 0;
    const text = value === value ? entryNumber(entry, place, value) : reason ? "no value" : "not given";
    return element("td", { class: "figures", title: reason || null }, element("span", { text }), change ? element("span", { class: "change", text: changeText(change) }) : "");
  });
  return element("tr", {}, element("th", { scope: "row", text: entry.title }), cells);
}

// A change as a share, or a large one as a factor.
function changeText(change) {
  if (change > 9) return `${digits(Number((change + 1).toPrecision(3)))}\u00d7`;
  return `${change > 0 ? "+" : "\u2212"}${fixed(Math.abs(100 * change), 1)}%`;
}
