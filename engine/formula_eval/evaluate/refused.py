"""Builds the error for a configuration that checks refuse, with what the user's files wrote that led to it."""

from collections.abc import Callable, Iterator, Sequence

from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.result import CheckResult
from formula_eval.records.givens import Givens
from formula_eval.records.schema import Schema

_FEW = 4  # inputs of a check that are all told; of more, those that its message is about
_MOST = 8


def refused_by(
    checks: Sequence[CheckResult], givens: Givens, schema: Schema, program_of: Callable[[Sequence[str]], Program]
) -> FormulaError:
    """The error of these checks, with inputs as files wrote them, and remarks on defaults and misspelt keys."""
    remarks = [f"{file.shown}: {file.remark}" for file in givens.files.values() if file.remark]
    helps = (" ".join([*_as_written(check, givens, schema, program_of), *remarks]) for check in checks)
    return FormulaError(
        *(Diagnostic("refused", check.message, help=help_) for check, help_ in zip(checks, helps, strict=True))
    )


def _as_written(
    check: CheckResult, givens: Givens, schema: Schema, program_of: Callable[[Sequence[str]], Program]
) -> Iterator[str]:
    """A sentence for each file that names an input of a check differently."""
    if not givens.written:
        return
    quoted = [part[1:-1] for part in schema.checks[check.name].message if part.startswith("{")]
    program = program_of([check.name, *quoted])
    nodes = program.ancestors([check.name])
    if sum(node in givens.written for node in nodes) > _FEW:
        nodes = program.ancestors(quoted)
    read = dict.fromkeys(node for node in nodes if node in givens.written)
    found: dict[str, list[str]] = {}
    for name in read if len(read) <= _MOST else ():
        found.setdefault(givens.origins[name], []).append(f"`{name}` is {givens.written[name]}")
    yield from (f"In {origin}, {', '.join(said)}." for origin, said in found.items())
