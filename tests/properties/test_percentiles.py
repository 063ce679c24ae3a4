"""More requests are never served faster, and looser targets are never missed by more of them."""

from itertools import pairwise

import pytest

from formula_eval import Formulas
from properties.test_arrivals import most, values

LOADS = (0.01, 0.3, 0.6, 0.8, 0.95)
TIMES = tuple(f"arrivals.{kind}_p{share}" for kind in ("first_token", "output_token") for share in (50, 95, 99))
SPREADS = {"prompt_spread": 0.6, "generated_spread": 1, "arrival_burstiness": 2}
STEADY = ("llama3-70b", "deepseek-v3", "mamba-2.8b")


def grow(rows: list[list[float]]) -> bool:
    return all(x <= y * (1 + 1e-9) for before, after in pairwise(rows) for x, y in zip(before, after, strict=True))


@pytest.mark.parametrize("model", STEADY)
@pytest.mark.parametrize("spreads", [{}, SPREADS], ids=["alike", "spread"])
def test_percentiles_grow_with_the_rate(model, spreads, formulas: Formulas):
    rate = most(formulas, model)
    rows = [values(formulas, TIMES, model, request_rate=load * rate, **spreads) for load in LOADS]
    assert grow(rows)
    assert all(row[0] <= row[1] <= row[2] and row[3] <= row[4] <= row[5] for row in rows)


@pytest.mark.parametrize("model", STEADY)
def test_fewer_requests_are_late_where_targets_are_looser(model, formulas: Formulas):
    rate = 0.7 * most(formulas, model)
    middle = values(formulas, (TIMES[0], TIMES[3]), model, request_rate=rate, **SPREADS)
    shares = [
        values(
            formulas,
            ("arrivals.late_requests",),
            model,
            request_rate=rate,
            ttft_target=each * middle[0],
            tpot_target=each * middle[1],
            **SPREADS,
        )
        for each in (4, 2, 1, 0.9, 0.5)
    ]
    assert grow(shares)
    assert shares[0][0] < shares[-1][0]
