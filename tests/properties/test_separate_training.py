"""What an eager framework moves, starts and keeps in a step of tuning, against a tape of the operations of a layer."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from formula_eval import Formulas
from samples import samples

EAGER = {"model": "llama3.1-8b", "hardware": "h100-sxm", "kernel_fusion": "separate", "layers": 1}
EAGER |= {"separate_efficiency": 1, "seq": 1000, "step_fixed_time": 0}
TOKENS = 1000
MOVED = ("mixer_kernels.attention_elementwise.bytes", "network_kernels.ffn_elementwise.bytes")
RETURNED = ("separate_attention_gradient_bytes", "separate_ffn_gradient_bytes")
ADAPTED = {"q_v": "qv", "qkv": "qkv", "qkvo": "qkvo", "all_linear": "qkvogud"}
TARGETS = tuple(ADAPTED)
LAYERS = st.fixed_dictionaries(
    {
        "hidden": st.sampled_from([1024, 4096]),
        "heads": st.sampled_from([8, 32]),
        "kv_heads": st.sampled_from([4, 8]),
        "head_dim": st.sampled_from([64, 128]),
        "ffn_hidden": st.sampled_from([4096, 14336]),
    }
)
TUNINGS = st.one_of(
    st.just({"tuning": "full"}),
    st.fixed_dictionaries(
        {
            "tuning": st.sampled_from(["lora", "qlora"]),
            "lora_targets": st.sampled_from(TARGETS),
            "lora_rank": st.sampled_from([8, 64]),
            "adapter_bits": st.sampled_from([16, 32]),
            "adapter_dropout": st.booleans(),
        }
    ),
)


@dataclass(eq=False)
class Rows:
    """Numbers of one token: how many, in how many words of 16 bits, and how many operations read them."""

    count: float
    words: int = 1
    uses: int = 0

    @property
    def size(self) -> float:
        return self.count * self.words


@dataclass
class Tape:
    """Operations as PyTorch runs and records them: words moved and kernels in both passes, rows kept for the second."""

    trained: bool
    moved: float = 0
    returned: float = 0
    started: int = 0
    answered: int = 0
    kept: dict[int, float] = field(default_factory=dict)
    rows: list[Rows] = field(default_factory=list)

    def run(self, words: float, back: float, kernels: int = 1, kernels_back: int = 1) -> None:
        self.moved += words
        self.returned += back
        self.started += kernels
        self.answered += kernels_back

    def keep(self, rows: Rows, words: float | None = None) -> None:
        self.rows.append(rows)
        self.kept[id(rows)] = rows.size if words is None else words

    def read(self, rows: Rows) -> Rows:
        """Count a use; each but the first adds its gradient to what is there."""
        rows.uses += 1
        if rows.uses > 1:
            self.run(0, 3 * rows.size, 0, 1)
        return rows

    def to(self, rows: Rows, words: int) -> Rows:
        if rows.words == words:
            return rows
        made = Rows(self.read(rows).count, words)
        self.run(rows.size + made.size, rows.size + made.size)
        return made

    def norm(self, rows: Rows) -> Rows:
        wide = self.to(rows, 2)
        size = wide.size
        self.read(wide)
        self.keep(wide)
        self.run(2 * size, 7 * size, 1, 3)  # square: 2 * x ** 1 * gradient
        self.run(size, size)  # mean
        self.run(0, 0, 2, 3)  # addition and root of one number
        self.read(wide)
        self.run(2 * size, 2 * size)  # by the root
        self.run(0, 4 * size, 0, 2)  # gradient of the root: product and sum
        normed = self.to(Rows(rows.count, 2), rows.words)
        self.run(2 * normed.size, 2 * normed.size)
        if self.trained:
            self.keep(normed)
            self.run(0, 4 * normed.size, 0, 2)
        return Rows(rows.count, rows.words)

    def rotary(self, rows: Rows) -> Rows:
        size = rows.size
        for _ in range(3):
            self.read(rows)  # by the cosine, and either half
        self.run(2 * size, 2 * size)
        self.run(size, size)  # half of them negated
        self.run(2 * size, 0, 1, 0)  # joined
        self.run(0, 4 * size, 0, 4)  # either half into zeros
        self.run(2 * size, 2 * size)
        self.run(3 * size, 0, 1, 0)
        return Rows(rows.count, rows.words)

    def product(self, rows: Rows, width: float) -> Rows:
        self.read(rows)
        if self.trained:
            self.keep(rows)
        self.run(0, 0, 1, 2 if self.trained else 1)
        return Rows(width)

    def add(self, left: Rows, right: Rows) -> Rows:
        made = Rows(left.count, max(left.words, right.words))
        self.run(left.size + right.size + made.size, 0, 1, 0)
        for each in (left, right):
            if self.read(each).words < made.words:
                self.run(0, each.size + made.size)
        return made


def layer(tuned: dict[str, Any], sizes: dict[str, int]) -> Tape:
    """The tape of one layer, without what products and attention themselves read and write."""
    tape = Tape(tuned["tuning"] == "full")
    quantised = tuned["tuning"] == "qlora"
    wide = quantised and tuned["adapter_bits"] == 32
    adapted = ADAPTED.get(tuned.get("lora_targets", ""), "")
    stream = Rows(sizes["hidden"], 2 if wide else 1)

    def linear(rows: Rows, width: float, name: str) -> Rows:
        if quantised:
            tape.run(0, 0, 3, 3)  # scales of scales, their offset, weights
        base = tape.to(tape.product(tape.to(rows, 1), width), rows.words)
        if name not in adapted:
            return base
        entering = rows if wide else tape.to(rows, tuned["adapter_bits"] // 16)
        if tuned["adapter_dropout"]:
            half = 0.5 * entering.count
            tape.run(2 * entering.size + half, 2 * tape.read(entering).size + half)
            tape.keep(Rows(0), half)
            entering = Rows(entering.count, entering.words)
        entering = tape.to(entering, 1)
        tape.keep(tape.read(entering))
        tape.keep(Rows(0), tuned["lora_rank"])
        tape.run(0, 0, 2, 4)
        tape.run(2 * width, 2 * width)
        return tape.add(base, Rows(width))

    heads, keys = sizes["heads"] * sizes["head_dim"], sizes["kv_heads"] * sizes["head_dim"]
    normed = tape.norm(stream)
    queries = tape.rotary(linear(normed, heads, "q"))
    found = tape.rotary(linear(normed, keys, "k"))
    values = linear(normed, keys, "v")
    for each in (queries, found, values):
        tape.keep(tape.read(tape.to(each, 1)))
    tape.run(0, 0, 1, 3)
    result = Rows(heads)
    tape.keep(result)
    stream = tape.add(stream, linear(result, sizes["hidden"], "o"))
    normed = tape.norm(stream)
    gate, other = linear(normed, sizes["ffn_hidden"], "g"), linear(normed, sizes["ffn_hidden"], "u")
    size = gate.size
    tape.run(2 * size, 3 * tape.read(gate).size)
    tape.run(3 * size, 6 * tape.read(other).size, 1, 2)
    for each in (gate, Rows(gate.count, gate.words), other):
        tape.keep(each)
    down = linear(Rows(sizes["ffn_hidden"], gate.words), sizes["hidden"], "d")
    tape.add(stream, down)
    return tape


def keeps_wide_rows(tuned: dict[str, Any]) -> bool:
    """Tell whether numbers between products have 32 bits: the formulas then take the result of attention, which has
    16, for one of them, cast and copied for its adapter."""
    return tuned["tuning"] == "qlora" and tuned["adapter_bits"] == 32


def values(formulas: Formulas, names: tuple[str, ...], **given: Any) -> list[float]:
    answer = formulas.evaluate(only=[f"training.{name}" for name in names], **(EAGER | given))
    return [answer.values[f"training.{name}"].value for name in names]


@settings(max_examples=samples(15))
@given(sizes=LAYERS, tuned=TUNINGS)
def test_a_layer_moves_what_its_operations_do(formulas: Formulas, sizes, tuned) -> None:
    assume(sizes["heads"] % sizes["kv_heads"] == 0)
    tape = layer(tuned, sizes)
    adapters = tuned["tuning"] != "full"
    forward = [*MOVED, *(["separate_adapter_bytes", "separate_cast_bytes"] if adapters else [])]
    backward = [*RETURNED, *(["separate_adapter_gradient_bytes", "separate_cast_bytes"] if adapters else [])]
    given = sizes | tuned | {"v_head_dim": sizes["head_dim"]}
    exact = 0.08 if keeps_wide_rows(tuned) else 1e-9
    assert sum(values(formulas, tuple(forward), **given)) == pytest.approx(2 * TOKENS * tape.moved, rel=exact)
    assert sum(values(formulas, tuple(backward), **given)) == pytest.approx(2 * TOKENS * tape.returned, rel=exact)


@settings(max_examples=samples(15))
@given(sizes=LAYERS, tuned=TUNINGS)
def test_a_layer_starts_what_its_operations_are(formulas: Formulas, sizes, tuned) -> None:
    assume(sizes["heads"] % sizes["kv_heads"] == 0)
    tape = layer(tuned, sizes)
    given = sizes | tuned | {"v_head_dim": sizes["head_dim"]}
    forward, backward = values(formulas, ("separate_forward_kernels", "separate_backward_kernels"), **given)
    exact = 0.03 if keeps_wide_rows(tuned) else 1e-9
    assert forward == pytest.approx(tape.started, rel=exact)
    assert backward == pytest.approx(tape.answered, rel=exact)


@settings(max_examples=samples(15))
@given(sizes=LAYERS, tuned=TUNINGS)
def test_a_layer_keeps_what_autograd_saves(formulas: Formulas, sizes, tuned) -> None:
    assume(sizes["heads"] % sizes["kv_heads"] == 0)
    tape = layer(tuned, sizes)
    given = sizes | tuned | {"v_head_dim": sizes["head_dim"]}
    kept, sums = values(formulas, ("dense_layer_bytes", "scores_bytes"), **given)
    least = 2 * TOKENS * sum(tape.kept.values())
    result = 2 * TOKENS * sizes["heads"] * sizes["head_dim"] if keeps_wide_rows(tuned) else 0
    assert least * (1 - 1e-9) <= kept - sums <= (least + result) * (1 + 1e-9)


@settings(max_examples=samples(10))
@given(targets=st.sampled_from([("q_v", "qkvo"), ("qkvo", "all_linear")]), bits=st.sampled_from([16, 32]))
def test_more_adapters_take_longer_and_more_memory(formulas: Formulas, targets, bits) -> None:
    names = ("step_time", "allocated_bytes")
    less, more = (
        values(formulas, names, tuning="lora", lora_targets=each, adapter_bits=bits, layers=32) for each in targets
    )
    assert all(few < many for few, many in zip(less, more, strict=True))


@settings(max_examples=samples(10))
@given(tuning=st.sampled_from(["lora", "qlora"]), fusion=st.sampled_from(["fused", "separate"]))
def test_only_an_eager_framework_feels_how_adapters_are_kept(formulas: Formulas, tuning, fusion) -> None:
    given = {"tuning": tuning, "lora_targets": "all_linear", "kernel_fusion": fusion, "layers": 32, "micro_batch": 4}
    names = ("step_time", "stages.first.kept_activation_bytes")
    plain, wide, dropped = (
        values(formulas, names, **given, **each)
        for each in ({"adapter_bits": 16}, {"adapter_bits": 32}, {"adapter_bits": 32, "adapter_dropout": True})
    )
    if fusion == "fused":
        assert plain == wide == dropped
    else:
        assert all(a < b for a, b in zip(plain, wide, strict=True))
        assert all(a < b for a, b in zip(wide, dropped, strict=True))
