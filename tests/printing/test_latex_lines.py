"""Equations of a paper on lines of their own: what is too wide for one, and what must not run together."""

from formula_eval.printing.latex_lines import latex_lines
from printing.rows import written

PIECES = """rest * part
    where rest = layers - first_layers
    where part = second_part / rest"""


def lines(text: str, line: float) -> list[str]:
    return latex_lines(written(text), lambda _: "", line)


def test_pieces_stand_beneath_what_reads_them() -> None:
    assert len(lines(PIECES, 200)) == 1
    value, *pieces = lines(PIECES, 50)
    assert value == r"\mathrm{rest} \cdot \mathrm{part}"
    assert [each.partition("=")[0].strip() for each in pieces] == [
        r"\quad \text{where } \mathrm{rest}",
        r"\quad \text{where } \mathrm{part}",
    ]


def test_digits_of_two_factors_do_not_run_together() -> None:
    assert lines("2 * 3 ** 4", 100) == [r"2 \cdot {3}^{4}"]
