// Everything that was computed, to search and to open.

const LISTED = ["formula", "cell", "input"];

function buildListing(section) {
  const { panel, body } = figure(section, "listing");
  const search = element("input", { type: "search", id: "search", placeholder: "Search names and sentences", autocomplete: "off" });
  const copies = element("input", { type: "checkbox", id: "copies" });
  const rows = element("tbody"), count = element("p", { class: "remark", role: "status" });
  const table = element("table", {}, element("thead", {}, element("tr", {}, ["name", "value", "what it is"].map((text, place) => element("th", { scope: "col", class: place === 1 ? "figures" : null, text })))), rows);
  const fold = element("details", { id: "everything" }, element("summary", { text: "Show all" }),
    element("div", { class: "search" }, element("label", { for: "search", class: "unseen", text: "Search" }), search, element("label", {}, copies, " with copies under other inputs")), count, element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": section.title }, table));
  body.append(fold);
  panel.querySelector("h2").append(element("span", { class: "unit", text: String(nodes.filter(([name, kind]) => LISTED.includes(kind) && !name.includes("@")).length) }));
  const show = () => {
    if (!fold.open || !current.shown) return;
    const wanted = search.value.trim().toLowerCase();
    const found = nodes.map((_, place) => place).filter((place) => listed(place, copies.checked) && matches(place, wanted));
    count.textContent = `${found.length} quantities`;
    emptied(rows, found.map(listingRow));
  };
  for (const [node, event] of [[search, "input"], [copies, "change"], [fold, "toggle"]]) node.addEventListener(event, show);
  views.push(() => fold.open && rows.querySelectorAll("[data-open]").forEach((each) => { each.textContent = textAt(Number(each.dataset.open)); }));
}

function listed(place, copies) {
  const [name, kind] = nodes[place];
  return LISTED.includes(kind) && (copies || !name.includes("@")) && isOffered(name.split("@")[0]);
}

function matches(place, wanted) {
  return !wanted || `${nodes[place][0]} ${about(place).sentence}`.toLowerCase().includes(wanted);
}

function listingRow(place) {
  const { name, sentence } = about(place);
  return element("tr", {}, element("th", { scope: "row" }, element("code", { text: name })), element("td", { class: "figures" }, openable(place, name)), element("td", { class: "sentence" }, prose(sentence)));
}
