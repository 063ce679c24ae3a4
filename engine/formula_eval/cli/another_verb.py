"""Tells the command that words without a verb ask a question of one."""


class AnotherVerb(Exception):  # noqa: N818 - no error: what was asked is a question of another verb
    """Raised where words without a verb ask for one: `cheapest` for a search."""

    def __init__(self, verb: str) -> None:
        """Keep the verb that is asked for."""
        super().__init__(verb)
        self.verb = verb
