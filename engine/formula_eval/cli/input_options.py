"""Splits command-line arguments into options that click knows and options that name inputs of the formulas."""

from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import pairwise

from formula_eval.core.diagnostic import FormulaError, nearest_option, refuse
from formula_eval.core.option_names import option_of
from formula_eval.core.record_kind import COUNTED, RecordKind
from formula_eval.records.schema import Schema

_FLAG_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "0", "1"})


def split_inputs(  # noqa: C901, PLR0912, PLR0913 - one case for each sort of word, and what tells them apart
    arguments: list[str],
    known: Mapping[str, bool],
    schema: Callable[[], Schema],
    *,
    kinds: Mapping[str, str] = {},
    counted: Container[str] = (),
    names_follow: bool = False,
    namespace: str = "",
    understood: Callable[[list[str]], list[str]] | None = None,
) -> tuple[list[str], dict[str, str]]:
    """What is left for click, and input values by name as written; `known` tells which options take a value.

    `kinds` tells which of them name a record of which kind; a count before the name of one that is `counted` is read as
    among words (`--gpu 8xh100`). With `names_follow` a word behind a flag may be an argument of its own; `namespace` is
    the one that is asked if no option says so. `understood` makes options of words without one. Raises FormulaError for
    an option that is neither, or two that contradict each other.
    """
    namespace = next(iter([*values_of("--answer", arguments), *values_of("--namespace", arguments)]), namespace)
    rest: list[str] = []
    given: dict[str, str] = {}
    records: dict[str, str] = {}
    waiting = list(arguments)
    words: list[str] = []
    while waiting or words:
        if not waiting and understood is not None:
            waiting, words = understood(words), []
            continue
        word = waiting.pop(0)
        if understood is not None and not word.startswith("-"):
            words.append(word)
            continue
        option, equals, value = word.partition("=")
        if word == "--":
            return [*rest, word, *waiting], given
        if not word.startswith("--") or option in known:
            _refuse_one_dash(word, known, schema, namespace)
            said = [word]
            if known.get(option) and not equals and waiting:
                value = waiting.pop(0)
                said.append(value)
            if option in counted and understood is not None and COUNTED.fullmatch(value):
                words += value.split()
                continue
            rest += said
            if option in kinds:
                say_once(records, kinds[option], value, option)
            continue
        kind = _kind_meant(option, schema(), namespace)
        if kind is not None:
            value = value if equals else _following(option, waiting)
            say_once(records, kind.name, value, option)
            rest += [kind.option, value]
            continue
        if option[2:].replace("-", "_") in schema().synonyms.sizes:
            value = value if equals else _following(option, waiting)
            for side, number in schema().synonyms.sides_of(option[2:], value):
                say_once(given, side, number, option)
            continue
        with _or_another_verb(words, understood):
            name, negated = _input_of(option, known, schema(), namespace)
        flag = schema().inputs[name].quantity.kind == "flag"
        if negated or (flag and not equals and not _says_which(waiting, names_follow=names_follow)):
            value = "false" if negated else "true"
        elif not equals:
            value = _following(option, waiting)
        say_once(given, name, value, option)
    return rest, given


@contextmanager
def _or_another_verb(words: list[str], understood: Callable[[list[str]], list[str]] | None) -> Iterator[None]:
    """Raise AnotherVerb in the place of an error where words ask for one: an unknown option may be of it."""
    try:
        yield
    except FormulaError:
        with suppress(FormulaError):
            if understood is not None and words:
                understood(words)
        raise


def say_once(said: dict[str, str], name: str, value: str, option: str) -> None:
    """Keep what an option says; raises FormulaError where something else was said before."""
    before = said.setdefault(name, value)
    if before != value:
        message = f"`{option}` says `{name} = {value}`, but `{name} = {before}` was given before"
        raise refuse("said-twice", message, help="Give it once.")


def _refuse_one_dash(word: str, known: Mapping[str, bool], schema: Callable[[], Schema], namespace: str) -> None:
    """Refuse `-tp`, which click would read as `-t p`."""
    name = word.lstrip("-").partition("=")[0]
    if word.startswith("--") or not word.startswith("-") or not name or word[:2] in known:
        return
    option = f"--{name}"
    if option in known or schema().input_name(name.replace("-", "_"), namespace) is not None:
        help_ = f"With two dashes: `{option}`."
        raise refuse("unknown-option", f"There is no option `-{name}`", help=help_)


def _says_which(waiting: list[str], *, names_follow: bool) -> bool:
    """Whether the word behind a flag belongs to it."""
    if not waiting or waiting[0].startswith("-"):
        return False
    return waiting[0].lower() in _FLAG_WORDS or not names_follow


def _following(option: str, waiting: list[str]) -> str:
    if not waiting or waiting[0].startswith("--"):
        raise refuse("missing-value", f"`{option}` needs a value", help=f"For example `{option} 8`.")
    return waiting.pop(0)


def takes_value(option: str, known: Mapping[str, bool], schema: Schema) -> bool | None:
    """Whether the word behind an option is its value; None for an option that is neither known nor of an input."""
    if option in known:
        return known[option]
    if not option.startswith("--"):
        return None
    if _kind_meant(option, schema, "") is not None or option[2:].replace("-", "_") in schema.synonyms.sizes:
        return True
    try:
        name, negated = _input_of(option, known, schema, "")
    except FormulaError:
        return None
    return not negated and schema.inputs[name].quantity.kind != "flag"


def _kind_meant(option: str, schema: Schema, namespace: str) -> RecordKind | None:
    """The kind of records that other programs call so, such as `--quantization` for a number format."""
    name = option[2:].replace("-", "_")
    return None if schema.input_name(name, namespace) is not None else schema.kind_named(name)


def _input_of(option: str, known: Mapping[str, bool], schema: Schema, namespace: str) -> tuple[str, bool]:
    """The input that an option names, and whether it is negated."""
    name = option[2:].replace("-", "_")
    found = schema.input_name(name, namespace)
    if found is not None:
        return found, False
    plain = schema.input_name(name.removeprefix("no_"), namespace)
    if plain is not None and schema.inputs[plain].quantity.kind == "flag":
        return plain, True
    options = [*known, *(option_of(each) for each in schema.inputs)]
    help_ = nearest_option(option, options) or "`formula-eval list inputs` shows all inputs; --help the other options."
    help_ = schema.synonyms.advised(name) or help_
    if name in schema.formulas:
        help_ = f"`{name}` is computed, not given."
    raise refuse("unknown-option", f"There is no option `{option}`", help=help_, subject=name)


def values_of(option: str, args: list[str]) -> list[str]:
    """The values of an option that must be known before click reads it."""
    following = [value for name, value in pairwise(args) if name == option]
    return following + [argument.partition("=")[2] for argument in args if argument.startswith(f"{option}=")]
