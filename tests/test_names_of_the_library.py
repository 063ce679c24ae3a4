"""The engine knows no name of the library: what it needs by its role stands in presets/roles.toml and in reports/."""

import ast
from collections.abc import Iterator
from pathlib import Path

from formula_eval.core.namespace import around
from formula_eval.library import Library
from formula_eval.records.record_files import all_records
from formula_eval.records.record_names import names_of
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema

ENGINE = Path(__file__).parents[1] / "engine" / "formula_eval"
# Words that name something of the library, and in the engine something else.
OTHERWISE = {
    "api": "a layer of the engine: its Python interface",
    "checks": "statements of our language, and the folder of those that always speak (formulas/README.md)",
    "code": "of a finding, and of LSP's errors",
    "collectives": "what `measure` times: the trade's word",
    "container": "of an image: plain English",
    "default": "a word of our language and of Jinja's",
    "flops": "a column of tables of kernels, in FLOP",
    "format": "how a document is printed, a role, and Excel's word for a style",
    "gpu": "what Slurm's --gres calls any accelerator",
    "grid": "the lines behind a picture",
    "group": "of rows and of statements: plain English",
    "interval": "a note of our language (formulas/README.md)",
    "kubernetes": "a form of `export launch --as`",
    "layers": "a key of Ollama's manifests, and of the page's pictures",
    "memory": "of an accelerator that is measured: plain English",
    "message": "of a finding",
    "model": "a role, and a key of KServe's manifests",
    "operators": "a kind of sections: the trade's word",
    "page": "a document",
    "phase": "of a picture: plain English",
    "power": "x ** y, as Python and NumPy have it",
    "published": "the folder that is asked alone (formulas/README.md)",
    "slurm": "a form of `export launch --as`",
    "traffic": "an option of `plan`",
}


def test_no_text_of_the_engine_is_a_name_of_the_library(formulas):
    schema, library = formulas.evaluator.schema, formulas.evaluator.library
    names = {*names_in(schema), *records_in(library, schema)}
    texts = {
        text: f"{path.relative_to(ENGINE)}:{line}" for path in ENGINE.rglob("*.py") for text, line in texts_of(path)
    }
    assert len(names) > 2000
    assert {text: place for text, place in texts.items() if text in names - OTHERWISE.keys()} == {}
    assert OTHERWISE.keys() - (texts.keys() & names) == set(), "need no exception"


def names_in(schema: Schema) -> Iterator[str]:
    """The names of inputs, formulas, tables, folders and kinds of records."""
    yield from (*schema.inputs, *schema.tables, *schema.kinds, *(each.word for each in schema.kinds.values()))
    for name, each in schema.formulas.items():
        if each.is_listed:
            yield from (name, *around(each.namespace)[:-1])


def records_in(library: Library, schema: Schema) -> Iterator[str]:
    """The names of records, of launch programs, and of what a question may be about."""
    yield from (
        name for kind in schema.kinds.values() for each in all_records(library, kind) for name in names_of(each)
    )
    yield from (path.stem for _, path in library.files("presets/launch/*.toml"))
    yield from (path.stem for _, path in library.files("reports/answers/*.toml"))
    yield from roles_of(library).purposes


def texts_of(path: Path) -> Iterator[tuple[str, int]]:
    """The texts in a module that are not docstrings, with their lines."""
    tree = ast.parse(path.read_text())
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    said = {
        id(each.body[0].value) for each in ast.walk(tree) if isinstance(each, documented) and ast.get_docstring(each)
    }
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in said:
            yield each.value, each.lineno
