"""What our formulas give for the cases of GenZ, by the kind of a case."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from formula_eval.evaluate.evaluator import Evaluator
from published.comparison import Case
from published.genz_givens import Givens, Stated, entries, givens
from published.genz_operators import operator_quantities, operators
from published.genz_places import NAMESPACE, OUTPUTS, NotCoveredError, Values, flat, placed, spoken
from published.genz_refusals import refusal

Found = dict[str, Any]


def answers(case: Case, evaluator: Evaluator) -> Found:
    """What our formulas give for each output of a case; raises NotCoveredError for what they do not answer."""
    kind = case["kind"]
    if kind not in KINDS:
        raise NotCoveredError(f"case {kind}")
    return _failure(case, evaluator) if "error" in case["outputs"] else KINDS[kind](case, evaluator)


def _failure(case: Case, evaluator: Evaluator) -> Found:
    found = refusal(case, evaluator)
    if "memory" in case["outputs"]:
        found |= outputs(OUTPUTS["memory"], givens(case, evaluator, f"{case['kind']}_call"), evaluator)[0]
    return found


def outputs(names: Stated, asked: Givens, evaluator: Evaluator, more: Sequence[str] = ()) -> tuple[Found, Values]:
    """These outputs of a case, and the values of all quantities that were asked for."""
    places = {name: placed(place) for name, place in names.items()}
    wanted = {place["is"] for place in places.values() if "is" in place} | set(more)
    values = evaluator.program(sorted(wanted)).evaluate(asked)
    return {name: spoken(place, values) for name, place in places.items()}, values


def one_pass(case: Case, evaluator: Evaluator, call: str, label: str = "ops", table: str = "") -> Found:
    """A pass as a whole, and its list of operators."""
    rows = entries(case["inputs"].get("workload") or {}) if call == "chunked_call" else ()
    names = {**OUTPUTS["pass"], **OUTPUTS.get(table, {})}
    asked = givens(case, evaluator, call)
    found, values = outputs(names, asked, evaluator, sorted(operator_quantities(len(rows))))
    return {**found, **dict(flat(operators(values, rows), label))}


def _call(call: str) -> Callable[[Case, Evaluator], Found]:
    return lambda case, evaluator: one_pass(case, evaluator, f"{call}_call", table=call)


def _layer(case: Case, evaluator: Evaluator) -> Found:
    said = case["inputs"]
    alone = _changed(_without_beams(case), model={**said["model"], "num_decoder_layers": 1}, layer=True)
    return one_pass(alone, evaluator, "decode_call" if "decode" in said["api"] else "prefill_call")


def _fusion(case: Case, evaluator: Evaluator) -> Found:
    return one_pass(_without_beams(case), evaluator, f"{case['inputs']['workload']['stage']}_call")


def _without_beams(case: Case) -> Case:
    """What builds a list of operators knows no beams."""
    return _changed(case, workload={**case["inputs"]["workload"], "beam": 1})


def _changed(case: Case, **inputs: Any) -> Case:
    return {**case, "inputs": {**case["inputs"], **inputs}}


def _energy(case: Case, evaluator: Evaluator) -> Found:
    return one_pass(case, evaluator, f"{case['inputs']['call'].partition('_')[0]}_call", table="energy")


def _memory_profile(case: Case, evaluator: Evaluator) -> Found:
    found, _ = outputs(OUTPUTS["memory_room"], givens(case, evaluator), evaluator)
    for call in ("prefill", "decode"):
        part, _ = outputs(OUTPUTS["memory_profile"], givens(case, evaluator, f"{call}_call"), evaluator)
        found |= {f"{call}.{name}": value for name, value in part.items()}
    return found


def _plain(case: Case, evaluator: Evaluator) -> Found:
    return outputs(OUTPUTS[case["kind"]], givens(case, evaluator), evaluator)[0]


def _spec_decode(case: Case, evaluator: Evaluator) -> Found:
    """Both models' passes, the step that they make up, and the sums of both."""
    joint = _with_both(case, evaluator, "joint_decode_bytes")
    own = bool(case["inputs"]["args"].get("draft_system_config"))
    drafting = one_pass(draft_case(case if own else joint), evaluator, "decode_call", "draft_ops")
    verifying = one_pass(joint, evaluator, "verify_call", "verify_ops")
    both = {name: drafting[name] + verifying[name] for name in OUTPUTS["both"]}
    asked = dict(givens(case, evaluator))
    if own:
        asked[f"{NAMESPACE}.drafting_time"] = drafting["latency_s"]
    step, _ = outputs(OUTPUTS["spec_decode"], asked, evaluator)
    return {**drafting, **verifying, **both, **step}


def _spec_prefill(case: Case, evaluator: Evaluator) -> Found:
    """Both models' passes; what the tool sums up is the smaller model's alone."""
    joint = _with_both(case, evaluator, "joint_prefill_bytes")
    reading = one_pass(joint, evaluator, "prefill_call", "target_ops")
    drafting = one_pass(draft_case(joint), evaluator, "prefill_call", "draft_ops")
    whole, _ = outputs(OUTPUTS["spec_prefill"], givens(case, evaluator), evaluator)
    return {**reading, **drafting, **whole}


def _with_both(case: Case, evaluator: Evaluator, name: str) -> Case:
    """The case with the memory of both models, which the pass of each is about."""
    place = f"{NAMESPACE}.{name}"
    return _changed(case, joint_bytes=evaluator.program([place]).evaluate(givens(case, evaluator))[place])


def draft_case(case: Case) -> Case:
    """The question about the smaller model alone, on its own accelerators if it has any."""
    said = case["inputs"]
    own = said["args"].get("draft_system_config") or {}
    parallelism = {**said["parallelism"], "ep": 1, **{key: own[key] for key in ("tp", "pp") if key in own}}
    batch = own["ub"] * parallelism["pp"] if "ub" in own else said["workload"]["batch"]
    return _changed(
        case,
        model=said["draft_model"],
        draft_model=None,
        system=own.get("system", {}).get("System", said["system"]),
        parallelism=parallelism,
        workload={**said["workload"], "batch": batch, "beam": 1},
    )


KINDS: Mapping[str, Callable[[Case, Evaluator], Found]] = {
    "prefill": _call("prefill"),
    "decode": _call("decode"),
    "chunked": _call("chunked"),
    "fusion": _fusion,
    "energy": _energy,
    "layer": _layer,
    "layer_sp": _layer,
    "memory_profile": _memory_profile,
    "spec_decode": _spec_decode,
    "spec_prefill": _spec_prefill,
    "e2e": _plain,
    "expected_tokens": _plain,
    "collective": _plain,
}
