"""Every construction of the language, in a library of its own: LibreOffice and the engine agree on all of them."""

from pathlib import Path
from typing import Any

import pytest

from counted import seen
from export.office import Office
from export.workbook_cases import agrees, book_of, shown
from formula_eval import load
from formula_eval.ask.question import stated_in
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import document_of
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

INPUTS = '''\
"""Inputs of all kinds."""

choice mood = calm | busy | angry

input draft: model optional
    "A smaller model that guesses ahead"

input measured: s optional
    "What somebody measured"

input nobody_gave: byte optional
    "What nobody gave"

input mood: mood = busy
    "How it is"

input odd: flag = false
    "Whether it is odd"

input exponent: whole = 0 in 0 .. 1000000
    "How often"

input begun: date = 2027-01-31
    "The first day"

input share = 0.75 in 0 .. 2
    "How much"

input big: byte = 7 GB
    "How large"

table shelves from model at most 3
    "Rows that a model states whole"
    repeats: layer
        "How many"
    width: dim
        "How wide"
    work = repeats * width
        "Both"

table crates from model at least 1 at most 3
    "Rows with defaults, of which the first always stands"
    pieces: layer = layers from model in 0 .. 100
        "How many"
    hidden: dim = hidden * share from model
        "How wide, by what is written outside"
    finish: mood = calm from model
        "A word"
    depth = 16 from model in 16 | 8 | 4
        "One of several"
    heavy: flag = hidden > 50 from model
        "Whether it is wide"
    load: byte = pieces * depth * 1 byte from model in 0 .. 1 GB
        "A size"
    worth: s = match finish
        calm         -> 1 s * pieces
        busy | angry -> 2 s * (1 + one_if(heavy))
        "By word"
'''
FORMULAS = '''\
"""All of it."""

def shifted(x, by) = x + by if by > 1 else x
    "A number, moved"

def doubled(x) = 2 * shifted(x, layers)
    "Twice a number, moved"

table things
    "Rows to choose among"
    weight
        "How heavy"
    cost: s = weight * 3 ms
        "How long"
    row feather "Light"
        weight = 1
    row stone "Heavy"
        weight = share * 10
    row lead "Heavier"
        weight = doubled(exponent)

powers = share ** exponent + share ** -2 + (-share) ** 2 - -share ** 2
    "Signs and powers"

chain = 2 ** 3 ** 2
    "From the right"

mood_price: s = match mood
    calm         -> 1 s
    busy | angry -> 2 s * (1 + one_if(odd))
    "By word"

width_price = (match activation_bits: 16 | 32 -> 1, 8 -> 2, 4 -> 3, 2 -> 4) * 10
    "By number"

next_mood: calm | busy | angry = calm if mood == busy else angry
    "A word of one's own"

steps = ceildiv(exponent + 7, 3) * 2 - floordiv(exponent + 7, 3) + ceil(share) * 3 - floor(-share) + (exponent + 7) % 4
    "Whole steps"

near_wholes = (
    floor((share - 0.65 + 0.7) * 10)
    + ceil(share * 1.1 * 40)
    + 2 * floordiv(share * 0.4, 0.1)
    + ceildiv(share * 0.4, 0.1)
    + (share * 0.4) % 0.1
)
    "Roundings of what lies a last bit from a whole number"

moved: date = months_later(begun, exponent + 1)
    "A date of the calendar"

gone: s = (months_later(begun + 40000 s, -13 - exponent) - 1999-12-31 if odd else begun - months_later(begun, 25))
    "Times between such dates, with hours of the day"

divisor: GPU = largest_divisor(vocab, 96) + largest_divisor(ffn_hidden, 1000000)
    "Divisors, small and large"

heaviest: feather | stone | lead = largest(each.weight for each in things)
    "Which one"

all_costs: s = sum(each.cost for each in things if each.weight > 2) + max(each.cost for each in things)
    "Rows together"

all_work = sum(each.work for each in shelves)
    "Rows of a record"

all_worth: s = sum(each.worth * shifted(each.depth, 2) for each in crates if not each.heavy or each.load > 10 byte)
    "Rows with defaults"

most_loaded: byte = max(each.load for each in crates if each.finish != busy)
    "The largest of them"

other_crates: s = (all_worth with model = draft)
    "Those of the smaller model"

moved_crates: s = (all_worth with share = 0.5, layers = 9)
    "Under other inputs"

first_finish: calm | busy | angry = crates.1.finish
    "One cell"

guessed = (params.total with model = draft)
    "Of the smaller model"

has_draft: flag = given(draft)
    "Whether there is one"

known_time: s = measured if given(measured) else 1 s
    "With a stand-in"

late: flag = measured > 1 s
    "Of what may be absent"

strange: flag = measured != 1 s or not (measured > 1 s)
    "Of what is absent"

held = one_if(late) + (3 if late else 4)
    "What does not hold"

endless = infinity if exponent == 0 else exponent
    "Without end"

safe = exponent / (exponent - 1) if exponent != 1 and exponent / (exponent - 1) > 0 else 0
    "Not divided by nothing"

rounded: byte = clamp(big, 1 GB, 5 GB) + min(big, 3 GiB) + 1 bit
    "Sizes"

speed: byte/s = memory_bandwidth * memory_efficiency
    "What a namespace may state anew"

logs = sqrt(share + 1) + ln(share + 2) + log2(8 * (share + 1)) + exp(-share) + abs(-share)
    "Curves"

near_1 = log1p(share / 1e7) * 1e7 + expm1(share / 1e7) * 1e7
    "Curves where Excel has no function that keeps all digits"

late_batch = (powers with exponent = 3) + (all_costs with share = 2) / 1 s
    "Under other inputs"

check share_small warn: share < 1
    "The share {share} is {big} too large: {next_mood}, {odd}, {powers}."

check never_late note: late
    "It was {measured}."
'''
PRESET = """\
[inputs]
exponent = 5
memory_efficiency = 0.5
big = "8 GB"
[hardware.h100-sxm]
memory_bandwidth = "3 TB/s"
big = "9 GB"
"""
CASES: tuple[tuple[dict[str, str], dict[str, Any]], ...] = (
    ({"model": "kinds"}, {}),
    (
        {"model": "kinds", "draft": "llama2-7b", "hardware": "mi300x"},
        {"exponent": 1, "measured": "3 s", "mood": "angry", "odd": True},
    ),
    (
        {"model": "llama2-70b"},
        {"exponent": 200_000, "share": 0.5, "measured": "10 ms", "activation_bits": 8, "big": "2 GiB"},
    ),
    ({"model": "llama2-7b", "draft": "llama2-7b"}, {"exponent": 3, "share": 1.5, "mood": "calm"}),
    (
        {"model": "kinds", "draft": "kinds"},
        {"exponent": 3, "crates.2.pieces": 7, "crates.1.finish": "angry", "crates.3.filled": True},
    ),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Evaluator:
    folder = tmp_path_factory.mktemp("library")
    (folder / "formulas" / "extra").mkdir(parents=True)
    (folder / "models").mkdir()
    (folder / "formulas" / "extra_inputs.formula").write_text(INPUTS, encoding="utf-8")
    (folder / "formulas" / "extra" / "all.formula").write_text(FORMULAS, encoding="utf-8")
    (folder / "formulas" / "extra" / "preset.toml").write_text(PRESET, encoding="utf-8")
    kinds = "[[shelves]]\nrepeats = 3\nwidth = 7\n[[shelves]]\nrepeats = 2\nwidth = 5\n"
    kinds += "[[crates]]\npieces = 3\nheavy = true\n[[crates]]\nfinish = 'busy'\nload = '5 byte'\n"
    model = f"layers = 2\nhidden = 60\nheads = 4\nvocab = 96000\n{kinds}"
    (folder / "models" / "kinds.toml").write_text(model, encoding="utf-8")
    return load(folder).evaluator


def question_of(records: dict[str, str], values: dict[str, Any]) -> Question:
    return Question(records, values, namespace="extra" if records["model"] == "kinds" else "")


def test_every_construction_recalculates(library: Evaluator, office: Office, tmp_path: Path) -> None:
    wanted = library.select(["extra.*"])
    for number, case in enumerate(CASES):
        question = question_of(*case)
        book, contents = book_of(document_of(library, question, wanted))
        path = tmp_path / f"{number}.xlsx"
        path.write_bytes(contents)
        office.open(path)
        for title, sheet in seen(book.sheets.items()):
            grid = office.read(title) if sheet.formulas else []
            errors = {(row, column): code for row, column, code in office.ask("errors", title)}
            for (row, column), expected in sheet.formulas.items():
                found = shown(grid[row][column], errors.get((row, column)))
                assert agrees(expected, found), (number, title, row + 1, column + 1, expected, found)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_every_kind_of_input_comes_back(library: Evaluator, tmp_path: Path, number: int) -> None:
    question = question_of(*CASES[number])
    _, contents = book_of(document_of(library, question, library.select(["extra.*"])))
    path = tmp_path / "back.xlsx"
    path.write_bytes(contents)
    stated = stated_in(str(path), library)
    before, after = (
        library.givens(question),
        library.givens(Question(scenario=str(path), stated=stated, namespace=question.namespace)),
    )
    assert dict(after.values) == pytest.approx(dict(before.values), rel=1e-15)
    assert dict(after.records) == dict(before.records)
