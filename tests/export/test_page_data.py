"""Data within a page is read as data, whatever its texts hold."""

import json
from html.parser import HTMLParser

from hypothesis import given, strategies as st

from formula_eval import Formulas
from formula_eval.export.html.assets import embedded
from formula_eval.export.html.record_choices import units_data

_PIECES = (
    "</script>",
    "</SCRIPT ",
    "<!--",
    "-->",
    "<script>",
    "<Script",
    "<",
    "/",
    "!",
    "&lt;",
    "\\",
    '"',
    "\u2028",
    "x",
)


@given(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join))
def test_no_text_ends_its_element_or_begins_another(text: str) -> None:
    written = embedded({"text": text})
    assert json.loads(written) == {"text": text}
    assert not {"</", "<!", "<script"} & {
        written[at : at + length].lower() for at in range(len(written)) for length in (2, 7)
    }
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, _: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(f"<script>{written}</script><b>")
    parser.close()
    assert tags == ["script", "b"]


def test_units_are_read_by_what_others_call_them(formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    units = units_data(evaluator.library.units, evaluator.schema.synonyms.units)
    assert units["h"] == units["hour"] == [3600, {"s": 1}]
    assert units["rps"] == [1, {"s": -1}]
    assert units["Wh"] == [3600, {"J": 1}]
