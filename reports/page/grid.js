// A quantity over every combination of the values of one or two inputs: a step of the computation for each.

// Yields [place in the grid, value, whether the limit holds, why there is no value]; `along` are pairs of an input and its values,
// the first varies fastest. Those with the same value of the input that most depends on are computed one after the other.
function* gridPoints({ chosen, quantity, limit, along }) {
  const at = calculator([quantity, ...(limit === null ? [] : [limit])]);
  for (const { place, numbers } of gridOrder(along, quantity)) {
    const { values, reason } = at({ ...chosen, numbers });
    const value = values ? Number(values[quantity]) : NaN;
    const none = Number.isFinite(value) ? "" : `${nodes[quantity][0]} is ${value === value ? "infinite" : "not given"}`;
    yield [place, value, !values || limit === null || values[limit] !== false, reason || none];
  }
}

function* gridOrder(along, quantity) {
  const readers = readersAmong(neededBy([quantity]));
  const sizes = along.map(([name]) => allBehind([name], readers).length);
  const [[, first], second] = along, width = first.length;
  const numbers = (x, y) => Object.fromEntries(along.map(([name, values], turn) => [name, values[turn ? y : x]]));
  const point = (x, y) => ({ place: y * width + x, numbers: numbers(x, y) });
  const height = second ? second[1].length : 1;
  if (second && sizes[0] > sizes[1]) {
    for (let x = 0; x < width; x++) for (let y = 0; y < height; y++) yield point(x, y);
  } else {
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) yield point(x, y);
  }
}
