"""Escapes untrusted text for LaTeX and Markdown, so that none of it acts as markup."""

import re
import unicodedata
from functools import lru_cache

from formula_eval.export.templates import Ready
from formula_eval.library import OURS
from formula_eval.text_files import read_toml

_LETTERS = "reports/latex/letters.toml"
_MARKDOWN = re.compile(
    r"[\\`*_\[\]|]|^\s*[-+#=]|^\s*\d+(?=[.)](?:\s|$))|(?<=\w):(?=//)|(?<=www)\.", re.MULTILINE | re.IGNORECASE
)
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "@": "&#64;", "~": "&#126;"}
_PATH_SLASH = re.compile(r"(?<=\w)/(?=\w+[/.]\w)", re.ASCII)
_QUOTED = re.compile(r"`(\w+)`", re.ASCII)
_ASCII_END = 127
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """The text on one line, with a code such as `[U+202E]` for each character that cannot be seen."""
    return text if text.isprintable() else "".join(map(_seen, text))


def latex_text_of(text: str) -> str:
    """The text for LaTeX, in ASCII alone; a word between backticks in typewriter letters.

    A line may end after a slash in the path of a file.
    """
    parts = _QUOTED.split(visible(text))
    escaped = [rf"\texttt{{{_latex(part)}}}" if place % 2 else _latex(part) for place, part in enumerate(parts)]
    return _PATH_SLASH.sub(r"/\\allowbreak{}", "".join(escaped))


def latex_code(text: str) -> Ready:
    """A name or a command in typewriter letters, which may end a line after a dot, a slash or an underscore."""
    spaced = re.sub(r"([./=,:]|\\_)", r"\1\\allowbreak{}", _latex(visible(text)).replace("''", '"'))
    return Ready(rf"\texttt{{{spaced}}}")


def latex_key(text: str) -> Ready:
    """A key of a citation or a label."""
    return Ready(re.sub(r"[^A-Za-z0-9:.-]", lambda found: f"-{ord(found[0]):x}-", text))


def web_address(text: str) -> str:
    """An address that a browser opens as a page; nothing of any other, such as a script."""
    return text if re.match(r"https?://", text, re.IGNORECASE) else ""


def latex_address(text: str) -> Ready:
    r"""A web address as an argument of `\href`, or nothing; other characters are percent-encoded."""
    return Ready(re.sub(r"[^A-Za-z0-9:/.?=+,;@()-]", _encoded, web_address(text)))


def latex_comment(text: str) -> Ready:
    """The text of a LaTeX comment, on one line and in ASCII."""
    return Ready(visible(text).encode("ascii", "replace").decode())


def markdown_text(text: str) -> str:
    """The text for Markdown, also within a table."""
    parts = _QUOTED.split(visible(text))
    return "".join(f"`{part}`" if place % 2 else _markdown(part) for place, part in enumerate(parts))


def markdown_code(text: str) -> Ready:
    """A name or a command as code, also within a table."""
    seen = visible(text)
    runs = re.findall(r"`+", seen)
    fence = "`" * (1 + max((len(run) for run in runs), default=0))
    gap = " " if runs else ""
    return Ready(f"{fence}{gap}{seen.replace('|', chr(92) + '|')}{gap}{fence}")


def _markdown(text: str) -> str:
    known = "".join(_ENTITIES.get(letter, letter) for letter in text)
    return _MARKDOWN.sub(_marked, known)


def _marked(found: re.Match[str]) -> str:
    """A mark that Markdown would interpret, escaped: an unintended link, a list, emphasis."""
    mark = found[0]
    if mark in {":", "."}:
        return f"&#{ord(mark)};"
    return f"{mark}\\" if mark.strip().isdigit() else f"{mark[:-1]}\\{mark[-1]}"


_IN_ADDRESSES = {"_": r"\_", "#": r"\#", "&": r"\&", "~": "~", "%": r"\%"}


def _encoded(found: re.Match[str]) -> str:
    """A letter of a web address for LaTeX."""
    encoded = "".join(rf"\%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))
    return _IN_ADDRESSES.get(found[0], encoded)


def _seen(letter: str) -> str:
    if letter in "\n\t\r":
        return " "
    return f"[U+{ord(letter):04X}]" if unicodedata.category(letter) in _UNSEEN else letter


def _latex(text: str) -> str:
    return "".join(map(_latex_letter, text))


@lru_cache(maxsize=1024)
def _latex_letter(letter: str) -> str:
    """A letter in ASCII, by our own table: one of a user's could let text act as markup."""
    table = read_toml(OURS / _LETTERS, _LETTERS)
    if letter in table["letters"]:
        return str(table["letters"][letter])
    if ord(letter) < _ASCII_END:
        return letter
    parts = unicodedata.normalize("NFD", letter)
    base, marks = parts[0], parts[1:]
    if len(marks) == 1 and base.isascii() and base.isalpha() and marks[0] in table["accents"]:
        return rf"\{table['accents'][marks[0]]}{{{base}}}"
    return f"[U+{ord(letter):04X}]"
