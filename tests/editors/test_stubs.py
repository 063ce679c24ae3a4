"""The types of the Python interface's keywords are those of the inputs that there are."""

import os
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "editors" / "stubs.py"))


def test_the_keywords_are_our_inputs():
    path, stub = SCRIPT["STUB"], SCRIPT["stub"]()
    if "UPDATE_DOCS" in os.environ:
        path.write_text(stub, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == stub, "`python editors/stubs.py` writes it anew"
    assert '    attention_kernel: Literal["fused", "unfused"]\n' in stub
    assert "    tp: Whole | Sequence[Whole]\n" in stub
