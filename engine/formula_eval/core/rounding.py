"""Sets which numbers count as whole when they are rounded or divided into parts; the same in every notation.

A computed number may be off in its last bits. So one that lies within 1e-9 of its own size from a whole number, and
at most 1e-3, counts as that number. For a / b this holds only while `a` is within a half of the multiple of `b`:
hence a whole number that another one divides is never changed.
"""

NEAR = 1e-9  # as a share of the number,
MOST = 1e-3  # as much as that at most,
HALF = 0.5  # and of what is divided less than what whole numbers are apart
