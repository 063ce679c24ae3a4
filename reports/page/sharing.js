// The page taken along: as a link, as a command, as a table of values.

const NEEDS_ESCAPES = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/;

// A word that a POSIX shell, and for unseen characters bash, takes as it stands.
function quotedForShell(text) {
  if (/^[A-Za-z0-9@%+:,./_-]+$/.test(text)) return text;
  if (!NEEDS_ESCAPES.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = (each) => (each === "'" || each === "\\" ? `\\${each}` : NEEDS_ESCAPES.test(each) ? `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}` : each);
  return `$'${[...text].map(escaped).join("")}'`;
}

// What the scenario file of the command says and the reader took back: the command has to say what holds instead.
function undone() {
  const file = data.start.options.some(([name]) => name === "--inputs");
  return file ? Object.keys(data.start.values).filter((name) => !(name in state.values) && valueOf(name) === valueOf(name)) : [];
}

// The command for what the page shows; a verb takes other values, and what it asks for in place of what the page was made for.
function commandText(verb = [], values = state.values, asked = null) {
  const words = ["formula-eval", ...verb];
  const option = (name, value) => words.push(`--${name.replaceAll("_", "-")}`, quotedForShell(value));
  for (const [name, value] of data.start.options) if (!asked || name !== "--only") words.push(name, quotedForShell(value));
  for (const [name, id] of Object.entries(state.records)) {
    if (data.start.records[name] !== id || !data.start.unnamed.includes(name)) option(data.places.find((each) => each.name === name)?.option ?? name, id);
  }
  const value = (name, text) => (name.includes(".") ? option("set", `${name}=${text}`) : option(name, text));
  for (const [name, text] of Object.entries(values)) value(name, text);
  for (const name of undone()) if (!(name in values)) value(name, editable(valueOf(name), quantityOf(places.get(name))));
  return [...words, ...(asked ?? []).map(quotedForShell)].join(" ");
}

function delimitedText() {
  const rows = [["name", "value", "unit"]];
  for (const [name, id] of Object.entries(recordsInForce(state.records))) rows.push([name, id, ""]);
  nodes.forEach(([name], place) => {
    if (!listed(place, false) || !current.values) return;
    const of = described(quantityOf(place)), value = valueAt(place);
    const known = value === value && Math.abs(value) !== inf;
    const text = of.kind === "choice" ? of.words[value] : of.kind === "date" ? dateText(value) : String(of.multiple ? of.inUnit(value) : value);
    rows.push([name, known ? text : "", of.multiple ? of.unit : of.base]);
  });
  return rows.map((row) => row.map(safeCell).join(",") + "\r\n").join("");
}

// A cell that no spreadsheet takes for a formula; numbers stay as they are.
function safeCell(text) {
  const plain = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function saved(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// The other pages of a site begin with what this one is about, as far as they know it.
function buildPages() {
  for (const link of document.querySelectorAll("#pages a:not([aria-current])")) {
    const [file, values] = link.getAttribute("href").split("#");
    const carried = SUBJECT.filter((name) => link.dataset.carries.split(" ").includes(name));
    views.push(() => link.setAttribute("href", `${file}#${choiceText({ records: pick(state.records, carried), values: {} })}&${values}`));
  }
}

function buildSharing() {
  const on = (id, act) => document.getElementById(id).addEventListener("click", (event) => act(event.currentTarget));
  on("copy-link", (button) => {
    history.replaceState(null, "", linkText());
    copied(location.href, button);
  });
  on("copy-command", (button) => copied(commandText(), button));
  on("download", () => saved("formula-eval.csv", delimitedText()));
  buildTheme();
  const command = document.getElementById("command");
  views.push(() => { command.textContent = commandText(); });
}
