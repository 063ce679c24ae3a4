"""Evaluates the expressions of a family table over one config, and quotes both where one gives no value."""

from collections.abc import Iterator, Mapping
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


class Written(NamedTuple):
    """What somebody wrote that sets a name: the key or option, and it with its value, `--tp 8`."""

    key: str
    text: str


class ConfigReader(NamedTuple):
    """Evaluates the expressions of a family over one config, and says in its messages which was which.

    `written` are the names of the config as somebody wrote them; others are `derived` from these by expressions.
    """

    library: Library
    config: Mapping[str, Any]
    shown: str
    written: Mapping[str, Written] = {}
    derived: Mapping[str, str] = {}

    def at_layer(self, layer: int) -> "ConfigReader":
        """The same, where `layer` is the number of a layer; the first is 0."""
        return self._replace(config={**self.config, "layer": layer})

    def value(self, text: object, what: str, words: tuple[str, ...] = (), *, any_text: bool = False) -> Any:  # noqa: ANN401 - what the config holds
        """The value of an expression: a number, flag or one of these words, or any text."""
        try:
            found = Reading(self.config, tuple(words)).value(self._expression(text, what))
        except FormulaError as error:
            first = error.diagnostics[0]
            help_ = " ".join(each for each in (f"`{what}` is read as `{text}`.", first.help) if each)
            said = self.written.get(first.subject)
            unread = said is not None and first.code == "missing-value" and first.subject not in self.config
            message = f"`{said.text}` gives no value" if said and unread else first.message
            raise self._refused(first.code, message, text, help_) from error
        except (ZeroDivisionError, OverflowError) as error:
            raise self._refused("bad-value", f"`{what}` cannot be computed", text) from error
        except TypeError as error:
            message = f"a function in `{what}` has too few or too many arguments"
            raise self._refused("bad-family", message, text) from error
        if isinstance(found, bool | int | float) or found in words or (any_text and isinstance(found, str)):
            return found
        needed = "known word" if words else "number"
        raise self._refused("bad-value", f"`{what}` is {described(found)}, which is not a {needed}", text)

    def said(self, text: object) -> str:
        """What was written that an expression is computed from, as a message quotes it; empty if nothing."""
        return ", ".join(f"`{source.text}`" for source in self.sources(text))

    def sources(self, text: object) -> list[Written]:
        """What was written that an expression is computed from."""
        return list(dict.fromkeys(self._written(text, self.derived)))

    def _written(self, text: object, derived: Mapping[str, str]) -> Iterator[Written]:
        for name in Reading(self.config).names_read(self._expression(text, str(text))):
            if name in self.written:
                yield self.written[name]
            elif name in derived:
                yield from self._written(derived[name], {key: each for key, each in derived.items() if key != name})

    def _refused(self, code: str, message: str, text: object, help_: str = "") -> FormulaError:
        """The error, with what was written where the message does not name it."""
        sources = [] if code == "bad-family" else self.sources(text)
        named = not sources or any(f"`{source.key}" in message for source in sources)
        said = "" if named else f"{self.said(text)}: "
        return refuse(code, f"`{self.shown}`: {said}{message}", help=help_ or f"It is read as `{text}`.")

    def _expression(self, text: object, what: str) -> Expression:
        return parsed(self.library, str(text), what)


def parsed(library: Library, text: str, what: str) -> Expression:
    """The tree of an expression over foreign names; raises FormulaError for `what` is none."""
    return _parsed(library.units, library.cache, text, what)


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
