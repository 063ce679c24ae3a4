"""Makes the options of a question that a library names: one for each kind of its records, a flag for each purpose."""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

import click

from formula_eval.core.option_names import option_of
from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.roles import roles_of

PURPOSE = "purpose"
_RECORD = "record_"  # begins the name under which click hands an option of records to its command


def record_options(kinds: Iterable[RecordKind], taken: Container[str]) -> list[click.Option]:
    """An option for each kind of records, under its name and under its other one."""
    found = []
    for kind in kinds:
        names = [name for name in dict.fromkeys((kind.option, option_of(kind.name))) if name not in taken]
        default = f"; {kind.default} by default" if kind.default else ""
        option = click.Option(
            [*names, f"{_RECORD}{kind.name}"],
            metavar="ID",
            help=f"{kind.sentence or kind.name}: an id, another name or a file{default}.",
            shell_complete=_complete_record(kind),
        )
        found += [option] if names else []
    return found


def purpose_flags(library: Library) -> list[click.Option]:
    """A flag for each purpose of a library but the usual one, which says what `--answer` does."""
    same = "The same as --answer {}."
    return [
        click.Option(
            [f"--{purpose}", PURPOSE], flag_value=purpose, default=None, hidden=True, help=same.format(purpose)
        )
        for purpose in roles_of(library).purposes[1:]
    ]


def kind_of(option: click.Option) -> str | None:
    """The kind of records that an option names; None for any other option."""
    name = option.name or ""
    return name.removeprefix(_RECORD) if name.startswith(_RECORD) else None


def _complete_record(kind: RecordKind) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Completion of the ids of the records of a kind."""

    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        from formula_eval.records.record_files import record_ids  # noqa: PLC0415 - only for completion

        del parameter
        return [
            record_id
            for record_id in record_ids(ctx.obj["evaluator"].library, kind)
            if record_id.startswith(incomplete)
        ]

    return complete


def records_in(kinds: Iterable[str], options: Mapping[str, Any]) -> dict[str, str]:
    """The records that options name, by kind."""
    return {kind: options[f"{_RECORD}{kind}"] for kind in kinds if options.get(f"{_RECORD}{kind}") is not None}
