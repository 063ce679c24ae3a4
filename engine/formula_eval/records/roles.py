"""Reads which inputs, kinds of records and quantities of a library have a role: the model, what counts accelerators."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from formula_eval.core.same_object import SameObject
from formula_eval.library import Library
from formula_eval.toml_table import Input, Kind, Quantity, read_table, shape, table

FILE = "presets/roles.toml"
Named = Annotated[str, shape("input|kind")]


class Mix(NamedTuple):
    """What a mix of traffic is made of: records of a kind, whose rows of a `table` have a `share` each."""

    record: Kind
    table: Annotated[str, shape("table")]
    share: Annotated[str, shape("column")]


class Second(NamedTuple):
    """What names accelerators of a second kind that share a model: a `record`, and the `number` of them."""

    record: Input
    number: Input


class Machine(NamedTuple):
    """What is rented as a whole: records of a kind, how many accelerators one `holds`, and the `number` of them."""

    record: Kind
    holds: Input
    number: Input


class SolvedWithin(NamedTuple):
    """What `holds` of an input that is solved for, and the quantity that `tells` how near to its end a value is."""

    holds: Quantity
    tells: Quantity


def says(record: Mapping[str, Any], values: Mapping[str, Sequence[Any]]) -> bool:
    """Whether a record says any of the values of an input."""
    return any(record.get(name) in said for name, said in values.items())


class Roles(NamedTuple):
    """What `presets/roles.toml` names.

    Attributes:
        model: the kind of records that describe models.
        accelerator: the kind of what a model runs on.
        engine: the kind of the programs that run it.
        format: the kind of number formats.
        checkpoints: kinds or inputs that a text names by a checkpoint.
        summary: kinds or inputs that set commands apart at a glance.
        accelerators: the input of how many accelerators a job has.
        shared: the inputs by which accelerators share a model, within a node and across nodes.
        split: the input of what those within a node split evenly.
        staged: the input by which an engine says that accelerators, wherever they are, take layers each.
        replicas: the input that follows from both.
        per_node: the input of how many accelerators a node has.
        copied: the values, by input, any of which says that accelerators hold a copy of the model each.
        memory: the input of how much memory an accelerator has.
        integrated: the values, by input, any of which says that its computer has no memory beside that.
        layers: the input of how many layers a model has.
        size: the quantity that is the same for two descriptions of one model.
        slight: the share by which it may differ.
        job: how many accelerators a question takes, by its purpose, the usual one first.
        machine: what machines that are rented as a whole are made of.
        mix: what a mix of traffic is made of.
        second: what names accelerators of a second kind that share a model with the first.
        solved_within: what holds of inputs that are solved for.

    """

    model: Kind
    accelerator: Kind
    engine: Kind
    format: Kind
    checkpoints: tuple[Named, ...]
    summary: tuple[Named, ...]
    accelerators: Input
    shared: tuple[Input, Input]
    split: Input
    staged: Input
    replicas: Input
    per_node: Input
    memory: Input
    layers: Input
    size: Quantity
    slight: float
    copied: Annotated[Mapping[str, Sequence[Any]], table("*input:[any]")]
    integrated: Annotated[Mapping[str, Sequence[Any]], table("*input:[any]")]
    job: Mapping[str, Quantity]
    machine: Machine
    mix: Mix
    second: Second
    solved_within: Mapping[str, SolvedWithin]

    @property
    def purposes(self) -> tuple[str, ...]:
        """What a question may be about, the usual one first."""
        return tuple(self.job)

    @property
    def counted(self) -> tuple[str, str]:
        """The kinds of records that are counted: accelerators and machines."""
        return self.accelerator, self.machine.record

    @property
    def scale(self) -> tuple[str, str]:
        """The inputs of which either says how large a job is."""
        return self.accelerators, self.replicas


# The roles of what a model runs on, and by which program.
RUNNING = Roles._fields[1:3]


def roles_of(library: Library) -> Roles:
    """The roles of the last folder that states them; raises FormulaError for a file that is wrong."""
    return library.once(FILE, lambda: _roles_in(*library.last_or_ours(FILE)))


def _roles_in(shown: str, data: Mapping[str, Any]) -> Roles:
    return _read_once(shown, SameObject(data))


@lru_cache(maxsize=16)
def _read_once(shown: str, data: SameObject[Mapping[str, Any]]) -> Roles:
    """The roles of a file that has not changed since it was read."""
    return read_table(Roles, data.held, shown, {})
