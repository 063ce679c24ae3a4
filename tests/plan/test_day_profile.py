"""The rates of a day, as a file, a pipe or a word says them; what says none is refused."""

import os

import pytest

from formula_eval import FormulaError
from formula_eval.ask.day_profile import day_rates
from formula_eval.cli.command import main


def test_a_word_that_names_no_shape_is_refused(capsys):
    assert main(["plan", "--model", "gpt2", "--profile", "trangle", "--request-rate", "4/s"]) == 2
    assert "or a shape: `triangle`" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(["5"] * 24),
        "hour,rate\n" + "\n".join(f"{hour},5" for hour in range(24)),
        "\n".join(f"{hour}:00, 5" for hour in range(24)),
        "requests/s\n" + "\n".join(["5"] * 24) + "\n\n",
    ],
)
def test_rates_stand_by_themselves_or_behind_their_hour(text, tmp_path):
    (tmp_path / "day.csv").write_text(text)
    assert day_rates(tmp_path / "day.csv") == [5.0] * 24


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\n".join(["5"] * 23), "has 23 rates, and a day has 24"),
        ("\n".join(["5"] * 25), "has 25 rates, and a day has 24"),
        ("", "has 0 rates"),
        ("\n".join(["5"] * 23 + ["-1"]), "'-1' of hour 24 is no rate"),
        ("\n".join(["5"] * 23 + ["many"]), "'many' of hour 24 is no rate"),
        ("\n".join(["5"] * 23 + ["nan"]), "'nan' of hour 24 is no rate"),
        ("\n".join(["0"] * 24), "no requests arrive all day"),
        ("\n".join(["1,2,3"] * 24), "more than two columns"),
        ("\n".join(["7,5"] * 24), "does not count the hours"),
        ("x" * 200_000, "field larger"),
        ("5\n" * 600_000, "larger than 1 MB"),
    ],
)
def test_a_wrong_file_is_refused(text, says, tmp_path, capsys):
    (tmp_path / "day.csv").write_text(text)
    assert main(["plan", "--model", "llama3-8b", "--profile", str(tmp_path / "day.csv")]) == 2
    assert says in capsys.readouterr().err


def test_a_pipe_a_folder_and_no_file_are_refused(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    for name, says in (("pipe", "it is a pipe"), ("", "is a directory"), ("none.csv", "no such file")):
        assert main(["plan", "--model", "llama3-8b", "--profile", str(tmp_path / name)]) == 2
        assert says in capsys.readouterr().err


@pytest.mark.slow
def test_a_pipe_of_a_shell_is_read_once(capsys):
    read, write = os.pipe()
    os.write(write, b"5\n" * 24)
    os.close(write)
    asked = ["plan", "--model", "llama3-8b", "--tp", "1", "--pp", "1", "--profile", f"/dev/fd/{read}"]
    assert main([*asked, "--format", "csv"]) == 0
    os.close(read)
    assert "hardware per day, by the hour" in capsys.readouterr().out


@pytest.mark.parametrize("more", [{"job_requests": 1e6}, {"answer": "training", "training_tokens": 1e12}])
def test_a_day_of_a_job_is_refused(more, formulas):
    with pytest.raises(FormulaError, match="no requests arrive at a rate"):
        formulas.plan(model="llama3-8b", gpu="h100-sxm", profile=[5.0] * 24, **more)
