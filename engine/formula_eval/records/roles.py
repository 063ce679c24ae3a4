"""Reads which inputs, kinds of records and quantities of a library have a role: the model, what counts accelerators."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from formula_eval.library import Library
from formula_eval.toml_table import Input, Kind, Quantity, read_table, shape

FILE = "presets/roles.toml"
Named = Annotated[str, shape("input|kind")]


class Roles(NamedTuple):
    """What `presets/roles.toml` names.

    The model, accelerator, engine and format are kinds of records; `checkpoints` and `summary` are of these or inputs.
    `accelerators` of a job say its `replicas`. A `job` takes so many accelerators, by its purpose. Two models are the
    same where their `size` differs by a `slight` share at most.
    """

    model: Kind
    accelerator: Kind
    engine: Kind
    format: Kind
    checkpoints: tuple[Named, ...]
    summary: tuple[Named, ...]
    accelerators: Input
    replicas: Input
    per_node: Input
    size: Quantity
    slight: float
    job: Mapping[str, Quantity]

    @property
    def purposes(self) -> tuple[str, ...]:
        """What a question may be about, the usual one first."""
        return tuple(self.job)

    @property
    def scale(self) -> tuple[str, str]:
        """The inputs of which either says how large a job is."""
        return self.accelerators, self.replicas


def roles_of(library: Library) -> Roles:
    """The roles of the last folder that states them; raises FormulaError for a file that is wrong."""
    shown, data = library.last_or_ours(FILE)
    return library.once(FILE, lambda: read_table(Roles, data, shown, {}))
