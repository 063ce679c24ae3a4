"""Expressions of a family table to their values over one config, with messages that say which was which."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from formula_eval.cache import Cache
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.expression import Expression
from formula_eval.core.unit import UnitTable
from formula_eval.library import Library
from formula_eval.records.mapping.interpreter import Reading, described

if TYPE_CHECKING:
    from formula_eval.language.reader import Reader


class ConfigReader(NamedTuple):
    """Evaluates the expressions of a family over one config, and says in its messages which was which."""

    library: Library
    config: Mapping[str, Any]
    shown: str

    def at_layer(self, layer: int) -> "ConfigReader":
        """The same, where `layer` is the number of a layer; the first is 0."""
        return self._replace(config={**self.config, "layer": layer})

    def value(self, text: object, what: str, words: tuple[str, ...] = ()) -> Any:  # noqa: ANN401 - what the config holds
        """The value of an expression, a number, flag or one of these words."""
        try:
            found = Reading(self.config, tuple(words)).value(
                _parsed(self.library.units, self.library.cache, str(text), what)
            )
        except FormulaError as error:
            first = error.diagnostics[0]
            help_ = " ".join(each for each in (f"`{what}` is read as `{text}`.", first.help) if each)
            raise refuse(first.code, f"`{self.shown}`: {first.message}", help=help_) from error
        except (ZeroDivisionError, OverflowError) as error:
            message = f"`{self.shown}`: `{what}` cannot be computed"
            raise refuse("bad-value", message, help=f"It is read as `{text}`.") from error
        except TypeError as error:
            message = f"`{self.shown}`: a function in `{what}` has too few or too many arguments"
            raise refuse("bad-family", message, help=f"It is read as `{text}`.") from error
        if isinstance(found, bool | int | float) or found in words:
            return found
        needed = "known word" if words else "number"
        message = f"`{self.shown}`: `{what}` is {described(found)}, which is not a {needed}"
        raise refuse("bad-value", message, help=f"It is read as `{text}`.")


@lru_cache(maxsize=8)
def _reader(units: UnitTable, cache: Cache) -> "Reader":
    from formula_eval.language.reader import Reader  # noqa: PLC0415 - the parser is heavy and seldom needed

    return Reader(units, cache, with_texts=True)


@lru_cache(maxsize=10_000)
def _parsed(units: UnitTable, cache: Cache, text: str, what: str) -> Expression:
    """The expression of a family table; raises FormulaError where it is none."""
    built, findings = _reader(units, cache).expression(text, what)
    if built is None:
        raise FormulaError(*findings)
    return built
