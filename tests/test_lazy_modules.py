"""Modules of a package load when they are first used, whatever was loaded before."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "name", ["export.sweep.row_formats.text_rows", "export.row_formats.text_rows", "ask.solve.solve"]
)
def test_a_module_loads_itself(name: str) -> None:
    package = name.partition(".")[0]
    subprocess.run([sys.executable, "-c", f"from formula_eval import {package}; {name}"], check=True)


def test_what_is_no_module_is_no_attribute() -> None:
    from formula_eval import export  # noqa: PLC0415 - its attributes are what is tested

    with pytest.raises(AttributeError, match="has no attribute 'sweeep'"):
        export.sweeep  # noqa: B018 - read once
