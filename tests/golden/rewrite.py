"""Formulas as they are now to numbers.csv, and to what moved in it, in the form that CHANGELOG quotes."""

from pathlib import Path

from formula_eval import load
from formula_eval.libraries import shipped_libraries
from golden import numbers, of_libraries


def main() -> None:
    """Rewrite the tables of ours and of each shipped library, and print each number that moved."""
    rewrite(numbers.NUMBERS, numbers.computed(load().evaluator))
    for library in shipped_libraries():
        rewrite(of_libraries.file_of(library), of_libraries.computed(library))


def rewrite(path: Path, after: numbers.Table) -> None:
    """Rewrite one table and print each number that moved."""
    before = numbers.read(path) if path.exists() else {}
    numbers.write(after, path)
    lines = list(numbers.moved(before, after))
    print("\n".join(lines or [f"{path.name}: no number moved."]))  # noqa: T201 - what the command is for


if __name__ == "__main__":
    main()
