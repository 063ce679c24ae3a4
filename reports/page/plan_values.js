// What each alternative of a plan takes at each hour, for what the reader typed: by the functions of its own configuration.

const BUSIEST = "busiest", AVERAGE = "average";
const freePlace = new Map(data.free.map((name, place) => [name, place]));

// What the reader typed: for all alternatives, and for each by `name@hour`.
const typed = { all: {}, own: data.alternatives.map(() => ({})) };

// What is known of an input, which is called by its name.
function about(name) {
  return data.inputs[name];
}

function startOf(turn, name) {
  return data.alternatives[turn].start[name] ?? NaN;
}

// Whether a field holds for all alternatives: where all began with the same value.
function isShared(name) {
  return data.alternatives.every((_, turn) => Object.is(startOf(turn, name), startOf(0, name)));
}

// The free inputs of an alternative in the busiest hour.
function inputsOf(turn) {
  const given = data.free.map((name) => typed.own[turn][`${name}@${BUSIEST}`] ?? typed.all[name] ?? startOf(turn, name));
  return given;
}

function withInput(given, name, value) {
  return given.with(freePlace.get(name), value);
}

// The value of each quantity by its name; NaN where it has none.
function quantitiesAt(turn, given) {
  const held = [], places = data.alternatives[turn].places;
  const v = (place) => {
    if (place < given.length) return given[place];
    if (!(place in held)) held[place] = PLANS[turn][place - given.length](v);
    return held[place];
  };
  return (name) => {
    try {
      return v(places[name]);
    } catch (error) {
      if (error instanceof NoNumber) return NaN;
      throw error;
    }
  };
}

// The conditions that do not hold.
function missed(of) {
  return data.conditions.filter((each) => of(each) !== true);
}

// The fewest replicas that keep what is asked; NaN where no number of them does. More never keep less.
function fewestReplicas(turn, given) {
  const { replicas } = data.load, most = about(replicas).input.high ?? 2 ** 20;
  const keeps = (number) => !missed(quantitiesAt(turn, withInput(given, replicas, number))).length;
  let enough = 1;
  while (!keeps(enough)) {
    if (enough >= most) return NaN;
    enough = Math.min(2 * enough, most);
  }
  let few = Math.floor(enough / 2);
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (keeps(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}

// The replicas of an hour: those that the reader says, else the fewest; those of the plan where no number is enough.
function replicasAt(turn, given, hour) {
  const said = typed.own[turn][`${data.load.replicas}@${hour}`];
  if (said !== undefined) return said;
  const fewest = fewestReplicas(turn, given), planned = hour === BUSIEST ? startOf(turn, data.load.replicas) : NaN;
  return Number.isFinite(fewest) ? fewest : planned;
}

// Whether the price of an alternative is one with a commitment for its replicas.
function commits(turn) {
  return Boolean(data.commitment) && startOf(turn, data.commitment.input) > 0;
}

// With a commitment: the inputs with as many replicas under it as there are, unless the reader says how many.
function committedAll(turn, inputs, hour = BUSIEST) {
  if (!commits(turn)) return inputs;
  const { input, rented } = data.commitment, said = typed.own[turn][`${input}@${hour}`] ?? typed.own[turn][`${input}@${BUSIEST}`];
  return withInput(inputs, input, said ?? quantitiesAt(turn, withInput(inputs, input, 0))(rented));
}

// The quantities of an alternative at each hour, and the conditions that the busiest does not meet.
function hoursOf(turn) {
  const given = inputsOf(turn);
  if (!data.load) {
    const of = quantitiesAt(turn, given);
    return { [BUSIEST]: of, missed: missed(of) };
  }
  const { rate, average, replicas } = data.load;
  const sized = (inputs, hour) => committedAll(turn, withInput(inputs, replicas, replicasAt(turn, inputs, hour)), hour);
  const busiest = sized(given, BUSIEST), of = quantitiesAt(turn, busiest);
  const cases = data.cases.map(({ name, scales, resized }) => {
    const inputs = Object.entries(scales).filter(([input]) => freePlace.has(input)).reduce((held, [input, factor]) => withInput(held, input, factor * held[freePlace.get(input)]), resized ? given : busiest);
    return [name, quantitiesAt(turn, resized ? sized(inputs, name) : inputs)];
  });
  return {
    [BUSIEST]: of,
    [AVERAGE]: quantitiesAt(turn, withInput(busiest, rate, of(average))),
    ...Object.fromEntries(cases),
    missed: missed(of),
  };
}

// The value of a row for an alternative; none where what the row tells is no matter of it.
function valueTold(row, turn, hours) {
  return data.alternatives[turn].absent.includes(`${row.name}@${row.hour}`) ? NaN : hours[turn][row.hour]?.(row.name);
}

const SHARE_DIGITS = 5; // of a share, such as that of late requests: a plan knows no more of it

// A quantity as a row tells it.
function rowText(row, value) {
  if (value !== value || value === undefined) return "-";
  const unit = described(row.quantity).unit;
  const text = shown(unit === "percent" ? Number(value.toFixed(SHARE_DIGITS)) : value, row.quantity);
  return row.unit && unit !== row.unit ? `${text} ${row.unit}` : text;
}
