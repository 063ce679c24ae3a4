"""Tests that ran once to tests that run again on changed values, without computing anything but what changed.

A test asks the engine for values under some givens. What it asked is kept when it first runs; later it gets what a
mutant makes of the same givens, and so passes or fails as it would on a library with that mistake in it.
"""

import contextlib
import io
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any
from unittest import mock

import numpy as np
import pytest
from benchmarks.mutation.lanes import Group, Printer, differs

from formula_eval.evaluate.program import Program

Givens = frozenset[tuple[str, Any]]
_SPREAD = 3  # so many cases of one test function run again for a mutant, as different ones as there are


class UndecidedError(BaseException):
    """A test asked for what it did not ask when it was recorded."""


@dataclass(slots=True)
class Case:
    """One run of a test: how to run it again, and what it asked for in which lanes."""

    name: str
    run: Callable[[], object]
    asked: dict[Givens, set[str]] = field(default_factory=dict)


class Recorder:
    """A pytest plugin that keeps what each test asks for."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.cases: dict[str, list[Case]] = {}
        self._now: Case | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:  # noqa: ANN401 - an item of pytest
        """Keep a test; of a property with drawn examples, each of them."""
        file = item.path.name
        names = item._fixtureinfo.argnames  # noqa: SLF001 - the arguments of a test have no public name
        arguments = {name: item.funcargs[name] for name in names}
        drawn = getattr(item.obj, "hypothesis", None)
        if drawn is None:
            self._begin(file, item.originalname, lambda: item.obj(**arguments))
            yield
        else:
            inner = drawn.inner_test

            def noted(*args: Any, **kwargs: Any) -> object:  # noqa: ANN401 - whatever is drawn
                self._begin(file, item.originalname, lambda: inner(*args, **kwargs))
                return inner(*args, **kwargs)

            drawn.inner_test = noted
            yield
            drawn.inner_test = inner
        self._now = None

    def _begin(self, file: str, name: str, run: Callable[[], object]) -> None:
        self._now = Case(name, run)
        self.cases.setdefault(file, []).append(self._now)

    def recording(self) -> Any:  # noqa: ANN401 - a context manager
        """While this holds, what programs are asked is kept."""
        original = Program.evaluate

        def evaluate(program: Program, givens: Mapping[str, float]) -> dict[str, float]:
            if self._now is not None:
                self._now.asked.setdefault(key_of(program, givens), set()).update(program.wanted)
            return original(program, givens)

        return mock.patch.object(Program, "evaluate", evaluate)


def key_of(program: Program, givens: Mapping[str, float]) -> Givens:
    """What a program reads of its givens."""
    return frozenset((name, givens[name]) for name in program.kinds if _is_there(givens.get(name)))


def _is_there(value: float | None) -> bool:
    return value is not None and value == value  # noqa: PLR0124 - nan alone differs from itself


def recorded(files: Sequence[Path]) -> dict[str, list[Case]]:
    """The cases of each test file, which run once for it."""
    recorder = Recorder()
    with recorder.recording(), contextlib.redirect_stdout(io.StringIO()) as said:
        status = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *map(str, files)], plugins=[recorder])
    if status:
        raise SystemExit(said.getvalue())
    return {file: [case for case in cases if case.asked] for file, cases in recorder.cases.items()}


class Replay:
    """The tests of one file, with the values of all that they ask for."""

    def __init__(self, name: str, printer: Printer, cases: Sequence[Case]) -> None:
        """Compute what they ask for as it is."""
        self.name = name
        keys = list(dict.fromkeys(key for case in cases for key in case.asked))
        self.lane = {key: number for number, key in enumerate(keys)}
        wanted = {name for case in cases for names in case.asked.values() for name in names}
        wanted = {name for name in wanted if name in printer.graph.nodes}
        self.group = Group(printer, [dict(key) for key in keys], wanted)
        start = time.process_time()
        with self._answering():
            self.cases = [case for case in cases if not _fails(case)]
        self.cost = (time.process_time() - start) / len(cases)
        self.readers: dict[str, list[tuple[int, int]]] = {}
        for number, case in enumerate(self.cases):
            for key, names in case.asked.items():
                for each in names:
                    self.readers.setdefault(each, []).append((number, self.lane[key]))

    def fails(self, mutated: Mapping[str, CodeType]) -> bool:
        """Whether one of the tests fails on a mutant."""
        if not self.group.names.intersection(mutated):
            return False
        former = self.group.changed(mutated)
        try:
            with self._answering():
                return any(_fails(self.cases[number]) for number in self._touched(former))
        finally:
            self.group.restore(former)

    def _touched(self, former: Mapping[str, Any]) -> Iterator[int]:
        """The cases whose values changed, a few of each test, spread over them."""
        found: dict[str, dict[int, None]] = {}
        for name in former.keys() & self.readers.keys():
            moved = differs(former[name], self.group.values[name])
            for number, lane in self.readers[name]:
                if moved[lane]:
                    found.setdefault(self.cases[number].name, {})[number] = None
        for numbers in found.values():
            listed = sorted(numbers)
            places = np.linspace(0, len(listed) - 1, min(_SPREAD, len(listed))).astype(int)
            yield from (listed[place] for place in places)

    def _answering(self) -> Any:  # noqa: ANN401 - a context manager
        """While this holds, programs answer from the values of the group."""

        def evaluate(program: Program, givens: Mapping[str, float]) -> dict[str, float]:
            return self._answer(program, givens)

        return mock.patch.object(Program, "evaluate", evaluate)

    def _answer(self, program: Program, givens: Mapping[str, float]) -> dict[str, float]:
        lane = self.lane.get(key_of(program, givens))
        if lane is None:
            raise UndecidedError
        values = self.group.values
        return {name: values[name][lane].item() if name in values else float("nan") for name in program.names}


def _fails(case: Case) -> bool:
    """Whether it fails; a property that is not about a configuration, because a check refuses it, does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            case.run()
    except UndecidedError:
        return False
    except BaseException as error:  # noqa: BLE001 - whatever a test raises, it noticed
        # Hypothesis itself may not be imported before pytest has started.
        return type(error).__name__ != "UnsatisfiedAssumption"
    return False
