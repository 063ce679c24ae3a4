"""Random declarations and chapters, as an author could have written them."""

from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.notes import Example, Notes, Source
from formula_eval.core.unit_meaning import UnitMeaning
from properties.expression_strategies import DAYS, EXPRESSIONS, NAMES, NUMBERS, PATHS, PLAIN_NUMBERS, WORDS

TEXTS = st.text(st.characters(exclude_characters='"\n\r\t', exclude_categories=("C", "Z")), max_size=30)
SENTENCES = st.text(
    st.characters(exclude_characters='"{}', exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=60
).filter(str.strip)


LITERALS = st.one_of(
    NUMBERS,
    DAYS,
    NUMBERS.map(e.Negate),
    st.sampled_from([e.Infinity(), e.Negate(e.Infinity())]),
    st.builds(e.FlagValue, st.booleans()),
)
TYPES = st.one_of(
    st.none(),
    st.sampled_from(
        ["byte", "byte/token", "1/s", "FLOP/s/GPU", "kg/m**3", "1/m**2", "flag", "whole", "date", "phase"]
    ).map(lambda t: e.TypeText((t,))),
    st.just(e.TypeText(("compute", "memory"))),
)
PIECES = st.lists(st.builds(e.NamedPiece, NAMES, EXPRESSIONS, TYPES), min_size=1, max_size=3).map(tuple)
BODIES = EXPRESSIONS | st.builds(e.Where, EXPRESSIONS, PIECES)
GIVENS = st.tuples(
    PATHS.map(lambda name: ".".join(name.path)), st.one_of(LITERALS, st.sampled_from(["llama2-70b", "decode"]))
)
EXAMPLES = st.builds(
    Example,
    st.lists(GIVENS, max_size=3).map(tuple),
    st.one_of(st.none(), LITERALS, WORDS.map(lambda word: e.Name((word,)))),
    st.lists(PATHS.map(lambda name: ".".join(name.path)), max_size=2).map(tuple),
)
NOTES = st.builds(
    Notes,
    st.just("") | SENTENCES,
    st.just("") | TEXTS,
    st.lists(st.builds(Source, st.sampled_from(["pope2022", "dao2023"]), st.just("") | TEXTS), max_size=2).map(tuple),
    st.just("") | SENTENCES,
    st.lists(SENTENCES, max_size=2).map(tuple),
    st.lists(EXAMPLES, max_size=2).map(tuple),
    st.just("") | SENTENCES,
)
SENTENCE_ONLY = st.builds(Notes, st.just("") | SENTENCES)
BOUNDS = st.one_of(NUMBERS, st.sampled_from([e.Infinity(), e.Negate(e.Infinity())]), NUMBERS.map(e.Negate))


Supplied = TypeVar("Supplied", d.InputDeclaration, d.ColumnDeclaration)


def _within(
    declared: Supplied, bounds: tuple[e.Expression, e.Expression] | None, allowed: tuple[e.Number, ...]
) -> Supplied:
    low, high = bounds or (None, None)
    return replace(declared, low=low, high=high, allowed=() if bounds else allowed)


SIMPLE_NUMBERS = NUMBERS.filter(lambda number: not set(number.unit) & set("/*"))
DOMAIN = (
    st.none() | st.tuples(BOUNDS, BOUNDS),
    st.just(()) | st.lists(SIMPLE_NUMBERS, min_size=2, max_size=4).map(tuple),
)
INPUTS = st.builds(
    _within,
    st.builds(
        d.InputDeclaration,
        name=NAMES,
        type=TYPES,
        default=st.none() | EXPRESSIONS | st.just(e.Name(("llama3.1-8b",))),
        supplier=st.sampled_from(["", "model", "hardware"]),
        optional=st.booleans(),
        notes=NOTES,
    ),
    *DOMAIN,
)
CHOICES = st.builds(
    d.ChoiceDeclaration, name=NAMES, values=st.lists(WORDS, min_size=1, max_size=4, unique=True).map(tuple), notes=NOTES
)
RECORD_KINDS = st.builds(
    d.RecordDeclaration,
    name=NAMES,
    path=st.sampled_from(["denoisers/", "more/denoisers/", "hardware.toml", "presets/family-2.toml"]),
    default=st.sampled_from(["", "dit-xl-2", "llama3.1-8b"]),
    suppliers=st.lists(WORDS, max_size=2, unique=True).map(tuple),
    alias=st.just("") | NAMES,
    notes=NOTES,
)
FORMULAS = st.builds(d.FormulaDeclaration, name=NAMES, type=TYPES, expression=BODIES, notes=NOTES)
PARAMETERS = st.lists(st.builds(d.ParameterDeclaration, name=NAMES, type=TYPES), min_size=1, max_size=3).map(tuple)
FUNCTIONS = st.builds(
    d.FunctionDeclaration, name=NAMES, parameters=PARAMETERS, type=TYPES, expression=BODIES, notes=NOTES
)
CHECKS = st.builds(
    lambda name, level, condition, notes: d.CheckDeclaration(
        name=name,
        level=level,
        condition=condition,
        message=(notes.sentence,) if notes.sentence else (),
        units=(None,) if notes.sentence else (),
        notes=notes,
    ),
    NAMES,
    st.sampled_from(["refuse", "warn", "note"]),
    EXPRESSIONS,
    NOTES,
)
SETTINGS = st.builds(e.Binding, PATHS, st.one_of(EXPRESSIONS, st.just(e.Name(("llama2-70b",)))))
SITUATIONS = st.builds(
    d.SituationDeclaration,
    name=NAMES,
    bindings=st.lists(SETTINGS, min_size=1, max_size=4).map(tuple),
    notes=NOTES,
)
USES = st.builds(
    d.UseDeclaration,
    name=PATHS.map(lambda name: ".".join(name.path)),
    names=st.lists(NAMES, min_size=1, max_size=9).map(tuple),
)
COLUMNS = st.builds(d.ColumnDeclaration, name=NAMES, type=TYPES, expression=st.none() | BODIES, notes=NOTES)
SUPPLIED_COLUMNS = st.builds(
    _within,
    st.builds(
        d.ColumnDeclaration,
        name=NAMES,
        type=TYPES,
        default=st.none() | EXPRESSIONS,
        supplier=st.sampled_from(["model", "scenario"]),
        notes=NOTES,
    ),
    *DOMAIN,
)
ROWS = st.builds(
    d.RowDeclaration,
    name=NAMES,
    cells=st.lists(st.tuples(NAMES, EXPRESSIONS), max_size=3).map(tuple),
    notes=SENTENCE_ONLY,
)
LOOPS = st.one_of(
    st.builds(d.Loop, NAMES),
    st.builds(d.Loop, NAMES, st.lists(NUMBERS, min_size=2, max_size=3).map(tuple)),
    st.builds(d.Loop, NAMES, st.tuples(PLAIN_NUMBERS), EXPRESSIONS, st.integers(0, 500)),
)
RANGES = st.builds(d.Loop, NAMES, st.tuples(PLAIN_NUMBERS), PLAIN_NUMBERS)
TABLES = st.one_of(
    st.builds(
        d.TableDeclaration,
        name=NAMES,
        like=st.none() | PATHS,
        rows_of=st.builds(d.RowsOf, NAMES, PATHS, st.none() | EXPRESSIONS),
        columns=st.lists(COLUMNS, min_size=1, max_size=3).map(tuple),
        rows=st.lists(ROWS, max_size=3).map(tuple),
        notes=NOTES,
    ),
    st.builds(
        d.TableDeclaration,
        name=NAMES,
        like=st.none() | PATHS,
        loops=st.one_of(st.just(()), LOOPS.map(lambda loop: (loop,)), st.tuples(RANGES, RANGES)),
        columns=st.lists(COLUMNS, min_size=1, max_size=3).map(tuple),
        rows=st.lists(ROWS, max_size=3).map(tuple),
        open=st.booleans(),
        notes=NOTES,
    ),
    st.builds(
        d.TableDeclaration,
        name=NAMES,
        columns=st.lists(COLUMNS | SUPPLIED_COLUMNS, min_size=1, max_size=3).map(tuple),
        supplier=st.sampled_from(["model", "scenario"]),
        at_least=st.integers(0, 3),
        at_most=st.integers(1, 64),
        notes=NOTES,
    ),
)
MEANINGS = st.builds(
    UnitMeaning,
    st.sampled_from(["parsec", "EUR", "Pa"]),
    st.sampled_from(["base", "count", "checked"]),
    st.just("1"),
    st.just(""),
    st.lists(st.sampled_from(["decimal", "binary", "small", "cents"]), max_size=2, unique=True).map(tuple),
    st.just(""),
) | st.builds(
    UnitMeaning,
    st.sampled_from(["parsec", "knot", "Pa"]),
    st.just("multiple"),
    st.sampled_from(["1", "1/8", "1609.344", "3.086e16", "31_536_000"]),
    st.sampled_from(["", "m", "km/hour", "kg/m**3", "m**2"]),
    st.just(()) | st.just(("small",)),
    st.just(""),
)
UNIT_STATEMENTS = st.builds(
    lambda meaning, notes: d.UnitDeclaration(name=meaning.name, meaning=meaning, notes=notes), MEANINGS, SENTENCE_ONLY
)
DOTTED = PATHS.map(lambda name: ".".join(name.path))
CHANGES = st.one_of(
    st.builds(
        d.ExtensionDeclaration,
        name=DOTTED,
        term=EXPRESSIONS,
        condition=st.none() | EXPRESSIONS,
        operator=st.sampled_from(["+", "*", "and", "or", "at most", "at least"]),
        notes=NOTES,
    ),
    st.builds(d.AddedRowsDeclaration, name=DOTTED, rows=st.lists(ROWS, min_size=1, max_size=3).map(tuple)),
    st.builds(d.ReplacementDeclaration, name=DOTTED, expression=BODIES, notes=NOTES),
)
DECLARATIONS = st.one_of(
    INPUTS, CHOICES, RECORD_KINDS, FORMULAS, FUNCTIONS, SITUATIONS, CHECKS, TABLES, CHANGES, UNIT_STATEMENTS
)
DOCSTRINGS = st.text(st.characters(exclude_categories=("C", "Zl", "Zp"), include_characters="\n"), max_size=80).map(
    lambda text: text.strip().replace('"""', "")
)
CHAPTERS = st.builds(
    lambda docstring, declarations, uses: d.Chapter("x.formula", "", docstring, tuple(declarations), uses=tuple(uses)),
    DOCSTRINGS,
    st.lists(DECLARATIONS, max_size=4),
    st.lists(USES, max_size=2),
)
