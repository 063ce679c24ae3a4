"""Every sort of mixer that a model may name is counted, and some model of ours has it, whose facts hold its weights."""

from collections import Counter

from formula_eval import Formulas
from formula_eval.records.givens import Question
from formula_eval.records.record_files import all_records

NAMES_OF_KIND = ("filled", "mixer", "count", "mixers")


def test_every_mixer_of_a_model_is_counted(formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    sorts, kinds = (evaluator.graph.tables[table].rows for table in ("params.mixers", "layer_kinds"))
    described = [f"layer_kinds.{kind}.{column}" for kind in kinds for column in NAMES_OF_KIND]
    described = [name for name in described if name in evaluator.graph.nodes]
    program = evaluator.program([*described, *(f"params.mixers.{each}.count" for each in sorts)])
    held = set()
    for record in all_records(evaluator.library, evaluator.schema.kinds["model"]):
        found = program.evaluate(evaluator.givens(Question({"model": record.id})).values)
        mixers: Counter[str] = Counter()
        for kind in kinds:
            filled, word, count, each = (found.get(f"layer_kinds.{kind}.{column}", 1) for column in NAMES_OF_KIND)
            mixers[sorts[int(word)]] += int(filled * count * each)
        mixers["none"] = 0
        assert {each: found[f"params.mixers.{each}.count"] for each in sorts} == {each: mixers[each] for each in sorts}
        held |= {each for each in sorts if mixers[each]}
    assert held == {*sorts} - {"none"}
