// A value in base units to what a person reads, letter for letter as the engine's evaluate/display.py shows it.

const inf = Infinity;
const ROUNDED = 0.9995;
const DECIMAL = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const TIMES = [[86400 * 365, "year"], [86400, "day"], [3600, "hour"], [60, "minute"]];
const SHORT = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];
const PREFIXED = { byte: "B", "byte/s": "B/s", FLOP: "FLOP", "FLOP/s": "FLOP/s", J: "J", "J/s": "W" };
const UNITS_OF_TIME = ["s", "ms", "us", "ns", "minute", "hour", "day", "year"];

// What a value is, as the page holds it: the engine's `Quantified`, with the unit of its base value.
function described(quantity) {
  const [kind, unit, dimension, words, base, above, below, style] = quantity;
  return { kind, unit, dimension, words, base, above, below, style, multiple: above !== below, held: (value) => value * above / below, inUnit: (value) => value * below / above };
}

function shown(value, quantity) {
  const of = described(quantity);
  if (value !== value || value === undefined) return "not given";
  if (of.kind === "flag") return value ? "yes" : "no";
  if (of.kind === "choice") return of.words[value];
  if (value === inf || value === -inf) return value > 0 ? "infinite" : "minus infinite";
  return of.kind === "date" ? dateText(value) : numberText(value, of);
}

// A number within a sentence, which says itself what is counted.
function quoted(value, quantity) {
  const { kind, dimension, words, multiple } = described(quantity);
  return shown(value, dimension || multiple ? quantity : [kind, "", "", words, "", 1, 1, ""]);
}

function numberText(value, of) {
  if (of.multiple) return inUnit(of.inUnit(value), of);
  if (of.style !== "fixed" && (of.dimension === "s" || of.dimension in PREFIXED)) return scaled(value, of.dimension) + countsPer(of.unit, of.dimension);
  if (of.dimension && (of.style !== "counted" || of.dimension.startsWith("1/"))) return inUnit(value, of);
  const text = plainNumber(value);
  return of.unit ? `${text} ${counted(of.unit, value)}` : text;
}

// A number in the unit that its author declared.
function inUnit(value, { unit, style }) {
  const text = style === "cents" ? money(value) : digits(value);
  if (unit === "percent") return `${text}%`;
  if (unit.startsWith("1/")) return text + unit.slice(1);
  return `${text} ${style === "counted" ? counted(unit, value) : unit}`;
}

function dateText(value) {
  const day = new Date(value * 1000);
  if (Number.isNaN(day.getTime()) || day.getUTCFullYear() < 1 || day.getUTCFullYear() > 9999) return "out of the calendar";
  const text = day.toISOString();
  return value % 86400 === 0 ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

function plainNumber(value) {
  return value === Math.floor(value) && Math.abs(value) < 2 ** 53 ? grouped(fixed(value, 0)) : digits(value);
}

function counted(unit, value) {
  const [first, ...rest] = unit.split("/");
  return [digits(value) === "1" || first === "1" ? first : plural(first), ...rest].join("/");
}

function plural(word) {
  return word + (/(s|x|z|ch|sh)$/.test(word) ? "es" : "s");
}

function countsPer(unit, dimension) {
  const known = dimension.split("/").slice(1);
  const parts = unit.split("/").slice(1).filter((part) => !known.includes(part) && !UNITS_OF_TIME.includes(part));
  return parts.map((part) => `/${part}`).join("");
}

function scaled(value, dimension) {
  const [scale, unit] = scaleOf(value, dimension);
  return `${digits(value / scale)} ${unit}`;
}

// By what to divide such a value for a person, and what it is then counted in.
function scaleOf(value, dimension) {
  const size = Math.abs(value);
  if (dimension === "s") {
    const long = TIMES.find(([scale]) => size >= 2 * scale);
    return long ? [long[0], `${long[1]}s`] : (SHORT.find(([scale]) => size >= scale * ROUNDED) ?? SHORT.at(size ? -1 : 0));
  }
  const symbol = PREFIXED[dimension];
  const found = DECIMAL.find(([scale, prefix]) => prefix && size >= scale * ROUNDED);
  return found ? [found[0], found[1] + symbol] : [1, symbol.replace("B", "byte")];
}

function money(value) {
  const size = Math.abs(value);
  return size < 1 ? digits(value) : grouped(fixed(value, size < 1e3 ? 2 : 0));
}

function digits(value) {
  if (value === 0) return "0";
  if (Math.abs(value) >= 1e15 || Math.abs(value) < 1e-4) return exponential(value);
  const text = grouped(fixed(value, Math.max(0, 3 - Math.floor(log10(Math.abs(value))))));
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

// Math.log10 may be a hair below a whole number where C's is not.
function log10(x) {
  const near = Math.round(Math.log10(x));
  return 10 ** near === x ? near : Math.log10(x);
}

function grouped(text) {
  const [whole, ...rest] = text.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

// A half goes to the even neighbour, as in Python; JavaScript by itself takes the larger.
function fixed(value, places) {
  if (Math.abs(value) >= 1e21) return BigInt(value) + (places ? `.${"0".repeat(places)}` : "");
  return halfToEven(value.toFixed(places), value.toFixed(Math.min(100, places + 80)), places);
}

function halfToEven(text, exact, places) {
  const cut = exact.length - (exact.split(".")[1] ?? "").length + places;
  const rest = exact.slice(cut).replace(".", "");
  if (!/^50*$/.test(rest)) return text;
  const down = exact.slice(0, cut).replace(/\.$/, "");
  return "02468".includes(down.at(-1)) ? down : text;
}

function exponential(value) {
  const [mantissa, power] = value.toExponential(3).split("e");
  const exact = value.toExponential(60).split("e");
  const even = exact[1] === power ? halfToEven(mantissa, exact[0], 3) : mantissa;
  return `${even}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

function percent(part, whole) {
  if (!whole || !Number.isFinite(part / whole)) return "";
  const share = (100 * part) / whole;
  return share > 0 && share < 0.05 ? "<0.1%" : `${fixed(share, 1)}%`;
}
