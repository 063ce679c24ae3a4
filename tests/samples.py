"""Says how many samples tests draw, by the profile of Hypothesis: few in `make check`, many in `make thorough`.

Hypothesis draws others in each run, so that few of them see much in the course of some days.
"""

from hypothesis import settings

FEW, MANY = "few", "many"
LEAST = 3

settings.register_profile(FEW, max_examples=30, deadline=None)
settings.register_profile(MANY, max_examples=300, deadline=None)


def thorough() -> bool:
    """Whether everything is to be tried."""
    return settings.default.max_examples >= settings.get_profile(MANY).max_examples


def samples(of_hundred: int) -> int:
    """So many of each hundred that the profile takes, and some in any case."""
    return max(min(of_hundred, LEAST), of_hundred * settings.default.max_examples // 100)
