"""Describes a word as an editor shows it on hover: equation, sentence, unit, and its value under the defaults."""

from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.builtins import BUILTINS, SEARCHES
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.notes import Notes
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.program import compile_program
from formula_eval.evaluate.value import typed_value
from formula_eval.language.formatter import declaration_text
from formula_eval.lsp.snapshot import Snapshot
from formula_eval.lsp.symbol_at import Target
from formula_eval.records.givens import Question, givens_of
from formula_eval.records.schema_of_graph import schema_of


def hover_text(snapshot: Snapshot, file: str, target: Target) -> str:
    """Markdown about a word that stands in a file; empty where there is nothing to say."""
    match target.kind:
        case "unit":
            return _unit(snapshot, target)
        case "builtin" | "keyword":
            return _written(target)
        case "source":
            return _source(snapshot, target.word)
        case "word" if isinstance(target.declaration, d.ChoiceDeclaration):
            return f"{_code(_equation(target.declaration))}\n\nA word of the choice `{target.declaration.name}`"
        case "symbol" | "choice" | "column" | "row" if target.declaration is not None:
            return _declared(snapshot, file, target, target.declaration)
    return ""


def _written(target: Target) -> str:
    """How a function is called, or what a search consists of; nothing about other words of the language."""
    if target.kind == "keyword":
        return _code(SEARCHES[target.word]) if target.word in SEARCHES else ""
    builtin = BUILTINS.get(target.word)
    return _code(builtin.written if builtin else f"{target.word}(x for row in table)")


def _declared(snapshot: Snapshot, file: str, target: Target, declared: d.Declaration) -> str:
    lines = [_code(_equation(declared))]
    if declared.notes.sentence:
        lines.append(declared.notes.sentence)
    unit = getattr(declared, "type", None)
    if isinstance(unit, e.TypeText):
        lines.append(f"Unit or type: `{' | '.join(unit.alternatives)}`")
    if declared.notes.fitted:
        lines.append(f"Fitted to {declared.notes.fitted}")
    value = value_text(snapshot, file, target.symbol) if target.kind == "symbol" else ""
    if value:
        lines.append(f"Under the defaults: **{value}**")
    if declared.span.line:
        lines.append(f"*{declared.span.place}*")
    return "\n\n".join(lines)


def _equation(declared: d.Declaration) -> str:
    """The statement without its notes; of a table its head and columns."""
    bare = replace(declared, notes=Notes())
    if isinstance(bare, d.TableDeclaration):
        columns = tuple(replace(column, notes=Notes()) for column in bare.columns)
        bare = replace(bare, columns=columns, rows=())
    if isinstance(bare, d.RowDeclaration):
        return f"row {bare.name}"
    return declaration_text(bare).rstrip()


def value_text(snapshot: Snapshot, file: str, name: str) -> str:
    """What a quantity is where nobody says anything; why it cannot be said; nothing for what has no value."""
    graph = snapshot.part(file).resolved.graph
    if graph is None or name not in graph.nodes:
        return ""
    try:
        schema = schema_of(graph, snapshot.library.units)
        program = compile_program(graph, [name])
        givens = givens_of(Question(), schema, snapshot.library).values
        numbers = program.evaluate(givens)
    except FormulaError as error:
        return f"none, since {error.diagnostics[0].message[:1].lower()}{error.diagnostics[0].message[1:]}"
    missing = next(iter(schema.unchosen(name, givens)), None) or program.why_absent(numbers, name)
    if missing is not None:
        return f"none, since `{missing}` is not given"
    quantity = schema.quantity(name)
    return shown_value(typed_value(numbers[name], quantity), quantity)


def _unit(snapshot: Snapshot, target: Target) -> str:
    lines = [f"`{target.word}` is {snapshot.library.units.units[target.word].meaning}"]
    if target.declaration is not None:
        lines = [_code(_equation(target.declaration)), target.declaration.notes.sentence, *lines]
    return "\n\n".join(line for line in lines if line)


def _source(snapshot: Snapshot, key: str) -> str:
    entry = snapshot.library.citations.get(key)
    if entry is None:
        return ""
    authors, year = entry.get("authors", ""), entry.get("year", "")
    return f"**{entry.get('title', key)}**\n\n{authors} ({year})\n\n{entry.get('url', '')}".strip()


def _code(text: str) -> str:
    return f"```formula\n{text}\n```"
