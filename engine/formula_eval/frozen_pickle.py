"""Pickles objects, frozen dataclasses with slots in half the usual time; reading them back is as fast."""

import io
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import accumulate, pairwise
from operator import attrgetter
from types import MethodType
from typing import Any

from formula_eval.gc_pause import uncollected

_SIZE = 8  # bytes of a number before the pickle
_Reducer = Callable[[Any], "str | tuple[Any, ...]"]


def pickled(value: object) -> bytes:
    """The bytes that `unpickled` makes the object of: a number of buffers, their sizes, these, a pickle."""
    held = io.BytesIO()
    buffers: list[memoryview] = []
    pickler = pickle.Pickler(held, pickle.HIGHEST_PROTOCOL, buffer_callback=lambda buffer: buffers.append(buffer.raw()))
    pickler.dispatch_table = _Reducers()
    pickler.dump(value)
    sizes = (len(buffers), *map(len, buffers))
    return b"".join((*(size.to_bytes(_SIZE, "big") for size in sizes), *buffers, held.getbuffer()))


def unpickled(held: bytes | memoryview) -> Any:  # noqa: ANN401 - whatever was put there
    """A fresh copy of the object of `put_object`; what it holds as buffers are parts of what was given.

    Raises ValueError where bytes say that they hold more buffers than they have room for.
    """
    sizes = memoryview(held)
    count = int.from_bytes(sizes[:_SIZE], "big")
    if _SIZE * (count + 1) > len(sizes):
        raise ValueError(f"no room for {count} buffers in {len(sizes)} bytes")
    lengths = [
        int.from_bytes(sizes[number : number + _SIZE], "big") for number in range(_SIZE, _SIZE * (count + 1), _SIZE)
    ]
    ends = [*accumulate(lengths, initial=_SIZE * (count + 1))]
    buffers = [sizes[start:end] for start, end in pairwise(ends)]
    with uncollected():
        return pickle.loads(sizes[ends[-1] :], buffers=buffers)  # noqa: S301 - the cache trusts only what its user wrote


class _Reducers(dict[type, _Reducer]):
    """How objects of a class are taken apart: those of ours by their fields, any other as `pickle` does it."""

    def __missing__(self, kind: type) -> _Reducer:
        if issubclass(kind, type):  # a class itself, which only its name is kept of
            raise KeyError(kind)
        self[kind] = _by_class if kind is MethodType else _by_fields(kind) if _is_frozen(kind) else _by_pickle
        return self[kind]


def _by_pickle(value: object) -> str | tuple[Any, ...]:
    return value.__reduce_ex__(pickle.HIGHEST_PROTOCOL)


def _is_frozen(kind: type) -> bool:
    return is_dataclass(kind) and kind.__dataclass_params__.frozen and "__slots__" in vars(kind)  # type: ignore[attr-defined]


def _by_fields(kind: type) -> _Reducer:
    names = [field.name for field in fields(kind)]
    maker = _maker_of(kind)
    if len(names) > 1:
        values = attrgetter(*names)
        return lambda value: (maker, values(value))
    return lambda value: (maker, tuple(getattr(value, name) for name in names))


@cache
def _maker_of(kind: type) -> MethodType:
    """What makes the objects of one class of their fields, as they were: nothing is computed or checked again.

    It is written out for the class: a graph holds a hundred thousand of them, and a loop takes twice the time.
    """
    names = [field.name for field in fields(kind)]
    setters = {f"set_{number}": getattr(kind, name).__set__ for number, name in enumerate(names)}
    values = [f"value_{number}" for number in range(len(names))]
    puts = "".join(f"\n    set_{number}(made, value_{number})" for number in range(len(names)))
    variables: dict[str, Any] = {"new": object.__new__, **setters}
    exec(f"def make({', '.join(('kind', *values))}):\n    made = new(kind){puts}\n    return made", variables)  # noqa: S102 - names are numbers
    return MethodType(variables["make"], kind)


def _by_class(maker: MethodType) -> tuple[Callable[[type], MethodType], tuple[object]]:
    return _maker_of, (maker.__self__,)
