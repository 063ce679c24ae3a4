"""Represents the words or flags that a value may be in each box as bit sets, with one bit for `absent`."""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from formula_eval.evaluate.vector import Array

Value = Any  # one that is the same in all boxes, an array of them, or a set for each box
Flag = Any  # a plain flag, or `Words` of which the second is `true`
FALSE, TRUE, ABSENT = 1, 2, 1 << 62


class Fact(NamedTuple):
    """A comparison that holds within a branch, where it narrows both of its sides; of words, `in` or `not in` bits."""

    left: Value
    operator: str
    right: Value


class Words:
    """For each box the words that a value may be, as bits by their index; a flag is the second of `false` and `true`.

    `if_true` and `if_false` are the facts that hold where a flag does, or does not.
    """

    __slots__ = ("bits", "if_false", "if_true")
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]  # as arrays, they are compared box by box

    def __init__(self, bits: Array, if_true: tuple[Fact, ...] = (), if_false: tuple[Fact, ...] = ()) -> None:
        """The words of these bits."""
        self.bits, self.if_true, self.if_false = bits, if_true, if_false

    def copy(self) -> "Words":
        """A copy that narrowing the original leaves unchanged."""
        return Words(self.bits, self.if_true, self.if_false)

    @property
    def absent(self) -> Value:
        """Marks the boxes where the value may be absent."""
        return self.bits & ABSENT != 0

    def among(self, words: Iterable[Value]) -> Flag:
        """Whether it is one of these words; what is absent is none."""
        bits = reduce(or_, map(bits_of, words)) & ~ABSENT
        facts = Fact(self, "in", bits), Fact(self, "not in", bits)
        return flag(self.bits & bits != 0, self.bits & ~bits != 0, facts[:1], facts[1:])

    def __eq__(self, other: object) -> Value:
        """Whether it is this word."""
        if not isinstance(other, Words):
            return self.among((other,))
        shared = self.bits & other.bits & ~ABSENT
        is_one = (self.bits == other.bits) & (self.bits & (self.bits - 1) == 0) & ~self.absent
        return flag(shared != 0, (self.bits != 0) & (other.bits != 0) & ~is_one)

    def __ne__(self, other: object) -> Value:
        """Whether it is another word."""
        return opposite(self == other)


def bits_of(value: Value) -> Value:
    """The bits of a word by its index, of a flag, or of what is absent."""
    if isinstance(value, Words):
        return value.bits
    return 1 << int(value) if value == value else ABSENT  # noqa: PLR0124 - nan alone differs from itself


def may_hold(value: Flag) -> Value:
    """Marks the boxes where a flag may be true."""
    return bits_of(value) & TRUE != 0


def may_fail(value: Flag) -> Value:
    """Marks the boxes where a flag may be something other than true."""
    return bits_of(value) & ~TRUE != 0


def flag(true: Value, false: Value, if_true: tuple[Fact, ...] = (), if_false: tuple[Fact, ...] = ()) -> Flag:
    """Builds a flag from where it may be true and where false; a plain bool if it is the same in all boxes."""
    if not np.any(false) and np.all(true):
        return True
    if not np.any(true) and np.all(false):
        return False
    return Words(np.where(true, TRUE, 0) | np.where(false, FALSE, 0), if_true, if_false)


def opposite(value: Flag) -> Flag:
    """`not`."""
    if not isinstance(value, Words):
        return not value
    return flag(value.bits & FALSE != 0, value.bits & TRUE != 0, value.if_false, value.if_true)
