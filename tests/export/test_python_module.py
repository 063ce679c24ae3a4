"""The Python module: in a bare interpreter, over random givens, each function gives our number, bit for bit."""

import ast
import json
import math
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from counted import seen
from export.papers import document, evaluator, hostile_document
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.type import Choice
from formula_eval.export.document import document_of
from formula_eval.export.python.module import python_module
from formula_eval.records.givens import Question
from formula_eval.records.record_files import all_records
from samples import thorough

pytestmark = pytest.mark.slow

# A module of all functions is 100 MB of text; of a fifth of them it has the same formulas.
SCENARIOS, SHARE = (20, 1) if thorough() else (5, 5)
_RUN = """
import inspect, json, sys
sys.path.insert(0, sys.argv[1])
import costs
answers = []
given_sets = json.load(open(sys.argv[2]))
share = 5 if len(given_sets) > 5 else 1
for turn, given in enumerate(given_sets):
    values = {}
    for name in costs.__all__[turn % share :: share]:
        function = getattr(costs, name)
        known = inspect.signature(function).parameters
        try:
            value = function(**{key: given.get(key) for key in known})
        except (ArithmeticError, ValueError) as error:
            value = type(error).__name__
        values[name] = value.hex() if isinstance(value, float) else value
    answers.append(values)
print(json.dumps([answers, {name: getattr(costs, name)() for name in costs.__all__[::share]}]))
"""


def ran(
    module: str, scenarios: list[dict[str, object]], folder: Path
) -> tuple[list[dict[str, object]], dict[str, object]]:
    """What the module gives in an interpreter that has nothing but Python."""
    (folder / "costs.py").write_text(module, encoding="utf-8")
    (folder / "given.json").write_text(json.dumps(scenarios), encoding="utf-8")
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", _RUN, str(folder), str(folder / "given.json")]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    answers, defaults = json.loads(done.stdout)
    return answers, defaults


def functions(module: str) -> list[str]:
    """The functions that a module offers, in order."""
    names: list[str] = next(
        ast.literal_eval(each.value) for each in ast.parse(module).body if isinstance(each, ast.Assign)
    )
    return names


def drawn(draw: Random) -> Question:
    engine = evaluator()
    models = [record.id for record in all_records(engine.library, engine.schema.kinds["model"])]
    hardware = [record.id for record in all_records(engine.library, engine.schema.kinds["hardware"])]
    asked = {
        "tp": draw.choice((1, 2, 3, 4, 8, 16)),
        "pp": draw.choice((1, 1, 2, 4, 7)),
        "batch": draw.choice((1, 3, 16, 250)),
        "prompt": draw.choice((1, 7, 1000, 100_000)),
        "generated": draw.choice((1, 2, 3000)),
        "phase": draw.choice(("prefill", "decode")),
        "weight_bits": draw.choice((32, 16, 8, 4.5, 4)),
        "weight_group": draw.choice((0, 32)),
        "activation_bits": draw.choice((32, 16, 8, 4)),
        "kv_bits": draw.choice((16, 8)),
        "concurrency": draw.choice((1, 64)),
        "gpus": draw.choice((1024, 4096)),
        "seq": draw.choice((2048, 8192)),
        "micro_batch": draw.choice((1, 4)),
        "zero_stage": draw.choice((0, 1, 2, 3)),
        "recompute": draw.choice(("none", "core", "full")),
        "training_bits": draw.choice((16, 8)),
    }
    return Question({"model": draw.choice(models), "hardware": draw.choice(hardware)}, asked)


def argument(name: str, value: float) -> object:
    """A given as an argument: a choice is its word."""
    type_ = evaluator().graph.nodes[name].type
    return type_.values[int(value)] if isinstance(type_, Choice) else value


def as_answer(name: str, value: float) -> object:
    type_ = evaluator().graph.nodes[name].type
    if isinstance(type_, Choice):
        return type_.values[int(value)]
    return value if isinstance(value, bool) else float(value).hex()


def test_every_function_gives_our_number(tmp_path: Path) -> None:
    engine = evaluator()
    wanted = engine.select(("*",))[::SHARE]
    doc = document_of(engine, Question({"model": "llama2-70b"}, {"tp": 8}), wanted, named=True)
    program, draw = evaluator().program(doc.wanted), Random(7)
    questions, expected = [], []
    while len(expected) < SCENARIOS:
        values = evaluator().givens(drawn(draw)).values
        try:
            expected.append(program.evaluate(values))
        except FormulaError:
            continue
        questions.append({name.replace(".", "_"): argument(name, value) for name, value in values.items()})
    module = python_module(doc)
    order = [name for name in doc.graph.ancestors(list(doc.wanted)) if name in set(doc.wanted)]
    names = dict(zip(functions(module), order, strict=True))
    answers, defaults = ran(module, questions, tmp_path)
    for answer, numbers in seen(zip(answers, expected, strict=True)):
        for function in answer:
            name = names[function]
            assert as_number(answer[function]) == as_number(as_answer(name, numbers[name])), name
    for function, value in seen(defaults.items()):
        name = names[function]
        assert as_number(value) == as_number(as_answer(name, doc.numbers[name])), name


def as_number(value: object) -> object:
    """A number whichever way it is written; words and flags as they are."""
    if isinstance(value, bool):
        return value
    number = float(value) if isinstance(value, int | float) else float.fromhex(value) if _is_hex(value) else value
    return "nan" if isinstance(number, float) and math.isnan(number) else number


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and (value.lstrip("-").startswith("0x") or value.lstrip("-") in ("inf", "nan"))


def test_errors_are_pythons_own(tmp_path: Path) -> None:
    module = python_module(document("llama2-70b", "operators.heads_per_gpu"))
    ((answer,), _) = ran(module, [{"heads": 64, "tp": 0}], tmp_path)
    assert answer == {"operators_heads_per_gpu": "ZeroDivisionError"}


def test_docstrings_say_formula_unit_and_source() -> None:
    module = python_module(document("llama2-70b", "memory.weights_bytes", tp=8))
    function = next(each for each in ast.parse(module).body if isinstance(each, ast.FunctionDef))
    docstring = ast.get_docstring(function)
    assert docstring is not None
    assert "[byte]." in docstring.split("\n")[0]
    assert "memory.weights_bytes = layer_weights_bytes + end_weights_bytes" in docstring
    assert "Derived: " in docstring
    defaults = dict(zip((each.arg for each in function.args.kwonlyargs), function.args.kw_defaults, strict=True))
    assert {each.arg for each in function.args.kwonlyargs if each.annotation is None} == set()
    assert ast.unparse(defaults["layers"]) == "80"
    assert ast.unparse(defaults["tp"]) == "8"
    assert ast.unparse(defaults["embedding_dim"]) == "None"
    module = python_module(document("llama2-70b", "params.embedding"))
    function = next(each for each in ast.parse(module).body if isinstance(each, ast.FunctionDef))
    assert "Source: vaswani2017" in (ast.get_docstring(function) or "")


def test_hostile_text_stays_within_its_docstring(tmp_path: Path) -> None:
    module = python_module(hostile_document(tmp_path))
    kinds = {type(each).__name__ for each in ast.parse(module).body}
    assert kinds <= {"Expr", "Import", "ImportFrom", "Assign", "FunctionDef", "ClassDef"}
    _, defaults = ran(module, [], tmp_path)
    assert defaults == {"evil_plain_cost": 6.0, "evil_double_script": 18.0}


def test_types_hold(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path = tmp_path / "costs.py"
    path.write_text(python_module(document("llama2-70b", "inference.latency", tp=8)), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--cache-dir",
        str(tmp_path / "cache"),
        str(path),
    ]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout.decode()
