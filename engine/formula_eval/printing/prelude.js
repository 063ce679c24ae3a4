const inf = Infinity, nan = NaN;

class NoNumber extends Error {}

function refuse(reason) {
  throw new NoNumber(reason);
}

function min(first, ...others) {
  for (const each of others) first = first <= each || first !== first ? first : each;
  return first;
}

function max(first, ...others) {
  for (const each of others) first = first >= each || first !== first ? first : each;
  return first;
}

function near(x) {
  return Math.min(Math.abs(x) * 1e-9, 1e-3);
}

function nearPart(a, b) {
  return Math.min(Math.abs(a) * 1e-9, Math.abs(b) * 1e-3, 0.5);
}

function ceil(x) {
  return Math.ceil(x - near(x)) + 0;
}

function floor(x) {
  return Math.floor(x + near(x)) + 0;
}

function round(x) {
  const whole = Math.trunc(x) + 0;
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

function divide(a, b) {
  return b === 0 ? refuse("divides by zero") : a / b;
}

function modulo(a, b) {
  if (b === 0) refuse("divides by zero");
  const part = a % b, least = nearPart(a, b), rest = part !== 0 && part < 0 !== b < 0 ? part + b : part;
  if (Math.abs(rest) <= least || Math.abs(b) - Math.abs(rest) <= least) return b < 0 ? -0 : 0;
  return rest;
}

function floordiv(a, b) {
  if (b === 0) refuse("divides by zero");
  const rest = a % b, opposed = rest !== 0 && rest < 0 !== b < 0;
  let quotient = (a - rest) / b;
  if (opposed) quotient -= 1;
  if ((opposed ? Math.abs(rest) : Math.abs(b) - Math.abs(rest)) <= nearPart(a, b)) quotient += 1;
  if (quotient === 0) return a < 0 !== b < 0 ? -0 : 0;
  const whole = Math.floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

function ceildiv(a, b) {
  return -floordiv(-a, b);
}

function first_day(month) {
  const year = floordiv(month, 12), leapDays = floordiv(year, 4) - floordiv(year, 100) + floordiv(year, 400);
  return 365 * year + leapDays + floordiv(153 * modulo(month, 12) + 2, 5);
}

function months_later(date, months) {
  if (!Number.isFinite(date) || !Number.isFinite(months)) return date + months;
  const day = floordiv(date, 86400) + 719468, near = floordiv(day, 30.436875);
  const month = near + (first_day(near + 1) <= day) - (first_day(near) > day), then = month + round(months);
  const moved = first_day(then) + min(day - first_day(month), first_day(then + 1) - first_day(then) - 1);
  return (moved - 719468) * 86400 + modulo(date, 86400);
}

function power(base, exponent) {
  if (base === 1) return 1;
  if (base === 0 && exponent < 0) refuse("divides by zero");
  if (base < 0 && exponent % 1 !== 0) refuse("is a broken power of a negative number");
  return finite(base ** exponent, base, exponent);
}

function finite(x, ...read) {
  return Math.abs(x) === inf && read.every(Number.isFinite) ? refuse("is too large a number") : x;
}

function sqrt(x) {
  return x < 0 ? refuse("is the root of a negative number") : Math.sqrt(x);
}

function ln(x) {
  return x <= 0 ? refuse("is a logarithm of no positive number") : Math.log(x);
}

function log2(x) {
  return x <= 0 ? refuse("is a logarithm of no positive number") : Math.log2(x);
}

function exp(x) {
  return finite(Math.exp(x), x);
}

function log1p(x) {
  return x <= -1 ? refuse("is a logarithm of no positive number") : Math.log1p(x);
}

function expm1(x) {
  return finite(Math.expm1(x), x);
}

function largest(...values) {
  const most = max(...values);
  return most === most ? values.indexOf(most) : nan;
}

function largest_divisor(n, at_most) {
  if (n !== n || at_most !== at_most) return nan;
  if (n < 1 || n % 1 !== 0 || n > 2 ** 40) refuse("takes a divisor of what is not a whole number from 1 to 2**40");
  const bound = Math.floor(Math.min(n, Math.max(at_most, 0)));
  let root = Math.floor(Math.sqrt(n));
  if (root * root > n) root -= 1;
  for (let each = ceildiv(n, bound || 1); bound > root && each <= root; each++) if (n % each === 0) return n / each;
  for (let each = Math.min(bound, root); each > 0; each--) if (n % each === 0) return each;
  return 0;
}
