"""Formulas for the cost of large language models: `from formula_eval import load`."""

from formula_eval.version import __version__


def __getattr__(name: str) -> object:
    """The public names, imported when first used so that the command starts fast."""
    if name in __all__:
        from formula_eval import api  # noqa: PLC0415 - see above

        return getattr(api, name)
    raise AttributeError(name)


__all__ = ["Explanation", "Formula", "FormulaError", "Formulas", "Result", "Value", "__version__", "load"]
