"""Rewrites units as people write them, `tokens/s`, `$/h` or `g per kWh`, in the names of the table of units."""

import re

from formula_eval.core.diagnostic import listed
from formula_eval.core.quantity import plural
from formula_eval.core.unit import UnitTable

SIGN = r"(?P<sign>[$\u00a2-\u00a5\u20a0-\u20bf])?"  # of a currency, which stands before its number
_WORD = re.compile(r"[A-Za-z]+|[^\w\s*/.^%]")
_PREFIXES = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "milli": "m", "micro": "u", "nano": "n"}
_PER = re.compile(r"\s+per\s+")
_NUMBER = r"(?P<number>(?:[0-9][0-9_]*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
_UNIT = r"(?P<unit>\s*/[A-Za-z]+|\s*[A-Za-z%]+(?:[*/][A-Za-z]+(?:\*\*[1-9])?)*)?"
_QUANTITY = re.compile(rf"(?<![\w.$]){SIGN}{_NUMBER}{_UNIT}(?![\w.(*])")


def unit_text(written: str, units: UnitTable) -> str:
    """A unit in the table's own words: in the singular, without what only others call so; else as it was written."""
    text = _WORD.sub(lambda found: _own_word(found[0], units), _PER.sub("/", written.strip()))
    return f"1{text}" if text.startswith("/") else text


def with_unit_texts(expression: str, units: UnitTable) -> str:
    """An expression whose numbers have their units as formulas write them: `10 tokens/s` as `(10 token/s)`."""
    return _QUANTITY.sub(lambda found: _quantity(found, units), expression)


def spoken_help(word: str, units: UnitTable) -> str:
    """What to write instead of the name that people say of a unit, `km` for `kilometers`; nothing for other words."""
    said = word.lower()
    for form in dict.fromkeys((said, said.removesuffix("s"), re.sub("ers?$", "re", said))):
        whole = _own_word(form, units)
        parts = ((sign, _own_word(form.removeprefix(name), units)) for name, sign in _PREFIXES.items() if name in form)
        found = next((text for text in (whole, *map("".join, parts)) if text in units.units), "")
        if found:
            return f"Write `{found}`."
    return ""


def longer_help(short: str, needed: str, units: UnitTable, number: str = "") -> str:
    """Which units of this dimension a word that is another unit may be short for: `m` for `minute`; nothing if none.

    A number stands before each of them.
    """
    found = [name for name, unit in units.units.items() if name.startswith(short) and str(unit.dimension) == needed]
    return f"Write one of {listed([f'{number} {name}'.strip() for name in found])}." if needed and found else ""


def _own_word(word: str, units: UnitTable) -> str:
    known, others = units.units, units.others
    if word in known:
        return word
    if word in others or (len(word) > 1 and word.lower() in others):
        return others.get(word) or others[word.lower()]
    return next((text for text in (word[:-1], word[:-2]) if text in known and plural(text) == word), word)


def _quantity(found: re.Match[str], units: UnitTable) -> str:
    written = f"{found['sign'] or ''}{found['unit'] or ''}"
    unit = unit_text(written, units)
    return f"({found['number']} {unit})" if unit and units.explains(unit) else found[0]
