"""The warning of an answer to which something that was given makes no difference."""


class CountsForNothing(UserWarning):
    """What was given changes nothing of what was asked."""
