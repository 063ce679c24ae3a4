// The fields of a plan, and its alternatives side by side.

// A field for an input: `put` gets what was typed, or undefined for an empty field that may be so.
function planField({ name, quantity }, label, { value, put, mayBeEmpty }) {
  const problem = element("p", { class: "problem", "aria-live": "polite" });
  const field = element("input", { type: "text", "aria-label": label, value: editable(value, quantity), spellcheck: "false", autocomplete: "off" });
  field.addEventListener("input", () => {
    const text = field.value.trim();
    try {
      if (text === "" && !mayBeEmpty) unreadable("needs a value");
      put(text === "" ? undefined : read(text, name));
      problem.textContent = "";
      field.removeAttribute("aria-invalid");
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problem.textContent = `${label} ${error.message}`;
      field.setAttribute("aria-invalid", "true");
    }
    update();
  });
  return { field, problem };
}

function buildAsked() {
  const shared = data.fields.filter(({ name }) => isShared(name));
  const fields = shared.map((row) => {
    const { title, name } = row, isAbsent = !Number.isFinite(startOf(0, name));
    const { field, problem } = planField(row, title, { value: startOf(0, name), mayBeEmpty: isAbsent, put: (value) => { if (value === undefined) delete typed.all[name]; else typed.all[name] = value; } });
    return element("div", { class: "field" }, element("label", {}, title, field), problem);
  });
  const panel = document.getElementById("asked");
  emptied(panel.querySelector(".asked"), fields);
  panel.hidden = !fields.length;
}

// The rows of the table: those of the groups, and the fields that differ from one alternative to the next.
function planGroups() {
  const own = data.fields.filter(({ name }) => !isShared(name)).map((each) => ({ ...each, typed: true }));
  return own.length ? [{ title: "What is asked", rows: own }, ...data.groups] : data.groups;
}

// A field in the cell of an alternative; replicas may be left to be as many as it takes.
function ownField(row, turn) {
  const key = `${row.name}@${row.hour}`, counts = data.load?.replicas === row.name || (commits(turn) && data.commitment.input === row.name);
  const put = (value) => { if (value === undefined) delete typed.own[turn][key]; else typed.own[turn][key] = value; };
  const label = `${row.title}, ${data.alternatives[turn].name}`;
  const { field, problem } = planField(row, label, { value: counts ? NaN : startOf(turn, row.name), mayBeEmpty: counts || !Number.isFinite(startOf(turn, row.name)), put });
  const cell = element("td", { class: "figures typed" }, field, problem);
  return { cell, tell: (hours) => { if (counts) field.placeholder = rowText(row, hours[turn][row.hour]?.(row.name)); } };
}

function valueCell(row, turn) {
  const cell = element("td", { class: "figures" });
  return { cell, tell: (hours) => { cell.textContent = rowText(row, valueTold(row, turn, hours)); } };
}

// The table, and what writes the values of all hours into it.
function buildAlternatives() {
  const tellers = [], count = data.alternatives.length;
  const heads = data.alternatives.map(({ name, layout }) => element("th", { scope: "col", class: "figures" }, element("strong", { text: name }), element("span", { class: "remark", text: layout })));
  const verdicts = data.alternatives.map(() => element("td", { class: "figures" }));
  tellers.push((hours) => verdicts.forEach((cell, turn) => {
    const against = hours[turn].missed;
    emptied(cell, element("span", { class: against.length ? "verdict-no" : "verdict-yes", text: against.length ? "no" : "yes" }), against.map((text) => element("span", { class: "remark", text })));
  }));
  const bodies = planGroups().map((group) => {
    const rows = group.rows.map((row) => {
      const cells = data.alternatives.map((_, turn) => (row.typed ? ownField : valueCell)(row, turn));
      tellers.push(...cells.map(({ tell }) => tell));
      return element("tr", {}, element("th", { scope: "row", text: row.title, title: row.sentence || null }), cells.map(({ cell }) => cell));
    });
    return element("tbody", {}, element("tr", { class: "group" }, element("th", { scope: "rowgroup", colspan: count + 1, text: group.title })), rows);
  });
  const keeps = element("tbody", {}, element("tr", {}, element("th", { scope: "row", text: "meets the targets" }), verdicts));
  const panel = document.getElementById("alternatives");
  emptied(panel.querySelector("table"), element("thead", {}, element("tr", {}, element("td"), heads)), keeps, bodies);
  panel.hidden = false;
  return (hours) => tellers.forEach((tell) => tell(hours));
}
