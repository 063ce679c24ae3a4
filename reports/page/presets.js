// Scenarios to begin with, as the layout has them, each as a button: those of which the page holds every record and input.

function buildPresets() {
  const held = (data.layout.preset ?? []).filter(isHeld);
  const buttons = held.map((preset) => element("button", { type: "button", class: "small", title: preset.says, text: preset.title, onclick: () => begin(preset) }));
  const bar = document.getElementById("presets");
  bar.hidden = !buttons.length;
  bar.append(element("span", { text: "Start from" }), ...buttons);
}

function isHeld({ records = {}, inputs = {} }) {
  return Object.entries(records).every(([name, id]) => recordPlace(name) && recordCalled(recordPlace(name).kind, id)) && Object.keys(inputs).every(isInput);
}

// Set what a preset says; what else was set stays, unless it begins `anew`. An empty text takes a value back.
function begin({ anew, records = {}, inputs = {} }) {
  const kept = anew ? { records: {}, values: {} } : state;
  const said = Object.entries(records).map(([name, id]) => [name, recordCalled(recordPlace(name).kind, id).id]);
  state.records = { ...pick(state.records, SUBJECT), ...kept.records, ...Object.fromEntries(said) };
  const values = Object.entries({ ...kept.values, ...inputs }).map(([name, value]) => [name, String(value)]);
  state.values = Object.fromEntries(values.filter(([, text]) => text !== ""));
  update();
}
