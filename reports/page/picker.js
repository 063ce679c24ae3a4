// A field that finds one of many records by some letters of its name, id or other names, as a combobox of WAI-ARIA.

function searched(record) {
  return [record.id, record.title, ...(record.names ?? [])].join(" ").toLowerCase();
}

// Options are pairs of an id and a title; `texts` are what is searched in, `chosen` hears the id.
function picker(id, listId, options, chosen) {
  const list = element("ul", { id: listId, role: "listbox", class: "options", hidden: true });
  const field = element("input", { id, type: "text", role: "combobox", "aria-expanded": "false", "aria-controls": listId, "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", dir: "auto" });
  let offered = [], active = -1, shownText = "";
  const mark = (place) => {
    active = place;
    offered.forEach((each, at) => each.setAttribute("aria-selected", String(at === place)));
    const found = offered[place];
    if (found) field.setAttribute("aria-activedescendant", found.id);
    else field.removeAttribute("aria-activedescendant");
    found?.scrollIntoView({ block: "nearest" });
  };
  const open = (words) => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const begins = ({ id, title }) => Number(wanted.length > 0 && [id, title].some((name) => name.toLowerCase().startsWith(wanted[0])));
    const found = options().filter((each) => wanted.every((word) => each.text.includes(word))).sort((one, other) => begins(other) - begins(one));
    offered = found.map((each, at) => element("li", { role: "option", id: `${listId}-${at}`, "data-id": each.id, text: each.title, dir: "auto" }));
    emptied(list, offered.length ? offered : element("li", { class: "remark", text: "Nothing has such a name." }));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    mark(wanted.length ? 0 : found.findIndex((each) => each.title === shownText));
  };
  const close = () => {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
    field.value = shownText;
  };
  const choose = (option) => {
    close();
    if (option) chosen(option.dataset.id);
  };
  const keys = {
    ArrowDown: () => (list.hidden ? open("") : mark(Math.min(active + 1, offered.length - 1))),
    ArrowUp: () => mark(Math.max(active - 1, 0)),
    Enter: () => choose(offered[active]),
    Escape: close,
  };
  field.addEventListener("keydown", (event) => {
    if (!keys[event.key] || (list.hidden && event.key !== "ArrowDown")) return;
    event.preventDefault();
    keys[event.key]();
  });
  field.addEventListener("click", () => {
    if (!list.hidden) return;
    field.select();
    open("");
  });
  field.addEventListener("input", () => open(field.value));
  field.addEventListener("blur", close);
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => choose(event.target.closest("[data-id]")));
  const show = (text) => {
    shownText = text;
    if (list.hidden) field.value = text;
  };
  return { field, whole: element("div", { class: "picker" }, field, list), show };
}
