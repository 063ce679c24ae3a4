// A quantity over the values of one or two inputs that the reader chooses, computed in the worker.

const MOST_OF_A_GRID = 100000;
const WHEN_SETTLED = 2000; // ms

// What a reader asked: the quantity, and for one or two inputs the name and the values as text. The address keeps it.
let sweepAsked = null;
// What was found: its axes, its points, and whether that is all.
let sweepFound = { axes: [], points: [], done: true };

function usualSweep(section) {
  const of = usualQuantity(section), offered = inputChoices(places.get(of)).map((each) => each.id);
  const { along: said, with: asked = [] } = usualEntry(section) ?? {};  // what makes it the usual one moves it
  const along = [...(said ?? asked), ...[...section.along, ...data.layout.control].map((each) => each.input)].find((name) => offered.includes(name)) ?? offered[0];
  return { of, along: along ? [[along, usualValues(places.get(along))]] : [] };
}

function buildSweep(section) {
  const { body } = figure(section, "sweep");
  const view = sweepFound = { points: [], axes: [], done: true, problem: "", visible: false, found: 0 };
  let usual = null;
  const asked = () => {
    if (!sweepAsked && usual?.of !== usualQuantity(section)) usual = usualSweep(section);
    return sweepAsked ?? usual;
  };
  const changed = (next) => {
    sweepAsked = { ...asked(), ...next };
    keepInLink();
    start();
  };
  const fields = sweepFields(asked, changed), progress = progressLine("sweep", () => { giveUp("sweep"); Object.assign(view, { done: true, cancelled: true }); show(); });
  const problem = element("p", { class: "problem", role: "alert" }), holder = element("div", { class: "sweep-drawing" }), reasons = element("div");
  const command = element("code", { class: "command" });
  body.append(fields.whole, problem, progress.whole, holder, reasons, element("p", { class: "remark" }, "As a command: ", command));
  const show = () => {
    fields.show();
    progress.show(view);
    problem.textContent = view.problem;
    command.textContent = view.problem ? "" : sweepCommand(asked());
    if (view.problem) return emptied(holder);
    emptied(reasons, reasonsOf(view));
    return view.found ? drawSweep(view, holder) : null;
  };
  const stateText = () => JSON.stringify([state, asked()]);
  const start = () => {
    if (!current || !view.visible) return;
    clearTimeout(view.waiting);
    view.state = stateText();
    startSweep(view, section, asked(), show, progress.move);
    fields.show();
  };
  seenFirst(body, () => {
    view.visible = true;
    start();
  });
  redrawnWhenResized(holder, () => {
    const isNew = view.state !== stateText();
    if (!isNew && view.width === widthOf(holder)) return;
    view.width = widthOf(holder);
    clearTimeout(view.waiting);
    if (isNew) view.waiting = setTimeout(start, 200);
    else show();
  });
  addEventListener("recoloured", show);
}

// How much of a sweep is computed, and a way to give it up; a short one shows none of it.
function progressLine(what, cancelled) {
  const bar = element("progress", { "aria-label": `Part of the ${what} that is computed` }), count = element("span", { class: "remark" });
  const whole = element("div", { class: "running", hidden: true }, bar, count, element("button", { type: "button", class: "small", text: "Cancel", onclick: cancelled }));
  const move = ({ found, points }) => {
    bar.max = Math.max(1, points.length);
    bar.value = found;
    count.textContent = `${grouped(String(found))} of ${grouped(String(points.length))}`;
  };
  const show = (view) => {
    move(view);
    whole.hidden = view.done || performance.now() < view.began + 250;
  };
  return { whole, show, move };
}

// Ask the worker, and show what it finds while it comes.
function startSweep(view, section, asked, show, move) {
  Object.assign(view, { problem: "", done: true, cancelled: false, axes: [], points: [], found: 0, rests: 0, began: performance.now() });
  try {
    Object.assign(view, sweepQuestion(section, asked));
  } catch (problem) {
    if (!(problem instanceof Unreadable)) throw problem;
    giveUp("sweep");
    view.problem = problem.message;
    return show();
  }
  const along = view.axes.map((axis) => [axis.name, axis.values]), { place, limit } = view;
  Object.assign(view, { points: new Array(along.reduce((size, [, values]) => size * values.length, 1)), done: false });
  move(view);
  return askWorker("sweep", "grid", { chosen: structuredClone(state), quantity: place, limit: limit?.place ?? null, along }, (found, done, failure) => {
    for (const [at, value, holds, reason] of found) view.points[at] = { value, holds, reason };
    Object.assign(view, { found: view.found + found.length, done, problem: failure ?? "" });
    const since = performance.now();
    if (!done && since < view.rests) return move(view);
    show();
    // So that drawing takes a small part of the time: a reader may be typing.
    view.rests = performance.now() + Math.max(150, 5 * (performance.now() - since));
    return null;
  });
}

// Once a reader comes near a part of the page, or has looked at the page for a while: it may be printed.
function seenFirst(body, act) {
  const start = () => {
    if (watching) act();
    watching?.disconnect();
    watching = null;
  };
  let watching = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) start(); }, { rootMargin: "300px" });
  watching.observe(body);
  setTimeout(start, WHEN_SETTLED);
}

// The fields, and a way to show in them what is asked.
function sweepFields(asked, changed) {
  const placeOf = () => places.get(asked().of);
  const quantity = labelledPicker("sweep-of", "Quantity", quantityChoices, (id) => changed({ of: id, along: asked().along.filter(([name]) => inputChoices(places.get(id)).some((each) => each.id === name)) }));
  const turns = [0, 1].map((turn) => {
    const none = turn ? [{ id: "", title: "nothing else", text: "nothing" }] : [];
    const options = () => [...none, ...inputChoices(placeOf()).filter((each) => each.id !== asked().along[1 - turn]?.[0])];
    const set = (pair) => changed({ along: [0, 1].map((each) => (each === turn ? pair : asked().along[each])).filter(Boolean) });
    const input = labelledPicker(`sweep-input-${turn}`, turn ? "and over" : "over", options, (id) => set(id && [id, usualValues(places.get(id))]));
    const values = element("input", { type: "text", id: `sweep-values-${turn}`, autocomplete: "off", spellcheck: "false", title: `Values: ${RANGE_FORMS}`, onchange: () => set([asked().along[turn][0], values.value]) });
    return { input, values, whole: element("div", { class: "pair" }, input.whole, element("div", { class: "field" }, element("label", { for: values.id, text: "Values" }), values)) };
  });
  const show = () => {
    quantity.show(quantityTitle(asked().of));
    turns.forEach(({ input, values }, turn) => {
      const [name, text] = asked().along[turn] ?? ["", ""];
      input.show(name || "nothing else");
      values.value = text;
      values.disabled = !name;
    });
  };
  return { whole: element("div", { class: "sweep-fields" }, quantity.whole, turns.map((each) => each.whole)), show };
}

// What to compute for what is asked; throws Unreadable.
function sweepQuestion(section, { of, along }) {
  if (!along.length) unreadable(`${of} reads no input`);
  const axes = along.map(([name, text]) => sweepAxis(name, text));
  const size = axes.reduce((product, axis) => product * axis.values.length, 1);
  if (size > MOST_OF_A_GRID) unreadable(`${grouped(String(size))} points are more than a page can show: take at most ${grouped(String(MOST_OF_A_GRID))}`);
  const limit = section.limits.filter((each) => each.name !== of).map((each) => ({ ...each, place: places.get(each.name) }))[0] ?? null;
  return { place: places.get(of), axes, limit };
}

function sweepAxis(name, text) {
  const place = places.get(name), { quantity } = about(place), of = described(quantity);
  const plain = of.style === "counted" && !of.multiple ? [of.kind, "", "", of.words, "", 1, 1, ""] : quantity;
  let values;
  try {
    values = axisValues(text, place);
  } catch (problem) {
    if (problem instanceof Unreadable) problem.message = `${name}: ${text.slice(0, 60)} ${problem.message}`;
    throw problem;
  }
  const isNumber = of.kind === "number" || of.kind === "whole", told = values.map((each) => shown(each, quantity));
  const title = plain !== quantity && of.unit ? `${lastWords(name)} (${plural(of.unit.split("/")[0])})` : lastWords(name);
  return { name, values, isNumber, told, texts: isNumber ? values.map((each) => tickText(each, plain, LONGEST_UNIT)) : told, title, now: valueAt(place) };
}

function drawSweep(view, holder) {
  const { axes, place, limit } = view, width = widthOf(holder);
  const take = (...at) => {
    Object.assign(state.values, Object.fromEntries(axes.map((axis, turn) => [axis.name, editable(axis.values[at[turn]], quantityOf(places.get(axis.name)))])));
    update();
  };
  const points = Array.from(view.points, (each) => each);
  if (!points.some((each) => Number.isFinite(each?.value))) return emptied(holder);
  if (axes.length === 2) return emptied(holder, heatMap({ axes, place, limit, points, width, chosen: take }));
  const known = points.map((each) => each ?? { value: NaN, holds: true, reason: "" });
  return emptied(holder, lineChart({ axis: axes[0], place, limit, points: known, width, chosen: take }));
}

// Why there are points without a value, the most frequent reasons first, each with its first example.
function reasonsOf({ points, cancelled, found }, said = (many) => (many === 1 ? "has no value" : "have no value")) {
  const counts = new Map(), share = (many) => `${grouped(String(many))} of ${grouped(String(points.length))}`;
  for (const point of points) {
    if (!point?.reason) continue;
    const kind = point.reason.split(". ")[0].replace(/[0-9.,]+/g, "#"), known = counts.get(kind) ?? [point.reason, 0];
    counts.set(kind, [known[0], known[1] + 1]);
  }
  const ordered = [...counts.values()].sort((one, other) => other[1] - one[1]);
  const lines = ordered.slice(0, 3).map(([reason, many]) => `${share(many)} ${said(many)}${many === 1 ? "" : ", such as"}: ${reason}`);
  if (ordered.length > 3) lines.push(`${ordered.length - 3} more reasons`);
  if (cancelled) lines.unshift(`Cancelled after ${share(found)}.`);
  return lines.length ? element("ul", { class: "reasons" }, lines.map((text) => element("li", { class: "remark", text }))) : "";
}

function sweepCommand({ of, along }) {
  return commandText(["sweep"], { ...state.values, ...Object.fromEntries(along) }, ["--only", of]);
}
