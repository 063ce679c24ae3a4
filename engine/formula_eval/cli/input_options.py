"""Arguments of the command line to those that click knows and those that name an input of the formulas."""

from collections.abc import Callable, Mapping
from itertools import pairwise

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.records.schema import Schema

_FLAG_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "0", "1"})


def split_inputs(
    arguments: list[str], known: Mapping[str, bool], schema: Callable[[], Schema], *, names_follow: bool = False
) -> tuple[list[str], dict[str, str]]:
    """What is left for click, and input values by name as written; `known` tells which options take a value.

    With `names_follow` a word behind a flag may be an argument of its own. Raises FormulaError for an option that
    is neither.
    """
    namespace = next(iter(values_of("--namespace", arguments)), "")
    rest: list[str] = []
    given: dict[str, str] = {}
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        option, equals, value = word.partition("=")
        if word == "--":
            return [*rest, word, *waiting], given
        if not word.startswith("--") or option in known:
            _refuse_one_dash(word, known, schema, namespace)
            rest.append(word)
            if known.get(option) and not equals and waiting:
                rest.append(waiting.pop(0))
            continue
        name, negated = _input_of(option, known, schema(), namespace)
        flag = schema().inputs[name].quantity.kind == "flag"
        if negated or (flag and not equals and not _says_which(waiting, names_follow=names_follow)):
            value = "false" if negated else "true"
        elif not equals:
            value = _following(option, waiting)
        given[name] = value
    return rest, given


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


def _input_of(option: str, known: Mapping[str, bool], schema: Schema, namespace: str) -> tuple[str, bool]:
    """The input that an option names, and whether it is negated."""
    name = option[2:].replace("-", "_")
    found = schema.input_name(name, namespace)
    if found is not None:
        return found, False
    plain = schema.input_name(name.removeprefix("no_"), namespace)
    if plain is not None and schema.inputs[plain].quantity.kind == "flag":
        return plain, True
    options = [*known, *(f"--{each.replace('_', '-')}" for each in schema.inputs)]
    help_ = nearest(option, options) or "`formula-eval list inputs` shows all inputs; --help the other options."
    if name in schema.formulas:
        help_ = f"`{name}` is computed, not given."
    raise refuse("unknown-option", f"There is no option `{option}`", help=help_)


def values_of(option: str, args: list[str]) -> list[str]:
    """The values of an option that must be known before click reads it."""
    following = [value for name, value in pairwise(args) if name == option]
    return following + [each.partition("=")[2] for each in args if each.startswith(f"{option}=")]
