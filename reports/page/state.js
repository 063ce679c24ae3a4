// What the reader chose, to the values of all formulas. Layers go from general to particular: the last one wins.

// Texts of which each begins as the one before, for so many characters.
function unfolded(texts) {
  let before = "";
  return texts.map(([shared, rest]) => (before = before.slice(0, shared) + rest));
}

const bases = unfolded(data.formulas.bases), guards = unfolded(data.formulas.guards);
let lastForm = new Array(data.formulas.forms[0].length).fill(0), form = 0, binding = 0;
const forms = data.formulas.forms.map((steps) => (lastForm = lastForm.map((each, at) => each + steps[at])));

// Each node as its name, kind, quantity, declaration, texts, guard, what it reads and its function.
const nodes = data.formulas.nodes.map(([formStep, bindingStep, ...before], place) => {
  const { bindings, kinds } = data.formulas;
  form += formStep;
  binding += bindingStep;
  const [base, kind, quantity, declaration, written, filled, guard, run] = forms[form];
  const name = bindings[binding] ? `${bases[base]}@${bindings[binding]}` : bases[base];
  return [name, kinds[kind], quantity, declaration, written, filled, guard, before.map((each) => place - each), run];
});
const READS = 7, FUNCTION = 8;
const places = new Map(nodes.map(([name], place) => [name, place]));
const recordsOf = Object.fromEntries(Object.entries(data.records).map(([supplier, all]) => [supplier, new Map(all.map((each) => [each.id, each]))]));

function isInput(name) {
  return places.has(name) && nodes[places.get(name)][1] === "input";
}

const state = { records: { ...data.start.records }, values: { ...data.start.values } };
let current = null;

function recordOf(supplier, id) {
  return recordsOf[supplier]?.get(id);
}

// The record of this id, or of another of its names, as the command line finds it.
function recordCalled(kind, wanted) {
  const word = wanted.toLowerCase();
  const all = data.records[kind] ?? [];
  return recordOf(kind, wanted) ?? all.find((each) => each.id.toLowerCase() === word) ?? all.find((each) => each.names?.some((name) => name.toLowerCase() === word));
}

// The record in force in each place: said, or named by another one, or the one of its kind that holds by default.
function recordsInForce(records) {
  const found = { ...records };
  for (const { name, kind, naming, otherwise } of data.places) {
    const named = naming.map(([place, supplier]) => recordOf(supplier, found[place])?.links?.[kind]).find(Boolean);
    found[name] ??= named ?? otherwise;
    if (found[name] === undefined) delete found[name];
  }
  return found;
}

// The layers of values, each with who said it.
function layersOf(chosen) {
  const inForce = recordsInForce(chosen.records);
  const placed = data.places.map((place) => [place, recordOf(place.kind, inForce[place.name])]).filter(([, record]) => record);
  const kinds = placed.filter(([place]) => place.under === "").map(([, record]) => record);
  const layers = kinds.map((record) => [record.origin, record.values]);
  for (const { restated } of kinds) if (restated) layers.push([data.start.namespace, restated]);
  for (const [{ name, under }, record] of placed.filter(([place]) => place.under !== "")) {
    const values = Object.entries(record.values).map(([key, value]) => [`${under}.${key}`, value]);
    layers.push([record.origin, { [name]: true, ...Object.fromEntries(values) }]);
  }
  return layers;
}

// What is given of a kind of which another record names none: the same for both, if it has no default.
function sameForOthers(given, origins, inForce) {
  for (const { name, under, kind } of data.places) {
    if (under === "" || under === name || inForce[name]) continue;
    for (const key of data.shared[kind] ?? []) {
      if (key in given && !(`${under}.${key}` in given)) [given[`${under}.${key}`], origins[`${under}.${key}`]] = [given[key], origins[key]];
    }
  }
}

// What is given under a choice, and who said it. `problems` are values that could not be read; `numbers` of the choice are
// values in base units, which go before what it says as text.
function givenBy(chosen) {
  const given = Object.create(null), origins = Object.create(null), problems = [], numbers = chosen.numbers ?? {};
  for (const [origin, values] of layersOf(chosen)) {
    Object.assign(given, values);
    for (const name of Object.keys(values)) origins[name] = origin;
  }
  const told = (name, setting) => {
    try {
      given[name] = setting(places.get(name));
      origins[name] = "you";
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      problems.push([name, `${name} = ${chosen.values[name].slice(0, 60)} ${problem.message}`]);
    }
  };
  const changes = [];
  for (const [name, number] of Object.entries(numbers)) told(name, () => number);
  for (const [name, text] of Object.entries(chosen.values)) {
    if (Object.hasOwn(numbers, name)) continue;
    const place = places.get(name), known = isInput(name);
    const percent = known ? relativeChange(text, place) : null;
    if (percent === null) told(name, () => (known ? read(text, place) : unreadable("is not an input of this page")));
    else changes.push([place, name, percent]);
  }
  // In the order of the formulas, so that a default that reads another changed input reads it changed.
  for (const [, name, percent] of changes.sort(([one], [other]) => one - other)) {
    told(name, (place) => changedBy(percent, name in given ? given[name] : defaultOf(place, given), place));
  }
  sameForOthers(given, origins, recordsInForce(chosen.records));
  return { given, origins, problems };
}

// All values of a choice; never touches what the page shows.
function evaluated(chosen) {
  const said = givenBy(chosen);
  return { ...said, ...computed(said.given) };
}

// Fill the places of the values in order; what throws tells at which of them.
function filledIn(given, wanted, values = []) {
  let at = 0;
  try {
    for (at of wanted) {
      const node = nodes[at];
      values[at] = node[1] === "input" && node[0] in given ? given[node[0]] : FUNCTIONS[node[FUNCTION]](values, node[READS], given);
    }
  } catch (problem) {
    problem.at = at;
    throw problem;
  }
  return values;
}

// The places of these and of all that they read, in order.
function neededBy(wanted) {
  const needed = new Set(wanted);
  for (const at of needed) for (const read of nodes[at][READS]) needed.add(read);
  return [...needed].sort((one, other) => one - other);
}

// The value of an input that nobody gives; nothing where it has none.
function defaultOf(place, given) {
  try {
    return filledIn(given, neededBy([place]))[place];
  } catch (problem) {
    if (!(problem instanceof NoNumber)) throw problem;
    return NaN;
  }
}

const everything = nodes.map((_, place) => place);

// The values, or why there are none: a check that refuses says more than the formula that failed.
function computed(given) {
  try {
    const values = filledIn(given, everything);
    return { values, failure: null, refused: refusals(values) };
  } catch (problem) {
    if (!(problem instanceof NoNumber)) throw problem;
    return { values: null, failure: { at: problem.at, reason: problem.message }, refused: refusals(refusing(given)) };
  }
}

function refusing(given) {
  const values = [];
  try {
    return filledIn(given, data.formulas.refusing, values);
  } catch (problem) {
    if (!(problem instanceof NoNumber)) throw problem;
    return values;
  }
}

function refusals(values) {
  return data.formulas.checks.filter(([at, level]) => level === "refuse" && values[at] === false).map((check) => messageOf(check, values));
}

function messageOf([, , parts], values) {
  return parts.map((part) => (typeof part === "number" ? quoted(values[part], quantityOf(part)) : part)).join("");
}

function quantityOf(place) {
  return data.formulas.quantities[nodes[place][2]];
}
