"""Scenario files and a model to what a namespace answers, in the fastest layout that fits where that is asked."""

import itertools
import tomllib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval import CountsForNothing, FormulaError, Formulas, Result, Value

Row = Mapping[str, Any]
SCENARIOS = Path(__file__).parent / "scenarios"


class Answers:
    """What each answer of study.toml says about each model."""

    def __init__(self, formulas: Formulas, study: Mapping[str, Any]) -> None:
        """Ask these formulas what the study asks."""
        self._formulas = formulas
        self._answers = study["answers"]
        self._fastest = study["fastest"]
        self._layouts: dict[tuple[str, str], Mapping[str, Any]] = {}

    def value(self, answer: str, row: Row, quantity: str) -> Value:
        """One quantity as the answer's namespace names it, or an input; raises FormulaError for a refusal."""
        namespace = self._answers[answer].get("namespace")
        name = f"{namespace}.{quantity}" if namespace else quantity
        return self._result(answer, row, [name])[name]

    def parts(self, answer: str, row: Row, table: str, cell: str) -> dict[str, float]:
        """One cell of each row of a table of formulas, by the name of the row; raises FormulaError for a refusal."""
        result = self._result(answer, row, [table])
        paths = {name: name.split(".") for name in result}
        return {path[-2]: result.numbers[name] for name, path in paths.items() if path[-1] == cell}

    def _result(self, answer: str, row: Row, only: Sequence[str]) -> Result:
        said = self._answers[answer]
        key = answer, row["name"]
        if "fastest" in said and key not in self._layouts:
            self._layouts[key] = self._fastest_layout(said, row)
        return self._evaluate(said, row, only, self._layouts.get(key, {}))

    def _evaluate(self, said: Mapping[str, Any], row: Row, only: Sequence[str], layout: Mapping[str, Any]) -> Result:
        layers = [*map(_scenario, said["scenarios"]), *(row.get(part, {}) for part in said["rows"]), layout]
        givens = {name: value for layer in layers for name, value in layer.items()}
        with warnings.catch_warnings():  # a scenario says what all columns need, and one of them may not read it
            warnings.simplefilter("ignore", CountsForNothing)
            return self._formulas.evaluate(only=only, namespace=said.get("namespace", ""), **givens)

    def _fastest_layout(self, said: Mapping[str, Any], row: Row) -> Mapping[str, Any]:
        wish = self._fastest[said["fastest"]]
        fitting = (tried for tried in self._tried(said, row, wish) if tried[1][wish["where"]].value)
        return min(fitting, key=lambda tried: tried[1].numbers[wish["least"]])[0]

    def _tried(self, said: Mapping[str, Any], row: Row, wish: Mapping[str, Any]) -> Iterator[tuple[Row, Result]]:
        for values in itertools.product(*wish["among"].values()):
            layout = dict(zip(wish["among"], values, strict=True))
            try:
                yield layout, self._evaluate(said, row, [wish["least"], wish["where"]], layout)
            except FormulaError:  # more parts than the model has heads, or than a step has sequences
                continue


def _scenario(name: str) -> Mapping[str, Any]:
    return tomllib.loads((SCENARIOS / f"{name}.toml").read_text(encoding="utf-8"))
