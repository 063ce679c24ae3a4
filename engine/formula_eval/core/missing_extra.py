"""Words the error for an optional package that is not installed: what needs it, and what installs it."""

from formula_eval.core.diagnostic import FormulaError, refuse


def missing_extra(what: str, package: str, extra: str, otherwise: str = "") -> FormulaError:
    """The error of a part that a plain installation does not have; `otherwise` says what does without."""
    message = f"{what} needs the Python package `{package}`, which is not installed"
    return refuse("missing-package", message, help=f"{brought_by(extra)} brings it{otherwise}.")


def brought_by(extra: str) -> str:
    """The command that installs an extra."""
    return f"`pip install 'formula-eval[{extra}]'`"
