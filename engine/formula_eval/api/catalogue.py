"""Lists what there is to choose, by name, as a notebook shows it: models, accelerators, inputs and every other list."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from formula_eval import export
from formula_eval.analyse.listing import Listing, listing, options_in_order
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.core.record_kind import kind_called
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export import notebook
from formula_eval.records.record_files import find_record

_MOST_SHOWN = 200


@dataclass(frozen=True, repr=False, eq=False)
class Catalogue(Mapping[str, Mapping[str, Any]]):
    """Names with what is known of each; `catalogue["llama2-70b"]` is a mapping, `find` narrows it.

    Raises FormulaError, with the nearest name, for a name that is not there.
    """

    rows: Mapping[str, tuple[Any, ...]]
    columns: tuple[str, ...]
    what: str
    look_up: Callable[[str], Mapping[str, Any]] | None = field(default=None)

    def __getitem__(self, name: str) -> Mapping[str, Any]:
        """What is known of one: a record as its file states it, else the row of the list."""
        if self.look_up is not None:
            return self.look_up(name)
        if name not in self.rows:
            help_ = nearest(name, self.rows) or f"`formula-eval list {self.what}` shows all."
            raise refuse("unknown-name", f"`{name}` is not among the {self.what}", help=help_)
        return dict(zip(self.columns, self.rows[name], strict=True))

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.rows)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.rows)

    def __contains__(self, name: object) -> bool:
        """Whether it stands in the list under this name."""
        return name in self.rows

    def find(self, text: str) -> "Catalogue":
        """Those whose row holds this text, in small or capital letters."""
        rows = {name: row for name, row in self.rows.items() if any(text.lower() in str(each).lower() for each in row)}
        return Catalogue(rows, self.columns, self.what, self.look_up)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        """The table that `formula-eval list` prints."""
        return export.columns.listing_text(self._listing(), export.screen.Screen(width=120)).rstrip()

    def _repr_html_(self) -> str:
        rows = [tuple(map(export.columns.cell_text, row)) for row in self.rows.values()]
        more = f"<p>and {len(rows) - _MOST_SHOWN} more</p>" if len(rows) > _MOST_SHOWN else ""
        return notebook.table_html(self.columns, rows[:_MOST_SHOWN]) + more

    def _listing(self) -> Listing:
        return Listing(self.columns, tuple(self.rows.values()), prose=self.columns[-1] == "meaning")


def listed(evaluator: Evaluator, what: str) -> Catalogue:
    """A list by its name, of records or of anything else; raises FormulaError if there is none."""
    found = listing(evaluator, what)
    kind = kind_called(what, evaluator.schema.kinds) or next(
        (each for each in evaluator.schema.kinds.values() if what in each.titles()), None
    )
    if kind is None:
        return inputs_of(evaluator) if what == "inputs" else Catalogue(_by_first(found), found.columns, what)
    supplier = kind.name
    return Catalogue(
        _by_first(found),
        found.columns,
        what,
        lambda name: find_record(evaluator.library, evaluator.schema, supplier, name).data,
    )


def inputs_of(evaluator: Evaluator) -> Catalogue:
    """The inputs under the names that `evaluate` takes."""
    found = listing(evaluator, "inputs")
    names = [option.name for option in options_in_order(evaluator).values()]
    rows = {name: (name, *row[1:]) for name, row in zip(names, found.rows, strict=True)}
    return Catalogue(rows, ("input", *found.columns[1:]), "inputs")


def _by_first(found: Listing) -> dict[str, tuple[Any, ...]]:
    return {" ".join(map(str, row[: found.named])): row for row in found.rows}
