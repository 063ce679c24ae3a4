"""Builds the block about a launch command: which option set which input, what is assumed, what has no effect."""

from formula_eval.core.namespace import in_words
from formula_eval.export.terminal import blocks
from formula_eval.records.launch_reading import Launch, Use
from formula_eval.records.schema import Schema

_LONGEST = 30


def launch_blocks(launch: Launch, schema: Schema) -> list[blocks.Block]:
    """One block: options with the inputs that they set, the program's defaults, then what costs nothing."""
    pairs = [*(_pair(each, schema) for each in launch.used), *(_assumed(each, schema) for each in launch.assumed)]
    reasons: dict[str, list[str]] = {}
    for option, reason in launch.without_effect:
        reasons.setdefault(reason, []).append(option)
    idle = [f"{', '.join(options)}: {reason}" for reason, options in reasons.items()]
    said = [*(("note", f"No effect: {each}.") for each in idle), *launch.remaining]
    version = f" {launch.version}" if launch.version else ""
    title = f"Read from a command of {launch.title}{version}"
    return [blocks.Pairs(title, tuple(pairs), left=True, messages=tuple(said))]


def _pair(use: Use, schema: Schema) -> blocks.Pair:
    said = "" if use.said is True or use.said in ("", None, "true") else f" {use.said}"
    return blocks.Pair(_short(f"{use.written}{said}"), f"{_named(use.input, schema)} {_shown(use.value)}")


def _assumed(use: Use, schema: Schema) -> blocks.Pair:
    return blocks.Pair(_short(use.written), f"{_named(use.input, schema)} {_shown(use.value)}", default=True)


def _named(name: str, schema: Schema) -> str:
    return in_words(schema.kinds[name].word if name in schema.kinds else name)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float) and value == int(value):
        return f"{int(value):,}"
    return str(value)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
