// The records that a question is about, such as a model and an accelerator, and the sliders beside the page.

const SHOWN_FIRST = data.places.filter((each) => each.first).map((each) => each.name);
// What the question is about: a model on an accelerator. The rest of what stands first may be left to these.
const SUBJECT = data.places.filter((each) => each.about).map((each) => each.name);

function recordTitle(name) {
  return data.places.find((each) => each.name === name)?.title ?? spaced(name);
}

// What holds in a place where the reader says nothing.
function unsaid(name, supplier) {
  const inForce = recordsInForce(pick(state.records, Object.keys(state.records).filter((each) => each !== name)))[name];
  return inForce ? `${recordOf(supplier, inForce)?.title ?? inForce} (default)` : "None chosen";
}

function recordChoice(name, supplier) {
  const records = data.records[supplier].map((record) => ({ id: record.id, title: record.title, text: searched(record) }));
  const options = () => (SUBJECT.includes(name) ? records : [{ id: "", title: unsaid(name, supplier), text: "" }, ...records]);
  const { field, whole, show } = picker(`choose-${name}`, `list-of-${name}`, options, (id) => setRecord(name, id));
  const remark = element("p", { class: "remark", id: `about-${name}` });
  field.setAttribute("aria-describedby", remark.id);
  views.push(() => {
    const said = state.records[name], record = recordOf(supplier, recordsInForce(state.records)[name]);
    show(said ? recordOf(supplier, said)?.title ?? said : unsaid(name, supplier));
    emptied(remark, record ? [record.source ?? "", record.note ? element("span", { class: "note", text: ` ${record.note}` }) : ""] : "");
  });
  return element("div", { class: "field" }, element("label", { for: field.id, text: recordTitle(name) }), whole, remark);
}

function slider(control) {
  const place = places.get(control.input);
  const { sentence, quantity, input } = about(place);
  const written = control.stops ?? [];
  const stops = input.allowed ? written.filter((each) => input.allowed.includes(each)) : written;
  // A value with its unit is read as it would be if it were typed.
  const numbers = stops.map((each) => (typeof each === "string" ? read(each, place) : each));
  const id = `slide-${control.input}`;
  const range = stops.length > 1 ? element("input", {
    type: "range", id, min: 0, max: stops.length - 1, step: 1, "data-input": control.input,
    oninput: () => setValue(control.input, stopText(stops[range.value], quantity)),
  }) : "";
  const field = valueField(place, `type-${control.input}`, `${control.title}, typed`);
  const problem = element("p", { class: "problem", id: `problem-${control.input}`, role: "alert" });
  field.setAttribute("aria-describedby", problem.id);
  views.push(() => {
    whole.hidden = !isAsked(control);
    if (range) {
      range.value = nearestStop(numbers, valueOf(control.input));
      range.setAttribute("aria-valuetext", textOf(control.input));
      range.style.setProperty("--filled", `${(100 * range.value) / (stops.length - 1)}%`);
    }
    showField(field, problem, place);
  });
  const unit = takesPlain(described(quantity)) && control.title.length + quantity[1].length < 18 ? quantity[1] : "";
  const label = element("label", { for: range ? id : field.id, title: sentence }, control.title, unit ? element("span", { class: "unit", text: unit }) : "");
  const idle = element("p", { class: "remark", hidden: true }), whole = element("div", { class: "slider" }, label, field, range, problem, idle);
  greyedWhereIdle(control.input, whole, idle);
  return whole;
}

// A stop as the field takes it: a text as its layout has it, a number in base units.
function stopText(stop, quantity) {
  return typeof stop === "string" ? stop : editable(stop, quantity);
}

function nearestStop(stops, value) {
  const away = stops.map((stop) => (stop === value ? -1 : Math.abs(Math.log((stop || 1) / (value || 1)))));
  return away.indexOf(Math.min(...away));
}

const LONGEST_VALUE = 1000; // letters that a field takes: who pastes a book into it should not wait

// A field that takes what the command line takes.
function valueField(place, id, label) {
  const { name, quantity, input } = about(place);
  const set = () => setValue(name, field.value === "" ? null : field.value);
  const words = quantity[0] === "choice" ? quantity[3] : quantity[0] === "flag" ? ["true", "false"] : (input.allowed ?? []).map((each) => editable(each, quantity));
  const field = words.length
    ? element("select", { id, "aria-label": label, onchange: set }, words.map((word) => element("option", { value: word, text: word })))
    : element("input", { id, type: "text", maxlength: LONGEST_VALUE, inputmode: takesPlain(described(quantity)) ? "decimal" : "text", autocomplete: "off", spellcheck: "false", "aria-label": label, onchange: set, onfocus: () => field.select() });
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
  for (const { name, kind, first } of data.places) if (first) subject.append(recordChoice(name, kind));
  scenario.append(...data.layout.control.map(slider));
  const said = document.getElementById("scenario-said");
  views.push(() => {
    said.textContent = data.layout.control.slice(0, 5).map((each) => `${each.title.toLowerCase()} ${editable(valueOf(each.input), quantityOf(places.get(each.input)))}`).join(" \u00b7 ");
  });
}
