// Several values of one input as people write them, `1, 2, 4`, `1..512*2` or `1..4 TB/s:7`; as the engine's records/axis.py reads them.

const RANGE = /^(.*?[0-9a-zA-Z%])\s*\.\.\s*([^*:]*(?:\*\*[^*:]*)*?)\s*(?:(?<!\*)([*:])\s*([0-9.]+)\s*(.*))?$/;
const REST_OF_A_GROUP = /^0[0-9]{2}$/;
const RANGE_FORMS = "1..8 is every whole step, 1..512*2 each twice the last, 1..9:5 five evenly spaced";
// So many values of one input at most: more than a screen has pixels.
const MOST_VALUES = 10000;

// The values in base units, each once; throws Unreadable with the reason.
function axisValues(text, place) {
  const { quantity } = about(place), { kind } = described(quantity);
  const parts = text.split(",").map((each) => each.trim());
  if (parts.includes("")) unreadable("lacks a value: a comma stands between two values");
  const values = parts.flatMap((part, at) => {
    if (at && REST_OF_A_GROUP.test(part)) unreadable(`is several values: a comma separates them, so write ${parts[at - 1]}${part}`);
    return part.includes("..") && (kind === "number" || kind === "whole") ? rangeValues(part, place) : [read(part, place)];
  });
  return fewValues([...new Set(values)]);
}

function fewValues(values) {
  return values.length > MOST_VALUES ? unreadable(`has more than ${grouped(String(MOST_VALUES))} values: take larger steps`) : values;
}

function rangeValues(text, place) {
  const found = RANGE.exec(text);
  if (!found?.[2]) unreadable(`is not a range: ${RANGE_FORMS}`);
  const [, first, last, how, amount, after] = found, of = described(about(place).quantity), whole = of.kind === "whole";
  const unit = after || (WRITTEN.exec(last)?.[2] ?? "");
  const high = rangeEnd(last, unit, place, of), low = rangeEnd(first, takesPlain(of) ? "" : unit, place, of);
  if (low.value > high.value) unreadable(`runs backwards: the smaller end stands first, ${last}..${first}`);
  const size = amount === undefined ? 1 : Number(amount);
  if (how === "*") return multiples(low.value, high.value, size, whole);
  const steps = how === ":" ? evenSteps(low.value, high.value, size, whole) : Math.floor((high.value - low.value) / low.scale + 1e-9);
  if (steps >= MOST_VALUES) fewValues({ length: steps + 1 });
  const step = how === ":" && steps ? (high.value - low.value) / steps : low.scale;
  return Array.from({ length: steps + 1 }, (_, at) => rounded(at === steps && how === ":" ? high.value : low.value + at * step, whole));
}

// An end in base units, and how many of them its unit is.
function rangeEnd(text, unit, place, of) {
  const match = WRITTEN.exec(text), whole = match && !match[2] && unit ? `${match[1]} ${unit}` : text;
  const value = read(whole, place), named = WRITTEN.exec(whole)[2];
  return { value, scale: named ? inBaseUnits(1, named, of, "") : 1 };
}

function multiples(low, high, ratio, whole) {
  if (!(ratio > 1) || low <= 0) unreadable("never reaches its end: a ratio is above 1, and its range begins above 0, as 1..512*2 does");
  if (Math.log(high / low) > MOST_VALUES * Math.log(ratio)) fewValues({ length: inf });
  const found = [];
  for (let each = low; each <= high * (1 + 1e-12); each *= ratio) found.push(rounded(each, whole));
  return found;
}

// Into how many steps such a range is divided: no more than there are whole numbers, where the input is one.
function evenSteps(low, high, count, whole) {
  if (count % 1 !== 0 || count < (low === high ? 1 : 2)) unreadable(`has no such number of values: ${RANGE_FORMS}`);
  return Math.min(count, whole ? high - low + 1 : count) - 1;
}

// Without the last digits, which are noise of binary fractions.
function rounded(value, whole) {
  return whole ? Math.floor(value + 0.5) : Number(value.toPrecision(15));
}
