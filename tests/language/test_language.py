"""Every good source is read without a finding; every bad one gives exactly the messages that stand beside it."""

import ast
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import formula_eval
from counted import seen
from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph
from formula_eval.language.formatter import chapter_text
from formula_eval.printing.diagnostic import as_json
from formula_eval.printing.text import expression_text
from language.cases import HERE, case_paths, check, checked, load, messages, read

UPDATE = os.environ.get("UPDATE_EXPECTED") == "1"
ENGINE = Path(formula_eval.__file__).parent
BAD = [path for kind in ("syntax", "meaning", "completeness", "limits") for path in case_paths(f"bad/{kind}")]
GOOD = case_paths("good")
SLOW = {"with_bomb_wide", "long_cycle", "many_arguments"}
SOON = [path for path in BAD if path.stem not in SLOW]
MARKED = [*SOON, *(pytest.param(path, marks=pytest.mark.slow) for path in BAD if path.stem in SLOW)]


def _name(path: Path) -> str:
    return path.relative_to(HERE).as_posix()


def _expect(path: Path, text: str) -> None:
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"no {path.name}; UPDATE_EXPECTED=1 writes it"
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", MARKED, ids=_name)
def test_bad(path: Path) -> None:
    """The messages are exactly the expected ones, and none speaks of the parser."""
    text = messages(*checked(path))
    assert text, "nothing was found"
    for word in ("__ANON", "Token", "LPAR", "_NL", "Traceback", "NAME", "Error"):
        assert word not in text
    _expect(path.with_suffix(".txt"), text)


@pytest.mark.parametrize("path", MARKED, ids=_name)
def test_bad_as_data(path: Path) -> None:
    """Every finding has a code, words, and places that lie in the text."""
    case, findings = checked(path)
    for finding in seen(findings):
        data: dict[str, Any] = as_json(finding)
        assert data["code"]
        assert data["message"]
        assert data["help"], data["message"]
        for place in data["places"]:
            lines = case.texts[place["file"]].split("\n")
            assert place["line"] <= place["end_line"] <= len(lines)
            assert place["line"] == 0 or place["column"] <= len(lines[place["line"] - 1]) + 1


@pytest.mark.parametrize("path", GOOD, ids=_name)
def test_good(path: Path) -> None:
    """No finding; the graph is the expected one; printing and reading again changes nothing."""
    case = load(path)
    resolved, findings = check(case)
    assert not findings, messages(case, findings)
    assert resolved.graph is not None
    _expect(path.with_suffix(".txt"), dump(resolved.graph))
    for chapter in read(case)[0]:
        text = chapter_text(chapter)
        again = read(case._replace(texts={chapter.file: text}))[0][0]
        assert again == chapter
        assert chapter_text(again) == text


def dump(graph: FormulaGraph) -> str:
    """Every node on a line: its kind, name and unit, and its lowered expression without what the author wrote."""
    lines = []
    for name, node in graph.nodes.items():
        text = "" if node.expression is None else f" = {expression_text(_bare(node.expression))}"
        guard = "" if node.guard is None else f"  [where {expression_text(_bare(node.guard))}]"
        lines.append(f"{node.kind} {name}{f': {node.unit}' if node.unit else ''}{text}{guard}\n")
    return "".join(lines)


def _bare(x: e.Expression) -> e.Expression:
    """The expression without what the author wrote."""
    x = e.rebuild(x, _bare)
    return replace(x, written="") if isinstance(x, e.Reference | e.Call) else x


def test_every_code_has_a_case() -> None:
    """A code that no case of tests/language/bad shows is a message that nobody has looked at."""
    shown = {finding.code for path in SOON for finding in checked(path)[1]}
    assert {code for _, _, code in _findings() if code} - shown == set()


@pytest.mark.slow
def test_every_finding_has_a_case() -> None:
    """Every line that makes a finding is reached by some case."""
    sought: dict[str, set[int]] = {}
    for file, line, _ in _findings():
        sought.setdefault(file, set()).add(line)

    def note(frame: FrameType, event: str, _: object) -> Any:
        left = within(frame.f_code)
        if not left:
            return None
        if event == "line" and frame.f_lineno in left:
            left.discard(frame.f_lineno)
            sought[frame.f_code.co_filename].discard(frame.f_lineno)
        return note

    @cache
    def within(code: CodeType) -> set[int]:
        return sought.get(code.co_filename, set()).intersection(line for *_, line in code.co_lines())

    before = sys.gettrace()
    try:
        sys.settrace(note)
        for path in SOON:
            check(load(path))
    finally:
        sys.settrace(before)
    assert not any(sought.values()), sought


def _findings() -> Iterator[tuple[str, int, str]]:
    """Where the engine makes a finding about a library, and with what code."""
    makers = {"Diagnostic", "find", "_find", "_at", "_unused"}
    of_questions = ENGINE / "resolve" / "condition.py"
    for path in [*(ENGINE / "language").glob("*.py"), *(ENGINE / "resolve").glob("*.py")]:
        if path == of_questions:
            continue
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call):
                name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
                codes = [text for text in texts if isinstance(text, str) and text.replace("-", "").isalpha()]
                if name in makers:
                    yield str(path), call.lineno, next((code for code in codes if code.islower()), "")
