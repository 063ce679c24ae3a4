// Values to places along an axis of a drawing, and the values that are written beside it.

const FACTOR = 20; // between the least and the greatest value of an axis that multiplies
const LETTER = 3.6; // half of what a letter takes
const UNEVEN = 1.3; // by how much a later step may be greater than the one before on an axis that adds

function axisScale(values, from, to, multiplies) {
  return multiplies ? logarithmicScale(values, from, to) : evenScale(values, from, to);
}

// Whether values span so much that equal steps should multiply; of an axis also whether its own steps grow.
function multiplies(values, isAxis) {
  const points = [...new Set(values)].sort((one, other) => one - other), steps = points.slice(1).map((each, at) => each - points[at]);
  if (!points.length || points[0] <= 0 || points.at(-1) / points[0] < FACTOR) return false;
  return !isAxis || steps.slice(1).some((each, at) => each > UNEVEN * steps[at]);
}

// A logarithmic axis that ends at its values, with a tick at each decade, or at 1, 2 and 5 of each where there are few.
function logarithmicScale(values, from, to) {
  const low = Math.log10(Math.min(...values)), high = Math.log10(Math.max(...values));
  const room = Math.max(0.04 * (high - low), 0.15 - (high - low) / 2), start = low - room, end = high + room;
  const at = (value) => from + ((Math.log10(value) - start) / (end - start)) * (to - from);
  const decades = Array.from({ length: Math.ceil(end) - Math.floor(start) + 1 }, (_, step) => Math.floor(start) + step);
  const steps = end - start > 2.5 ? [1] : end - start > 1.4 ? [1, 3] : end - start > 0.5 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
  const ticks = decades.flatMap((decade) => steps.map((step) => Number(`${step}e${decade}`))).filter((value) => Math.log10(value) > start && Math.log10(value) < end);
  return { at, ticks };
}

// An axis whose equal steps add, with ticks at round values.
function evenScale(values, from, to) {
  const least = Math.min(...values), most = Math.max(...values), span = most - least || Math.abs(most) || 1;
  const low = least - 0.04 * span, high = most + 0.04 * span;
  const rough = (high - low) / Math.max(2, Math.abs(to - from) / 45), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough) * power, first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  return { at: (value) => from + ((value - low) / (high - low)) * (to - from), ticks };
}

// A value on an axis: with its unit where that is short, times beyond minutes in seconds, counts in thousands and millions.
function tickText(value, quantity, longest = 3) {
  const [number, unit = ""] = shown(value, quantity).split(" ");
  if (unit.length <= longest) return `${number.replace(/\.00$/, "")}${unit && ` ${unit}`}`;
  if (described(quantity).dimension === "s") return `${plainNumber(value)} s`;
  const [scale, letter] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([each]) => value >= each) ?? [1, ""];
  return letter && value >= 1e4 ? `${plainNumber(value / scale)} ${letter}` : number;
}

// The longest unit beside an axis that makes room for it.
const LONGEST_UNIT = 6;

// How wide such texts are.
function widthOfTexts(texts) {
  return 7 * Math.max(...texts.map((each) => each.length));
}

// The places among ordered texts at which each stands free of the one before: every so many of them where they are even.
function freePlaces(centres, texts) {
  const gaps = centres.slice(1).map((each, at) => each - centres[at]);
  if (gaps.length && Math.max(...gaps) <= UNEVEN * Math.min(...gaps)) return evenPlaces(Math.min(...gaps), texts);
  let free = -inf;
  return centres.flatMap((centre, at) => {
    const half = texts[at].length * LETTER;
    if (centre - half < free) return [];
    free = centre + half + 8;
    return [at];
  });
}

function evenPlaces(gap, texts) {
  const most = Math.max(...texts.map((each) => each.length)), step = Math.ceil((2 * LETTER * most + 8) / gap);
  return texts.map((_, at) => at).filter((at) => at % step === 0);
}
