"""Defines records (a model, an accelerator or a preset as a file states it) and the input values that they supply."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from formula_eval.records.values import Number

NOTHING: Mapping[str, Any] = MappingProxyType({})


class RecordFile(NamedTuple):
    """A record as it stands in a file: its id, how messages name it, its contents, and a warning about its choice.

    `written` is what the file says, as messages quote it, by what it becomes of the contents.
    """

    supplier: str  # its kind, such as `model`
    id: str
    shown: str  # its file, as messages name it
    data: Mapping[str, Any]  # what the file says, by key
    remark: str = ""  # about its choice, empty if there is nothing
    written: Mapping[str, str] = NOTHING
    read_as: str = ""  # how a name that is not its own was read, if it was

    @property
    def called(self) -> str:
        """What people call it: its name, else its id."""
        return str(self.data.get("name", self.id))


class SuppliedValues(NamedTuple):
    """Input values of one origin, the records that it names in turn, and factors on what others say (`+10%`).

    `written` is what was said for an input, as messages quote it, where that is not the input itself.
    """

    origin: str
    values: Mapping[str, Number] = NOTHING
    links: Mapping[str, str] = NOTHING  # ids of records, by kind
    tables: Mapping[str, int] = NOTHING  # how many rows it gives, by table
    changes: Mapping[str, Fraction] = NOTHING  # factors, by input
    written: Mapping[str, str] = NOTHING
