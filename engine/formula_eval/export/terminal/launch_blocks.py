"""Builds the block about a launch command: which option set which input, what is assumed, what has no effect."""

from formula_eval.core.namespace import in_words
from formula_eval.evaluate.display import plain_number
from formula_eval.export.terminal import blocks
from formula_eval.export.terminal.screen import cut
from formula_eval.records.launch_reading import Launch, Use
from formula_eval.records.schema import Schema

_LONGEST = 30


def launch_blocks(launch: Launch, schema: Schema) -> list[blocks.Block]:
    """One block: options with the inputs that they set, the program's defaults, then what costs nothing."""
    pairs = [_pair(f"{use.written}{_said(use)}", use, schema) for use in launch.used]
    pairs += [_pair(use.written, use, schema)._replace(default=True) for use in launch.assumed]
    reasons: dict[str, list[str]] = {}
    for option, reason in launch.without_effect:
        reasons.setdefault(reason, []).append(option)
    idle = [f"{', '.join(options)}: {reason}" for reason, options in reasons.items()]
    said = [*(("note", f"No effect: {name}.") for name in idle), *launch.remaining]
    version = f" {launch.version}" if launch.version else ""
    title = f"Read from a command of {launch.title}{version}"
    return [blocks.Pairs(title, tuple(pairs), left=True, messages=tuple(said))]


def _pair(written: str, use: Use, schema: Schema) -> blocks.Pair:
    named = in_words(schema.kinds[use.input].word if use.input in schema.kinds else use.input)
    return blocks.Pair(cut(written, _LONGEST), f"{named} {_shown(use.value)}")


def _said(use: Use) -> str:
    return "" if use.said is True or use.said in ("", None, "true") else f" {use.said}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return plain_number(value) if isinstance(value, int | float) else str(value)
