// A value as a person writes it, with its unit, to a number in base units; as the engine's evaluate/values.py reads it.

const WRITTEN = /^\s*([-+]?[0-9][0-9_,]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)\s*(.*?)\s*$/s;
const FLAGS = { true: true, yes: true, on: true, 1: true, false: false, no: false, off: false, 0: false };
const EXAMPLES = { byte: "80 GB", "byte/s": "2.5 TB/s", "FLOP/s": "989 TFLOP/s", s: "5 us", "J/s": "700 W", "USD/s": "2 USD/hour", "1/s": "2/s" };

class Unreadable extends Error {}

function unreadable(reason) {
  throw new Unreadable(reason);
}

// The number that a text means for an input; throws Unreadable with the reason.
function read(text, place) {
  const { quantity, input } = about(place);
  const [kind, , dimension, words] = quantity;
  if (kind === "flag") return Object.hasOwn(FLAGS, text.toLowerCase()) ? FLAGS[text.toLowerCase()] : unreadable("is no flag: true or false");
  if (kind === "choice") return words.includes(text) ? words.indexOf(text) : unreadable(`is none of ${words.join(", ")}`);
  const match = WRITTEN.exec(text);
  if (!match) unreadable(`is no number${exampleOf(dimension)}`);
  const number = inBaseUnits(Number(match[1].replace(/[_,]/g, "")), match[2], dimension);
  checkDomain(number, kind, dimension, input);
  return number;
}

function exampleOf(dimension) {
  return dimension ? `, for example ${EXAMPLES[dimension] ?? `1 ${dimension}`}` : "";
}

function inBaseUnits(number, unit, dimension) {
  if (!Number.isFinite(number)) unreadable("is out of range");
  if (!unit) return dimension && number !== 0 ? unreadable(`lacks its unit${exampleOf(dimension)}`) : number;
  const known = parsedUnit(unit.startsWith("/") ? `1${unit}` : unit) ?? unreadable(`has an unknown unit${exampleOf(dimension)}`);
  const wanted = dimension ? parsedUnit(dimension).exponents : {};
  const bases = new Set([...Object.keys(known.exponents), ...Object.keys(wanted)]);
  for (const base of bases) {
    if ((known.exponents[base] ?? 0) !== (wanted[base] ?? 0)) unreadable(`must be ${dimension || "a plain number"}${exampleOf(dimension)}`);
  }
  return number * known.scale;
}

function parsedUnit(text) {
  const compact = text.replaceAll(" ", "");
  const part = /([*/]?)([A-Za-z]+|1)(?:\*\*(\d))?/gy;
  let scale = 1, exponents = {}, end = 0;
  for (let match; end < compact.length && (match = part.exec(compact)); end = part.lastIndex) {
    const unit = match[2] === "1" ? [1, {}] : Object.hasOwn(data.units, match[2]) ? data.units[match[2]] : null;
    if (!unit || Boolean(match[1]) !== Boolean(end)) return null;
    const power = Number(match[3] ?? 1);
    scale = match[1] === "/" ? scale / unit[0] ** power : scale * unit[0] ** power;
    for (const [base, each] of Object.entries(unit[1])) exponents[base] = (exponents[base] ?? 0) + (match[1] === "/" ? -each : each) * power;
  }
  return end && end === compact.length ? { scale, exponents } : null;
}

function checkDomain(number, kind, dimension, input) {
  if (kind === "whole" && number !== Math.floor(number)) unreadable("is no whole number");
  if (input.allowed) return input.allowed.includes(number) || unreadable(`is none of ${input.allowed.join(", ")}`);
  const low = input.low ?? 0, high = input.high ?? inf;
  if (number >= low && number <= high) return true;
  const bounds = high < inf ? `${plainNumber(low)} to ${plainNumber(high)}` : `at least ${plainNumber(low)}`;
  return unreadable(`is outside ${bounds}${dimension ? ` ${dimension}` : ""}`);
}

// A number in base units as `read` takes it, with all its digits: for a field that a reader may edit.
function editable(value, quantity) {
  const [kind, , dimension, words] = quantity;
  if (value !== value || value === undefined) return "";
  if (kind === "flag") return value ? "true" : "false";
  if (kind === "choice") return words[value];
  if (!dimension) return String(value);
  const short = SHORT.find(([scale]) => Math.abs(value) >= scale * ROUNDED) ?? SHORT[0];
  const [scale, unit] = dimension === "s" ? short : dimension === "USD/s" ? [1 / 3600, "USD/hour"] : dimension in PREFIXED ? scaleOf(value, dimension) : [1, dimension];
  return `${Number((value / scale).toPrecision(12))} ${unit.replace(/^1\//, "/")}`;
}
