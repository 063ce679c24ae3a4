// The state to the part of the address behind #, and back: a link restores everything.

const SHOW = "_show";
let trail = [];
let keeping = 0;

function linkText() {
  const parts = [...Object.entries(state.records), ...Object.entries(state.values)].map((pair) => pair.map(encodeURIComponent).join("="));
  if (trail.length) parts.push(`${SHOW}=${trail.map((place) => encodeURIComponent(nodes[place][0])).join(",")}`);
  return `#${parts.join("&")}`;
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

// Take the state from the address, if it holds one. What no library knows is told and left out.
function restore() {
  const said = location.hash.slice(1);
  notices = [];
  if (said) {
    state.records = {};
    state.values = {};
    trail = [];
  }
  for (const part of said ? said.split("&") : []) {
    const [key, value = ""] = part.split(/=(.*)/s).slice(0, 2);
    const name = decoded(key);
    if (name === SHOW) trail = value.split(",").map((each) => places.get(decoded(each))).filter((each) => each !== undefined);
    else if (recordPlace(name)) restoreRecord(recordPlace(name), decoded(value));
    else if (places.has(name) && nodes[places.get(name)][1] === "input") state.values[name] = decoded(value);
    else if (name) notices.push(`This page has no input ${name.slice(0, 60)}: the link's value is left out.`);
  }
  if (said) state.records = { ...pick(data.start.records, SUBJECT), ...state.records };
}

function pick(from, keys) {
  return Object.fromEntries(keys.filter((key) => key in from).map((key) => [key, from[key]]));
}

let notices = [];

function restoreRecord({ name, kind }, wanted) {
  const record = recordCalled(kind, wanted);
  if (record) state.records[name] = record.id;
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
