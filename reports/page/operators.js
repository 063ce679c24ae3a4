// The table of kernels, one for each phase; every number of it can be opened.

function buildOperators(section) {
  const number = document.querySelectorAll(".operators").length;
  const { body } = figure(section, "operators");
  const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": section.title });
  const id = number ? `operators-${number}-` : "operators-";
  coloured(bindingWords(section));
  const panels = section.groups.map((group, place) => operatorsPanel(section, group, place, tabs, `${id}${place}`));
  body.append(tabs, ...panels.map((each) => each.panel));
  const show = (all) => current?.shown && panels.filter(({ panel }) => all || !panel.classList.contains("unchosen")).forEach((each) => each.refresh());
  views.push(() => show(false));
  tabs.addEventListener("chosen", () => show(false));
  addEventListener("beforeprint", () => show(true));
  tabs.classList.toggle("single", section.groups.length === 1);
  choosePanel(tabs, 0);
}

function operatorsPanel(section, group, place, tabs, id) {
  const tab = element("button", { type: "button", role: "tab", id: `${id}-tab`, "aria-controls": id, onclick: () => choosePanel(tabs, place), onkeydown: (event) => stepTabs(event, tabs, place) }, group.title);
  tabs.append(tab);
  const body = element("tbody"), columns = operatorColumns(section);
  const first = Object.values(group.cells)[0];
  const heads = columns.map((column) => column === section.ratio?.title ? element("th", { scope: "col", class: "figures", text: column }) : element("th", { scope: "col", class: column === section.bound ? "word" : "figures", title: about(places.get(first[column])).declared === column ? columnSentence(first[column]) : null, text: spaced(column) }));
  const table = element("table", {}, element("caption", { class: "unseen", text: `${section.title}: ${group.title}` }),
    element("thead", {}, element("tr", {}, element("th", { scope: "col", text: "operator" }), heads, element("th", { scope: "col", class: "figures", text: "share" }))), body);
  const panel = element("div", { class: "scrolled", role: "tabpanel", id, "aria-labelledby": tab.id, tabindex: 0 }, element("h3", { class: "printed", text: group.title }), table);
  shownWhereAsked(group, panel);
  shownWhereAsked(group, tab);
  return { panel, refresh: () => emptied(body, operatorRows(section, group, columns)) };
}

// The columns in order, with the ratio before the one that it names.
function operatorColumns(section) {
  const { ratio } = section;
  const columns = section.columns.flatMap((column) => (column === ratio?.before ? [ratio.title, column] : [column]));
  return [section.times, ...columns, section.time];
}

// One column divided by another, with the unit that follows.
function ratioText(section, kernel) {
  const [of, per] = [section.ratio.of, section.ratio.per].map((column) => places.get(kernel.cells[column]));
  const value = valueAt(of) / valueAt(per);
  return Number.isFinite(value) ? `${digits(value)} ${quantityOf(of)[4]}/${quantityOf(per)[4]}` : "";
}

function columnSentence(name) {
  const declaration = data.formulas.declarations[nodes[places.get(name)][3]];
  return declaration[1];
}

function operatorRows(section, group, columns) {
  const kernels = kernelsOf(section, group);
  const total = group.total ? valueOf(group.total) : kernels.reduce((sum, kernel) => sum + kernel.time, 0);
  return kernels.map((kernel) => {
    const share = kernel.time / total;
    const cells = columns.map((column) => operatorCell(section, kernel, column));
    const bar = element("span", { class: `share ${lookOf(kernel.bound)}`, "aria-hidden": "true", "--share": `${fixed(100 * share, 2)}%` });
    return element("tr", {}, element("th", { scope: "row", title: rowSentence(kernel.cells[section.time].split("@")[0]), text: kernel.title }), cells, element("td", { class: "figures shares" }, bar, element("span", { text: percent(kernel.time, total) })));
  });
}

function operatorCell(section, kernel, column) {
  if (column === section.ratio?.title) return element("td", { class: "figures", text: ratioText(section, kernel) });
  const place = places.get(kernel.cells[column]);
  if (column !== section.bound) return element("td", { class: "figures" }, openable(place, `${kernel.title}, ${spaced(column)}`));
  const word = kernel.bound === textAt(place) ? openable(place, `${kernel.title}, ${spaced(column)}`) : kernel.bound;
  return element("td", { class: "word" }, element("span", { class: `swatch ${lookOf(kernel.bound)}`, "aria-hidden": "true" }), word);
}

function choosePanel(tabs, chosen) {
  [...tabs.children].forEach((tab, place) => {
    tab.setAttribute("aria-selected", String(place === chosen));
    tab.setAttribute("tabindex", place === chosen ? "0" : "-1");
    const panel = document.getElementById(tab.getAttribute("aria-controls")) ?? tabs.parentElement.querySelector(`#${tab.getAttribute("aria-controls")}`);
    panel.classList.toggle("unchosen", place !== chosen);
  });
  tabs.dispatchEvent(new Event("chosen"));
}

function stepTabs(event, tabs, place) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = (place + step + tabs.children.length) % tabs.children.length;
  choosePanel(tabs, next);
  tabs.children[next].focus();
}
