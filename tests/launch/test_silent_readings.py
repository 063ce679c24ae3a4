"""Readings that were wrong and untold: scripts of TRL by path, Helm's false values, matrices left out, a tiled MLP."""

from pathlib import Path

import pytest
import tomli

CASES = tomli.loads((Path(__file__).parent / "told.toml").read_text())["case"]
TORCHTUNE = """model:
  _component_: torchtune.models.llama3_1.lora_llama3_1_8b
  lora_attn_modules: [q_proj, v_proj, output_proj]
  apply_lora_to_mlp: true
  lora_rank: 8
tokenizer: {max_seq_len: 2048}
batch_size: 2
"""
AXOLOTL = "base_model: Qwen/Qwen3-8B\nsequence_len: 4096\nmicro_batch_size: 1\ntiled_mlp: true\n"


@pytest.mark.parametrize("case", CASES, ids=[f"{n}-{each['text'].split()[0]}" for n, each in enumerate(CASES)])
def test_nothing_is_read_otherwise_or_left_out_without_a_word(case, formulas, tmp_path):
    given = case["text"]
    if "file" in case:
        path = tmp_path / f"config.{case['file']}"
        path.write_text(given)
        given = str(path)
    launch = formulas.read_launch(given, **case.get("beside", {}))
    told = " ".join(each for _, each in launch.remaining)
    assert launch.program == case.get("program", launch.program)
    assert {name: launch.stated.get(name) for name in case.get("expect", {})} == case.get("expect", {})
    assert not launch.stated.keys() & {*case.get("absent", [])}
    assert list(launch.unknown) == case.get("unknown", [])
    assert all(each in told for each in case.get("told", [])), told
    assert dict(launch.without_effect).items() >= case.get("idle", {}).items()
    assert "untold" not in case or case["untold"] not in told


def test_a_script_of_trl_recomputes(formulas):
    text = "accelerate launch examples/scripts/sft.py --model_name_or_path Qwen/Qwen3-8B --max_length 2048"
    launch = formulas.read_launch(text)
    assert (launch.program, launch.stated["recompute"]) == ("trl", "full")


def test_a_false_value_of_helm_is_heeded(formulas):
    text = "vllmConfig:\n  enableChunkedPrefill: false\n  maxModelLen: 32768\nmodelURL: Qwen/Qwen3-8B\n"
    assert formulas.read_launch(text).stated["chunk_tokens"] == 32768


@pytest.mark.parametrize(("text", "told"), [(TORCHTUNE, "leaves some of attention out"), (AXOLOTL, "in tiles")])
def test_what_is_not_counted_is_told(text, told, formulas):
    assert any(told in each for _, each in formulas.read_launch(text).remaining)


def test_a_file_that_says_otherwise_than_the_command_is_told(formulas, tmp_path):
    (tmp_path / "ds.json").write_text('{"train_batch_size": 8}')
    shape = "--num-layers 2 --hidden-size 64 --num-attention-heads 4 --seq-length 64 --vocab-size 100"
    script = tmp_path / "run.sh"
    script.write_text(
        f"deepspeed pretrain_gpt.py {shape} --global-batch-size 16 --deepspeed --deepspeed_config ds.json"
    )
    launch = formulas.read_launch(str(script))
    assert any("--global-batch-size says 16 and train_batch_size says 8: 8 counts" in each for each in launch.remarks)
