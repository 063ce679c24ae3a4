"""Unwraps a command from what stands around it: Markdown, units of systemd, Makefiles, Dockerfiles, signs."""

import html
import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

_SIGNS = str.maketrans("\u201c\u201d\u201e\u2018\u2019\u00a0", '"""\'\' ', "\u200b\ufeff")
_DASH = re.compile("(?<!\\S)[\u2013\u2014](?=[A-Za-z])")
_ENTITY = re.compile(r"&(?:nbsp|amp|lt|gt|quot|apos|#\d{1,4});")
_WINDOWS = re.compile(r"^(?:PS [^>\n]*|[A-Z]:\\[^>\n]*)> ?", re.MULTILINE)
_PROGRAM = re.compile(r"\.exe\b")
_SET = re.compile(r"^@?set[ \t]+\"?(\w+)=([^\r\n\"]*)\"?[ \t]*$", re.MULTILINE | re.IGNORECASE)
_VARIABLE = re.compile(r"%(\w+)%")
_FOLDER = re.compile(r"(?<=[\w.:}])\\(?=\w)")
_CONTINUED = re.compile(r"[ \t][`^][ \t]*(?=\r?\n)")  # in PowerShell, and in cmd.exe
_FENCE = re.compile(r"^([ \t]*)(```+|~~~+)[^\n`]*\n(.*?)^\1\2[ \t]*$", re.MULTILINE | re.DOTALL)
_JOINED = re.compile(r"[ \t]*\\\r?\n[ \t]*")
_SECTION = re.compile(r"^\[Service\][ \t]*$", re.MULTILINE)
_UNIT_LINE = re.compile(r"^(Environment|ExecStart)[ \t]*=[ \t]*(.*)$", re.MULTILINE)
_RULE = re.compile(r"^[\w./%$(){} -]+:(?!=)[^\n]*\n(?:[ \t]*#[^\n]*\n)*\t", re.MULTILINE)
_MAKE_VALUE = re.compile(r"(?:export[ \t]+|override[ \t]+)?(\w+)[ \t]*(?:[:?]{0,2}|(\+))=[ \t]*(.*)")
_MAKE_NAME = re.compile(r"\$\((\w+)\)")
_INSTRUCTION = re.compile(r"^(FROM|ENV|ARG|ENTRYPOINT|CMD)[ \t]+(.+)$", re.MULTILINE)
_FROM = re.compile(r"(?:\s*(?:#[^\n]*)?\n)*(?:ARG[ \t][^\n]*\n\s*)*FROM[ \t]+\S+")
_PREFIX = re.compile(r"(?:[@+]|-(?!-))*")


def with_plain_signs(text: str) -> str:
    """A text with the quotes, dashes and blanks of a keyboard, and lines continued as a shell of Unix does."""
    text = _ENTITY.sub(lambda found: html.unescape(found[0]), text).translate(_SIGNS)
    if _WINDOWS.search(text) or _PROGRAM.search(text):
        text = _VARIABLE.sub(r"${\1}", _SET.sub(r'\1="\2"', text))
        text = _FOLDER.sub("/", _PROGRAM.sub("", _WINDOWS.sub("", text)))
    return _CONTINUED.sub(" \\\\", _DASH.sub("--", text))


def blocks_of(text: str) -> list[str]:
    """The blocks of code in a text of Markdown; the text itself where it has none."""
    return [_undented(found[3], len(found[1])) for found in _FENCE.finditer(text)] or [text]


def _undented(text: str, width: int) -> str:
    return "\n".join(line[width:] if not line[:width].strip() else line for line in text.splitlines())


def shell_of(text: str) -> str:
    """The script that a systemd unit or a Makefile runs; any other text as it is."""
    if _SECTION.search(text):
        return "\n".join(_unit_lines(_JOINED.sub(" ", text)))
    if _RULE.search(text):
        return "\n".join(map(_make_line, _JOINED.sub(" ", text).splitlines()))
    return text


def _unit_lines(text: str) -> Iterator[str]:
    for name, said in sorted(_UNIT_LINE.findall(text)):  # what is set holds wherever it stands
        if name == "ExecStart":
            yield said.lstrip("-@:+!")
            continue
        for pair in _words(said):
            variable, _, value = pair.partition("=")
            yield f"export {variable}={shlex.quote(value)}"


def _make_line(line: str) -> str:
    """A line of a recipe as the shell gets it, an assignment as a shell writes it; nothing of other lines."""
    if line.startswith("\t"):
        return _MAKE_NAME.sub(r"${\1}", _PREFIX.sub("", line.strip(), count=1)).replace("$$", "$")
    if found := _MAKE_VALUE.fullmatch(line.partition(" #")[0].rstrip()):
        name, added, value = found.groups()
        plain = _MAKE_NAME.sub(r"${\1}", value).replace('"', '\\"')
        return f'{name}="${{{name}}} {plain}"' if added else f'{name}="{plain}"'
    return ""


def image_of(text: str) -> dict[str, Any]:
    """The container that a Dockerfile's last image starts, as a compose file would say it; empty for another text."""
    if not _FROM.match(text):
        return {}
    found: dict[str, Any] = {"environment": {}}
    for name, said in _INSTRUCTION.findall(_JOINED.sub(" ", text)):
        match name:
            case "FROM":
                found = {"environment": found["environment"], "image": said.split()[0]}
            case "ENV" | "ARG":
                found["environment"] |= _variables(said)
            case instruction:
                found[instruction.lower()] = _exec_form(said)
    return found


def _variables(said: str) -> dict[str, str]:
    """`NAME=value ...`, or the older `NAME value`."""
    name, _, rest = said.partition(" ")
    if "=" not in name:
        return {name: rest.strip()} if rest else {}
    return dict(word.split("=", 1) for word in _words(said) if "=" in word)


def _exec_form(said: str) -> str | list[str]:
    """The list of words that an instruction says, or the text that a shell gets."""
    try:
        words = json.loads(said)
    except ValueError:
        return said
    return [str(word) for word in words] if isinstance(words, list) else said


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quote that nothing closes
        return text.split()
