"""Defines the warning for a given value that makes no difference to the answer."""


class CountsForNothing(UserWarning):
    """A given value changes nothing of what was asked."""
