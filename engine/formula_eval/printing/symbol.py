r"""Converts a symbol in LaTeX, such as `t_{\mathrm{KV}}'`, to MathML; what it does not know it writes out upright."""

import re
from collections.abc import Iterator
from html import escape
from unicodedata import lookup

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]|[0-9]+|[^\s]")
_LETTERS = {"ell": "\u2113", "infty": "\u221e", "partial": "\u2202", "phi": "\u03d5", "varphi": "\u03c6"}
_WORDS = ("min", "max", "log", "ln", "exp")
_OPERATORS = {
    "lceil": "⌈",
    "rceil": "⌉",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "langle": "⟨",
    "rangle": "⟩",
    "cdot": "·",
    "times": "\u00d7",
}
_PRIME = "\u2032"
_LONGEST = 200
_ACCENTS = {"bar": "¯", "hat": "^", "tilde": "~", "overline": "¯", "dot": "˙", "vec": "→"}
_UPRIGHT = ("mathrm", "text", "operatorname", "mathsf", "mathit")


def symbol_mathml(latex: str) -> str:
    """The symbol as one element of MathML."""
    if len(latex) > _LONGEST:
        return _upright(latex)
    tokens = _TOKEN.findall(latex)
    parts = list(_scripted(tokens))
    return parts[0] if len(parts) == 1 and not tokens else f"<mrow>{''.join(parts)}</mrow>"


def _scripted(tokens: list[str]) -> Iterator[str]:
    """Everything up to the end of this group, each part with its sub- and superscript; takes the tokens away."""
    while tokens and tokens[0] != "}":
        base, below, above = _atom(tokens), "", ""
        while tokens and tokens[0] in ("_", "^", "'"):
            mark = tokens.pop(0)
            if mark == "_":
                below = _atom(tokens)
            else:
                above += f"<mo>{_PRIME}</mo>" if mark == "'" else _atom(tokens)
        yield _with_scripts(base, below, above)


def _with_scripts(base: str, below: str, above: str) -> str:
    if above.count("<mo>") > 1:
        above = f"<mrow>{above}</mrow>"
    if below and above:
        return f"<msubsup>{base}{below}{above}</msubsup>"
    if below:
        return f"<msub>{base}{below}</msub>"
    return f"<msup>{base}{above}</msup>" if above else base


def _atom(tokens: list[str]) -> str:
    """The next letter, number, command or group, as one element."""
    if not tokens:
        return "<mrow></mrow>"
    first = tokens.pop(0)
    if first == "{":
        parts = list(_scripted(tokens))
        if tokens:
            tokens.pop(0)
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"
    if first.startswith("\\"):
        return _command(first[1:], tokens)
    if first.isdigit():
        return f"<mn>{first}</mn>"
    return f"<mi>{escape(first)}</mi>" if first.isalpha() else f"<mo>{escape(first)}</mo>"


def _command(name: str, tokens: list[str]) -> str:
    if letter := _LETTERS.get(name) or _greek(name):
        return f"<mi>{letter}</mi>"
    if name in _OPERATORS:
        return f"<mo>{_OPERATORS[name]}</mo>"
    if name in _ACCENTS:
        return f'<mover accent="true">{_atom(tokens)}<mo>{_ACCENTS[name]}</mo></mover>'
    if name in _UPRIGHT:
        return _upright(_group(tokens))
    return _upright(name if name in _WORDS else name.strip() or " ")


def _group(tokens: list[str]) -> str:
    """The plain text of the next group."""
    if not tokens or tokens[0] != "{":
        return tokens.pop(0) if tokens else ""
    tokens.pop(0)
    text = ""
    while tokens and tokens[0] != "}":
        text += tokens.pop(0).removeprefix("\\")
    if tokens:
        tokens.pop(0)
    return text


def _upright(text: str) -> str:
    return f'<mi mathvariant="normal">{escape(text)}</mi>' if len(text) == 1 else f"<mi>{escape(text)}</mi>"


def _greek(name: str) -> str:
    """The Greek letter of this name, a capital for `Theta`; nothing for any other word."""
    kind = "CAPITAL" if name[:1].isupper() else "SMALL"
    spelled = "LAMDA" if name.lower() == "lambda" else name.upper()
    try:
        return lookup(f"GREEK {kind} LETTER {spelled}")
    except KeyError:
        return ""
