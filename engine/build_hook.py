"""Compiles the built-in formulas when the package is built, so that a first answer need not read them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ENGINE = Path(__file__).parent


class CompileLibrary(BuildHookInterface[Any]):
    """Fills `formula_eval/compiled`, a cache that the package carries and nobody writes to."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and add the result to the wheel; an editable package finds it beside its modules."""
        # A fixed seed keeps the order of sets, so that every build gives the same bytes.
        subprocess.run([sys.executable, __file__], env=os.environ | {"PYTHONHASHSEED": "0"}, check=True)  # noqa: S603
        if version != "editable":
            build_data["force_include"][str(ENGINE / "formula_eval" / "compiled")] = "formula_eval/compiled"


def compile_library() -> None:
    """Fill the folder anew, unless its entries belong to the formulas and the engine as they stand."""
    sys.path.insert(0, str(ENGINE))
    from formula_eval.ask.evaluate import EvaluateRequest, evaluate  # noqa: PLC0415 - the package that is being built
    from formula_eval.cache import Cache  # noqa: PLC0415
    from formula_eval.evaluate.evaluator import STAMPED, Evaluator  # noqa: PLC0415
    from formula_eval.evaluate.program import Program  # noqa: PLC0415
    from formula_eval.export.terminal.answer_text import answer_text  # noqa: PLC0415
    from formula_eval.export.terminal.screen import Screen  # noqa: PLC0415
    from formula_eval.language.reader import PARSER  # noqa: PLC0415
    from formula_eval.libraries import find_library  # noqa: PLC0415
    from formula_eval.library import COMPILED  # noqa: PLC0415
    from formula_eval.records.givens import Question  # noqa: PLC0415
    from formula_eval.records.roles import roles_of  # noqa: PLC0415

    class Portable(Cache):
        """A cache without what holds on this disk alone, or the parser's tables, which Lark orders by address."""

        def put(self, key: str, payload: bytes) -> None:
            if not key.startswith((STAMPED, PARSER)):
                super().put(key, payload)

    class Whole(Evaluator):
        """Makes of each program what its messages need too, so that an error of the package's user reads no formula."""

        def program(self, wanted: Sequence[str]) -> Program:
            found = super().program(wanted)
            found.rows  # noqa: B018 - kept by the cache
            return found

    evaluator = Whole(find_library(), Portable(COMPILED))
    if evaluator.is_compiled:
        return
    shutil.rmtree(COMPILED, ignore_errors=True)
    for purpose in roles_of(evaluator.library).purposes:
        question = Question({"model": "llama2-70b"}, purpose=purpose)
        answer_text(evaluate(evaluator, EvaluateRequest(question)), "table", Screen(width=80))
    for entry in COMPILED.iterdir():
        entry.chmod(0o644)  # those of a user's own cache are private


if __name__ == "__main__":
    compile_library()
