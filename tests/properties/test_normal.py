"""The normal distribution of formulas/probability against that of Python."""

import math
import shutil
from pathlib import Path
from statistics import NormalDist

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas, load
from samples import samples

FORMULAS = Path(__file__).parents[2] / "formulas"
NORMAL = NormalDist()
ROOT = '''"""The distribution at one place."""

input place = 0 in -40 .. 40
    "Standard deviations above the mean"

input share = 0.5 in 0 .. 1
    "Share that lies below"

tail = probability.normal_tail(place)
    "Share above the place"

quantile = probability.normal_quantile(share)
    "Place below which the share lies"

back = probability.normal_tail(-quantile)
    "Share below that place"
'''


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("distribution")
    shutil.copytree(FORMULAS / "probability", folder / "formulas" / "probability")
    shutil.copy(FORMULAS / "sources.toml", folder / "formulas")
    (folder / "library.toml").write_text('title = "Distribution"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(ROOT, encoding="utf-8")
    return load(folder)


@given(place=st.floats(-37, 37))
@settings(max_examples=samples(300))
def test_the_tail(distribution: Formulas, place: float) -> None:
    exact = math.erfc(place / math.sqrt(2)) / 2
    assert distribution.evaluate(only="tail", place=place).numbers["tail"] == pytest.approx(exact, rel=1e-8)


@given(share=st.one_of(st.floats(1e-300, 1e-3), st.floats(1e-3, 0.999999)))
@settings(max_examples=samples(300))
def test_the_quantile(distribution: Formulas, share: float) -> None:
    found = distribution.evaluate(only=["quantile", "back"], share=share).numbers
    assert found["quantile"] == pytest.approx(NORMAL.inv_cdf(share), rel=2e-7, abs=1e-12)
    assert found["back"] == pytest.approx(share, rel=1e-6 * max(1, found["quantile"] ** 2))
