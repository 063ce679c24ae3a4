"""Masks tokens, keys and passwords in a pasted text, which it recognises by their names and forms.

The mask is a plain word that shells, YAML, JSON and Python read as a text, so that what is masked is read as before.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

MASK = "MASKED"
_MOST_LETTERS = 200  # of a name
_FORMS = (
    r"(?<![\w/.-])hf_(?=[a-z0-9]*[A-Z]|[a-z0-9]{20})[A-Za-z0-9]{3,}",
    r"(?<![\w-])(?:sk|pk|rk)-[A-Za-z0-9_-]{6,}",
    r"(?<![\w-])(?:nvapi|glpat|xox[abprs])-[A-Za-z0-9_-]{6,}",
    r"(?<!\w)(?:AKIA|ASIA)[0-9A-Z]{8,}",
    r"(?<!\w)(?:gh[opsur]_|github_pat_|dckr_pat_|npm_|gsk_|r8_)[A-Za-z0-9_]{10,}",
    r"(?<!\w)AIza[\w-]{20,}",
    r"(?<!\w)eyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]*)?",
)
_PEM = re.compile(r"(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(-----END|\Z)", re.DOTALL)
_BEARER = re.compile(r"\b(bearer[ \t]+)(?![$<{%])[^\s\"'\\,;]{3,}", re.IGNORECASE)
_BASIC = re.compile(
    r"(authorization[\"']?[ \t]*[:=][ \t]*[\"']?)(basic|token|digest)([ \t]+)[^\s\"'\\]+", re.IGNORECASE
)
_PASSWORD_IN_ADDRESS = re.compile(r"(?<=://)([^\s:/@\"'$<>{}]*:)(?![$<{%])[^\s/\"']+(?=@)")
_TOKEN_IN_ADDRESS = re.compile(r"(?<=https://|.http://)[^\s:/@\"'$<>{}]+(?=@[\w.-])")
_LOGIN = re.compile(
    r"(\b(?:sshpass|(?:docker|podman|nerdctl|helm[ \t]+registry|oras|skopeo)[ \t]+login)\b"
    r"[^\n|;&]{0,200}?[ \t]-p[ \t]*)"
    r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'-][^\s\"']*)"
)
_USER = re.compile(r"(\bcurl\b[^\n|;&]{0,200}?[ \t](?:-u|--user)[ \t=]*[\"']?[^\s:\"'$]+:)(?![$<{%])[^\s\"']+")

# Words of a name, `HF_TOKEN` or `apiKey`, that tell a secret wherever they stand, or at its end alone.
_ANYWHERE = re.compile(
    r"(?:secret|password|credential|cookie)s?|passwd|passphrase|pass|pwd|apikey|authkey|authorization"
)
_AT_THE_END = re.compile(r"token|keys?|pat|auth|signature|sig")
# `secretKeyRef`, `--password-stdin`, `TOKEN_FILE` name where a secret is, `pad_token` a word of a vocabulary.
_NAMES_A_PLACE = re.compile(r"ref|name|path|file|stdin|mount|store|env|from|type|ids?")
_OF_A_VOCABULARY = re.compile(
    r"bos|eos|pad|unk|mask|sep|cls|per|max|min|new|num|image|video|audio|special|start|end|last|first|stop|decoder|next"
    r"|each|prompt|any|by|sort|group|partition|column|text|label|value|query"
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_NAME = rf"(?P<name>[A-Za-z_][\w.-]{{0,{_MOST_LETTERS}}})"
_QUOTED = r"\\?\"(?:\\[^\"\n]|[^\"\\\n])*\\?\"|'[^'\n]*'"
_SHELL_WORD = rf"(?:{_QUOTED}|\\[^\n]|[^\s\"'\\;|&<>()`\[\]{{}},]|,(?!\s|$)(?![\w.-]+[=:]))+"
# A name and what sets it: `NAME=value`, `"name": value`, `environ["NAME"] = value`, `${NAME:-value}`, `NAME: value`.
_SET = re.compile(
    rf"(?<![\w.-])(?P<before>[\"']?)(?P<dashes>-{{0,2}}){_NAME}(?P<close>\\?[\"']?)\]?"
    r"(?P<sets>=(?![=\s])|[ \t]+=[ \t]*(?![=\s])|[ \t]*:[ \t]+|:(?=[\"'\\])|:[-=]|(?<=[\"']),[ \t]*(?=[\"']))"
)
# `--api-key VALUE`, on the next line of a list or behind a backslash too, and the old `ENV NAME VALUE`.
_BEHIND = re.compile(
    rf"(?P<option>(?<![\w-])(?P<dashes>--?){_NAME}[\"']?(?:,?[ \t]*(?:[\\`^][ \t]*)?\n?[ \t]*(?:-[ \t]+)?)(?<=[\s,]))"
    rf"(?P<value>(?!-){_SHELL_WORD})"
)
_VARIABLE = re.compile(
    rf"(?P<option>\b(?:ENV|ARG|setenv|setx|set[ \t]+-\w+)[ \t]+{_NAME}[ \t]+)(?P<value>{_SHELL_WORD})"
)
# `name: HF_TOKEN` and the `value:` of a manifest beside it.
_PAIR = re.compile(
    rf"(?P<option>\bname[\"']?[ \t]*[:=][ \t]*[\"']?{_NAME}[\"']?[ \t]*,?[ \t]*\r?\n?[ \t]*"
    rf"[\"']?value[\"']?[ \t]*[:=][ \t]*)(?P<value>{_SHELL_WORD})"
)
_REVERSED = re.compile(
    rf"(?P<option>\bvalue[\"']?[ \t]*:[ \t]*)(?P<value>{_QUOTED}|[^\s\"',]+)"
    rf"(?=,?[ \t]*\r?\n?[ \t]*[\"']?name[\"']?[ \t]*:[ \t]*[\"']?{_NAME})"
)
_REFERENCE = re.compile(r"\$\{?([A-Za-z_]\w*)")
_KEPT = re.compile(
    r"[\"']?(?:true|false|none|null|yes|no|MASKED|[$<%].*|\{\{.*|-?\d{1,7}(?:\.\d+)?)[\"']?", re.IGNORECASE
)
_SIGNS = re.compile(r"token|key|secret|pass|pwd|auth|credential|cookie|pat\b|sig", re.IGNORECASE)
_WORD = re.compile(_SHELL_WORD)
_TO_THE_QUOTE = {each: re.compile(rf"[^\n{each}]*") for each in ("'", '"')}
_TO_THE_COMMENT = re.compile(r"(?:[^\n\"' \t]|[ \t]+(?!#))*")
_FURTHER = re.compile(
    r"(--api[-_]keys?(?:[ \t]+MASKED)+[ \t]+)(?!-)([^\s\"'/|;&<>$\\-][^\s\"'/|;&<>$\\]*)(?=[ \t\n\"']|$)"
)


def masked(text: str) -> str:
    """The text with each secret masked that a name or its form tells; masking it again changes nothing."""
    text = masked_forms(text)
    if not _SIGNS.search(text):
        return text
    passing = set(_passing(text))
    for pattern in (_PAIR, _REVERSED, _VARIABLE, _BEHIND):
        text = pattern.sub(lambda found: _behind(found, passing), text)
    text = "".join(_with_settings_masked(text, passing))
    before = ""
    while before != text:
        before, text = text, _FURTHER.sub(rf"\1{MASK}", text)
    return text


def masked_forms(text: str) -> str:
    """The text without what is a secret by its form, whatever its name: `hf_...`, a password in an address."""
    if len(text) < 6:  # noqa: PLR2004 - shorter than any of them
        return text
    text = _PEM.sub(rf"\1{MASK}\2", text)
    text = _any_form().sub(MASK, text)
    text = _BASIC.sub(rf"\1\2\3{MASK}", _BEARER.sub(rf"\1{MASK}", text))
    text = _TOKEN_IN_ADDRESS.sub(MASK, _PASSWORD_IN_ADDRESS.sub(rf"\1{MASK}", text))
    return _USER.sub(rf"\1{MASK}", _LOGIN.sub(rf"\1{MASK}", text))


def is_secret_name(name: str) -> bool:
    """Whether a name of a variable, an option, a key or a header tells that its value is a secret."""
    words = [each.lower() for each in _WORDS.findall(name)]
    if not words or _NAMES_A_PLACE.fullmatch(words[-1]):
        return False
    if any(map(_ANYWHERE.fullmatch, words)) or (name.isupper() and "KEY" in name.split("_")):
        return True
    of_a_vocabulary = len(words) > 1 and _OF_A_VOCABULARY.fullmatch(words[-2])
    tells = len(words) > 1 or words[-1] == "token" or name.isupper() or name.startswith("-")
    return bool(tells and not of_a_vocabulary and _AT_THE_END.fullmatch(words[-1]))


@lru_cache(maxsize=1)
def _any_form() -> re.Pattern[str]:
    return re.compile("|".join(_FORMS))


def _passing(text: str) -> Iterator[str]:
    """The variables whose values are given to names of secrets: `T` of `--api-key $T`."""
    for found in _BEHIND.finditer(text):
        if is_secret_name(found["name"]):
            yield from _REFERENCE.findall(found["value"])
    at = 0
    for found in _SET.finditer(text):
        if found.start() >= at and is_secret_name(found["name"]):
            value = _value_at(text, found)
            at = found.end() + len(value)
            yield from _REFERENCE.findall(value)


def _behind(found: re.Match[str], passing: set[str]) -> str:
    name, value = f"{found.groupdict().get('dashes') or ''}{found['name']}", found["value"]
    if not (is_secret_name(name) or name in passing) or _KEPT.fullmatch(value):
        return found[0]
    option = found["option"]
    return f"{option}{_mask_of(value)}{found[0][len(option) + len(value) :]}"


def _with_settings_masked(text: str, passing: set[str]) -> Iterator[str]:
    """The text, piece by piece, with what `NAME=value` and its like set a secret to masked."""
    at = 0
    for found in _SET.finditer(text):
        if found.end() < at or not (is_secret_name(found["name"]) or found["name"] in passing):
            continue
        value = _value_at(text, found)
        yield text[at : found.end()]
        yield value if not value or _KEPT.fullmatch(value.strip()) else _mask_of(value)
        at = found.end() + len(value)
    yield text[at:]


def _value_at(text: str, found: re.Match[str]) -> str:
    """The value that a name is set to: to the closing quote, the line's end or the word's."""
    start = found.end()
    word = _WORD.match(text, start)
    whole = word[0] if word else ""
    if text[start : start + 1] in ("'", '"') or text[start : start + 2] == '\\"':
        return whole
    if found["before"] and not found["close"]:  # `"NAME=some words"`
        closing = _TO_THE_QUOTE[found["before"]].match(text, start)
        return closing[0] if closing else ""
    at = found.start()
    opened = text[max(at - 9, 0) : at].rstrip(" \t")[-1:]
    if found["sets"].strip() == ":" and opened not in ("{", ","):  # `NAME: some words  # why`
        line = _TO_THE_COMMENT.match(text, start)
        return line[0].rstrip() if line else ""
    return whole


def _mask_of(value: str) -> str:
    """The mask in the quotes of the value."""
    quote = next((each for each in ('\\"', '"', "'") if value.startswith(each)), "")
    return f"{quote}{MASK}{quote}" if quote and value.endswith(quote) else MASK
