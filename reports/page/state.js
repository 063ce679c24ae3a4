// What the reader chose, to the values of all formulas. Layers go from general to particular: the last one wins.

const LINKS = ["family", "engine", "format"];
const nodes = data.formulas.nodes;
const places = new Map(nodes.map(([name], place) => [name, place]));
const recordsOf = Object.fromEntries(Object.entries(data.records).map(([supplier, all]) => [supplier, new Map(all.map((each) => [each.id, each]))]));

const state = { records: { ...data.start.records }, values: { ...data.start.values } };
let current = null;

function recordOf(supplier, id) {
  return recordsOf[supplier]?.get(id);
}

// The record in force for each supplier, said or named by the accelerator or the model.
function recordsInForce(records) {
  const found = { ...records };
  for (const supplier of ["hardware", "model"]) {
    const links = recordOf(supplier, records[supplier])?.links ?? {};
    for (const [link, id] of Object.entries(links)) found[link] ??= id;
  }
  return found;
}

// The layers of values, each with who said it.
function layersOf(chosen) {
  const inForce = recordsInForce(chosen.records);
  const found = [...LINKS, "hardware", "model"].map((supplier) => recordOf(supplier, inForce[supplier])).filter(Boolean);
  const layers = found.map((record) => [record.origin, record.values]);
  const restated = recordOf("hardware", inForce.hardware)?.restated;
  if (restated) layers.push([data.start.namespace, restated]);
  for (const [name, supplier] of data.formulas.recordInputs) {
    const record = recordOf(supplier, chosen.records[name]);
    if (record) layers.push([record.origin, Object.fromEntries(Object.entries(record.values).map(([key, value]) => [`${name}.${key}`, value]))]);
  }
  return layers;
}

// All values of a choice; never touches what the page shows. `problems` are values that could not be read.
function evaluated(chosen) {
  const given = Object.create(null), origins = Object.create(null), problems = [];
  for (const [origin, values] of layersOf(chosen)) {
    Object.assign(given, values);
    for (const name of Object.keys(values)) origins[name] = origin;
  }
  for (const [name, text] of Object.entries(chosen.values)) {
    try {
      if (!places.has(name) || nodes[places.get(name)][1] !== "input") unreadable("is no input of this page");
      given[name] = read(text, places.get(name));
      origins[name] = "you";
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      problems.push([name, `${name} = ${text.slice(0, 60)} ${problem.message}`]);
    }
  }
  return { given, origins, problems, ...computed(given) };
}

// The values, or why there are none: a check that refuses says more than the formula that failed.
function computed(given) {
  try {
    const values = compute(given);
    return { values, failure: null, refused: refusals(values) };
  } catch (problem) {
    if (!(problem instanceof NoNumber)) throw problem;
    return { values: null, failure: { at: problem.at, reason: problem.message }, refused: refusals(refusing(given)) };
  }
}

function refusing(given) {
  const values = [];
  try {
    return computeRefusals(given, values);
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

const views = [];

// Compute everything again and let each part of the page show it.
function update() {
  const before = performance.now();
  const next = evaluated(state);
  const computedAt = performance.now();
  current = { ...next, shown: next.values ?? current?.shown ?? null };
  hideTip();
  for (const view of views) view();
  current.took = { compute: computedAt - before, show: performance.now() - computedAt };
  keepInLink();
}

function setValue(name, text) {
  if (text === null) delete state.values[name];
  else state.values[name] = text;
  update();
}

function setRecord(supplier, id) {
  if (id === "") delete state.records[supplier];
  else state.records[supplier] = id;
  update();
}
