// How a number comes about: its formula, the numbers in it, what it reads, and on down to who set each input.

const drawer = document.getElementById("derivation");
let openedFrom = null;
let readersOf = null;

// What reads each value, by the places of both.
function everyReader() {
  const found = nodes.map(() => []);
  nodes.forEach((node, place) => node[READS].forEach((each) => found[each].push(place)));
  return found;
}

function openDerivation(place, from = null) {
  if (!drawer.open) {
    openedFrom = from;
    trail = [];
  }
  const known = trail.indexOf(place);
  trail = known >= 0 ? trail.slice(0, known + 1) : [...trail, place];
  keepTrail();
  showDrawer(true);
}

function closeDerivation() {
  trail = [];
  keepTrail();
  showDrawer(true);
}

function showDrawer(moveFocus = false) {
  if (!trail.length) {
    if (drawer.open) drawer.close();
    document.body.classList.remove("deriving");
    if (moveFocus && openedFrom?.isConnected) openedFrom.focus();
    return;
  }
  const opens = !drawer.open;
  if (opens && matchMedia("(min-width: 900px)").matches) drawer.show();
  else if (opens) drawer.showModal();
  document.body.classList.add("deriving");
  fillDrawer();
  if (moveFocus || opens) {
    drawer.scrollTop = 0;
    drawer.querySelector("h2").focus({ preventScroll: true });
  }
}

function fillDrawer() {
  if (!drawer.open || !trail.length) return;
  const place = trail.at(-1), told = about(place);
  emptied(document.getElementById("steps"), trail.map((each, step) => element("li", {}, step === trail.length - 1
    ? element("span", { "aria-current": "step", text: about(each).declared })
    : element("button", { type: "button", class: "crumb", "data-open": each, text: about(each).declared }))));
  document.getElementById("back").disabled = trail.length < 2;
  emptied(document.getElementById("told-of"), derivationHead(place, told), derivationFormula(place, told), derivationInput(place, told), derivationReads(told), derivationSources(told), derivationReaders(place));
}

function derivationHead(place, told) {
  const exact = valueAt(place);
  return [
    element("h2", { tabindex: -1 }, told.symbol ? mathematics(told.symbol) : "", element("span", { class: "of", text: told.plain }), told.binding ? element("span", { class: "chip", text: `with ${told.binding.replaceAll(",", ", ")}` }) : ""),
    element("p", { class: "result" }, element("span", { class: "big", text: textAt(place) }), typeof exact === "number" && Number.isFinite(exact) && !["choice", "date"].includes(told.quantity[0]) ? element("span", { class: "exact", text: exactText(exact, described(told.quantity)) }) : ""),
    element("p", { class: "sentence" }, prose(told.sentence), told.row && told.row !== told.sentence ? element("span", { class: "remark", text: ` (${told.row})` }) : ""),
  ];
}

// All digits of a number, in its declared unit.
function exactText(value, { multiple, inUnit, unit, base }) {
  return (multiple ? `${Number(inUnit(value).toPrecision(15))} ${unit}` : `${value} ${base}`).trim();
}

function derivationFormula(place, told) {
  if (!told.text || (told.input && nodes[place][0] in current.origins)) return [];
  const left = told.symbol || `<mi>${told.declared.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</mi>`;
  const equation = told.math ? mathematics(told.math.replace('<math display="block">', `<math display="block"><mrow>${left}<mo>=</mo></mrow>`)) : "";
  const block = element("div", { class: "equation", tabindex: 0, role: "group", "aria-label": "Formula" }, equation);
  return [
    equation ? block : "",
    labelled("As written", element("code", { class: "written", text: `${told.declared} = ${told.text}` })),
    told.parts.length > 0 ? labelled("With numbers", element("code", { class: "written" }, told.parts.map((part) => (typeof part === "number" ? inlineNumber(part) : part)), ` = ${textAt(place)}`)) : "",
    told.guard ? labelled("Only where", element("code", { class: "written", text: `${told.guard}; elsewhere it counts 0` })) : "",
  ];
}

function inlineNumber(place) {
  return element("button", { type: "button", class: "inline", "data-open": place, title: nodes[place][0], "aria-label": `${about(place).declared}: ${textAt(place)}`, text: textAt(place) });
}

function labelled(label, ...content) {
  return element("div", { class: "labelled" }, element("h3", { text: label }), ...content);
}

// Of an input: who set it, and within what it may be.
function derivationInput(place, told) {
  if (!told.input) return [];
  const origin = current.origins[told.name];
  const words = told.quantity[0] === "choice" ? told.quantity[3] : told.input.allowed;
  return [
    labelled("Set by", element("p", { text: origin ?? (valueAt(place) !== valueAt(place) ? "nobody: not given" : "its default") })),
    told.quantity[0] === "flag" ? "" : labelled("May be", element("p", { text: words?.length ? words.join(", ") : rangeText(described(told.quantity), told.input) })),
  ];
}

// An input that somebody gives reads nothing: its default, which may, does not hold.
function derivationReads(told) {
  if (told.input && told.name in current.origins) return [];
  const reads = [...new Set(told.reads)];
  return reads.length ? [labelled("It reads", element("ul", { class: "reads" }, reads.map(readRow)))] : [];
}

function readRow(place) {
  const { plain, binding, symbol, sentence } = about(place);
  return element("li", {}, element("button", { type: "button", "data-open": place },
    element("span", { class: "symbol", "aria-hidden": "true" }, symbol ? mathematics(symbol) : ""), element("span", { class: "of", text: plain }), binding ? element("span", { class: "chip", text: binding.replaceAll(",", ", ") }) : "",
    element("span", { class: "number", text: textAt(place) }), element("span", { class: "remark" }, prose(sentence))));
}

function derivationSources(told) {
  const cited = told.cited.map(([key, locator]) => {
    const [title, authors, year, url] = data.formulas.sources[key] ?? [key, "", "", ""];
    const link = /^https?:\/\//.test(url) ? element("a", { href: url, rel: "noreferrer noopener", target: "_blank", text: title }) : title;
    return element("li", {}, link, ` ${[authors, year].filter(Boolean).join(", ")}${locator ? `, ${locator}` : ""}`);
  });
  return [
    told.remarks.length ? labelled("Notes", told.remarks.map((each) => element("p", {}, prose(each)))) : "",
    cited.length ? labelled("Source", element("ul", { class: "cited" }, cited)) : "",
    told.derived ? labelled("Derived", element("p", {}, prose(told.derived))) : "",
    labelled("Stands in", element("p", {}, element("code", { text: told.where }))),
  ];
}

function derivationReaders(place) {
  const readers = (readersOf ??= everyReader())[place].filter((each) => nodes[each][1] !== "message");
  if (!readers.length) return [];
  const shownFirst = readers.slice(0, 12);
  return [labelled(`Read by ${readers.length}`, element("p", { class: "readers" }, shownFirst.map((each) => element("button", { type: "button", class: "name", "data-open": each }, element("code", { text: nodes[each][0] }))), readers.length > 12 ? "\u2026" : ""))];
}

function buildDerivation() {
  document.getElementById("back").addEventListener("click", () => trail.length > 1 && openDerivation(trail.at(-2)));
  document.getElementById("close").addEventListener("click", closeDerivation);
  drawer.addEventListener("cancel", (event) => {
    event.preventDefault();
    closeDerivation();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (!tip.hidden) hideTip();
    else if (drawer.open && !event.defaultPrevented) closeDerivation();
  });
  views.push(fillDrawer);
}
