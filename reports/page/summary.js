// The verdict and the numbers that head the page.

const sectionsOf = (kind) => data.layout.section.filter((each) => each.kind === kind);

// Whether the numbers hold, in a word for the style and a sentence.
function verdict() {
  if (current.refused.length) return ["bad", current.refused.join(" ")];
  if (current.failure) {
    const { name, text } = about(current.failure.at);
    return ["bad", `${name} ${current.failure.reason}: ${text}`];
  }
  const stack = sectionsOf("stack").find(isAsked);
  return stack ? stackVerdict(stack) : checksVerdict();
}

function checksVerdict() {
  const many = data.formulas.checks.filter(([at, level]) => level === "warn" && current.values[at] === false).length;
  if (many) return ["bad", `${many} ${many === 1 ? "warning applies" : "warnings apply"}: see ${sectionsOf("checks")[0]?.title ?? "the checks"}`];
  return ["good", "All checks hold"];
}

function stackVerdict(stack) {
  const within = valueOf(stack.within), used = valueOf(stack.used), quantity = quantityOf(places.get(stack.within));
  const of = `${shown(used, quantity)} of the ${shown(within, quantity)} usable`;
  if (valueOf(stack.holds)) return ["good", `Fits: ${of}`];
  return ["bad", `Does not fit: ${of}, ${shown(used - within, quantity)} too much`];
}

// A value as it is shown anywhere, or in the unit that the entry says; a plain number with any word behind it.
function entryNumber(entry, place, value) {
  if ("word" in entry && Number.isFinite(value)) return `${plainNumber(value)} ${entry.word}`.trimEnd();
  return shown(value, entry.shown ?? quantityOf(place));
}

function entryText(entry, place) {
  return current.shown ? entryNumber(entry, place, valueAt(place)) : textAt(place);
}

function card(entry) {
  const place = places.get(entry.name);
  const { symbol, sentence } = about(place);
  const number = element("span", { class: "big" }), unit = element("span", { class: "unit" });
  const ends = (entry.between ?? []).map((name) => places.get(name)).filter((each) => each !== undefined);
  const between = ends.length ? element("span", { class: "between", title: "Between these lie eight of ten measured runs that were left out of the fit" }) : "";
  const button = element(
    "button", { type: "button", class: "card", "data-open": place, title: sentence },
    element("span", { class: "title", text: entry.title }), element("span", { class: "symbol", "aria-hidden": "true" }, symbol ? mathematics(symbol) : ""),
    element("span", { class: "value" }, number, unit), between,
  );
  const item = element("li", {}, button);
  views.push(() => {
    const text = entryText(entry, place), [first, ...rest] = text.split(" ");
    item.hidden = saysNothing(entry);
    button.classList.toggle("long", text.length > 14);
    button.classList.toggle("longest", text.length > 21);
    number.textContent = first;
    unit.textContent = rest.length ? ` ${rest.join(" ")}` : "";
    if (between) between.textContent = ends.map(textAt).join(" .. ");
  });
  return item;
}

function buildSummary() {
  const line = document.getElementById("verdict"), told = document.getElementById("told"), notes = document.getElementById("notices");
  const main = document.getElementById("results");
  for (const section of sectionsOf("cards")) {
    const title = sectionsOf("cards").length > 1 ? element("h2", { text: section.says ? `${section.title}: ${section.says}` : section.title }) : "";
    const cards = element("section", { class: "cards", "aria-label": section.title }, title, element("ul", {}, section.entries.map(card)));
    main.append(cards);
    shownWhereAsked(section, cards);
  }
  let telling = 0;
  views.push(() => {
    const [kind, sentence] = verdict();
    line.className = `verdict ${kind}`;
    const subject = SUBJECT.map((name) => recordOf(name, state.records[name])?.title).filter(Boolean).join(data.joint);
    emptied(line, element("span", { class: "mark", "aria-hidden": "true", text: kind === "good" ? "\u2713" : "!" }), element("span", { text: sentence }), element("bdi", { class: "subject", text: subject }));
    document.title = [subject, data.layout.title].filter(Boolean).join(": ");
    document.body.classList.toggle("without", Boolean(current.failure || current.refused.length));
    const unread = current.problems.map(([, text]) => text);
    emptied(notes, [...notices, ...unread].map((each) => element("p", { class: "notice", text: each })));
    clearTimeout(telling);
    telling = setTimeout(() => { told.textContent = sentence; }, 400);
  });
}
