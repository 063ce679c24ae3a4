"""Reads a file of reports/search/: the space that a search looks through."""

from formula_eval.analyse.search.search_space import SearchSpace
from formula_eval.core.diagnostic import refuse
from formula_eval.library import Library
from formula_eval.records.schema import Schema
from formula_eval.toml_table import read_table


def read_search_space(library: Library, purpose: str, schema: Schema) -> SearchSpace:
    """The space of a purpose; an empty one where no library has any. Raises FormulaError for a file that is wrong."""
    shown, data = library.last(f"reports/search/{purpose}.toml")
    space = read_table(SearchSpace, data, shown, schema.vocabulary)
    names = [each.input for each in space.axes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise refuse("bad-report", f"{shown}: `{twice}` has two axes", help="Write its values in one.")
    return space._replace(shown=shown)
