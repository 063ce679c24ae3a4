"""What the tests of written documents share: documents of several models, and a library whose texts are hostile."""

from functools import cache
from pathlib import Path

from formula_eval import load
from formula_eval.ask.export_lists import quantities_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document, document_of
from formula_eval.records.givens import Givens, Question

HOSTILE = r"=1+1 </script><b> \input{/etc/passwd} \write18{touch x} $x$ %# & _^~ | ` * [a](b) {{ 7*7 }} ''' @all #1"
_FORMULAS = rf'''"""Hostile: {HOSTILE}."""

plain_cost: USD = 2 USD * layers
    "{HOSTILE}"
    symbol "\input{{secret}}"
    source evil2024 "{HOSTILE}"
    note "{HOSTILE}"

double_script: USD = 3 * plain_cost
    "Ends in a backslash \"
    symbol "a_b_c"
    source evil2024
'''
_SOURCES = f"""
[evil2024]
title = '''{HOSTILE.replace("'''", "")}'''
authors = "O'Né\\u0142, }}{{, \\u4e2d\\u6587, et al."
year = 2024
pages = 1
url = 'https://example.org/a_b%20c#d~e?f=}}g\\h'
"""
_MODEL = 'layers = 3\nhidden = 64\nheads = 4\nvocab = 100\nname = "evil"\n'
MODEL_NAME = "=evil $_%#&{x}~^ \u202e</script>"


# A pre-training job in which every kind of parallelism but that of experts has something to do.
TRAINING_JOB = {"gpus": 1024, "tp": 8, "pp": 4, "cp": 2, "global_batch": 512, "seq": 8192, "recompute": "full"}


@cache
def evaluator() -> Evaluator:
    """Our own library, read once by each process."""
    return load().evaluator


def usual(*, training: bool = False, form: str = "excel") -> tuple[str, ...]:
    """What a document holds for which nobody names quantities."""
    return tuple(quantities_of(evaluator().library, form, Question(purpose="training" if training else ""), Givens()))


def document(model: str, *only: str, named: bool = True, **values: object) -> Document:
    """Of these quantities, with the checks that concern them, or with all where nobody `named` them."""
    engine = evaluator()
    return document_of(engine, Question({"model": model}, values), engine.select(only), named=named)


def hostile_library(folder: Path) -> Path:
    """A folder with formulas, a source and a model whose every text is an attack."""
    for name, text in (
        ("formulas/evil/evil.formula", _FORMULAS),
        ("formulas/evil/sources.toml", _SOURCES),
        (f"models/{MODEL_NAME.replace('/', '-')}.toml", _MODEL),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def hostile_document(folder: Path) -> Document:
    library = hostile_library(folder)
    engine = load(library).evaluator
    path = next((library / "models").iterdir())
    question = Question({"model": str(path)}, {})
    return document_of(engine, question, engine.select(["evil.*"]), command=f"formula-eval export --x '{HOSTILE}'")
