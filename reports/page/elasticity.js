// A quantity to what moves it: its elasticity to each input, by small steps; as the engine's analyse/sensitivity.py finds it.

const SMALL_STEP = 1e-5, KINK = 1e-3, NO_SLOPE = 1e-6;
const LARGE_STEPS = [1.1, 2, 1 / 1.1, 0.5];
const LARGEST_WHOLE = 2 ** 53;

// Yields, for each input that the quantity reads, null or what it does: its value, the elasticity, whether that is a slope (or of
// the step to `other`), what that step multiplies the quantity by, and whether checks warn of every step.
function* influences({ chosen, quantity }) {
  const at = calculator([quantity]);
  const valueAt = (numbers) => Number(at({ ...chosen, numbers }).values?.[quantity] ?? NaN);
  const { values } = at({ ...chosen });
  if (!values) return;
  const here = neededBy([quantity]).map((place) => [place, values[place]]).filter(([place, value]) => movable(place, value));
  for (const [place, value] of here) {
    const found = influence(place, value, (number) => valueAt({ [nodes[place][0]]: number }));
    yield found && { ...found, warned: !found.smooth && isWarnedOf(place, value, chosen) };
  }
}

// Whether each step of an input breaks a check that holds here and names it, or is refused.
function isWarnedOf(place, value, chosen) {
  const { quantity, input } = about(place), of = described(quantity);
  const reading = data.formulas.checks.filter(([check, level]) => level === "warn" && nodes[check][READS].includes(place)).map(([check]) => check);
  if (!reading.length) return false;
  const at = calculator(reading);
  const holding = (number) => {
    const { values } = at({ ...chosen, numbers: { [nodes[place][0]]: number } });
    return reading.filter((check) => values?.[check]);
  };
  const here = holding(value), steps = LARGE_STEPS.map((step) => nearestAllowed(value * step, value, of, input)).filter((step) => step !== value);
  return here.length > 0 && steps.every((step) => {
    const there = holding(step);
    return here.some((check) => !there.includes(check));
  });
}

// Whether a share of an input can change: of a number other than 0, and not of another record.
function movable(place, value) {
  const [name, kind, quantity] = nodes[place];
  if (kind !== "input" || !["number", "whole"].includes(data.formulas.quantities[quantity][0])) return false;
  return Number.isFinite(value) && value !== 0 && !data.places.some(({ under }) => under && name.startsWith(`${under}.`));
}

function influence(place, value, valueOf) {
  const { quantity, input } = about(place), of = described(quantity), counted = isCounted(of, value) || Boolean(input.allowed);
  const same = valueOf(value);
  if (!Number.isFinite(same) || same === 0) return null;
  const [above, below] = counted ? [NaN, NaN] : [1, -1].map((sign) => (sign * (valueOf(value * (1 + sign * SMALL_STEP)) - same)) / (same * SMALL_STEP));
  const smooth = Math.abs(above - below) <= KINK * Math.max(Math.abs(above), Math.abs(below)) + NO_SLOPE;
  const [other, after] = firstStep(value, of, input, valueOf);
  const factor = after / same;
  const elasticity = smooth ? (above + below) / 2 : Math.log(factor) / Math.log(other / value);
  return Math.abs(elasticity) >= NO_SLOPE ? { place, value, other, elasticity, factor, smooth } : null;
}

// The first other value at which there is a number, and that number.
function firstStep(value, of, input, valueOf) {
  for (const step of LARGE_STEPS) {
    const other = nearestAllowed(value * step, value, of, input);
    const after = other === value ? NaN : valueOf(other);
    if (Number.isFinite(after)) return [other, after];
  }
  return [value, NaN];
}

// Whether an input takes whole numbers alone: by its type, or as counts do.
function isCounted({ kind, dimension, unit, multiple }, value) {
  return kind === "whole" || (!dimension && Boolean(unit) && !multiple && value === Math.floor(value));
}

// The value that an input can take nearest to this one, on this side of the one that it has.
function nearestAllowed(value, here, of, input) {
  if (input.allowed) {
    const beyond = input.allowed.filter((each) => (each - here) * (value - here) > 0);
    return beyond.reduce((best, each) => (Math.abs(each - value) < Math.abs(best - value) ? each : best), beyond[0] ?? here);
  }
  const counted = isCounted(of, here);
  const whole = counted ? (value > here ? Math.ceil(value) : Math.floor(value)) : value;
  return Math.min(Math.max(whole, input.low ?? 0), input.high ?? inf, counted ? LARGEST_WHOLE : inf);
}
