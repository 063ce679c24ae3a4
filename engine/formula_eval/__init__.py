"""Predicts the costs of large language models from readable formulas: parameters, FLOPs, memory, time, dollars.

    >>> from formula_eval import load
    >>> formulas = load()
    >>> answer = formulas.evaluate(model="llama3.1-70b", gpu="h100-sxm", tp=4)
    >>> answer["inference.tpot"].to("ms")

`load` reads the formulas; `Formulas` answers; an `Answer` holds `Value`s, which are numbers that know their unit;
`FormulaError` is the only error that bad input raises.
"""

from formula_eval.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:  # what `__getattr__` finds, for type checkers and editors
    from formula_eval.api import (
        Answer,
        Catalogue,
        CheckResult,
        CountsForNothing,
        Explanation,
        Formula,
        FormulaError,
        Formulas,
        Result,
        Value,
        load,
    )


def __getattr__(name: str) -> object:
    """The public names, imported when first used so that the command starts fast."""
    if name in __all__:
        from formula_eval import api  # noqa: PLC0415 - see above

        return getattr(api, name)
    raise AttributeError(f"module 'formula_eval' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, also those that are not imported yet, and nothing else."""
    return sorted(__all__)


__all__ = [
    "Answer",
    "Catalogue",
    "CheckResult",
    "CountsForNothing",
    "Explanation",
    "Formula",
    "FormulaError",
    "Formulas",
    "Result",
    "Value",
    "__version__",
    "load",
]
