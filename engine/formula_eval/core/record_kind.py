"""Describes a kind of records, such as models, as plain data that a cache can hold: its files and its names."""

import re
from collections.abc import Collection, Iterable, Mapping
from graphlib import TopologicalSorter
from typing import NamedTuple

from formula_eval.core.option_names import option_of

COUNTED = re.compile(r"([1-9]\d*)[x*\u00d7]\s*(.+)")  # the name of a record behind a count: `8xh100`


class RecordKind(NamedTuple):
    """One kind: `path` is a folder of files, one record each, or a file with a table for each record.

    `default` is the record that holds where nobody says one, `suppliers` are the kinds whose records may name one of
    this kind, and `alias` is how options and scenarios call the kind, if not by its name.
    """

    name: str
    path: str
    default: str = ""
    suppliers: tuple[str, ...] = ()
    alias: str = ""
    sentence: str = ""  # what its records describe, from its notes
    place: str = ""  # FILE:LINE of the `record` statement

    @property
    def is_folder(self) -> bool:
        """Whether each record is a file of its own."""
        return self.path.endswith("/")

    @property
    def option(self) -> str:
        """The option that names a record of this kind, as it is typed."""
        return option_of(self.word)

    @property
    def word(self) -> str:
        """What options and scenarios call it."""
        return self.alias or self.name

    @property
    def plural(self) -> str:
        """What several of its records are called, such as in `formula-eval list`."""
        return f"{self.name[:-1]}ies" if self.name.endswith("y") else f"{self.name}s"

    def titles(self) -> tuple[str, ...]:
        """The names under which lists know it: the plural, the folder or file, the kind, what options call it."""
        file = self.path.strip("/").rpartition("/")[2].partition(".")[0]
        return tuple(dict.fromkeys((self.plural, file, self.name, f"{self.word}s", self.word)))

    def title(self, known: Collection[str]) -> str:
        """The one of these names that is known, else the plural."""
        return next((each for each in self.titles() if each in known), self.plural)


Kinds = Mapping[str, RecordKind]


def in_order(kinds: Iterable[RecordKind]) -> tuple[RecordKind, ...]:
    """The kinds, each behind those whose records may name one of it, else as they were declared; no circle."""
    named = {kind.name: kind for kind in kinds}
    sorter = TopologicalSorter({name: [s for s in kind.suppliers if s in named] for name, kind in named.items()})
    return tuple(named[name] for name in sorter.static_order())


def kind_called(word: str, kinds: Kinds) -> RecordKind | None:
    """The kind that an option or a scenario calls so."""
    return kinds.get(word) or next((kind for kind in kinds.values() if kind.alias == word), None)


def brought_by(kind: str, kinds: Kinds) -> tuple[str, ...]:
    """The kinds of the records that a record of this kind brings along, and those that these bring."""
    direct = [each.name for each in kinds.values() if kind in each.suppliers]
    return tuple(dict.fromkeys(name for each in direct for name in (each, *brought_by(each, kinds))))


def subjects(kinds: Kinds) -> tuple[str, ...]:
    """The kinds that no other record names, which a question is about: a model on an accelerator.

    Those whose records are files of their own come first. A kind that may stand aside is none of them.
    """
    aside = {kind.name for kind in kinds.values() if stands_aside(kind, kinds)}
    found = [kind for kind in kinds.values() if kind.name not in aside and aside.issuperset(kind.suppliers)]
    return tuple(kind.name for kind in sorted(found, key=lambda each: not each.is_folder))


def stands_aside(kind: RecordKind, kinds: Kinds) -> bool:
    """Whether its records merely bring others, each of a kind that has a default: a machine, and what is in it."""
    brought = [each for each in kinds.values() if kind.name in each.suppliers]
    return not kind.suppliers and not kind.default and bool(brought) and all(each.default for each in brought)
