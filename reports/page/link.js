// The state to the part of the address behind #, and back: a link restores everything.

const SHOW = "_show", PIN = "_pin", SWEEP = "_sweep", MOVES = "_moves";
let trail = [];
let keeping = 0;

function choiceText({ records, values }) {
  return [...Object.entries(records), ...Object.entries(values)].map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
}

function linkText() {
  const parts = [choiceText(state), ...pins.map((each) => `${PIN}=${encodeURIComponent(choiceText(each))}`)];
  if (sweepAsked) parts.push(`${SWEEP}=${[sweepAsked.of, ...sweepAsked.along.flat()].map(encodeURIComponent).join(",")}`);
  if (influenceAsked) parts.push(`${MOVES}=${encodeURIComponent(influenceAsked)}`);
  if (trail.length) parts.push(`${SHOW}=${trail.map((place) => encodeURIComponent(nodes[place][0])).join(",")}`);
  return `#${parts.filter(Boolean).join("&")}`;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The place of a record that a link names as itself or as the option of the command does: `hardware` or `gpu`.
function recordPlace(name) {
  return data.places.find((each) => each.name === name) ?? data.places.find((each) => each.option.replaceAll("-", "_") === name.replaceAll("-", "_"));
}

// What the address keeps besides the choice, by its key.
const KEPT = {
  [SHOW]: (value) => { trail = value.split(",").map((each) => places.get(decoded(each))).filter((each) => each !== undefined); },
  [PIN]: (value) => { pins = [...pins, choiceIn(decoded(value))].slice(0, MOST_PINS); },
  [SWEEP]: (value) => { sweepAsked = sweepIn(value.split(",").map(decoded)); },
  [MOVES]: (value) => { influenceAsked = isQuantity(decoded(value)) ? decoded(value) : null; },
};

// Take everything from the address, if it holds something. What no library knows is told and left out.
function restore() {
  const said = location.hash.slice(1);
  notices = [];
  if (!said) return;
  trail = [];
  pins = [];
  sweepAsked = influenceAsked = null;
  Object.assign(state, choiceIn(said));
}

// The records and values that a text says.
function choiceIn(text) {
  const found = { records: {}, values: {} };
  for (const part of text.split("&")) {
    const [key, value = ""] = part.split(/=(.*)/s).slice(0, 2);
    const name = decoded(key);
    if (Object.hasOwn(KEPT, name)) KEPT[name](value);
    else if (recordPlace(name)) restoreRecord(found, recordPlace(name), decoded(value));
    else if (isInput(name)) found.values[name] = decoded(value);
    else if (name) notices.push(`This page has no input ${name.slice(0, 60)}: the link's value is left out.`);
  }
  found.records = { ...pick(data.start.records, SUBJECT), ...found.records };
  return found;
}

function isQuantity(name) {
  return places.has(name) && ["formula", "cell"].includes(nodes[places.get(name)][1]);
}

// A sweep as the address has it: the quantity, then each input and its values.
function sweepIn([of, ...said]) {
  const along = [said.slice(0, 2), said.slice(2, 4)].filter(([name]) => isInput(name));
  return isQuantity(of) && along.length ? { of, along: along.map(([name, text = ""]) => [name, text]) } : null;
}

function pick(from, keys) {
  return Object.fromEntries(keys.filter((key) => key in from).map((key) => [key, from[key]]));
}

let notices = [];

function restoreRecord(found, { name, kind }, wanted) {
  const record = recordCalled(kind, wanted);
  if (record) found.records[name] = record.id;
  else notices.push(`This page has no ${name} ${wanted.slice(0, 60)}: the link's choice is left out.`);
}

// Write the state into the address, a little later: browsers mind an address that changes with every step of a slider.
function keepInLink() {
  clearTimeout(keeping);
  keeping = setTimeout(() => history.replaceState(null, "", linkText()), 150);
}

// A step of the derivation is a step of the browser's history.
function keepTrail() {
  clearTimeout(keeping);
  history.pushState(null, "", linkText());
}
