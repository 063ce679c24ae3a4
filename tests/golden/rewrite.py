"""Formulas as they are now to numbers.csv, and to what moved in it, in the form that CHANGELOG quotes."""

from formula_eval import load
from golden import numbers


def main() -> None:
    """Rewrite the table and print each number that moved."""
    before = numbers.read() if numbers.NUMBERS.exists() else {}
    after = numbers.computed(load().evaluator)
    numbers.write(after)
    lines = list(numbers.moved(before, after))
    print("\n".join(lines or ["No number moved."]))  # noqa: T201 - what the command is for


if __name__ == "__main__":
    main()
