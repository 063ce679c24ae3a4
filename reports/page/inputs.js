// Every other input, in a list that opens: what holds, and who said so.

const inputPlaces = nodes.map((_, place) => place).filter((place) => nodes[place][1] === "input");
const whose = (place) => about(place).input.supplier ?? "workload";
const WHOSE = { workload: "Of the workload", ...Object.fromEntries(data.places.map((each) => [each.name, each.whose])) };

function originText(place) {
  const origin = current.origins[nodes[place][0]];
  if (origin) return origin;
  return valueAt(place) !== valueAt(place) ? "not given" : "default";
}

// Rows of a table that are not there show only the flag of the next one, which a reader may set.
function isThere(row) {
  const flag = places.get(`${row}.filled`);
  return flag === undefined || valueAt(flag) === true;
}

function isOffered(name) {
  const [, row, table, number, column] = /^((.*)\.(\d+))\.(\w+)$/.exec(name) ?? [];
  if (!row || name in state.values || isThere(row)) return true;
  return column === "filled" && isThere(`${table}.${number - 1}`);
}

function inputRow(place) {
  const { name, sentence, symbol } = about(place);
  const id = `input-${name}`;
  const field = valueField(place, id, spaced(name));
  const problem = element("p", { class: "problem", id: `${id}-problem`, role: "alert" });
  const origin = element("span", { class: "origin" });
  const reset = element("button", { type: "button", class: "reset", title: "Back to what it was", "aria-label": `Reset ${spaced(name)}`, text: "\u21ba", onclick: () => setValue(name, null) });
  const about_ = element("button", { type: "button", class: "name", "data-open": place, title: "Open" }, symbol ? mathematics(symbol) : "", element("code", { text: name }));
  const row = element("li", { "data-search": `${name} ${sentence}`.toLowerCase() }, about_, field, reset, element("p", { class: "remark" }, prose(sentence), " ", origin), problem);
  field.setAttribute("aria-describedby", problem.id);
  const idle = element("p", { class: "remark", hidden: true });
  row.append(idle);
  greyedWhereIdle(name, row, idle);
  const refresh = () => {
    showField(field, problem, place);
    origin.textContent = originText(place);
    row.classList.toggle("yours", name in state.values);
    reset.hidden = !(name in state.values);
    row.style.display = isOffered(name) ? "" : "none";
  };
  return { row, refresh };
}

function buildInputs() {
  const fold = document.getElementById("all-inputs"), list = document.getElementById("input-list");
  let rows = null;
  const build = () => {
    list.append(...data.places.filter((each) => !each.first).map((each) => recordChoice(each.name, each.kind)));
    const groups = new Map();
    rows = inputPlaces.map((place) => {
      const made = inputRow(place), group = whose(place);
      if (!groups.has(group)) groups.set(group, element("ul", { class: "inputs" }));
      groups.get(group).append(made.row);
      return made;
    });
    for (const [group, ul] of groups) list.append(element("h3", { text: WHOSE[group] ?? spaced(group) }), ul);
    for (const view of views) view();
  };
  fold.addEventListener("toggle", () => fold.open && !rows && build());
  views.push(() => fold.open && rows?.forEach((each) => each.refresh()));
  document.getElementById("input-search").addEventListener("input", (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    for (const row of list.querySelectorAll("li[data-search]")) row.hidden = !row.getAttribute("data-search").includes(wanted);
    for (const ul of list.querySelectorAll("ul.inputs")) ul.previousElementSibling.hidden = ![...ul.children].some((each) => !each.hidden);
  });
  document.getElementById("reset-all").addEventListener("click", () => {
    state.values = {};
    state.records = pick(state.records, SUBJECT);
    update();
  });
}
