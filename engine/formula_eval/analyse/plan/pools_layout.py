"""Reads how a plan lays out separate pools of workers: the inputs of each pool, and the totals."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, NamedTuple

from formula_eval.toml_shape import Several
from formula_eval.toml_table import Quantity, table, table_of


class Pool(NamedTuple):
    """The part of the requests that a pool of workers does: what its question states, as a user would.

    Each input of `sets` is a quantity of the whole question; each of `takes` is what was given as another input.
    """

    name: str
    states: Annotated[Mapping[str, str], table("*input:text")]
    sets: Annotated[Mapping[str, str], table("*input:quantity")] = MappingProxyType({})
    takes: Annotated[Mapping[str, str], table("*input:input")] = MappingProxyType({})


class SumWithin(NamedTuple):
    """A sum of quantities over pools, as a sentence `says` it, the limit of it, and what it says beyond that."""

    name: Quantity
    says: str
    limit: Quantity
    beyond: str


class PoolsLayout(NamedTuple):
    """The pools that do the work together, and how they compare: by `counts` and `cost`, with `per` behind a cost.

    What all of them take together bears the name `together`: of the quantities `sums` the sum. `within` are sums that
    a sentence tells, each with the limit that it should keep.
    """

    counts: Quantity
    cost: Quantity
    per: str
    together: str
    pools: Annotated[Sequence[Pool], Several(table_of(Pool), range(2, 9))]
    sums: Sequence[Quantity] = ()
    within: Sequence[SumWithin] = ()
