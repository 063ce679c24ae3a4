"""Each package that pyproject.toml names has a least version, and `make least` installs that one."""

import re
import tomllib
from pathlib import Path

from least_versions import least_versions

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_every_dependency_and_extra_is_pinned_at_its_least() -> None:
    extras = PROJECT["optional-dependencies"]
    named = {*PROJECT["dependencies"], *(each for name in extras if name != "dev" for each in extras[name])}
    outside = {each for each in named if not each.startswith("formula-eval[")}
    assert outside
    assert outside <= {each.replace("==", ">=") for each in least_versions(PROJECT)}


def test_a_version_is_taken_as_it_is_written() -> None:
    extras = {"a": ["one-two>=1.10.2", "formula-eval[b]"], "b": ["unbound"]}
    assert [*least_versions({"dependencies": ["zero>=3"], "optional-dependencies": extras})] == [
        "zero==3",
        "one-two==1.10.2",
    ]


def test_all_has_what_no_developer_needs_alone() -> None:
    extras = PROJECT["optional-dependencies"]
    assert all(set(re.findall(r"\w+", each)) - {"formula", "eval"} <= set(extras) for each in extras["all"])
