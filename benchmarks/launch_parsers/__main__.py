"""Whether the parser of each program accepts what is written for it, at random: `python -m benchmarks.launch_parsers`.

`--python` names the interpreters to look for the programs in; nothing is installed.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests")]

from formula_eval import load  # noqa: E402 - as below
from formula_eval.evaluate.evaluator import Evaluator  # noqa: E402
from formula_eval.export.launch import launch_for  # noqa: E402
from formula_eval.launch.launch_reader import silent_launch  # noqa: E402
from formula_eval.launch.tables.launch_program import LaunchProgram  # noqa: E402
from formula_eval.launch.to_options import RECORD, options_for, tables_of, words_of  # noqa: E402
from formula_eval.launch.write.launch_values import FILES, programs_to_write  # noqa: E402
from formula_eval.records.givens import Question  # noqa: E402
from formula_eval.records.launch_reading import Beside  # noqa: E402
from formula_eval.records.record_files import find_record  # noqa: E402
from formula_eval.records.record_values import read_record  # noqa: E402
from launch.random_values import values_for  # noqa: E402 - needs the tests on the path

# Programs, and the modules beside this one that hold their parsers.
PARSERS = {
    "vllm": "vllm",
    "sglang": "sglang",
    "torchtitan": "torchtitan",
    "trl": "trl",
    "trl-grpo": "trl_grpo",
    "transformers": "trl",
    "deepspeed": "deepspeed",
    "accelerate": "accelerate",
    "axolotl": "axolotl",
    "llama-factory": "llama_factory",
    "torchtune": "torchtune",
    "megatron-lm": "megatron_lm",
    "maxtext": "maxtext",
    "llama.cpp": "llama_cpp",
    "llama-cookbook": "llama_cookbook",
}
MANIFESTS = ("kubernetes", "kserve")
MODEL, HUB_MODEL = "llama3.1-70b", "meta-llama/Llama-3.1-70B"
HARDWARE = "h200-sxm"
STAGES = 16  # which share its 80 layers
SEQUENCE = 4096  # tokens, which so many accelerators may share


def main() -> int:
    """Print a line for each program; end with 1 if something was refused."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--python", action="append", default=[], help="an interpreter that has some of the programs")
    asked.add_argument("--number", type=int, default=200, help="texts for each program")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--only", action="append", default=[], help="a program, such as vllm")
    wanted = asked.parse_args()
    evaluator = load().evaluator
    programs = programs_to_write(evaluator)
    choose = Random(wanted.seed)  # noqa: S311 - draws configurations
    texts: dict[str, list[Any]] = {
        name: [_text(programs[name], evaluator, choose) for _ in range(wanted.number)]
        for name in PARSERS
        if not wanted.only or name in wanted.only
    }
    containers = [each for each in programs.values() if each.images and each.form not in FILES]
    for shape in (each for each in MANIFESTS if not wanted.only or each in wanted.only):
        texts[shape] = [_manifest(each, shape, evaluator) for each in containers]
    refused = [_held(name, each, [*wanted.python, sys.executable]) for name, each in texts.items()]
    return int(any(refused))


def _text(program: LaunchProgram, evaluator: Evaluator, choose: Random) -> list[str] | Mapping[str, Any]:
    """The words behind a command, or the tables of a file, of a random configuration."""
    library, schema = evaluator.library, evaluator.schema
    beside = Beside({"hardware": HARDWARE}, {})
    accelerator = read_record(find_record(library, schema, "hardware", HARDWARE), schema, whole=False).values
    values = {**values_for(program, schema, choose), "model": HUB_MODEL, RECORD: MODEL, "accelerator": accelerator}
    _fit(values)
    if program.form in FILES:  # whose batches must multiply
        values["global_batch"] = 8 * values.setdefault("micro_batch", 1) * values.setdefault("micro_batches", 1)
    silent = {**silent_launch(program, MODEL, library, schema, beside).stated, "model": None}
    options = list(options_for(program, values, silent, library))
    if program.form in FILES:
        return tables_of(options)
    named = [HUB_MODEL] if program.positional else []
    return [
        *named,
        *(word for each in options if each.option != program.positional for word in words_of(each, program)),
    ]


def _fit(values: dict[str, Any]) -> None:
    """Leave what can be laid out: stages that share the layers, long sequences, adapters of a tuning by some."""
    if "pp" in values:
        values["pp"] = min(values["pp"], STAGES)
    if "seq" in values:
        values["seq"] = max(values["seq"], SEQUENCE)
    if values.get("tuning", "full") == "full":
        values.pop("lora_rank", None)
        values.pop("lora_targets", None)


def _manifest(program: LaunchProgram, shape: str, evaluator: Evaluator) -> str:
    question = Question({"model": MODEL, "hardware": HARDWARE}, {"tp": "4", "prompt": "8000"})
    return launch_for(program.id, shape, question, evaluator).text


def _held(name: str, texts: list[Any], interpreters: list[str]) -> bool:
    """Say what the parser for a program, in the first interpreter that has it, refuses; whether it refuses any."""
    module = PARSERS.get(name, name)
    for python in interpreters:
        command = [python, str(Path(__file__).parent / "accept.py"), module]
        done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=False)
        if done.returncode == 0:
            said = json.loads(done.stdout)
            kept = len(texts) - len(said["refused"])
            sys.stdout.write(f"{', '.join([name, *said['versions']])}: accepts {kept} of {len(texts)}\n")
            reasons = Counter(why for _, why in said["refused"])
            sys.stdout.writelines(f"  {count:3}  {why}\n" for why, count in reasons.most_common())
            return bool(said["refused"])
    sys.stdout.write(f"{name}: not installed in {', '.join(interpreters)}\n")
    return False


if __name__ == "__main__":
    raise SystemExit(main())
