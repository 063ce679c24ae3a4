"""A statement of the grammar is known wherever statements are read, built, written and explained."""

import pytest
from lark import Lark

from formula_eval.core import declaration as d, expression as e
from formula_eval.language.builder import Builder
from formula_eval.language.keywords import declaring_words, statement_words
from formula_eval.language.reader import _GRAMMAR, _Lines
from formula_eval.language.syntax_errors import _advice
from formula_eval.printing.text import TEXT, expression_text
from language.cases import case_paths, load, read, reader

PARTS = (
    d.Declaration,
    d.ChangeDeclaration,
    d.SuppliedDeclaration,
    d.ParameterDeclaration,
    d.UnknownDeclaration,
    d.ColumnDeclaration,
    d.RowDeclaration,
)


def test_every_rule_of_the_grammar_is_built() -> None:
    grammar = Lark(_GRAMMAR.read_text(encoding="utf-8"), start=["start", "expression"], parser="lalr", postlex=_Lines())
    made = {rule.alias or rule.origin.name for rule in grammar.rules if rule.alias or not rule.options.expand1}
    assert {name for name in made if not name.startswith("_") and not hasattr(Builder, name)} == set()


def test_every_statement_says_how_it_is_written() -> None:
    assert set(statement_words()) - _advice()["forms"].keys() == set()


def test_every_statement_is_among_the_good_chapters() -> None:
    chapters = [chapter for path in case_paths("good") for chapter in read(load(path))[0]]
    shown = {type(declared) for chapter in chapters for declared in (*chapter.uses, *chapter.declarations)}
    kinds = (each for each in vars(d).values() if isinstance(each, type) and issubclass(each, d.Declaration))
    unseen = [each.__name__ for each in kinds if each not in (*PARTS, *shown)]
    assert unseen == [], "write one into language.formula"


@pytest.mark.parametrize("word", declaring_words())
def test_the_name_of_a_statement_that_cannot_be_read_is_known(word: str) -> None:
    chapter, findings = reader().chapter(f"{word} lost (\n\nfound = lost + 1\n", "x.formula", "")
    assert chapter.broken == ("lost",)
    assert len(findings) == 1


def test_words_that_declare_nothing_are_told_apart() -> None:
    assert set(statement_words()) - set(declaring_words()) == {"use", "extend", "replace"}


WRITTEN = """
input size = 8 in 1 .. 9
    example size = 3 -> 4

table parts like shape for n in 1 | 2
    count = n + size

    row one
        count = size - 1

situation small: size = 2

check fits warn: size < 9
    "{size + 1} is too much"

extend size + 3 if size > 1

extend parts
    row two
        count = 4
"""


def test_a_statement_computes_with_all_expressions_but_those_of_its_notes() -> None:
    chapter, findings = reader().chapter(WRITTEN, "x.formula", "")
    assert not findings
    assert [[_text(each) for each in d.expressions_of(declared)] for declared in chapter.declarations] == [
        ["8", "1", "9"],
        ["n + size", "size - 1", "shape", "1", "2"],
        ["size = 2"],
        ["size < 9", "size + 1"],
        ["3", "size > 1"],
        ["4"],
    ]


def _text(x: e.Expression) -> str:
    return TEXT.binding(x) if isinstance(x, e.Binding) else expression_text(x)
