"""The Python interface: what it answers, how it says what is wrong, what it shows and which tables it makes."""

import math
import pickle
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

import formula_eval
from formula_eval import Answer, FormulaError, Formulas
from formula_eval.cli import main

GIVEN = {"model": "llama2-70b", "tp": 8}
HEADLINES = (
    "time to first token",
    "time per output token",
    "throughput",
    "weights",
    "qkv projection",
    "price of a GPU",
)


@pytest.fixture(scope="module")
def answer(formulas: Formulas) -> Answer:
    return formulas.evaluate(**GIVEN)


def test_it_answers_as_the_command_does(answer: Answer, capsys: pytest.CaptureFixture, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["--model", "llama2-70b", "--tp", "8"]) == 0
    printed, _, command = capsys.readouterr().out.partition("\n\nCommand  ")
    assert str(answer) == repr(answer) == printed
    assert command == "formula-eval --model llama2-70b --tp 8\n"


def test_a_notebook_shows_the_same_sections(answer: Answer) -> None:
    page = Cells()
    page.feed(answer._repr_html_())
    shown = answer._repr_markdown_()
    for title in HEADLINES:
        assert any(cell.startswith(title) for cell in page.cells), title
        assert title in shown
    assert str(answer["inference.tpot"]) in page.cells
    assert len(page.cells) < 600
    assert page.open == []


def test_named_quantities_are_shown_alone(formulas: Formulas) -> None:
    named = formulas.evaluate(only=["inference.ttft in ms", "params.total"], **GIVEN)
    assert str(named).split() == ["inference.ttft", "41.87", "ms", "params.total", "68,976,648,192", "params"]
    page = Cells()
    page.feed(named._repr_html_())
    assert {"ttft", "total"} <= set(page.cells)


def test_what_was_not_asked_for_is_computed_when_it_is_looked_up(answer: Answer, formulas: Formulas) -> None:
    assert "params.attention_part" not in answer
    assert "training.mfu" not in answer
    assert answer["training.mfu"] == formulas.evaluate(only="training.mfu", **GIVEN)["training.mfu"]
    assert answer["ttft"] is answer["inference.ttft"]
    assert answer["mfu"] == answer["training.mfu"]
    assert dict(answer)["inference.ttft"] == answer["ttft"]


def test_a_value_of_one_answer_is_an_input_of_another(answer: Answer, formulas: Formulas) -> None:
    full = formulas.evaluate(only="batch", batch=answer["memory.largest_batch"], **GIVEN)
    assert full["batch"] == answer["memory.largest_batch"]
    assert full["batch"].origin == "argument"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (lambda _, answer: answer["inference.tftt"], "No quantity is named.*\nhelp: Did you mean `inference.ttft`"),
        (lambda _, answer: answer["tftt"], "No quantity is named `tftt`\nhelp: Did you mean `ttft`"),
        (lambda _, answer: answer["memory.*"], r"names \d+ quantities\nhelp: Name one of them"),
        (lambda f, _: f["inference.tftt"], "help: Did you mean"),
        (lambda f, _: f.evaluate(model="lama2-70b"), "Unknown model `lama2-70b`\nhelp: Did you mean `llama2-70b`"),
        (lambda f, _: f.evaluate(bach=3, **GIVEN), "bach.*\nhelp: Did you mean"),
        (lambda f, _: f.evaluate(batch=10**400, **GIVEN), "batch.* is out of range"),
        (lambda f, _: f.evaluate(batch=float("nan"), **GIVEN), "batch.* is out of range"),
        (lambda f, _: f.evaluate(batch=None, **GIVEN), "batch = None"),
        (lambda f, _: f.evaluate(only=5, **GIVEN), "only = 5.*\nhelp: Write"),
        (lambda f, _: f.evaluate(only=["params.total", 5], **GIVEN), "only = .*\nhelp: Write"),
        (lambda f, _: f.evaluate(answer=5, **GIVEN), "no namespace `5`"),
        (lambda f, _: f.models["lama2-70b"], "Did you mean `llama2-70b`"),
        (lambda f, _: f.inputs["tpp"], "Did you mean `tp`"),
        (lambda f, _: f.list("modls"), "Did you mean `models`"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(asked, says: str, formulas: Formulas, answer: Answer) -> None:
    with pytest.raises(FormulaError, match=says):
        asked(formulas, answer)


def test_nothing_named_is_the_whole_answer(formulas: Formulas, answer: Answer) -> None:
    for nothing in (None, "", (), []):
        assert formulas.evaluate(only=nothing, **GIVEN).values == answer.values
    assert len(formulas.evaluate(only="params.*", **GIVEN)) > 50


def test_one_namespace_is_not_refused_by_checks_of_what_was_not_asked(formulas: Formulas) -> None:
    """The tool cannot train on this accelerator with so wide a network, and was asked to serve."""
    given = {
        "model": "llama-7b",
        "gpu": "a100-sxm-80gb",
        "namespace": "published.llm_analysis",
        "prompt": 512,
        "generated": 32,
        "weight_bits": 4,
        "activation_bits": 4,
        "gated": False,
        "ffn_hidden": 16384,
    }
    found = formulas.evaluate(**given)
    name = "published.llm_analysis.inference.prefill_time"
    assert found["prefill_time"] == formulas.evaluate(only=name, **given)[name]
    with pytest.raises(FormulaError, match="divides by zero"):
        found["training.gpu_hours"]


def test_a_frame_has_a_row_for_each_quantity_and_input(answer: Answer) -> None:
    pytest.importorskip("pandas")
    frame = answer.to_pandas()
    assert frame.index.is_unique
    assert frame.columns.tolist() == ["value", "unit", "text", "origin", "meaning"]
    assert frame.loc["inference.ttft", "value"] == answer["ttft"]
    assert frame.loc["inference.ttft", "unit"] == "s"
    assert frame.loc["tp"].tolist()[1:4] == ["GPU", "8 GPUs", "argument"]
    assert set(answer.values) | set(answer.inputs) == set(frame.index)
    words = [name for name, each in answer.inputs.items() if isinstance(each.value, str)]
    assert words
    assert frame.loc[words, "value"].isna().all()


def test_an_arrow_table_holds_the_same(answer: Answer) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    table = answer.to_arrow()
    frame = answer.to_pandas().reset_index()
    assert table.column_names == frame.columns.tolist()
    for column in ("name", "unit", "text", "origin", "meaning"):
        assert table[column].to_pylist() == frame[column].tolist()
    assert table["value"].to_pylist() == [None if math.isnan(each) else each for each in frame["value"]]


@pytest.mark.parametrize(("package", "method"), [("pandas", "to_pandas"), ("pyarrow", "to_arrow")])
def test_a_missing_package_is_named(package: str, method: str, answer: Answer, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(FormulaError, match=rf"`{method}` needs .*`{package}`.*\nhelp: .*formula-eval\[{package}\]"):
        getattr(answer, method)()


def test_one_can_look_around(formulas: Formulas) -> None:
    assert formulas.models["meta-llama/Llama-2-70b-hf"]["layers"] == 80
    assert set(formulas.models.find("mixtral")) == {"mixtral-8x7b", "mixtral-8x22b"}
    assert "h100-sxm" in formulas.hardware
    assert formulas.inputs["tp"]["meaning"] == "Tensor-parallel degree"
    assert formulas.list("hardware").rows == formulas.hardware.rows
    assert formulas.list("units")["GiB"]["meaning"]
    assert "Tensor-parallel degree" in repr(formulas.inputs)
    page = Cells()
    page.feed(formulas.models._repr_html_())
    assert "llama2-70b" in page.cells
    assert page.open == []


def test_names_are_completed(formulas: Formulas, answer: Answer) -> None:
    assert {"load", "FormulaError", "Answer"} <= set(dir(formula_eval))
    assert dir(formula_eval) == sorted(formula_eval.__all__)
    for each in formula_eval.__all__:
        assert getattr(formula_eval, each).__doc__
    assert "inference.ttft" in answer._ipython_key_completions_()
    assert {"training.mfu", "tp"} <= set(formulas._ipython_key_completions_())
    assert "mixtral-8x7b" in formulas.models._ipython_key_completions_()
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        formula_eval.lod  # noqa: B018 - what is not there


def test_asking_imports_nothing_heavy() -> None:
    """Once compiled, neither tables nor algebra nor the parser are loaded before somebody asks for them."""
    code = (
        "import sys; from formula_eval import load; load().evaluate(model='llama2-7b')['inference.tpot'].to('ms');"
        "print(sorted({'pandas', 'pyarrow', 'sympy', 'numpy', 'lark'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    _, done = (subprocess.run(command, capture_output=True, text=True, check=True) for _ in ("compile", "ask again"))
    assert done.stdout == "[]\n"


@pytest.mark.slow
def test_a_notebook_runs(tmp_path, monkeypatch) -> None:
    """In a real kernel, an answer at the end of a cell comes out as HTML with what the terminal shows."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    cells = ["from formula_eval import load\nf = load()", "f.evaluate(model='llama2-70b', tp=8)", "f.models"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown, models = (book.cells[number].outputs[0].data for number in (1, 2))
    assert "time to first token" in shown["text/html"]
    assert "time to first token" in shown["text/plain"]
    assert re.search(r"<td[^>]*>llama2-70b</td>", models["text/html"])


class Cells(HTMLParser):
    """The texts of the cells of all tables, and the elements left open."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, _attributes) -> None:
        self.open.append(tag)
        if tag in {"td", "th"}:
            self.cells.append("")

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        if {"td", "th"} & set(self.open):
            self.cells[-1] += data


def test_answers_are_equal_that_say_the_same(formulas):
    asked = {"only": "params.*", "model": "llama2-7b"}
    assert formulas.evaluate(**asked) == formulas.evaluate(**asked)
    assert formulas.evaluate(**asked) != formulas.evaluate(**asked | {"model": "llama2-13b"})


@pytest.mark.parametrize(
    ("method", "given", "says"),
    [
        ("evaluate", {"batch": [1, 2, 4]}, "`batch` takes one value, not 3"),
        ("evaluate", {"batch": [1, 2, 4]}, r"`sweep\(batch=\[1, 2, 4\]\)` goes through them"),
        ("evaluate", {"modell": "gpt2"}, "Did you mean `model`"),
        ("evaluate", {"onyl": "params.total"}, "Did you mean `only`"),
        ("search", {"minimize": "inference.tpot"}, "Did you mean `minimise`"),
        ("search", {"wher": "memory.fits"}, "Did you mean `where`"),
        ("plan", {"trafic": "chat=1"}, "Did you mean `traffic`"),
    ],
)
def test_a_slip_in_an_argument_is_told_with_the_nearest(method, given, says, formulas):
    with pytest.raises(FormulaError, match=says):
        getattr(formulas, method)(**{"model": "gpt2", **given})


def test_an_answer_explains_its_quantities(answer):
    assert str(answer.explain("ttft", depth=1)) == str(answer.explain("inference.ttft", depth=1))
    assert "inference.ttft" in str(answer.explain("ttft", depth=1))


def test_the_only_quantity_of_an_answer_needs_no_name_to_be_explained(formulas, answer):
    one = formulas.evaluate(model="gpt2", only="params.total")
    assert str(one.explain()) == str(one.explain("params.total"))
    with pytest.raises(FormulaError, match=r"Name one: `explain\("):
        answer.explain()


def test_dir_of_an_answer_shows_what_a_reader_may_use(answer):
    assert {"explain", "to_pandas", "plot", "checks", "inputs"} <= set(dir(answer))
    assert not {"but", "lacking", "refused", "looked_up"} & set(dir(answer))


def test_a_purpose_is_no_input(formulas: Formulas) -> None:
    with pytest.raises(FormulaError, match='Write `answer="training"`'):
        formulas.evaluate(model="gpt2", training=True)


@pytest.mark.slow
def test_a_library_takes_its_models_as_models_are_named() -> None:
    diffusion = formula_eval.load("diffusion")
    name = "diffusion.batch_time"
    assert (
        diffusion.evaluate(model="flux.1-dev", only=name)[name]
        == diffusion.evaluate(denoiser="flux.1-dev", only=name)[name]
    )
    with pytest.raises(FormulaError, match=r"flux\.9"):
        diffusion.evaluate(model="flux.9", only=name)


def test_inputs_are_made_when_they_are_read(formulas) -> None:
    inputs = formulas.evaluate(model="llama2-70b", hardware="h100-sxm", tp=8, only="params.total").inputs
    assert inputs["layers"] is inputs["layers"]
    assert inputs["layers"].plain == 80
    assert inputs == dict(inputs) == pickle.loads(pickle.dumps(inputs))
    assert "params.total" not in inputs
    with pytest.raises(KeyError, match="no_input"):
        inputs["no_input"]
