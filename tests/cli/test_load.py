"""What the main command says of a server under load, of a static batch, and of targets."""

import json
import re

import pytest

SERVER = ("--model", "llama3.1-70b", "--tp", "8", "--engine", "vllm")
LOADS = [("--concurrency", "64"), ("--request-rate", "10/s"), ("--concurrency", "3000"), ("--request-rate", "31/s")]


def section(text: str, title: str) -> str:
    """The lines of one block."""
    return next((block for block in text.split("\n\n") if block.startswith(title)), "")


def shown(text: str) -> dict[str, str]:
    """Titles and values of a block."""
    return dict(re.findall(r"^  (\S.*?)  +(\S+(?: [a-zA-Z%/]+)?)", text, re.MULTILINE))


@pytest.mark.parametrize("load", LOADS, ids=" ".join)
def test_a_load_is_answered(load, run):
    code, out, err = run(*SERVER, *load)
    assert (code, err) == (0, "")
    found = shown(section(out, "Under load"))
    values = json.loads(run(*SERVER, *load, "--format", "json").out)["values"]
    assert set(found) >= {"running at once", "utilization", "time to first token", "throughput", "1M output tokens"}
    assert ("waiting" in found) == ("of it waiting" in found) == values["inference.is_queueing"]["value"]
    assert found["utilization"] == f"{100 * values['inference.utilization']['value']:.4g}%"
    assert "## Under load" in run(*SERVER, *load, "--format", "markdown").out


def test_a_batch_is_static_and_says_so(run):
    assert "Static batch" not in run(*SERVER).out
    assert "Under load" not in run(*SERVER, "--batch", "64").out
    block = section(run(*SERVER, "--batch", "64").out, "Speed and cost")
    assert "Static batch: all 64 prompts are prefilled together." in block
    assert "--concurrency 64" in block
    assert "Static batch" not in section(run(*SERVER, "--batch", "64").out, "Worth knowing")


def test_more_than_a_server_sustains(run):
    block = section(run(*SERVER, "--request-rate", "60/s").out, "Under load")
    assert "Unstable: 60 requests/s offered, 33.87 requests/s sustained." in block
    assert shown(block)["time to first token"] == "infinite"
    assert "Unstable" not in run(*SERVER, "--request-rate", "31/s").out


def test_clients_and_arrivals_together(run):
    block = section(run(*SERVER, "--request-rate", "5/s", "--concurrency", "16").out, "Under load")
    assert "at most 16 of the arriving requests run at once" in " ".join(block.split())


@pytest.mark.parametrize("load", [("--concurrency", "4"), ("--request-rate", "100/s")], ids=" ".join)
def test_an_encoder_under_load_only_reads(load, run):
    """Inputs a second and their latency; nothing of tokens that nobody generates."""
    out = run("--model", "bert-base", "--gpu", "l4", *load, "--price", "1 USD/hour").out
    block = section(out, "Under load")
    assert all(each in block for each in ("latency of an input", "inputs read", "1M inputs"))
    assert not any(each in out for each in ("output token", "Decode", "decode step", "larger batch"))


def test_an_encoder_reads_no_more_than_its_arithmetic_allows(run):
    """Two FLOP for each weight and token, at the peak of an L4."""
    names = ("inference.most_requests_per_second", "params.active_compute")
    asked = ("--model", "bert-base", "--gpu", "l4", "--request-rate", "1000/s", "--format", "json")
    found = json.loads(run(*asked, *(part for name in names for part in ("--only", name))).out)["values"]
    rate, weights = (found[name]["value"] for name in names)
    assert rate * 512 * 2 * weights < 121e12


@pytest.mark.slow
@pytest.mark.parametrize(
    "targets",
    [("--ttft-target", "1s"), ("--tpot-target", "20ms"), ("--ttft-target", "500ms", "--tpot-target", "40ms")],
    ids=" ".join,
)
@pytest.mark.parametrize("load", [("--batch", "64"), ("--concurrency", "64"), ("--request-rate", "10/s")], ids=" ".join)
def test_the_largest_load_meets_the_targets_and_the_next_misses_one(targets, load, run):
    block = section(run(*SERVER, *load, *targets).out, "Targets")
    found = dict(re.findall(r"most: --(\S+) (\S+)", block))
    asked = ["--batch", "--concurrency", "--request-rate"]
    assert [f"--{each}" for each in found] == asked[asked.index(load[0]) :]
    for option, value in found.items():
        flag = "inference.batch_targets_met" if option == "batch" else "inference.targets_met"
        number, slash, unit = value.replace(",", "").partition("/")
        more = f"{float(number) * 1.01:.6g}" if slash else str(int(number) + 1)
        met = [
            run(*SERVER, *targets, f"--{option}", f"{each}{slash}{unit}", "--only", flag).out.split()[-1]
            for each in (number, more)
        ]
        assert met == ["yes", "no"], (option, value)


def test_a_target_that_nothing_meets(run):
    out = run(*SERVER, "--tpot-target", "1ms").out
    assert [line.strip() for line in out.splitlines() if "none:" in line] == [
        f"none: not even --{each}" for each in ("batch", "concurrency", "request-rate")
    ]
    assert "11.12 ms missed" in out
