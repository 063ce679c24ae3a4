// Every combination of the values of some inputs, a step of the computation for each: what of them meets all limits.

// Yields for each its numbers, and the values of the quantities or the reason why it is none; a limit is a flag that has to hold,
// or a quantity that is at most another one, which may not be given.
function* candidates({ chosen, quantities, limits, along }) {
  const at = calculator([...quantities, ...limits.flatMap(({ place, most }) => (most === undefined ? [place] : [place, most]))]);
  for (const numbers of combinations(along)) {
    const { values, reason } = at({ ...chosen, numbers });
    const missed = values && limits.find(({ place, most }) => (most === undefined ? values[place] !== true : values[place] > values[most]));
    yield { numbers, reason: missed ? missed.title : reason, values: values && !missed ? quantities.map((place) => Number(values[place])) : null };
  }
}

// The last input varies fastest.
function* combinations([first, ...rest]) {
  if (!first) yield {};
  else for (const value of first[1]) for (const others of combinations(rest)) yield { [first[0]]: value, ...others };
}
