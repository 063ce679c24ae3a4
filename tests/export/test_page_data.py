"""Data within a page is read as data, whatever its texts hold."""

import json
from html.parser import HTMLParser

from hypothesis import given, strategies as st

from formula_eval.export.html.assets import embedded

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
