// What moves a quantity: its elasticity to each input that it reads, the strongest first, computed in the worker. What
// nobody can turn stands behind a button.

const SHOWN_INFLUENCES = 12;

// The quantity that a reader asked about. The address keeps it.
let influenceAsked = null;
let influencesFound = { found: [], done: true };

function buildSensitivity(section) {
  const { body } = figure(section, "sensitivity");
  const view = influencesFound = { found: [], done: true, problem: "", visible: false, all: false, state: "" };
  const asked = () => influenceAsked ?? usualQuantity(section);
  const quantity = labelledPicker("sensitivity-of", "Quantity", quantityChoices, (id) => {
    influenceAsked = id;
    keepInLink();
    start();
  });
  const table = influenceTable(section, () => { view.all = !view.all; show(); });
  body.append(element("div", { class: "sweep-fields" }, quantity.whole), ...table.whole);
  const show = () => {
    quantity.show(quantityTitle(asked()));
    body.classList.toggle("waiting", !view.done);
    table.show(view, asked());
  };
  const stateText = () => JSON.stringify([state, asked()]);
  const start = () => {
    if (!current?.shown || !view.visible) return;
    clearTimeout(view.waiting);
    view.state = stateText();
    startInfluences(view, places.get(asked()), show);
  };
  seenFirst(body, () => {
    view.visible = true;
    start();
  });
  views.push(() => {
    if (view.state === stateText()) return;
    clearTimeout(view.waiting);
    view.waiting = setTimeout(start, 250);
  });
}

// Ask the worker; what was found before stays until all is there.
function startInfluences(view, place, show) {
  const here = Number(valueAt(place)), hasShares = Number.isFinite(here) && here !== 0, found = [];
  view.problem = hasShares ? "" : `${nodes[place][0]} is ${textAt(place)} here, so no share of it can change.`;
  view.done = !hasShares;
  if (view.done) {
    giveUp("sensitivity");
    view.found = [];
  } else {
    askWorker("sensitivity", "influences", { chosen: structuredClone(state), quantity: place }, (more, done, failure) => {
      found.push(...more);
      if (!done) return;
      Object.assign(view, { found, done, problem: failure ?? "" });
      show();
    });
  }
  show();
}

const INFLUENCE_HEADS = [["input", ""], ["value", "figures"], ["", "swings"], ["elasticity", "figures"], ["a step", "figures"], ["changes it by", "figures"]];

function influenceTable(section, toggled) {
  const problem = element("p", { class: "problem", role: "status" }), rows = element("tbody"), more = element("button", { type: "button", class: "small", hidden: true, text: "Show all", onclick: toggled });
  const heads = INFLUENCE_HEADS.map(([text, className]) => element("th", { scope: "col", class: className, text }));
  const table = element("table", {}, element("caption", { class: "unseen", text: section.title }), element("thead", {}, element("tr", {}, heads)), rows);
  const said = element("p", { class: "remark" }, "Elasticity: by how many percent it changes where the input grows by 1 %. * of a whole step, as the input is a whole number or stands at a kink.");
  const show = (view, name) => {
    const moving = view.found.filter(Boolean).sort((one, other) => Math.abs(other.elasticity) - Math.abs(one.elasticity));
    const turned = moving.filter((each) => canBeTurned(each, moving)), ranked = view.all || !turned.length ? moving : turned;
    const most = Math.abs(ranked[0]?.elasticity ?? 1), listed = view.all ? ranked : ranked.slice(0, SHOWN_INFLUENCES);
    problem.textContent = view.problem || (view.done && !moving.length ? `No input moves ${name} here.` : "");
    table.hidden = !moving.length;
    emptied(rows, listed.map((each) => influenceRow(each, most)));
    more.hidden = !view.all && listed.length === moving.length;
    more.textContent = view.all ? "Show fewer" : `Show all ${moving.length}`;
  };
  return { whole: [problem, element("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": section.title }, table), more, said], show };
}

// Whether somebody can turn it: checks allow a step, it does not describe the model, nor act by the default of another input alone.
function canBeTurned({ place, elasticity, warned }, moving) {
  if (warned || about(place).input?.supplier === data.describing) return false;
  const alike = (each) => Math.abs(each.elasticity - elasticity) <= 1e-9 * Math.abs(elasticity);
  return !moving.some((each) => each.place !== place && alike(each) && nodes[each.place][READS].includes(place));
}

function influenceRow({ place, value, other, elasticity, factor, smooth }, most) {
  const { name, quantity } = about(place), share = (50 * Math.abs(elasticity)) / most;
  const [from, to] = elasticity > 0 ? [50, 50 + share] : [50 - share, 50];
  const step = Math.abs(other / value - 1.1) < 1e-9 ? "+10%" : `to ${shown(other, quantity)}`;
  const sign = (number) => `${number > 0 ? "+" : number < 0 ? "\u2212" : ""}`;
  const change = Number.isFinite(factor) ? `${sign(factor - 1)}${fixed(Math.abs(100 * (factor - 1)), 1)}%` : "none";
  return element(
    "tr", {},
    element("th", { scope: "row" }, element("button", { type: "button", class: "name", "data-open": place }, element("code", { text: name }))),
    element("td", { class: "figures", text: shown(value, quantity) }),
    element("td", { class: "swings" }, element("span", { class: `swing ${data.palette.turn[elasticity > 0 ? 0 : 1]}`, "aria-hidden": "true", "--from": `${from}%`, "--to": `${to}%` })),
    element("td", { class: "figures", text: `${sign(elasticity)}${fixed(Math.abs(elasticity), 2)}${smooth ? "" : " *"}` }),
    element("td", { class: "figures", text: step }),
    element("td", { class: "figures", text: change }),
  );
}
