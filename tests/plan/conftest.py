"""The plan that the tests of this folder share."""

import pytest

ASKED = {
    "model": "llama3-8b",
    "tp": 1,
    "pp": 1,
    "prompt": 2000,
    "generated": 300,
    "ttft_target": "1 s",
    "tpot_target": "25 ms",
    "late_share": 0.2,
}


@pytest.fixture(scope="session")
def plan(formulas):
    """One accelerator that keeps the targets, and one whose memory is too small for the model."""
    busy = {"request_rate": "20 request/s", "peak_to_mean": 2, "electricity_price": "0.1 USD/kWh"}
    return formulas.plan(**ASKED, **busy, gpu=["t4", "h100-sxm"])
