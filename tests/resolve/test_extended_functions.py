"""A library extends its own functions by terms that read their parameters, and those of no other."""

from formula_eval.resolve.passes import resolve
from language.cases import reader, units

BASE = """
input longest = 2
def work(new: token, past: token) -> FLOP = new * past * 1 FLOP
done: FLOP = work(3, 4)
"""


def test_the_term_reads_the_parameters_and_its_own_folder() -> None:
    base, _ = reader().chapter(BASE, "formulas/base.formula", "")
    own, findings = reader().chapter(
        "each: FLOP = 5 FLOP\nextend work + each * new if past > longest", "formulas/mixer/own.formula", "mixer"
    )
    assert not findings
    resolved = resolve([base, own], units())
    assert resolved.findings == ()
    assert resolved.graph is not None
    assert set(resolved.graph.parents["done.work"]) == {"done.work.plus_mixer"}
    assert set(resolved.graph.parents["done.work.plus_mixer"]) == {"mixer.each", "longest"}


def test_another_library_is_refused() -> None:
    base, _ = reader().chapter(BASE, "formulas/base.formula", "")
    other, findings = reader().chapter("extend work + 5 FLOP", "mine/formulas/more.formula", "mine")
    assert not findings
    (finding,) = resolve([base, other], units()).findings
    assert finding.message == "`work` is a function, and `extend work` takes a formula"
    assert finding.help == "Extend a formula that calls it: functions are extended by their own library alone."
