"""What a search of training layouts prefers: the simpler of nearly equal ones, and no offload that nobody asked for."""

from counted import seen

ASKED = {
    "answer": "training",
    "model": "gpt2",
    "hardware": "a100-sxm-80gb",
    "gpus": 8,
    "global_batch": 64,
    "tp": 1,
    "pp": 1,
    "virtual_stages": 1,
    "schedule": "one_f_one_b",
    "micro_batch": 8,
    "recompute": "none",
    "zero_stage": [1, 3],
    "cp": [1, 2],
}
OFFLOADS = ("optimizer_offload", "activation_offload", "weight_offload")


def test_offload_stays_out_unless_it_is_asked(formulas):
    found = formulas.search(**ASKED)
    assert not {*OFFLOADS} & {*found.best}
    asked = formulas.search(**ASKED, optimizer_offload=[0, 1])
    assert asked.counts.tried == 2 * found.counts.tried


def test_each_complication_counts_as_the_premium(formulas):
    for row in seen(formulas.search(**ASKED).runners_up):
        premium = row["training.planned_step_time"] / row["training.step_time"] - 1
        assert abs(premium - 0.1 * (row["cp"] > 1)) < 1e-12


def test_the_simpler_of_nearly_equal_layouts_is_taken(formulas):
    asked = ASKED | {"recompute": ["none", "full"], "where": "training.device_bytes <= 6.5 GB"}
    fastest, simplest = (formulas.search(**asked, simplicity_premium=each).best for each in (0, 0.1))
    assert (fastest["cp"], simplest["cp"]) == (2, 1)
    assert fastest["training.step_time"] < simplest["training.step_time"] < 1.1 * fastest["training.step_time"]
