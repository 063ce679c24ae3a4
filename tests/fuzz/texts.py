"""Chapters of libraries, marks in cells of a workbook, and entries of the cache."""

from pathlib import Path
from random import Random

from openpyxl import Workbook

from formula_eval import FormulaError, Formulas
from formula_eval.cache import Cache
from formula_eval.core.type import Record
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.program import compile_program
from formula_eval.export.workbook.cell_expressions import CellExpressions
from formula_eval.export.workbook.live_value import LiveValue
from fuzz import mutations
from fuzz.surface import ACCEPTED, REFUSED, RELATIVE, WRONG, Failed, Outcome
from language.cases import HERE, Case, check, messages

_MARKS = (
    'value("x", "ms")', 'value("x") * 1000 + 2', "title", "input('y') / 3", "checks|map(attribute='name')|join(', ')",
    "range(10)|list", "'%.2f' % 1.5", "'a' ~ 'b' ~ title", "2 ** 10", "[1, 2, 3]|sum",
    "checks[0].name|upper|replace('A', 'b')",
    "1 if title else 2", "title.upper().split('a')", "{'a': 1}.items()|list", "1.5|round(2)", "'a' * 10 ** 9",
    "[0] * 10 ** 9",
    "'%99999d' % 1", "range(10 ** 9)", "(1, 2) + (3,)", "9 ** 99 ** 9", "not 1", "1 < 2 < 3", "title[1:3]",
    "''.join(['a'])",
)  # fmt: skip
_SIGNS = ("+", "*", "~", "%", "|", "-", "/", "**", " in ", " and ")


class Chapters:
    """Chapters of the language, those of its tests, changed."""

    name = "libraries"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """The single chapters of the tests, good and bad."""
        del folder, formulas
        good, bad = HERE.glob("good/*.formula"), HERE.glob("bad/*/*.formula")
        self._good = [path.read_text(encoding="utf-8") for path in good]
        self._bad = [path.read_text(encoding="utf-8", errors="replace") for path in bad]

    def one(self, random: Random) -> Outcome:
        """One of them, changed: findings that can be shown, or the same numbers by Python and NumPy."""
        text = mutations.text(random, random.choice(self._good if random.random() < 0.7 else self._bad), 2)
        case = Case({"changed.formula": text}, {"changed.formula": ""}, with_completeness=False)
        try:
            resolved, findings = check(case)
            if findings:
                told = messages(case, findings)
                return Outcome(REFUSED, text) if told.strip() else Outcome(WRONG, f"{text}\nrefused in silence")
            return _agreeing(resolved, text)
        except Exception as error:
            raise Failed(text) from error

    def close(self) -> None:
        """Nothing was started."""


def _agreeing(resolved: object, text: str) -> Outcome:
    graph = getattr(resolved, "graph", None)
    if graph is None:
        return Outcome(ACCEPTED, text)
    wanted = [name for name, node in graph.nodes.items() if not isinstance(node.type, Record) and node.kind != "input"]
    program = compile_program(graph, wanted)
    givens = dict.fromkeys(program.inputs, 2.0)
    try:
        plain = program.evaluate(givens)
        many = evaluate_many(program, givens)
    except FormulaError:
        return Outcome(REFUSED, text)
    for name in program.wanted:
        ours, theirs = float(plain[name]), float(many[name])
        if abs(ours - theirs) > RELATIVE * max(abs(ours), abs(theirs)):
            return Outcome(WRONG, f"{text}\n{name}: {ours!r} in Python, {theirs!r} in NumPy")
    return Outcome(ACCEPTED, text)


class Marks:
    """What stands between the braces of a user's cell."""

    name = "--fill"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """Names as a workbook has them."""
        del folder, formulas
        value = LiveValue("Calc!$C$7")
        self._known = {
            "value": lambda name, unit="": value,  # noqa: ARG005 - as cells call it
            "input": lambda name, unit="": value,  # noqa: ARG005 - as cells call it
            "checks": [{"name": "fits", "holds": value}],
            "title": "A title",
        }
        self._sheet = Workbook().active

    def one(self, random: Random) -> Outcome:
        """One expression, or two of them joined, changed."""
        mark = random.choice(_MARKS)
        if random.random() < 0.5:
            mark = f"({mark}){random.choice(_SIGNS)}({random.choice(_MARKS)})"
        if random.random() < 0.8:
            mark = mutations.text(random, mark)
        if random.random() < 0.02:
            mark = random.choice("([{-") * random.choice((50, 500, 3000)) + mark
        expressions = CellExpressions(self._known)
        try:
            found = expressions.items(mark) if random.random() < 0.2 else expressions.value(mark.strip(), {})
        except Exception as error:
            if isinstance(error, MemoryError):
                raise Failed(mark) from error
            return Outcome(REFUSED, mark)
        try:
            assert self._sheet is not None
            if isinstance(found, str | int | float | bool):
                self._sheet["A1"] = found
            return Outcome(ACCEPTED, mark)
        except Exception as error:
            raise Failed(mark) from error

    def close(self) -> None:
        """Nothing was started."""


class Entries:
    """Files of the cache, damaged."""

    name = "cache"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """An empty folder."""
        del formulas
        self._folder = folder / "cache"

    def one(self, random: Random) -> Outcome:
        """An entry, damaged on the disk, is the one that was put, or none."""
        cache, payload = Cache(self._folder), random.randbytes(random.choice((0, 1, 50, 3000)))
        cache.put("key", payload)
        (path,) = self._folder.glob("*.entry")
        damaged = mutations.data(random, path.read_bytes())
        path.write_bytes(damaged)
        found = Cache(self._folder).get("key")
        path.unlink(missing_ok=True)
        if found is not None and found != payload:
            return Outcome(WRONG, f"{payload!r} became {found!r} by {damaged!r}")
        return Outcome(REFUSED if found is None else ACCEPTED, repr(damaged))

    def close(self) -> None:
        """Nothing was started."""
