"""A sweep against the same configurations one by one, and what it does with those that have no answer."""

import itertools

import numpy as np
import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.analyse.sweep import block_values
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.sweep_batches import Sweep, SweepQuantities
from formula_eval.records.axis import axis_of
from formula_eval.records.givens import Question

MEMORY = ("memory.total_bytes", "memory.fits")
SERVING = ("inference.tpot", "memory.total_bytes", "memory.fits")
TRAINING = ("training.step_time", "training.device_bytes", "training.fits")


def swept(formulas: Formulas, question: Question, only: tuple[str, ...] = MEMORY, **asked: object) -> Sweep:
    return Sweep(formulas.evaluator, question, SweepQuantities(only, **asked))


def rows(sweep: Sweep, most: int | None = None) -> tuple[list[dict[str, object]], Tally]:
    found: list[dict[str, object]] = []
    tally = Tally()
    for batch in sweep.batches(most=most):
        cells = [each.plain(batch.values[each.name]) for each in sweep.columns]
        found += [
            dict(zip((each.name for each in sweep.columns), row, strict=True)) for row in zip(*cells, strict=True)
        ]
        tally.add(batch.tally)
    return found, tally


def one_by_one(formulas: Formulas, question: Question, only: tuple[str, ...]) -> list[dict[str, object]]:
    """The same by one answer after another, of those that have one."""
    schema, evaluator = formulas.evaluator.schema, formulas.evaluator
    lists = {name: said.split(",") for name, said in question.records.items()}
    for name, said in question.values.items():
        axis = axis_of(said, schema.inputs[name], schema.units, name)
        lists[name] = [f"{axis[place]:.0f}" for place in range(axis.length)]
        if schema.inputs[name].quantity.kind in ("choice", "flag"):
            lists[name] = said.split(",")
    found = []
    for chosen in itertools.product(*lists.values()):
        said = dict(zip(lists, chosen, strict=True))
        records = {name: each for name, each in said.items() if name in question.records}
        values = {name: each for name, each in said.items() if name in question.values}
        asked = question._replace(records=records, values=values)
        try:
            result = evaluator.evaluate(evaluator.givens(asked), only, named=True)
        except FormulaError:
            continue
        varied = [name for name in lists if len(lists[name]) > 1]
        own = {name: records.get(name) or result.inputs[name].value for name in varied}
        found.append(own | {name: result[name].value for name in only})
    return found


@pytest.mark.parametrize(
    ("question", "only"),
    [
        (
            Question(
                {"model": "llama2-7b,mixtral-8x7b", "hardware": "h100-sxm,a100-sxm-80gb"},
                {"tp": "1..3", "batch": "1..64*8", "weight_bits": "16,8"},
            ),
            SERVING,
        ),
        (
            Question(
                {"model": "gpt3-175b"},
                {"gpus": "96,100", "tp": "4,8", "pp": "2,8", "schedule": "gpipe,one_f_one_b", "zero_stage": "1,2"},
                purpose="training",
            ),
            TRAINING,
        ),
    ],
    ids=["serving", "training"],
)
@pytest.mark.parametrize("most", [None, 5], ids=["whole", "blocks"])
def test_rows_are_the_answers_one_by_one(formulas: Formulas, question: Question, only, most: int | None) -> None:
    sweep = swept(formulas, question, only)
    found, tally = rows(sweep, most)
    expected = one_by_one(formulas, question, only)
    assert [{**each, **{name: pytest.approx(each[name], rel=1e-12) for name in only}} for each in expected] == found
    assert (tally.tried, tally.kept) == (sweep.size, len(expected))
    assert tally.unanswered == sweep.size - len(expected) > 0
    assert tally.refused


def test_a_draft_model_follows_what_both_share(formulas: Formulas) -> None:
    records = {"model": "llama2-70b", "draft_model": "llama2-7b"}
    question = Question(records, {"drafted_tokens": "4", "tp": "8", "weight_bits": "16,8"})
    only = ("memory.resident_weights_bytes",)
    found, _ = rows(swept(formulas, question, only))
    values = [dict(question.values) | {"weight_bits": bits} for bits in ("16", "8")]
    evaluator = formulas.evaluator
    alone = [
        evaluator.evaluate(evaluator.givens(question._replace(values=each)), only, named=True)[only[0]].value
        for each in values
    ]
    assert [each[only[0]] for each in found] == pytest.approx(alone, rel=1e-12)
    assert alone[0] != alone[1]


def test_relative_values_are_an_axis(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b"}, {"memory_bandwidth": "+0%,+10%"})
    found, _ = rows(swept(formulas, question))
    first, second = (each["memory_bandwidth"] for each in found)
    assert second == pytest.approx(1.1 * first)


def test_what_is_relative_to_what_varies_is_refused(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b"}, {"step_context": "+10%", "prompt": "936,1936"})
    with pytest.raises(FormulaError, match="relative to a value that changes"):
        swept(formulas, question)


def test_conditions_keep_what_meets_them(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b"}, {"batch": "1..512*2"})
    everything, _ = rows(swept(formulas, question))
    where = ("memory.fits", "memory.total_bytes < 30 GB")
    found, tally = rows(swept(formulas, question, where=where))
    assert found == [each for each in everything if each["memory.fits"] and each["memory.total_bytes"] < 30e9]
    assert 0 < len(found) < len(everything)
    assert sum(tally.unmet.values()) >= len(everything) - len(found)
    assert set(tally.unmet) <= set(where)


@pytest.mark.parametrize("where", ["tpot < 8 GB", "tpot", "tpot <", "no_such < 1", "__import__('os')"])
def test_what_is_no_condition_is_refused(formulas: Formulas, where: str) -> None:
    with pytest.raises(FormulaError, match="In the condition"):
        swept(formulas, Question({"model": "llama2-7b"}, {"batch": "1,2"}), where=(where,))


def test_zip_takes_values_in_step(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b,llama2-70b,llama2-7b"}, {"tp": "1,8,1", "batch": "1..3"})
    found, _ = rows(swept(formulas, question, zipped=True))
    assert [(each["model"], each["tp"], each["batch"]) for each in found] == [
        ("llama2-7b", 1, 1),
        ("llama2-70b", 8, 2),
        ("llama2-7b", 1, 3),
    ]
    grid, _ = rows(swept(formulas, question))
    assert all(each in grid for each in found)


def test_axes_of_different_lengths_are_not_zipped(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b"}, {"tp": "1,2", "batch": "1..3"})
    with pytest.raises(FormulaError, match="differ in number"):
        swept(formulas, question, zipped=True)


def test_a_sample_is_some_of_the_grid_the_same_each_time(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b,llama2-13b"}, {"tp": "1,2,4", "batch": "1..64", "prompt": "100..1000"})
    first, tally = rows(swept(formulas, question, sampled=50, seed=7))
    again, _ = rows(swept(formulas, question, sampled=50, seed=7), most=8)
    other, _ = rows(swept(formulas, question, sampled=50, seed=8))
    assert first == again != other
    assert tally.tried == 50
    assert len({tuple(each.values()) for each in first}) == len(first)
    for each in first[::20]:
        values = {name: f"{each[name]}" for name in ("tp", "batch", "prompt")}
        alone, _ = rows(swept(formulas, Question({"model": each["model"]}, values)))
        assert alone[0]["memory.total_bytes"] == pytest.approx(each["memory.total_bytes"], rel=1e-12)


def test_a_sample_of_more_than_there_is_is_the_grid(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b"}, {"batch": "1..4"})
    assert rows(swept(formulas, question, sampled=100))[0] == rows(swept(formulas, question))[0]


def test_a_grid_that_nobody_waits_for_is_refused_and_can_be_sampled(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b"}, {"batch": "1..1000000", "prompt": "1..1000000"})
    with pytest.raises(FormulaError, match="1,000,000,000,000 configurations") as refused:
        swept(formulas, question)
    assert "`batch` alone has 1,000,000 values" in refused.value.diagnostics[0].help
    assert swept(formulas, question, anyway=True).size == 10**12
    assert len(rows(swept(formulas, question, sampled=10))[0]) <= 10


def test_a_batch_begins_where_another_one_ended(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b,llama2-13b"}, {"batch": "1..5", "prompt": "1..7"})
    sweep = swept(formulas, question)
    whole = [place for batch in sweep.batches(most=4) for place in batch.places.tolist()]
    assert whole == sorted(set(whole))
    starts = list(itertools.accumulate((batch.tally.tried for batch in sweep.batches(most=4)), initial=0))
    for start in starts[::3]:
        rest = [place for batch in sweep.batches(start, most=4) for place in batch.places.tolist()]
        assert rest == [place for place in whole if place >= start]


def test_what_cannot_be_computed_is_counted_with_why(formulas: Formulas) -> None:
    question = Question({"model": "llama2-7b"}, {"gpus": "8,12", "tp": "8", "global_batch": "64"}, purpose="training")
    found, tally = rows(swept(formulas, question, TRAINING))
    assert [each["gpus"] for each in found] == [8]
    assert sum(tally.failed.values()) + sum(tally.refused.values()) >= 1


def test_a_choice_that_nobody_made_is_said(formulas: Formulas) -> None:
    schema = formulas.evaluator.schema
    lacking = next(name for name, each in schema.formulas.items() if each.needs == ("phase",) and each.is_listed)
    question = Question({"model": "llama2-7b"}, {"batch": "1,2"})
    sweep = Sweep(formulas.evaluator, question, SweepQuantities(usual=(*MEMORY, lacking)))
    assert sweep.wanted == list(MEMORY)
    assert list(sweep.lacks) == [lacking]
    with pytest.raises(FormulaError, match="not chosen"):
        swept(formulas, question, (lacking,))


def test_rows_of_a_table_that_only_some_models_have(formulas: Formulas) -> None:
    question = Question({"model": "deepseek-v4-flash,llama2-7b"}, {"batch": "1,2"})
    sweep = swept(formulas, question, ("memory.kv_cache_bytes",))
    (block,) = sweep.blocks()
    expected, specialised = sweep.values().of(block), sweep.values()
    specialised.specialise(0)
    found, name = specialised.of(block), "memory.kv_cache_bytes"
    assert np.array_equal(*(np.broadcast_to(each.values[name], (2, 2)) for each in (found, expected)))


@pytest.mark.parametrize("longest", [1 << 20, 63])
def test_what_the_grid_leaves_open_changes_no_number(
    formulas: Formulas, monkeypatch: pytest.MonkeyPatch, longest: int
) -> None:
    question = Question(
        {"model": "llama2-7b", "hardware": "h100-sxm"}, {"tp": "1..4*2", "batch": "1..64", "prompt": "1..900:7"}
    )
    expected, tally = rows(swept(formulas, question, SERVING))
    monkeypatch.setattr(block_values, "_READING", 0)
    monkeypatch.setattr(block_values, "_MAKING", 0)
    monkeypatch.setattr(block_values, "_LONGEST", longest)
    specialised = swept(formulas, question, SERVING)
    values = specialised.values()
    values.prepare(specialised.size, is_sample=False)
    assert bool(values.known) == (longest > 63)
    found, count = rows(specialised)
    assert [{**each, **{name: pytest.approx(each[name], rel=1e-12) for name in SERVING}} for each in expected] == found
    assert count == tally
    places = np.concatenate([each.places for each in specialised.batches(most=100)])
    assert list(places) == list(range(specialised.size))
