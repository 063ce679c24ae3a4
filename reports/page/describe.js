// What the page knows of a value.

// MathML with the tags that stand in it as single characters.
function withTags(text) {
  return Array.from(text, (each) => data.formulas.marks[each] ?? each).join("");
}

function about(place) {
  const [name, kind, quantity, declaration, written, filled, guard, reads] = nodes[place];
  const [declared, sentence, symbol, where, cited, remarks, derived] = data.formulas.declarations[declaration];
  const [text, math] = data.formulas.written[written];
  const [plain, , binding] = name.split(/@(.*)/s).length > 1 ? [name.slice(0, name.indexOf("@")), "", name.slice(name.indexOf("@") + 1)] : [name, "", ""];
  return {
    name, kind, plain, binding, declared, where, cited, remarks, derived, text, reads,
    symbol: withTags(symbol),
    math: withTags(math),
    parts: data.formulas.filled[filled].map((part) => (typeof part === "number" ? reads[part] : part)),
    guard: guards[guard],
    quantity: data.formulas.quantities[quantity],
    sentence: sentence || rowSentence(plain),
    row: rowSentence(plain),
    input: data.formulas.inputs[place] ?? null,
  };
}

// `table.row.column`: what the row is.
function rowSentence(plain) {
  const parts = plain.split(".");
  const table = data.formulas.rows[parts.slice(0, -2).join(".")];
  return (table && Object.hasOwn(table, parts.at(-2)) && table[parts.at(-2)]) || "";
}

function valueAt(place) {
  return current.shown ? current.shown[place] : NaN;
}

function textAt(place) {
  return current.shown ? shown(valueAt(place), quantityOf(place)) : "\u2013";
}

function valueOf(name) {
  return valueAt(places.get(name));
}

function textOf(name) {
  return textAt(places.get(name));
}

// Whether a part of the page is there: `with` inputs of which one is set, `without` any that is, `when` a flag holds.
function isAsked(part) {
  return isAskedUnder(part, current.given, valueOf);
}

// The same under other inputs and values.
function isAskedUnder({ with: some, without: none, when }, given, valueOfName) {
  const isSet = (name) => name in given;
  return (!some || some.some(isSet)) && !none?.some(isSet) && !(places.has(when) && valueOfName(when) !== true);
}

// Whether an entry is left out here, such as while its quantity is 0.
function saysNothing(entry) {
  return !isAsked(entry) || (Boolean(entry.unless_zero) && valueOf(entry.name) === 0);
}

// The last part of a name in words, without its folders.
function lastWords(name) {
  return spaced(name.slice(name.lastIndexOf(".") + 1));
}

function spaced(word) {
  return word.replaceAll("_", " ");
}
