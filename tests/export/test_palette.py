"""One palette for all documents: legible on black and on white, no colour twice in a bar, none defined elsewhere."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.cli.terminal import _painted
from formula_eval.export.diagram.diagram_layout import read_diagram_layout
from formula_eval.export.html.page_colours import colour_style, colours_data
from formula_eval.export.palette import Palette, our_palette, palette_of
from formula_eval.libraries import find_library
from formula_eval.library import Library

HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")
# Paper, ink, lines and fields to type in belong to their medium; they are neither data nor a state.
LOOKS = ("page/style.css", "reports/plot.toml", "structure/picture.svg.j2", "workbook/styles.py")


@pytest.fixture(scope="module")
def palette() -> Palette:
    return our_palette()


@pytest.fixture(scope="module")
def library() -> Library:
    return find_library()


def linear(colour: str) -> list[float]:
    shades = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shades]


def light(colour: str) -> float:
    return sum(part * each for part, each in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def lab(colour: str) -> list[float]:
    red, green, blue = linear(colour)
    tristimulus = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        light(colour),
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (each ** (1 / 3) for each in tristimulus)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


def test_each_colour_stands_out_on_black_and_on_white_and_under_letters(palette: Palette) -> None:
    for name, colour in seen(palette.colours.items()):
        assert 1.05 / (light(colour) + 0.05) >= 3, name
        assert (light(colour) + 0.05) / (light("#0b0e14") + 0.05) >= 4, name


def test_letters_of_pages_are_legible_on_every_ground_of_their_theme(library: Library) -> None:
    rules = (library.folders[0] / "reports/page/style.css").read_text(encoding="utf-8")
    themes = re.findall(r"{([^}]*--ground:[^}]*)}", rules)
    assert len(themes) >= 3
    for theme in themes:
        named = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})\b", theme))
        whole = {
            name: code if len(code) == 7 else "#" + "".join(2 * each for each in code[1:])
            for name, code in named.items()
        }
        pairs = [
            (one, ground)
            for one in ("ink", "soft", "faint")
            for ground in ("ground", "surface", "sunken")
            if one in whole
        ]
        pairs += [(state, f"{state}-soft") for state in ("good", "bad", "warn", "accent") if state in whole]
        for one, ground in pairs:
            low, high = sorted((light(whole[one]), light(whole[ground])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (one, ground)


def test_colours_differ_also_among_the_256_of_a_terminal(palette: Palette) -> None:
    for one, other in seen(combinations(palette.colours.values(), 2)):
        assert sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)) ** 0.5 >= 20, (one, other)
        assert _painted("x", one) != _painted("x", other)


def bars_of(library: Library) -> list[list[str]]:
    """The parts of every bar of every layout, by quantity."""
    found: list[list[str]] = []
    for file in ("answers/serving", "answers/training", "page", "workbook", "structure"):
        _, data = library.last(f"reports/{file}.toml")
        sections = [each for each in (*data.get("section", ()), *data.get("chart", ())) if "parts" in each]
        bars = [each for each in sections if each.get("kind") in {"bar", "stack", None}]
        found += [[part["name"] for part in each["parts"] if "group" not in part] for each in bars]
    return [each for each in found if each]


def test_no_colour_stands_twice_in_a_bar_and_a_part_has_one_colour(palette: Palette, library: Library) -> None:
    bars = bars_of(library)
    assert len(bars) >= 7
    colours: dict[str, set[str]] = {}
    for bar in bars:
        found = palette.of_parts(bar)
        assert len(set(found)) == len(bar)
        for name, colour in zip(bar, found, strict=True):
            colours.setdefault(name, set()).add(colour)
    assert all(len(each) == 1 for each in colours.values())
    layout = read_diagram_layout(library)
    assert len({layout.colour_of(group) for group in layout.groups}) == len(layout.groups)


def test_what_time_waits_for_has_one_colour_in_every_document(palette: Palette, library: Library) -> None:
    words = ["compute", "memory", "link", "launch", "CPU"]
    own = palette.of_waits(words)
    assert len(set(own.values())) == len(words)
    assert palette.of_waits(list(read_diagram_layout(library).bounds)) == own
    page, style = colours_data(palette), colour_style(library)
    for word in words:
        assert f".{page['waits'][word]} {{ --c: {own[word]}; }}" in style
    other = palette.of_waits([*words, "solver"])["solver"]
    assert other not in own.values()
    assert f"--c: {other}" in style


def test_no_second_place_defines_a_colour_of_data(palette: Palette, library: Library) -> None:
    own = {each.lower() for each in palette.colours.values()} - {palette.state("other")}
    base = library.folders[0]
    engine = Path(palette_of.__code__.co_filename).parents[1]
    for path in seen((*base.glob("reports/**/*"), *engine.rglob("*.py")), at_least=300):
        if path.is_file() and path.name != "palette.toml":
            found = {each.lower() for each in HEX.findall(path.read_text(encoding="utf-8"))}
            is_look = str(path).endswith(LOOKS)
            assert not (found & own if is_look else found), (path, found)


def test_a_library_may_have_its_own_and_a_slip_is_told(tmp_path: Path) -> None:
    (tmp_path / "formulas").mkdir()
    (tmp_path / "reports").mkdir()
    file = tmp_path / "reports" / "palette.toml"
    text = 'extends = true\n[waits]\ncompute = "{}"\n'
    file.write_text(text.format("#123456"), encoding="utf-8")
    assert palette_of(find_library([tmp_path])).of_waits(["compute"]) == {"compute": "#123456"}
    file.write_text(text.format("blu"), encoding="utf-8")
    with pytest.raises(FormulaError, match="`blu` is not a colour") as error:
        palette_of(find_library([tmp_path]))
    assert "blue" in str(error.value.diagnostics[0].help)
