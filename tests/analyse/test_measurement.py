"""Kernels of a device are timed once each, and what is written is what `calibrate` and `--gpu` read."""

import math
import types

import pytest

from formula_eval.analyse.calibration.run_table import read_runs
from formula_eval.analyse.measurement import measurement as measurement_module, torch_device as torch_device_module
from formula_eval.analyse.measurement.measurement import Probes, measure
from formula_eval.analyse.measurement.numpy_device import NumpyDevice
from formula_eval.analyse.measurement.torch_device import TorchDevice, torch_device
from formula_eval.cli import main
from formula_eval.export.measurement_files import measure_layout, record_text, runs_text
from formula_eval.records.givens import Question

TINY = Probes(0.0001, [(8, 4, 2), (1, 16, 16)], [4096, 64], [(1, 8, 2, 4)], [1024])


class Recorder:
    """A device that only keeps what it was asked for."""

    name, bits, memory, count = "Two of them", 16, 1e9, 2

    def __init__(self):
        self.ran = []
        self.waits = 0

    def wait(self):
        self.waits += 1

    def kernel(self, *sizes):
        return lambda: self.ran.append(sizes)

    product = copy = attention = empty = all_reduce = kernel


@pytest.fixture(scope="module")
def cpu():
    return measure(NumpyDevice(), TINY)


def test_each_kernel_is_timed(cpu):
    assert [(each.kind, each.sizes) for each in cpu.timings] == [
        ("empty", ()),
        ("product", (8, 4, 2)),
        ("product", (1, 16, 16)),
        ("copy", (64,)),
        ("copy", (4096,)),
        ("attention", (1, 8, 2, 4)),
    ]
    assert all(0 < each.seconds < math.inf for each in cpu.timings)
    assert cpu.rate == max(2 * math.prod(each.sizes) / each.seconds for each in cpu.timings if each.kind == "product")
    assert cpu.bandwidth == 2 * 4096 / next(each.seconds for each in cpu.timings if each.sizes == (4096,))


def test_all_sizes_are_asked_for_and_the_device_is_waited_for():
    device = Recorder()
    told = []
    found = measure(device, TINY, told.append)
    assert {(), (8, 4, 2), (1, 16, 16), (64,), (4096,), (1, 8, 2, 4), (1024,)} == set(device.ran)
    assert found.timings[-1].sizes == (1024, 2)
    assert len(told) == TINY.total == 7
    assert device.waits >= len(found.timings) * 2


def test_what_does_not_fit_is_left_out():
    device = NumpyDevice()
    device.memory = 100.0
    found = measure(device, TINY)
    assert [each.kind for each in found.timings] == ["empty"]
    assert found.rate == found.bandwidth == 0


def test_numpy_attention_weighs_values():
    run = NumpyDevice().attention(1, 8, 2, 4)
    assert run is not None
    result = run()
    assert result.shape == (1, 2, 8, 4)
    assert abs(result).max() < 4


def test_an_accelerator_is_looked_for(monkeypatch):
    torch = types.SimpleNamespace(cuda=types.SimpleNamespace(is_available=lambda: False))
    monkeypatch.setattr(torch_device_module, "import_module", lambda _: torch)
    assert torch_device() is None

    def missing(_):
        raise ModuleNotFoundError

    monkeypatch.setattr(torch_device_module, "import_module", missing)
    assert torch_device() is None


def test_one_accelerator_sums_nothing():
    properties = types.SimpleNamespace(name="H100", total_memory=8e10)
    cuda = types.SimpleNamespace(get_device_properties=lambda _: properties, device_count=lambda: 1)
    device = TorchDevice(types.SimpleNamespace(cuda=cuda, device=lambda *_: "cuda:0"))
    assert device.all_reduce(1024) is None
    assert device.product(10**6, 10**6, 10**6) is None


@pytest.mark.slow
def test_what_is_written_is_read_again(cpu, formulas, tmp_path):
    evaluator = formulas.evaluator
    layout = measure_layout(evaluator.library, evaluator.schema, "quick")
    (tmp_path / "runs.csv").write_text(runs_text(cpu, layout, evaluator.schema), encoding="utf-8")
    (tmp_path / "mine.toml").write_text(record_text(cpu, layout, evaluator.schema), encoding="utf-8")
    runs = read_runs(evaluator, Question({"hardware": str(tmp_path / "mine.toml")}), tmp_path / "runs.csv")
    assert [each.measured for each in runs] == [each.seconds for each in cpu.timings]
    assert {each.quantity.partition(".")[0] for each in runs} == {"microbenchmark"}
    assert runs[1].givens.values["gemm_columns"] == 4
    assert runs[0].givens.values["peak_32"] == pytest.approx(cpu.rate, rel=1e-5)
    assert (tmp_path / "runs.csv").read_text(encoding="utf-8").startswith("training_bits,gemm_rows,")


@pytest.mark.slow
def test_the_command_writes_both_files(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(measurement_module, "timed", lambda *_: 0.001)
    monkeypatch.setenv("COLUMNS", "80")
    files = [str(tmp_path / name) for name in ("runs.csv", "mine.toml")]
    assert main(["measure", "--cpu", "--quick", "-o", files[0], "--record", files[1]]) == 0
    out, err = capsys.readouterr()
    assert max(map(len, out.splitlines())) <= 80
    assert err.count("written.") == 2
    assert main(["--model", "llama2-7b", "--gpu", files[1], "--only", "tpot"]) == 0
    assert main(["calibrate", files[0], "--gpu", files[1], "--fit", "memory_efficiency"]) == 0


@pytest.mark.parametrize("size", ["quick", "full"])
def test_every_kernel_has_a_quantity(formulas, size):
    layout = measure_layout(formulas.evaluator.library, formulas.evaluator.schema, size)
    widths = {"product": 3, "copy": 1, "attention": 4, "all_reduce": 2, "empty": 0}
    assert {kind: len(each["sizes"]) for kind, each in layout.kernels.items()} == widths
    assert all(len(each) == 3 for each in layout.probes.products)
    assert all(len(each) == 4 for each in layout.probes.attention)
