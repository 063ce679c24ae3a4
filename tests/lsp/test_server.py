"""What an editor is shown and told, by a real client over stdio."""

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from counted import seen
from lsp.conftest import TRIP, Editor

GRID = '''"""Pairs."""

table grid for across in 1 .. trip_length at most 4, down in 1 .. 2
    total = across + down
        "Both"

pairs = sum(each.across * each.down for each in grid)
    "All of them"
    derived "a sum"
    example -> 30
'''


def messages(findings: list[types.Diagnostic]) -> list[str]:
    return [each.message.partition("\n")[0] for each in findings]


def test_findings_follow_the_text_as_it_is_typed(editor: Editor, library: Path) -> None:
    path = library / "formulas/trip/trip.formula"
    assert editor.open(path) == []
    broken = editor.change(path, TRIP.replace("2 * trip_length", "2 * trip_lenth"))
    assert messages(broken) == ["Unknown name `trip_lenth`"]
    assert broken[0].range.start == types.Position(2, 16)
    assert broken[0].severity == types.DiagnosticSeverity.Error
    assert "trip_length" in broken[0].message
    assert messages(editor.change(path, TRIP.replace("2 * trip_length", "2 * (trip_length"))) == [
        "This `(` is never closed"
    ]
    assert messages(editor.change(path, TRIP.replace("-> 6", "-> 7"))) == ["The example of `trip.legs` gives 6, not 7"]
    lacking = editor.change(path, TRIP.replace('    derived "a trip has two legs"\n', ""))
    assert messages(lacking) == ["`legs` has no source"]
    assert lacking[0].severity == types.DiagnosticSeverity.Warning
    assert editor.change(path, TRIP) == []


def test_unsaved_text_of_one_file_counts_in_another(editor: Editor, library: Path) -> None:
    inputs, trip = library / "formulas/inputs.formula", library / "formulas/trip/trip.formula"
    text = inputs.read_text()
    editor.open(inputs)
    editor.change(inputs, text.replace("trip_length", "length_of_trip"))
    assert "Unknown name `trip_length`" in messages(editor.open(trip))


def test_a_saved_library_is_checked_as_a_whole(editor: Editor, library: Path) -> None:
    inputs, fuel = library / "formulas/inputs.formula", library / "formulas/trip/fuel.formula"
    editor.open(inputs)
    text = inputs.read_text().replace("trip_length", "length_of_trip")
    editor.change(inputs, text)
    inputs.write_text(text)
    editor.save(inputs)
    assert messages(editor.findings(fuel)) == [
        "The example gives `trip_length`, which is neither an input nor a quantity"
    ]


def test_hover_tells_equation_sentence_unit_and_value(editor: Editor, library: Path) -> None:
    path = library / "formulas/trip/trip.formula"
    editor.open(path)
    text = editor.ask("hover", path, "doubled(le|gs)").contents.value
    assert text.startswith("```formula\nlegs: dim = 2 * trip_length\n```\n\nThere and back\n\nUnit or type: `dim`")
    assert "Under the defaults: **200 dims**" in text
    assert "Which part of the trip" in editor.ask("hover", path, "sha|re = ").contents.value
    assert "Which part of the trip" in editor.ask("hover", path, "sha|re = distance").contents.value
    assert "How far" in editor.ask("hover", path, "each.dist|ance").contents.value
    assert "choice pace = slow | fast" in editor.ask("hover", path, "sl|ow -> 1").contents.value
    assert "`dim` is a count" in editor.ask("hover", path, "effort: d|im").contents.value
    assert "There and back" in editor.ask("hover", path, "{le|gs}").contents.value
    assert editor.ask("hover", path, '"Twice a si|ze') is None


def test_definition_and_references(editor: Editor, library: Path) -> None:
    path, fuel = library / "formulas/trip/trip.formula", library / "formulas/trip/fuel.formula"
    editor.open(path)
    editor.open(fuel)
    there = editor.ask("definition", fuel, "3 * le|gs")
    assert (there.uri, there.range.start) == (path.as_uri(), types.Position(2, 0))
    column = editor.ask("definition", fuel, "city.sh|are")
    assert column.range.start == types.Position(11, 4)
    assert editor.ask("definition", fuel, "stretches.ci|ty").range.start == types.Position(14, 8)
    context = types.ReferenceContext(include_declaration=True)
    found = editor.ask("references", path, "le|gs: dim", context=context)
    assert sorted((Path(each.uri[7:]).name, each.range.start.line) for each in found) == [
        *(("fuel.formula", line) for line in (2,)),
        *(("trip.formula", line) for line in (2, 11, 15, 18, 25, 30, 31)),
    ]


def test_rename_reaches_chapters_examples_messages_and_reports(editor: Editor, library: Path) -> None:
    path, fuel = library / "formulas/trip/trip.formula", library / "formulas/trip/fuel.formula"
    (library / "reports").mkdir()
    report = library / "reports" / "trip.toml"
    report.write_text('[[entry]]\nquantity = "trip.legs"\n')
    editor.open(path)
    editor.open(fuel)
    edit = editor.ask("rename", path, "le|gs: dim", new_name="way")
    assert set(edit.changes) == {path.as_uri(), fuel.as_uri(), report.as_uri()}
    assert [each.new_text for each in edit.changes[report.as_uri()]] == ["trip.way"]
    inputs = library / "formulas/inputs.formula"
    editor.open(inputs)
    edit = editor.ask("rename", inputs, "trip_le|ngth: dim", new_name="way")
    assert [each.range.start.line for each in edit.changes[path.as_uri()]] == [2, 5, 28]
    column = editor.ask("rename", path, "di|stance: dim", new_name="far")
    assert [each.range.start.line for each in column.changes[path.as_uri()]] == [9, 11, 15, 18, 25]
    loop = editor.ask("rename", path, "for ea|ch in", new_name="stretch")
    assert len(loop.changes[path.as_uri()]) == 2


def test_an_index_of_a_table_is_a_column_to_rename(editor: Editor, library: Path) -> None:
    path = library / "formulas/trip/grid.formula"
    path.write_text(GRID, encoding="utf-8")
    editor.open(path)
    for place in ("for acr|oss in", "dow|n in 1", "total = acr|oss"):
        edit = editor.ask("rename", path, place, new_name="aside")
        assert [each.range.start.line for each in edit.changes[path.as_uri()]] == [2, 3, 6]
    assert editor.ask("definition", path, "each.do|wn").range.start == types.Position(2, 53)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("effort", "`legs` cannot be called `effort`: `trip.effort` is declared twice"),
        ("trip_pace", "`legs` cannot be called `trip_pace`: `trip.trip_pace` would hide `trip_pace` of the root"),
        ("match", "`match` is a word of the language"),
        ("sqrt", "`sqrt` is a word of the language"),
        ("byte", "`byte` is a unit"),
        ("My legs", "`My legs` is not a name in lower case"),
    ],
)
def test_a_rename_onto_a_taken_name_is_refused(editor: Editor, library: Path, name: str, why: str) -> None:
    path = library / "formulas/trip/trip.formula"
    editor.open(path)
    with pytest.raises(JsonRpcException) as caught:
        editor.ask("rename", path, "le|gs: dim", new_name=name)
    assert caught.value.message.startswith(why)


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("sl|ow -> 1", "`slow` is a word of a choice"),
        ("effort: d|im", "`dim` is a unit, which keeps its name"),
        ("s|um(each", "`sum` is a function of the language, which keeps its name"),
        ('"Twice a si|ze', "Nothing here has a name that could be changed"),
    ],
)
def test_what_cannot_be_renamed_says_so(editor: Editor, library: Path, place: str, why: str) -> None:
    path = library / "formulas/trip/trip.formula"
    editor.open(path)
    with pytest.raises(JsonRpcException) as caught:
        editor.ask("rename", path, place, new_name="other")
    assert caught.value.message.startswith(why)


def test_a_record_that_names_an_input_is_told(editor: Editor, library: Path) -> None:
    (library / "models").mkdir()
    (library / "models" / "short.toml").write_text("trip_length = 3\n")
    inputs = library / "formulas/inputs.formula"
    editor.open(inputs)
    editor.ask("rename", inputs, "trip_le|ngth: dim", new_name="way")
    assert editor.messages == ["The old name also stands in models/short.toml; change it there by hand."]


@pytest.mark.parametrize(
    ("line", "among", "not_among"),
    [
        ("|", {"input", "choice", "table", "def", "check"}, {"legs"}),
        ("def|", {"def"}, {"input", "legs"}),
        ("x: dim = |", {"legs", "trip_length", "effort", "doubled", "min"}, {"token", "example"}),
        ("x: dim = le|", {"legs", "trip_length", "doubled"}, {"effort", "min"}),
        ("x: byte = 3 |", {"byte", "GB", "token"}, {"legs"}),
        ("x: byte/s = (3 GB/|", {"s", "token"}, {"legs"}),
        ("x: |", {"byte", "pace", "flag"}, {"legs"}),
        ("x: b|", {"byte"}, {"pace", "flag"}),
        ("x: flag = trip_pace == |", {"slow", "fast"}, {"legs"}),
        ("x: dim = stretches.|", {"city", "country"}, {"legs"}),
        ("x: dim = stretches.city.|", {"distance", "share"}, {"city"}),
        ("x: dim = sum(each.| for each in stretches)", {"distance", "share"}, {"city"}),
        ("x: dim = trip.|", {"legs", "stretches"}, {"trip_length"}),
        ("x: dim = 2\n    |", {"symbol", "source", "example", "note", "derived"}, {"legs"}),
        ("x: dim = 2\n    s|", {"symbol", "source"}, {"example", "note"}),
        ("x: dim = 2\n    example |", {"trip_length", "trip_pace", "legs"}, {"source"}),
        ("x: dim = 2\n    example trip_pace = |", {"slow", "fast"}, {"legs"}),
        ("input other: pace = |", {"slow", "fast"}, {"legs"}),
        ("x: dim = (legs with |", {"trip_length", "trip_pace"}, {"legs", "min"}),
        ("x: dim = sum(each.share for each in |", {"stretches"}, {"legs", "trip_length"}),
        ("replace |", {"legs"}, {"trip_length", "original"}),
        ("situation far: |", {"trip_length"}, {"legs"}),
        ("part way = |", {"trip"}, {"legs"}),
        ("part way = trip with |", {"trip_length"}, {"legs"}),
        ("use trip.(|", {"legs"}, {"trip_length"}),
        ("check far |", {"refuse", "warn", "note"}, {"legs"}),
        ("table days for day in 1 .. 3\n    far: dim = previous.|", {"far"}, {"legs"}),
        ("x: dim = 2 * kept\n    w|", {"where"}, {"legs"}),
        ("input other: pace = fa|", {"fast"}, {"slow"}),
        ("input other: flag = |", {"true", "false"}, {"legs"}),
        ('x: dim = 2\n    "A le|', set(), {"legs"}),
    ],
)
def test_completion(editor: Editor, library: Path, line: str, among: set[str], not_among: set[str]) -> None:
    path = library / "formulas/trip/trip.formula"
    editor.open(path)
    editor.edited[path] = f"{TRIP}\n{line.replace('|', '')}\n"
    editor.change(path, editor.edited[path])
    place = line.partition("\n")[2] or line
    offered = {each.label for each in editor.ask("completion", path, place).items}
    assert among <= offered
    assert not offered & not_among


def test_names_of_the_folder_are_offered_first(editor: Editor, library: Path) -> None:
    path = library / "formulas/trip/trip.formula"
    editor.open(path)
    editor.edited[path] = f"{TRIP}\nx: dim = \n"
    editor.change(path, editor.edited[path])
    items = sorted(editor.ask("completion", path, "x: dim = |").items, key=lambda each: each.sort_text)
    places = {each.label: number for number, each in enumerate(items)}
    assert places["legs"] < places["trip_length"] < places["min"]


@pytest.mark.slow
def test_completion_with_our_formulas_and_records(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "alone.formula"
    lines = {
        "    source |": "pope2022",
        "    example model = |": "llama2-70b",
        "x: head = params.|": "total",
        "y: head = hea|": "heads",
        "input z: dim = 2 from |": "hardware",
    }
    path.write_text("\n".join(line.replace("|", "") for line in lines) + "\n")
    editor.open(path)
    for line, word in seen(lines.items()):
        assert word in {each.label for each in editor.ask("completion", path, line).items}, line


def test_names_that_a_use_lets_stand_alone(editor: Editor, library: Path) -> None:
    path, trip = library / "formulas/other.formula", library / "formulas/trip/trip.formula"
    path.parent.joinpath("other").mkdir()
    path = path.parent / "other" / "other.formula"
    notes = '    "Half of the trip"\n    derived "a definition"\n    example trip_length = 2 -> 2\n'
    path.write_text(f'"""Other."""\n\nuse trip.(legs)\n\nhalf: dim = legs / 2\n{notes}')
    assert editor.open(path) == []
    assert editor.ask("definition", path, "= le|gs").uri == trip.as_uri()
    editor.open(trip)
    edit = editor.ask("rename", trip, "le|gs: dim", new_name="way")
    assert [each.range.start.line for each in edit.changes[path.as_uri()]] == [2, 4]


def test_document_symbols(editor: Editor, library: Path) -> None:
    path = library / "formulas/trip/trip.formula"
    editor.open(path)
    found = editor.run(
        editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.document(path)))
    )
    assert [each.name for each in found] == ["legs", "stretches", "doubled", "effort", "long_trip"]
    assert [each.name for each in found[1].children] == ["distance", "share", "city", "country"]


def format_of(editor: Editor, path: Path) -> list[types.TextEdit]:
    options = types.FormattingOptions(4, insert_spaces=True)
    params = types.DocumentFormattingParams(editor.document(path), options)
    return editor.run(editor.client.text_document_formatting_async(params))


def test_format(editor: Editor, library: Path) -> None:
    path = library / "formulas/trip/trip.formula"
    editor.open(path, TRIP.replace("2 * trip_length", "(2*trip_length)"))
    assert [each.new_text for each in format_of(editor, path)] == [TRIP]
    editor.change(path, TRIP)
    assert not format_of(editor, path)
    editor.change(path, TRIP.replace("2 * trip_length", "2 *"))
    with pytest.raises(JsonRpcException, match="cannot be formatted as long as it has errors"):
        format_of(editor, path)
