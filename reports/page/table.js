// A table of formulas as its author wrote it: a line for each row that is there; every number of it can be opened.

const MANY_ROWS = 24; // beyond which a table scrolls within its card

function buildTable(section) {
  const { body } = figure(section, "operators");
  const rows = element("tbody"), kept = section.rows.map((row) => [row, section.cells[row]]);
  const heads = section.columns.map((column) => element("th", { scope: "col", class: "figures", title: tableColumnSentence(kept, column), text: spaced(column) }));
  const table = element("table", {}, element("caption", { class: "unseen", text: section.title }), element("thead", {}, element("tr", {}, element("th", { scope: "col", text: "" }), heads)), rows);
  const charts = element("div", { class: "charts" });
  body.append(charts, element("div", { class: `scrolled${kept.length > MANY_ROWS ? " long" : ""}`, tabindex: 0, role: "region", "aria-label": section.title }, table));
  redrawnWhenResized(body, () => {
    if (!current?.shown) return;
    const isThere = ([row, cells]) => (!section.filled?.[row] || valueOf(section.filled[row])) && valueOf(cells[section.unless_zero]) !== 0;
    const there = kept.filter(isThere);
    emptied(rows, there.map(([row, cells]) => tableRow(section, row, cells)));
    emptied(charts, sequenceCharts(section, there, widthOf(body)));
  });
}

function tableColumnSentence(kept, column) {
  const held = kept.find(([, cells]) => column in cells);
  return held ? columnSentence(held[1][column]) : null;
}

function tableRow(section, row, cells) {
  const held = section.columns.map((column) => element("td", { class: "figures" }, column in cells ? openable(places.get(cells[column]), `${spaced(row)}, ${spaced(column)}`) : ""));
  return element("tr", {}, element("th", { scope: "row", title: rowSentence(Object.values(cells)[0]), text: spaced(row) }), held);
}
