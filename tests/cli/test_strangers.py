"""What strangers wrote reaches a terminal as text, and streams that are closed end in a message."""

import os
import subprocess
import sys

import pytest

from formula_eval.cli.output import harmless


@pytest.mark.parametrize(
    ("text", "coloured", "shown"),
    [
        ("\x1b]0;title\x07", False, "[U+001B]]0;title[U+0007]"),
        ("\x1b[2J", True, "[U+001B][2J"),
        ("\x1b[1mbold\x1b[0m", True, "\x1b[1mbold\x1b[0m"),
        ("\x1b[1mbold", False, "[U+001B][1mbold"),
        ("a\u202eb\u200b\x9b", False, "a[U+202E]b[U+200B][U+009B]"),
        ("é 漢 █\tx\n", False, "é 漢 █\tx\n"),
    ],
)
def test_what_a_terminal_would_obey_is_shown(text, coloured, shown):
    assert harmless(text, coloured=coloured) == shown


@pytest.mark.slow
def test_a_title_in_a_scenario_is_not_obeyed(run, tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('[model]\nname = "\\u001b]0;pwned\\u0007x"\nlayers=2\nhidden=64\nheads=4\nvocab=99\n')
    code, out, err = run("--inputs", str(path))
    assert code == 0
    assert "\x1b" not in out + err
    assert "[U+001B]" in out


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="closes streams by their numbers")
@pytest.mark.parametrize(("streams", "code"), [(">&-", 2), ("2>&-", 0), (">/dev/full", 2)])
def test_a_closed_stream_is_no_traceback(streams, code):
    line = f'"{sys.executable}" -m formula_eval --model llama2-7b --only batch {streams}'
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
