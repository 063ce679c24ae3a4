"""What the main command prints."""

import json
import os
import shlex
from pathlib import Path

import pytest

from counted import seen
from formula_eval.export.terminal import bars
from formula_eval.export.terminal.screen import screen

GOLDEN = Path(__file__).parent / "golden"
QUESTIONS = {
    "llama2-70b": "--model llama2-70b --tp 8",
    "does-not-fit": "--model llama3.1-405b",
    "experts": "--model mixtral-8x7b --tp 2 --batch 32 --gpu a100-sxm-80gb",
    "latent-experts": "--model deepseek-v3 --tp 8 --ep 8 --weight-bits 8 --gpu h200-sxm --batch 32",
    "state-space": "--model mamba-2.8b --batch 16",
    "encoder-decoder": "--model t5-base --batch 8 --prompt 1 --encoder-prompt 512",
    "under-load": "--model llama3.1-70b --tp 8 --engine vllm --concurrency 64",
    "overloaded": "--model llama3.1-70b --tp 8 --engine vllm --request-rate 60/s",
    "workers-apart": "--model llama3.1-70b --prefill-tp 4 --decode-tp 8 --request-rate 10/s",
    "targets": "--model llama3.1-70b --tp 8 --engine vllm --batch 64 --ttft-target 1s --tpot-target 50ms",
    "training": "--training --model llama3.1-405b --gpus 16384 --tp 8 --pp 16 --global-batch 2048 --seq 8192"
    " --training-tokens 15.6e12",
    "training-fits": "--training --model mixtral-8x7b --gpus 128 --tp 4 --pp 4 --ep 8 --global-batch 512",
}


def without_command(out):
    return out.partition("\nCommand  ")[0]


def hint_of(out):
    return " ".join(without_command(out).partition("\nNext  ")[2].split())


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", QUESTIONS)
def test_golden(name, columns, run, monkeypatch):
    """`UPDATE_GOLDEN=1 pytest tests/cli` writes the files anew; read the difference."""
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, err = run(*QUESTIONS[name].split())
    assert (code, err) == (0, "")
    assert max(len(line) for line in out.splitlines()) <= columns
    path = GOLDEN / f"{name}.{columns}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(out, encoding="utf-8")
    assert out == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("asked", ["--model gpt2", "--training --model gpt2 --training-tokens 1e12"])
def test_without_a_price_no_cost_is_shown_and_one_line_says_what_to_give(asked, run):
    for hardware, stated in (("h100-sxm", True), ("h800", False)):
        out = " ".join(run(*asked.split(), "--gpu", hardware).out.split())
        assert ("USD" in out.replace("give --price '2 USD/hour'", "")) == stated
        assert out.count("give --price '2 USD/hour'") == (not stated)


@pytest.mark.parametrize("format_", ["q4_k_m", "fp8"])
def test_what_is_next_keeps_the_number_format_of_a_name(format_, run):
    named = hint_of(run("--model", f"llama3.1-70b {format_}", "--gpu", "rtx-4090").out)
    assert named
    assert named == hint_of(run("--model", "llama3.1-70b", "--number-format", format_, "--gpu", "rtx-4090").out)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["gpt2", "gemma2-9b", "llama3.1-405b", "falcon-180b"])
@pytest.mark.parametrize("more", ["", "--batch 100000", "--tp 4 --pp 2", "--prompt 1000000"])
def test_no_line_is_too_wide(model, more, run):
    if model == "gpt2" and "tp 4" in more:
        more = "--tp 3"
    code, out, err = run("--model", model, *more.split())
    if code == 0:
        assert max(len(line) for line in out.splitlines()) <= 80
    else:
        assert err


def test_without_blocks_where_the_encoding_lacks_them():
    assert screen(80, "ascii", lambda text, _: text).glyphs.parts[:3] == "#=+"
    assert screen(80, "utf-8", lambda text, _: text).glyphs.parts[:3] == "█▓▒"


def test_no_sign_stands_twice_in_a_bar():
    for glyphs in (bars.UNICODE, bars.ASCII):
        assert len(set(glyphs.parts + glyphs.free + glyphs.rest)) == len(glyphs.parts) + 2


def test_what_does_not_fit_names_the_smallest_tp_that_does(run):
    out = run("--model", "llama2-70b").out
    assert "does not fit" in out
    tp = hint_of(out).split("--tp ")[1].split()[0]
    assert run("--model", "llama2-70b", "--tp", tp, "--only", "memory.fits").out.split()[-1] == "yes"
    half = str(int(tp) // 2)
    assert run("--model", "llama2-70b", "--tp", half, "--only", "memory.fits").out.split()[-1] == "no"


def test_a_job_that_fits_nowhere_is_answered_and_says_so(run):
    code, out, err = run("--training", "--model", "llama3.1-405b", "--gpu", "rtx-4090")
    assert (code, err) == (0, "")
    assert "warn  Does not fit: 7.969 TB of 25.76 GB per GPU, most of it states." in out
    assert json.loads(run("--training", "--model", "llama3.1-405b", "--format", "json").out)["values"]


def test_the_largest_batch_of_the_hint_fits_and_one_more_does_not(run):
    hint = hint_of(run("--model", "llama2-70b", "--tp", "4", "--batch", "100000").out)
    most = int(hint.split("--batch ")[1].split()[0])
    fits = ("--model", "llama2-70b", "--tp", "4", "--only", "memory.fits", "--batch")
    assert run(*fits, str(most)).out.split()[-1] == "yes"
    assert run(*fits, str(most + 1)).out.split()[-1] == "no"


def test_options_that_change_nothing_are_told(run):
    code, out, err = run("--model", "llama2-70b", "--global-batch", "4", "--tp", "8")
    plain = run("--model", "llama2-70b", "--tp", "8").out
    assert (code, without_command(out)) == (0, without_command(plain))
    assert err.startswith("note: --global-batch has no effect on this answer: Sequences of one optimizer step")
    assert run("--training", "--model", "llama2-70b", "--gpus", "8").err == ""
    assert "--batch has no effect" in run("--training", "--model", "llama2-70b", "--set", "batch=4").err


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("--model llama3.1-70b --tp 8 --engine vllm", "engine vllm-1"),
        ("--model llama2-7b --memory-bandwidth 2.5TB/s", "memory bandwidth 2.5 TB/s"),
        ("--model llama2-7b --number-format fp8", "number format fp8"),
        ("--model llama2-7b --family ampere", "family ampere"),
        ("--training --model llama2-7b --gpus 8 --pp 8 --schedule interleaved --virtual-stages 4", "virtual stages 4"),
        ("--training --model llama2-7b --gpus 16", "accelerators 16 "),
    ],
)
def test_what_was_set_is_shown_as_set(asked, shown, run):
    block = run(*asked.split()).out.partition("\n\n")[0]
    assert shown in " ".join(block.split())
    assert f"{shown.strip()} *" not in " ".join(block.split())
    assert "gpus" not in block


def test_figures_of_all_replicas_are_called_so(run):
    out = run("--model", "llama3.1-70b", "--gpus", "8", "--tp", "4", "--concurrency", "107").out
    load = out.partition("\nUnder load")[2].partition("\n\n")[0].splitlines()
    at = next(number for number, line in enumerate(load) if "finished by all replicas" in line)
    both = [float(line.split()[-2]) for line in load[at : at + 2]]
    assert load[at + 1].split()[:3] == ["of", "a", "replica"]
    assert both[0] == pytest.approx(2 * both[1], rel=1e-3)
    assert "finished  " not in "\n".join(load)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_last_line_asks_the_same_again(name, run, monkeypatch):
    """The command at the end, broken over lines as a shell reads it, gives the same answer."""
    monkeypatch.setenv("COLUMNS", "80")
    out = (GOLDEN / f"{name}.80.txt").read_text(encoding="utf-8")
    _, command = out.split("\nCommand  formula-eval ")
    assert run(*shlex.split(command.replace("\\\n", " "))).out == out


def test_drafts_and_offload_are_answered_where_they_are_asked_for(run):
    plain = run("--model", "llama2-70b", "--tp", "8")
    drafted = run("--model", "llama2-70b", "--tp", "8", "--drafted-tokens", "4", "--drafter", "lookup")
    offloaded = run("--model", "llama2-70b", "--gpu", "t4", "--offloaded-weights", "0.95")
    assert "without drafts" not in plain.out
    assert "offloaded" not in plain.out
    assert "drafted 4 tokens" in " ".join(drafted.out.split())
    assert "without drafts 10.16 ms" in " ".join(drafted.out.split())
    assert "weights offloaded 0.95" in " ".join(offloaded.out.split())
    assert "waiting for what is offloaded" in offloaded.out
    assert "without offload" in offloaded.out
    assert plain.err == drafted.err == offloaded.err == ""


def test_an_encoder_has_no_figures_of_generation(run):
    out = run("--model", "bert-base").out
    assert out.count("time to read an input") == 2  # beneath the operators and at the head
    assert not any(
        each in out
        for each in ("first token", "generated  ", "KV cache", "output token", "throughput", "whole request")
    )


def test_a_choice_that_nobody_made(run):
    """What was named is refused; what a glob found is left out, and told of within the screen."""
    asked = "--model", "llama2-70b", "--only"
    code, out, err = run(*asked, "operators.fixed_time")
    assert (code, out) == (2, "")
    assert err.startswith(
        "`operators.fixed_time` needs `phase`, which is not chosen\nhelp: `--phase prefill` or `--phase"
    )
    code, out, err = run(*asked, "operators.*_time")
    assert (code, err) == (0, "")
    assert "have no value without `--phase prefill` or `--phase decode`:\n`operators.kernel_time`" in out
    assert max(map(len, out.splitlines())) <= 80
    assert "operators.fixed_time" in run(*asked, "operators.*_time", "--phase", "decode").out
    data = json.loads(run(*asked, "operators.fixed*", "--only", "params.total", "--format", "json").out)
    assert list(data["values"]) == ["params.total"]
    assert data["checks"][-1]["message"] == (
        "`operators.fixed_time` has no value without `--phase prefill` or `--phase decode`"
    )


def test_options_and_set_mean_the_same(run):
    as_option = run("--model", "llama2-70b", "--tp", "8", "--kv-bits", "8", "--only", "memory.*").out
    assert as_option == run("--model", "llama2-70b", "--set", "tp=8", "--set", "kv_bits=8", "--only", "memory.*").out


def test_flags(run):
    def matrices(*more: str) -> str:
        return run("--model", "llama2-70b", "--only", "params.ffn_matrices", *more).out.split()[1]

    assert matrices() == "3"
    assert matrices("--no-gated") == matrices("--gated", "false") == matrices("--gated=no") == "2"
    assert matrices("--gated") == "3"


@pytest.mark.slow
def test_every_accelerator_evaluates(run):
    for line in seen(run("list", "hardware", "--format", "json").out.split('"id": "')[1:]):
        accelerator = line.partition('"')[0]
        code, _, err = run("--model", "llama2-7b", "--gpu", accelerator, "--only", "inference.tpot")
        assert (code, err) == (0, ""), accelerator


@pytest.mark.parametrize(
    "asked",
    [
        "--model llama2-70b --tp 8",
        "--model mixtral-8x7b --tp 4 --pp 2 --batch 7 --generated 3000",
        "--model t5-base --batch 8 --encoder-prompt 512",
        "--model bert-base",
    ],
)
def test_the_headline_adds_up_from_the_table(asked, run):
    """Kernels to a total, and from there by the rows beneath it to the time that heads the answer."""
    values = json.loads(run(*asked.split(), "--format", "json").out)["values"]
    text = run(*asked.split(), "--format", "markdown").out.split("## Where the time goes\n")[1].partition("\n## ")[0]
    head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in text.strip().splitlines())
    for column, figure in ((1, "inference.ttft"), (4, "inference.tpot")):
        if column >= len(head):
            continue
        unit = {"s": 1.0, "ms": 1e-3, "us": 1e-6}[head[column].split(", ")[1]]
        cells = {row[0]: float(row[column].replace(",", "")) for row in rows if row[column][:1] not in ("", "<")}
        titles = list(cells)
        total = titles.index("total")
        ends = {
            "inference.ttft": {"time to first token", "time to read an input"},
            "inference.tpot": {"time per output token"},
        }
        last = next(each for each in titles if each in ends[figure])
        after = [cells[each] for each in titles[total + 1 :] if each != last]
        assert sum(cells[each] for each in titles[:total]) == pytest.approx(cells["total"], rel=0.005)
        assert cells["total"] + sum(after) == pytest.approx(cells[last], rel=0.001)
        assert cells[last] * unit == pytest.approx(values[figure]["value"], rel=0.001)
