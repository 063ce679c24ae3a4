// The model, the accelerator and the sliders beside the page.

const SHOWN_FIRST = ["model", "hardware"];
const RECORD_TITLES = { model: "Model", hardware: "Accelerator", family: "Efficiency family", engine: "Serving engine", format: "Number format" };

function recordTitle(name) {
  return RECORD_TITLES[name] ?? spaced(name);
}

function recordChoice(name, supplier) {
  const choice = element("select", { id: `choose-${name}`, onchange: () => setRecord(name, choice.value) });
  choice.append(element("option", { value: "", text: "" }));
  for (const record of data.records[supplier]) choice.append(element("option", { value: record.id, text: record.title, dir: "auto" }));
  const remark = element("p", { class: "remark", id: `about-${name}` });
  choice.setAttribute("aria-describedby", remark.id);
  views.push(() => {
    const inForce = recordsInForce(state.records)[name] ?? "";
    const said = state.records[name] ?? "";
    choice.options[0].textContent = inForce && !said ? `${recordOf(supplier, inForce)?.title ?? inForce} (by itself)` : "none: the defaults";
    choice.options[0].hidden = SHOWN_FIRST.includes(name);
    choice.value = said;
    const record = recordOf(supplier, inForce);
    emptied(remark, record ? [record.source ?? "", record.note ? element("span", { class: "note", text: ` ${record.note}` }) : ""] : "");
  });
  return element("div", { class: "field" }, element("label", { for: choice.id, text: recordTitle(name) }), choice, remark);
}

function slider(control) {
  const place = places.get(control.input);
  const { sentence, quantity, input } = about(place);
  const stops = input.allowed ? control.stops.filter((each) => input.allowed.includes(each)) : control.stops;
  const id = `slide-${control.input}`;
  const range = element("input", {
    type: "range", id, min: 0, max: stops.length - 1, step: 1, "data-input": control.input,
    oninput: () => setValue(control.input, String(stops[range.value])),
  });
  const field = valueField(place, `type-${control.input}`, `${control.title}, typed`);
  const problem = element("p", { class: "problem", id: `problem-${control.input}`, role: "alert" });
  field.setAttribute("aria-describedby", problem.id);
  views.push(() => {
    const value = valueOf(control.input);
    range.value = nearestStop(stops, value);
    range.setAttribute("aria-valuetext", textOf(control.input));
    range.style.setProperty("--filled", `${(100 * range.value) / Math.max(1, stops.length - 1)}%`);
    showField(field, problem, place);
  });
  const label = element("label", { for: id, title: sentence }, control.title, element("span", { class: "unit", text: quantity[1] }));
  return element("div", { class: "slider" }, label, field, range, problem);
}

function nearestStop(stops, value) {
  const away = stops.map((stop) => Math.abs(Math.log((stop || 1) / (value || 1))));
  return away.indexOf(Math.min(...away));
}

// A field that takes what the command line takes.
function valueField(place, id, label) {
  const { name, quantity, input } = about(place);
  const set = () => setValue(name, field.value === "" ? null : field.value);
  const words = quantity[0] === "choice" ? quantity[3] : quantity[0] === "flag" ? ["true", "false"] : (input.allowed ?? []).map(String);
  const field = words.length
    ? element("select", { id, "aria-label": label, onchange: set }, words.map((word) => element("option", { value: word, text: word })))
    : element("input", { id, type: "text", inputmode: quantity[2] ? "text" : "decimal", autocomplete: "off", spellcheck: "false", "aria-label": label, onchange: set, onfocus: () => field.select() });
  return field;
}

function showField(field, problem, place) {
  const { name, quantity } = about(place);
  const wrong = current.problems.find(([each]) => each === name);
  if (wrong && field.tagName === "INPUT") field.value = state.values[name];
  else if (!wrong) field.value = name in state.values && !quantity[3].length && quantity[0] !== "flag" ? state.values[name] : editable(valueAt(place), quantity);
  field.toggleAttribute("aria-invalid", Boolean(wrong));
  if (wrong) field.setAttribute("aria-invalid", "true");
  problem.textContent = wrong ? wrong[1] : "";
}

function buildControls() {
  const subject = document.getElementById("subject"), scenario = document.getElementById("scenario-fields");
  for (const name of SHOWN_FIRST) if (name in data.records) subject.append(recordChoice(name, name));
  scenario.append(...data.layout.control.map(slider));
  const said = document.getElementById("scenario-said");
  views.push(() => {
    said.textContent = data.layout.control.slice(0, 5).map((each) => `${each.title.toLowerCase()} ${editable(valueOf(each.input), quantityOf(places.get(each.input)))}`).join(" \u00b7 ");
  });
}
