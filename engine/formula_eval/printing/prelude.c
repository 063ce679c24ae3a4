#include <math.h>
#include <string.h>

static inline double pick(long long holds, double a, double b) {
  long long first, second;
  memcpy(&first, &a, sizeof first);
  memcpy(&second, &b, sizeof second);
  const long long taken = (first & -holds) | (second & (holds - 1));
  double found;
  memcpy(&found, &taken, sizeof found);
  return found;
}

static inline double least(double a, double b) { return pick((a <= b) | (a != a), a, b); }

static inline double greatest(double a, double b) { return pick((a >= b) | (a != a), a, b); }

static inline double near(double x) {
  const double share = fabs(x) * 1e-9;
  return share < 1e-3 ? share : 1e-3;
}

static inline double whole_above(double x) { return ceil(x - near(x)); }

static inline double whole_below(double x) { return floor(x + near(x)); }

static inline double nearest(double x) {
  const double whole = trunc(x) + 0.0;
  return fabs(x - whole) >= 0.5 ? whole + (x > 0.0) - (x < 0.0) : whole;
}

static inline double near_part(double a, double b) {
  const double share = fabs(a) * 1e-9, most = fabs(b) * 1e-3, least = share < most ? share : most;
  return least < 0.5 ? least : 0.5;
}

static inline double valid(double x, long long bad, long long *failed) {
  *failed |= bad;
  return pick(bad, NAN, x);
}

static inline double finite_of(double found, int finite, long long *failed) {
  *failed |= (fabs(found) == INFINITY) & (finite != 0);
  return found;
}

static inline double divide(double a, double b, long long *failed) { return a / valid(b, b == 0.0, failed); }

static inline double rest_of(double a, double b) {
  const double part = fmod(a, b), least = near_part(a, b);
  const double rest = part != 0.0 && (part < 0.0) != (b < 0.0) ? part + b : part;
  return (fabs(rest) <= least) | (fabs(b) - fabs(rest) <= least) ? copysign(0.0, b) : rest;
}

static inline double remainder_of(double a, double b, long long *failed) {
  return rest_of(a, valid(b, b == 0.0, failed));
}

static inline double whole_parts(double a, double b) {
  const double rest = fmod(a, b);
  const int opposed = rest != 0.0 && (rest < 0.0) != (b < 0.0);
  const double left = opposed ? fabs(rest) : fabs(b) - fabs(rest);
  const double quotient = (a - rest) / b - opposed + (left <= near_part(a, b)), whole = floor(quotient);
  return quotient == 0.0 ? copysign(0.0, a / b) : quotient - whole > 0.5 ? whole + 1.0 : whole;
}

static inline double floordiv(double a, double b, long long *failed) {
  return whole_parts(a, valid(b, b == 0.0, failed));
}

static inline double least_parts(double a, double b) { return -whole_parts(-a, b); }

static inline double ceildiv(double a, double b, long long *failed) {
  return least_parts(a, valid(b, b == 0.0, failed));
}

static double first_day(double month) {
  const double year = whole_parts(month, 12.0);
  const double leap_days = whole_parts(year, 4.0) - whole_parts(year, 100.0) + whole_parts(year, 400.0);
  return 365.0 * year + leap_days + whole_parts(153.0 * rest_of(month, 12.0) + 2.0, 5.0);
}

static double months_later(double date, double months) {
  if (!isfinite(date) || !isfinite(months)) return date + months;
  const double day = whole_parts(date, 86400.0) + 719468.0, near = whole_parts(day, 30.436875);
  const double month = near + (first_day(near + 1.0) <= day) - (first_day(near) > day), then = month + nearest(months);
  const double moved = first_day(then) + fmin(day - first_day(month), first_day(then + 1.0) - first_day(then) - 1.0);
  return (moved - 719468.0) * 86400.0 + rest_of(date, 86400.0);
}

static inline double power(double base, double exponent, long long *failed) {
  const int broken = (base < 0.0 && fmod(exponent, 1.0) != 0.0) || (base == 0.0 && exponent < 0.0);
  const double held = valid(base, broken, failed);
  return finite_of(pow(held, exponent), isfinite(held) && isfinite(exponent), failed);
}

static inline double exponential(double x, long long *failed) { return finite_of(exp(x), isfinite(x), failed); }

static inline double exponential_less_1(double x, long long *failed) {
  return finite_of(expm1(x), isfinite(x), failed);
}

static inline double root(double x, long long *failed) { return sqrt(valid(x, x < 0.0, failed)); }

static inline double logarithm(double x, long long *failed) { return log(valid(x, x <= 0.0, failed)); }

static inline double logarithm_of_1_and(double x, long long *failed) { return log1p(valid(x, x <= -1.0, failed)); }

static inline double logarithm2(double x, long long *failed) { return log2(valid(x, x <= 0.0, failed)); }

static inline double largest(int count, const double *values) {
  int most = 0;
  for (int each = 0; each < count; each++) {
    if (values[each] != values[each]) return NAN;
    if (values[each] > values[most]) most = each;
  }
  return most;
}

static double largest_divisor(double n, double at_most, long long *failed) {
  if (n != n || at_most != at_most) return NAN;
  if (n < 1.0 || fmod(n, 1.0) != 0.0 || n > 0x1p40) return valid(n, 1, failed);
  const long long whole = (long long)n, bound = (long long)fmin(n, fmax(at_most, 0.0));
  long long root = (long long)sqrt(n);
  while (root * root > whole) root--;
  if (bound > root)
    for (long long each = (whole + bound - 1) / bound; each <= root; each++)
      if (whole % each == 0) return (double)(whole / each);
  for (long long each = bound < root ? bound : root; each > 0; each--)
    if (whole % each == 0) return (double)each;
  return 0.0;
}
