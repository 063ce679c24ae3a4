// Inputs to whether they count: whether another value of one changes any of the quantities that head the page, or lets none of
// them have a value.

const COUNTING_STEPS = [2, 0.5, 8, 1.1];

// Yields, of each input by name, null where it counts, and else whether any of the quantities reads it at all.
function* counting({ chosen, quantities, names }) {
  const at = calculator(quantities), needed = new Set(neededBy(quantities));
  const headed = (numbers) => at({ ...chosen, numbers }).values?.slice() ?? null;
  const here = headed({});
  if (!here) return;
  const moves = (after) => !after || quantities.some((place) => !Object.is(after[place], here[place]));
  for (const name of names) {
    const place = places.get(name), read = place !== undefined && needed.has(place);
    const others = read ? otherValues(place, here[place]) : [];
    const counts = read && (!others.length || others.some((other) => moves(headed({ [name]: other }))));
    yield { name, idle: counts ? null : { read } };
  }
}

// Some values that an input could have instead, as numbers; none where it has no value to begin with.
function otherValues(place, value) {
  const { quantity, input } = about(place);
  if (quantity[0] === "flag") return [!value];
  if (quantity[0] === "choice") return quantity[3].map((_, word) => word).filter((word) => word !== value);
  if (!Number.isFinite(value)) return [];
  const from = value === 0 ? Math.min(1, input.high ?? 1) : value;
  const steps = value === 0 ? [1, 0.5] : COUNTING_STEPS;
  return steps.map((step) => nearestAllowed(from * step, value, described(quantity), input)).filter((other) => other !== value);
}
