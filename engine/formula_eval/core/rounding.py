"""What counts as a whole number where a number is rounded, or divided into whole parts; the same in every notation.

A computed number may lie a few of its last bits from the one that it stands for. So within 1e-9 of itself, and within
1e-3 where it is large, it counts as the whole number there. Of a / b that holds as long as `a`
is within a half of the multiple of `b`: hence what is divided exactly, one whole number by another, is never changed.
"""

NEAR = 1e-9  # as a share of the number,
MOST = 1e-3  # as much as that at most,
HALF = 0.5  # and of what is divided less than what whole numbers are apart
