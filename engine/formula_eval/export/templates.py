r"""Renders templates, built-in and a user's own, with plain data: the only place that runs them.

A template only sees values, and can change none of them. What it prints is escaped for its notation, unless we made
it in that notation (`Ready`). LaTeX templates write `\VAR{...}` and `\BLOCK{...}`, all others `{{ ... }}` and
`{% ... %}`.
"""

import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined, TemplateNotFound, TemplateSyntaxError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.library import OURS, Library

Escape = Callable[[str], str]

_LATEX_MARKS = {
    "block_start_string": r"\BLOCK{",
    "block_end_string": "}",
    "variable_start_string": r"\VAR{",
    "variable_end_string": "}",
    "comment_start_string": r"\NOTE{",
    "comment_end_string": "}",
}
_LONGEST_POWER = 100


class Ready(str):
    """Text that is in the notation of its document already, and stays as it is."""

    __slots__ = ()


class _Sandbox(ImmutableSandboxedEnvironment):
    """A sandbox that neither changes what it is given nor computes numbers that fill the memory."""

    intercepted_binops = frozenset({"**"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401 - as its parent's
        if abs(right) > _LONGEST_POWER:
            raise SecurityError(f"a power above {_LONGEST_POWER}")
        return super().call_binop(context, operator, left, right)


def folders_of(library: Library, own: str = "") -> list[Path]:
    """Where templates are looked for: the user's folder first, then those of the libraries, ours last."""
    if own and not Path(own).is_dir():
        raise refuse("no-templates", f"`{own}` is not a folder", help="It holds templates under the names of reports/.")
    folders = [OURS, *(folder for folder in library.folders if folder != OURS)]
    return [*([Path(own)] if own else []), *(folder / "reports" for folder in reversed(folders))]


def filled(
    template: str,
    data: Mapping[str, Any],
    escape: Escape | None,
    folders: Sequence[Path],
    filters: Mapping[str, Callable[..., Any]] | None = None,
) -> str:
    """The text of a template such as `latex/paper.tex.j2`; without `escape`, for HTML.

    Raises FormulaError with the template's file and line if it fails.
    """
    try:
        environment = _environment(template, escape, folders)
        environment.filters.update(filters or {})
        return environment.get_template(template).render(data)
    except TemplateNotFound as error:
        searched = ", ".join(str(folder) for folder in folders)
        raise refuse("bad-template", f"There is no template `{error.name}`", help=f"Looked in {searched}.") from error
    except Exception as error:  # a user's template may do anything
        raise _failure(template, error) from error


def _environment(template: str, escape: Escape | None, folders: Sequence[Path]) -> _Sandbox:
    def finalized(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
        return value if escape is None or isinstance(value, Ready) else escape(str(value))

    return _Sandbox(
        **(_LATEX_MARKS if template.startswith("latex/") else {}),
        loader=FileSystemLoader([str(folder) for folder in folders]),
        undefined=StrictUndefined,
        autoescape=escape is None,
        finalize=finalized,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _failure(template: str, error: Exception) -> FormulaError:
    """What a template did wrong, and where."""
    if isinstance(error, TemplateSyntaxError):
        place = f"{error.filename or template}:{error.lineno}"
    else:
        frames = [summary for summary in traceback.extract_tb(error.__traceback__) if summary.filename.endswith(".j2")]
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else template
    reason = str(error).strip() or type(error).__name__
    help_ = "What a template may print stands in reports/README.md."
    return refuse("bad-template", f"The template {place} failed: {reason}", help=help_)
