// The time of each phase, kernel by kernel, coloured by what it waits for.

// The words of what binds, in the order of their colours.
function bindingWords(section) {
  const cells = section.groups.flatMap((group) => Object.values(group.cells));
  const words = cells.length ? quantityOf(places.get(cells[0][section.bound]))[3] : [];
  const extra = section.groups.flatMap((group) => (group.rows ?? []).map((row) => row.bound));
  return [...new Set([...words, ...extra, section.fixed_word, section.rest_word].filter(Boolean))];
}

// The colour of each word: its own in the palette, or in turn one that no such word has.
const palette = new Map();

function coloured(words) {
  const { waits, free } = data.palette;
  const others = () => [...palette.keys()].filter((word) => !Object.hasOwn(waits, word)).length;
  for (const word of words) if (!palette.has(word)) palette.set(word, Object.hasOwn(waits, word) ? waits[word] : free[others() % free.length]);
}

function lookOf(word) {
  return palette.get(word) ?? data.palette.turn[0];
}

// What a section calls a row of its table.
function rowTitle(section, row) {
  return section.titles?.[row] ?? spaced(row);
}

// The kernels of a group that take time: the time of all their runs, and what binds each.
function kernelsOf(section, group) {
  const found = Object.entries(group.cells).map(([row, cells]) => {
    const each = (key) => (section[key] && cells[section[key]] ? valueOf(cells[section[key]]) : NaN);
    const time = each("times") * each("time");
    const words = quantityOf(places.get(cells[section.bound]))[3];
    const bound = each("fixed") > each("time") / 2 ? section.fixed_word : words[each("bound")];
    return { row, title: rowTitle(section, row), time, bound, cells, place: places.get(cells[section.time]) };
  });
  return found.filter((kernel) => kernel.time > 0);
}

function timesOf(section, group) {
  const parts = kernelsOf(section, group);
  for (const row of group.rows ?? []) {
    const time = valueOf(row.name);
    if (time > 0) parts.push({ title: row.title, time, bound: row.bound, place: places.get(row.name) });
  }
  const total = valueOf(group.total);
  const rest = total - parts.reduce((sum, part) => sum + part.time, 0);
  if (group.rest && rest > total * 1e-12) parts.push({ title: group.rest, time: rest, bound: section.rest_word, place: places.get(group.total) });
  return { parts, total };
}

function buildTimes(section) {
  coloured(bindingWords(section));
  const { body } = figure(section, "times");
  const bars = section.groups.map((group) => {
    const head = element("div", { class: "bar-head" }), holder = element("div"), shares = element("ul", { class: "legend" });
    const listed = section.table ? null : element("table", { class: "parts" }, element("caption", { class: "unseen", text: group.title }));
    const bar = element("div", { class: "bar" }, head, holder, shares, listed ?? "");
    body.append(bar);
    shownWhereAsked(group, bar);
    return { group, head, holder, shares, listed };
  });
  redrawnWhenResized(body, () => {
    if (!current.shown) return;
    for (const { group, head, holder, shares, listed } of bars) {
      const { parts, total } = timesOf(section, group);
      emptied(head, element("h3", { text: group.title }), openable(places.get(group.total), group.title, "number strong"));
      emptied(holder, timesDrawing(group, parts, total, widthOf(body)));
      emptied(shares, [...palette.keys()].map((word) => shareOf(word, parts, total)));
      if (listed) emptied(listed, listed.caption, element("tbody", {}, [...parts].sort((one, other) => other.time - one.time).map((part) => partRow(part, total))));
    }
  });
}

function shareOf(word, parts, total) {
  const time = parts.filter((part) => part.bound === word).reduce((sum, part) => sum + part.time, 0);
  return time > 0 ? element("li", {}, element("span", { class: `swatch ${lookOf(word)}`, "aria-hidden": "true" }), element("span", { text: word }), element("span", { class: "number", text: percent(time, total) })) : "";
}

function partRow(part, total) {
  return element("tr", {}, element("th", { scope: "row" }, element("span", { class: `swatch ${lookOf(part.bound)}`, "aria-hidden": "true" }), part.title), element("td", { class: "figures" }, openable(part.place, part.title)), element("td", { class: "figures", text: percent(part.time, total) }));
}

function timesDrawing(group, parts, total, width) {
  const tall = 34, quantity = quantityOf(places.get(group.total));
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${tall}`, width, height: tall, role: "group", "aria-label": `${group.title}: time by kernel` });
  let left = 0;
  const marks = parts.map((part) => {
    const wide = (part.time / total) * width;
    const lines = () => [part.title, `${shown(part.time, quantity)}, ${percent(part.time, total)}`, `waits for: ${part.bound}`];
    const mark = drawn("g", { class: "mark", role: "button", "data-open": part.place, "aria-label": lines().join(", ") },
      drawn("rect", { x: left, y: 0, width: Math.max(0.5, wide - 1.5), height: tall, rx: 2, class: `segment ${lookOf(part.bound)}` }));
    if (wide > part.title.length * 7.7 + 12) mark.append(drawn("text", { x: left + 7, y: tall / 2 + 4.5, class: "inside", text: part.title }));
    left += wide;
    return openedByKey(withTip(mark, lines));
  });
  svg.append(...marks);
  roving(marks);
  return svg;
}

function openedByKey(mark) {
  mark.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    openDerivation(Number(mark.getAttribute("data-open")), mark);
  });
  return mark;
}
