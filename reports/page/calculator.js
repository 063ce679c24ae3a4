// A few quantities under one choice after another: of all that they need, only what changed is computed again.

// A function from a choice to `values`, by place, or to the `reason` why there are none; the values hold until its next call.
function calculator(wanted) {
  const reached = new Map();
  let needed = null, readers = null, values = [], before = null;

  const behind = (names) => {
    const key = names.join(" ");
    if (!reached.has(key)) reached.set(key, allBehind(names, readers));
    return reached.get(key);
  };
  return (chosen) => {
    needed ??= neededBy([...wanted, ...data.formulas.refusing]);
    readers ??= readersAmong(needed);
    const { given } = givenBy(chosen);
    const changed = before && changedNames(before, given);
    before = null;
    try {
      filledIn(given, changed ? behind(changed) : needed, values);
    } catch (problem) {
      if (!(problem instanceof NoNumber)) throw problem;
      values = [];
      const reasons = refusals(refusing(given));
      return { values: null, reason: reasons.join(" ") || `${nodes[problem.at][0]} ${problem.message}` };
    }
    before = given;
    const reasons = refusals(values);
    return reasons.length ? { values: null, reason: reasons.join(" ") } : { values, reason: "" };
  };
}

function readersAmong(needed) {
  const readers = new Map(needed.map((place) => [place, []]));
  for (const place of needed) for (const read of nodes[place][READS]) readers.get(read).push(place);
  return readers;
}

// The places of these inputs and of what reads them, through others too, in order.
function allBehind(names, readers) {
  const found = new Set(names.map((name) => places.get(name)).filter((place) => readers.has(place)));
  for (const place of found) for (const reader of readers.get(place)) found.add(reader);
  return [...found].sort((one, other) => one - other);
}

// The inputs that are given another value than before; null where others are given than before.
function changedNames(before, given) {
  const names = Object.keys(given);
  if (names.length !== Object.keys(before).length || names.some((name) => !(name in before))) return null;
  return names.filter((name) => !Object.is(before[name], given[name]));
}
