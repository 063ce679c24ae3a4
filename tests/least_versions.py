"""pyproject.toml to the least version of each package that it names, for pip: what `make least` installs."""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_BOUND = re.compile(r"([\w.-]+)>=([\w.]+)")


def least_versions(project: Mapping[str, Any]) -> Iterator[str]:
    """`name==version` for each dependency and each package of an extra that has a least version."""
    for each in (
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ):
        if found := _BOUND.fullmatch(each):
            yield f"{found[1]}=={found[2]}"


def main() -> None:
    """Print them, one on each line."""
    path = Path(__file__).parents[1] / "pyproject.toml"
    sys.stdout.writelines(
        f"{each}\n" for each in least_versions(tomllib.loads(path.read_text(encoding="utf-8"))["project"])
    )


if __name__ == "__main__":
    main()
