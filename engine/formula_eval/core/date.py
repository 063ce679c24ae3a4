"""Converts dates between text and seconds since the beginning of 1970, in which formulas hold them."""

import math
from datetime import UTC

# What stands in place of a unit behind a number that was written as a date.
DATE = "date"
_DAY = 86400


def seconds_of(text: str) -> float | None:
    """The seconds of `2026-11-22`, or of a time as ISO 8601 writes it; None if it is no such thing."""
    from datetime import datetime  # noqa: PLC0415 - most formulas hold no date

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    zone = found if found.tzinfo else found.replace(tzinfo=UTC)
    return zone.timestamp()


def date_text(value: float) -> str:
    """A day as `2026-11-22`, a time of one as `2026-11-22 06:30`."""
    from datetime import datetime, timedelta  # noqa: PLC0415 - most answers hold no date

    if not math.isfinite(value):
        return "not given"
    try:
        found = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=value)
    except OverflowError:
        return "out of the calendar"
    return found.isoformat(" ")[: 10 if value % _DAY == 0 else 16]
