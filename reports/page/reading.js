// A value as a person writes it, with its unit, to a number in base units; as the engine's records/values.py reads it.

// A comma groups thousands and does nothing else.
const WRITTEN = /^\s*([-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9][0-9_]*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?![0-9.,_])\s*(.*?)\s*$/s;
// What a prefix on a bare number multiplies by: `4k` tokens, `128Ki`, and as many write it, `128K` and `15B`.
const THOUSANDS = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12, Ki: 2 ** 10, ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };
const RELATIVE = /^\s*([-+][0-9]+(?:\.[0-9]+)?)\s*%\s*$/;
const FLAGS = { true: true, yes: true, on: true, 1: true, false: false, no: false, off: false, 0: false };

class Unreadable extends Error {}

function unreadable(reason) {
  throw new Unreadable(reason);
}

// What `+10%` adds to 100 percent of the value that holds otherwise; nothing for any other text, or where an input may be negative.
function relativeChange(text, place) {
  const { quantity, input } = about(place), { kind } = described(quantity), match = RELATIVE.exec(text);
  return match && (kind === "number" || kind === "whole") && !(input.low < 0) ? Number(match[1]) : null;
}

// A value that was changed by so many percent, within the range of its input.
function changedBy(percent, base, place) {
  const { quantity, input } = about(place);
  if (!Number.isFinite(base)) unreadable("is relative to a value that nobody gave");
  const number = (base * (100 + percent)) / 100;
  checkDomain(number, described(quantity), input);
  return number;
}

// The number that a text means for an input; throws Unreadable with the reason.
function read(text, place) {
  const { quantity, input } = about(place), of = described(quantity);
  if (of.kind === "flag") return Object.hasOwn(FLAGS, text.toLowerCase()) ? FLAGS[text.toLowerCase()] : unreadable("is not a flag: true or false");
  if (of.kind === "choice") return readWord(text, of, input);
  if (of.kind === "date") return readDate(text, input);
  const match = WRITTEN.exec(text), example = input.example ? `, for example ${input.example}` : "";
  if (!match) unreadable(`is not a number${example}`);
  const number = unrounded(inBaseUnits(Number(match[1].replace(/[_,]/g, "")), match[2], of, example), input);
  checkDomain(number, of, input);
  return number;
}

// An end of a range, or a value that is allowed, where rounding alone keeps the number from it.
function unrounded(number, { low, high, allowed = [] }) {
  return [low, high, ...allowed].find((each) => Math.abs(number - each) <= 1e-14 * Math.abs(each)) ?? number;
}

// The index of a word of a choice, also as others call it: `1F1B`, `zb-h1`.
function readWord(text, of, input) {
  const plain = text.trim().toLowerCase().replace(/[- ]/g, "_");
  const word = [text, plain, input.also?.[plain]].find((each) => of.words.includes(each));
  return word === undefined ? unreadable(`is none of ${of.words.join(", ")}`) : of.words.indexOf(word);
}

function readDate(text, input) {
  const seconds = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d)?$/.test(text.trim()) ? Date.parse(`${text.trim().replace(" ", "T")}${text.trim().length > 10 ? "Z" : ""}`) / 1000 : NaN;
  if (seconds !== seconds || dateText(seconds).slice(0, 10) !== text.trim().slice(0, 10)) unreadable("is not a date, for example 2026-11-22");
  if (seconds < (input.low ?? -inf) || seconds > (input.high ?? inf)) unreadable(`is outside ${[input.low, input.high].filter(Number.isFinite).map(dateText).join(" to ")}`);
  return seconds;
}

// Whether a number without a unit is clear: of a plain number, and of what is counted.
function takesPlain({ multiple, dimension, kind }) {
  return !multiple && (!dimension || kind === "whole");
}

function inBaseUnits(number, unit, of, example) {
  if (!Number.isFinite(number)) unreadable("is out of range");
  const [prefix, ...counted] = takesPlain(of) ? unit.split(/\s+/) : [];
  if (Object.hasOwn(THOUSANDS, prefix)) return inBaseUnits(number * THOUSANDS[prefix], counted.join(" "), of, example);
  if (!unit) return !takesPlain(of) && number !== 0 ? unreadable(`lacks its unit${example}`) : number;
  const known = parsedUnit(unit.startsWith("/") ? `1${unit}` : unit) ?? parsedUnit(singular(unit)) ?? unreadable(`has an unknown unit${example}`);
  const wanted = of.dimension ? parsedUnit(of.dimension).exponents : {};
  const bases = new Set([...Object.keys(known.exponents), ...Object.keys(wanted)]);
  for (const base of bases) {
    if ((known.exponents[base] ?? 0) !== (wanted[base] ?? 0)) unreadable(`must be ${of.unit || of.dimension || "a plain number"}${example}`);
  }
  return number * known.scale;
}

// What a unit in the plural is: `hours` to `hour`.
function singular(unit) {
  const [first, ...rest] = unit.split("/");
  const one = [first.slice(0, -1), first.slice(0, -2)].find((each) => Object.hasOwn(data.units, each) && plural(each) === first);
  return [one ?? first, ...rest].join("/");
}

function parsedUnit(text) {
  const compact = text.replaceAll(" ", "");
  const part = /([*/]?)([A-Za-z]+|1|%)(?:\*\*([1-9]))?/gy;
  let scale = 1, exponents = {}, end = 0;
  for (let match; end < compact.length && (match = part.exec(compact)); end = part.lastIndex) {
    const name = match[2] === "%" ? "percent" : match[2];
    const unit = name === "1" ? [1, {}] : Object.hasOwn(data.units, name) ? data.units[name] : null;
    if (!unit || Boolean(match[1]) !== Boolean(end)) return null;
    const power = Number(match[3] ?? 1);
    scale = match[1] === "/" ? scale / unit[0] ** power : scale * unit[0] ** power;
    for (const [base, each] of Object.entries(unit[1])) exponents[base] = (exponents[base] ?? 0) + (match[1] === "/" ? -each : each) * power;
  }
  return end && end === compact.length ? { scale, exponents } : null;
}

function checkDomain(number, of, input) {
  if (of.kind === "whole" && number !== Math.floor(number)) unreadable("is not a whole number");
  if (input.allowed) return input.allowed.includes(number) || unreadable(`is none of ${input.allowed.map(of.inUnit).join(", ")}`);
  const low = input.low ?? 0, high = input.high ?? inf;
  if (number >= low && number <= high) return true;
  return unreadable(`is outside ${rangeText(of, input)}`);
}

// Within what a number may be, in its declared unit: `0 to 90 percent`.
function rangeText(of, input) {
  if (of.kind === "date") return [input.low, input.high].filter(Number.isFinite).map(dateText).join(" to ") || "any day";
  const low = plainNumber(of.inUnit(input.low ?? 0)), high = input.high ?? inf;
  const bounds = high < inf ? `${low} to ${plainNumber(of.inUnit(high))}` : `at least ${low}`;
  return `${bounds}${of.dimension || of.multiple ? ` ${of.unit || of.dimension}` : ""}`;
}

// A number in base units as `read` takes it, with all its digits: for a field that a reader may edit.
function editable(value, quantity) {
  const of = described(quantity);
  if (value !== value || value === undefined) return "";
  if (of.kind === "flag") return value ? "true" : "false";
  if (of.kind === "choice") return of.words[value];
  if (of.kind === "date") return dateText(value);
  if (takesPlain(of)) return String(value);
  const short = SHORT.find(([scale]) => Math.abs(value) >= scale * ROUNDED) ?? SHORT[0];
  const automatic = of.dimension === "s" ? short : of.dimension in PREFIXED ? scaleOf(value, of.dimension) : [1, of.unit || of.dimension];
  const [number, unit] = of.multiple ? [of.inUnit(value), of.unit] : [value / automatic[0], automatic[1]];
  return `${Number(number.toPrecision(12))}${unit === "percent" ? "%" : ` ${unit.replace(/^1\//, "/")}`}`;
}
