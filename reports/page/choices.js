// The fields in which a reader chooses a quantity, an input and its values.

let offeredQuantities = null;

// The formulas that have a value of their own, those that head the page first.
function quantityChoices() {
  return offeredQuantities ??= everyQuantity();
}

function quantityTitle(name) {
  return quantityChoices().find((each) => each.id === name)?.title ?? name;
}

// The first quantity of a section that the page holds, or of what heads the page.
function usualEntry(section) {
  const heads = sectionsOf("cards").filter(isAsked).flatMap((each) => each.entries);
  return [...section.quantities, ...heads].find((each) => places.has(each.name) && isAsked(each));
}

// What a section begins with: that quantity, or the first that reads an input.
function usualQuantity(section) {
  const { wanted } = data.formulas;
  return usualEntry(section)?.name ?? nodes[wanted.find((place) => inputChoices(place).length) ?? wanted[0]][0];
}

function everyQuantity() {
  const heads = sectionsOf("cards").flatMap((section) => section.entries.map((entry) => [places.get(entry.name), entry.title]));
  const headed = new Map(heads.filter(([place]) => place !== undefined));
  const others = nodes.map((_, place) => place).filter((place) => !headed.has(place) && ["formula", "cell"].includes(nodes[place][1]) && !nodes[place][0].includes("@"));
  return [...headed.keys(), ...others].map((place) => {
    const { name, sentence } = about(place), title = headed.has(place) ? `${headed.get(place)} \u00b7 ${name}` : name;
    return { id: name, title, text: `${title} ${sentence}`.toLowerCase() };
  });
}

// The inputs that a quantity reads, those that stand beside the page first.
function inputChoices(place) {
  const read = new Set(neededBy([place]).filter((each) => nodes[each][1] === "input" && isOffered(nodes[each][0])));
  const beside = data.layout.control.map((control) => places.get(control.input)).filter((each) => read.has(each));
  return [...new Set([...beside, ...read])].map((each) => {
    const { name, sentence } = about(each);
    return { id: name, title: name, text: `${name} ${sentence}`.toLowerCase() };
  });
}

// A field for one of a list, with its label.
function labelledPicker(id, label, options, chosen) {
  const made = picker(id, `${id}-list`, options, chosen);
  return { ...made, whole: element("div", { class: "field" }, element("label", { for: id, text: label }), made.whole) };
}

// Values of an input to begin with: its stops beside the page, all that it may be, or some around the one that it has.
function usualValues(place) {
  const { name, quantity, input } = about(place), of = described(quantity), now = valueAt(place);
  if (of.kind === "flag") return "false, true";
  if (of.words.length) return of.words.join(", ");
  const stops = input.allowed ?? data.layout.control.find((control) => control.input === name)?.stops;
  if (stops) return stopsText(stops.map((each) => stopText(each, quantity)));
  if (of.kind === "date" || !Number.isFinite(now) || now <= 0) return editable(now, quantity) || editable(input.low ?? 1, quantity);
  const least = Math.max(now / 4, input.low ?? 0), most = Math.min(now * 4, input.high ?? inf);
  const ends = [least, most].map((each) => editable(isCounted(of, now) ? Math.max(1, Math.round(each)) : each, quantity));
  return input.high <= 1 || of.unit === "percent" ? `${ends.join("..")}:7` : `${ends.join("..")}*2`;
}

// Stops as a range where each is twice the one before.
function stopsText(stops) {
  const doubled = stops.length > 3 && stops.every((each, at) => at === 0 || Number(each) === 2 * Number(stops[at - 1]));
  return doubled ? `${stops[0]}..${stops.at(-1)}*2` : stops.join(", ");
}
