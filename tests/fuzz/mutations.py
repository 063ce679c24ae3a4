"""A sound text, tree or file to one that is nearly sound: what a slip, another program or a stranger makes of it."""

import string
from random import Random
from typing import Any

ODD = (
    0, -1, 1, 2**31, 2**53, 2**63, 2**64 - 1, 10**30, 10**400, 0.5, -0.0, 1e308, 1e-320, float("inf"), float("nan"),
    None, True, False, "", " ", "0", "8", "1e400", "nan", "auto", "\x00", "\ud800", "é", "../../etc/passwd", "x" * 5000,
    [], {}, [[]], [None], {"a": 1}, [1, 2, 3], ["full_attention"],
)  # fmt: skip
SCRAPS = (
    "\x00", "\n", "\t", "'", '"', "\\", "(", ")", "[", "]", "{", "}", "$", "$(x)", "`x`", "#", "=", "==", "-", "--",
    "1e400", "-1", "0", "9" * 50, "nan", "inf", "é", "\ufeff", "\u202e", "\U0001f600", ",", ":", ";",
    "|", "&&", "<<EOF",
    "%s", "{{", "}}", "{%", "if", "for", "match", "x" * 300, " " * 100, "٣", "½",
)  # fmt: skip


def text(draw: Random, sound: str, most: int = 3) -> str:
    """A text with a few places changed: removed, doubled, moved, or a scrap put in."""
    for _ in range(draw.randint(1, most)):
        if not sound:
            return draw.choice(SCRAPS)
        start = draw.randrange(len(sound))
        end = min(len(sound), start + draw.choice((1, 1, 2, 5, 20, 100)))
        part = sound[start:end]
        new = draw.choice(
            ("", part * 2, part[::-1], draw.choice(SCRAPS), draw.choice(string.printable), str(draw.choice(ODD)))
        )
        sound = sound[:start] + new + sound[draw.choice((start, end)) :]
    return sound


def words(draw: Random, sound: list[str]) -> list[str]:
    """A list of words with one removed, doubled, moved, misspelt or replaced by something odd."""
    made = list(sound)
    for _ in range(draw.randint(1, 2)):
        at = draw.randrange(len(made)) if made else 0
        what = draw.randrange(6)
        if not made or what == 0:
            made.insert(at, draw.choice(SCRAPS))
        elif what == 1:
            del made[at]
        elif what == 2:
            made.insert(draw.randrange(len(made)), made[at])
        elif what == 3:
            made[at] = text(draw, made[at], 1)
        elif what == 4:
            made[at] = str(draw.choice(ODD))
        else:
            draw.shuffle(made)
    return made


def tree(draw: Random, sound: Any) -> Any:
    """A tree of JSON with one or two of its places changed."""
    for _ in range(draw.randint(1, 2)):
        sound = _changed(draw, sound)
    return sound


def _changed(draw: Random, held: Any) -> Any:
    if isinstance(held, dict) and held:
        made, key = dict(held), draw.choice(list(held))
        what = draw.randrange(8)
        if what == 0:
            del made[key]
        elif what == 1:
            made[text(draw, key, 1)] = made.pop(key)
        elif what == 2:
            made[key] = made[draw.choice(list(held))]
        else:
            made[key] = _changed(draw, held[key])
        return made
    if isinstance(held, list) and held and draw.random() < 0.7:
        at = draw.randrange(len(held))
        return [*held[:at], *(_changed(draw, held[at]) for _ in range(draw.choice((0, 1, 1, 2)))), *held[at + 1 :]]
    if isinstance(held, int | float) and not isinstance(held, bool) and draw.random() < 0.5:
        return draw.choice(
            (
                held + 1,
                held * 2,
                held // 2,
                -held,
                str(held),
                [held],
                held + 0.5 if abs(held) < 2**53 else None,
            )
        )
    return draw.choice(ODD)


def data(draw: Random, sound: bytes) -> bytes:
    """A file with a few bytes changed, cut short, or with a part of it moved."""
    made = bytearray(sound)
    for _ in range(draw.randint(1, 4)):
        if not made:
            break
        at = draw.randrange(min(len(made), draw.choice((16, 64, 4096, len(made)))))
        what = draw.randrange(6)
        if what == 0:
            made[at] ^= 1 << draw.randrange(8)
        elif what == 1:
            made[at : at + 8] = draw.choice((0, 1, 2**31, 2**60, 2**64 - 1)).to_bytes(8, "little")
        elif what == 2:
            del made[at : at + draw.choice((1, 4, 100, 10**6))]
        elif what == 3:
            made[at:at] = draw.randbytes(draw.choice((1, 4, 100)))
        elif what == 4:
            made[at] = draw.choice(b'0123456789[]{}",:\x00\xff')
        else:
            made[at:at] = made[at : at + draw.choice((1, 8, 50))]
    return bytes(made)
