"""The LaTeX paper: pdfLaTeX compiles it whatever the texts say, nothing leaves the margins, citations resolve."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from export.papers import document, hostile_document, usual
from formula_eval.export import escaping
from formula_eval.export.formats import write_document
from formula_eval.export.paper.latex import bibtex, latex_paper

pytestmark = pytest.mark.slow

needs_latex = pytest.mark.skipif(
    shutil.which("pdflatex") is None and not os.environ.get("CI"),
    reason="pdflatex is not installed (texlive-latex-recommended)",
)
MARGIN = 15.0


def compiled(text: str, folder: Path, times: int = 1) -> str:
    """The log of pdfLaTeX, which may run nothing and read and write in its folder alone."""
    (folder / "paper.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    for _ in range(times):
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=120,
            env={**os.environ, "openin_any": "p", "max_print_line": "1000"},
        )
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    return (folder / "paper.log").read_text(encoding="utf-8", errors="replace")


def overfull(log: str) -> list[float]:
    return [float(each) for each in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]


@needs_latex
@pytest.mark.parametrize(
    ("model", "only"), [("llama2-70b", ("*",)), ("mixtral-8x7b", ()), ("llama3.1-405b", ("training.run_time",))]
)
def test_papers_compile_within_their_margins(model: str, only: tuple[str, ...], tmp_path: Path) -> None:
    whole = document(model, *(only or usual(form="latex")), named=bool(only), tp=8)
    log = compiled(latex_paper(whole), tmp_path, times=2)
    assert "undefined" not in log
    assert max(overfull(log), default=0) < MARGIN


@needs_latex
@pytest.mark.parametrize("style", ["symbolic", "substituted"])
def test_the_other_styles_compile(style: str, tmp_path: Path) -> None:
    compiled(latex_paper(document("gemma3-27b", "memory.*", "inference.tpot"), style), tmp_path)


@needs_latex
def test_hostile_text_is_only_read(tmp_path: Path) -> None:
    folder = tmp_path / "tex"
    folder.mkdir()
    text = latex_paper(hostile_document(tmp_path / "library"))
    assert text.isascii()
    log = compiled(text, folder)
    assert "(/etc/passwd" not in log
    assert sorted(each.name for each in folder.iterdir() if each.suffix not in (".aux", ".log", ".out", ".pdf")) == [
        "paper.bib",
        "paper.tex",
    ]


@needs_latex
def test_every_character_compiles(tmp_path: Path) -> None:
    printable = (
        "".join(map(chr, range(0x20, 0x250)))
        + "\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2264\u2265\u2248\u2192\u4e2d\U0001f642\u202e\u0000"
    )
    lines = [escaping.latex_text_of(printable[start : start + 40]) for start in range(0, len(printable), 40)]
    body = "\n\n".join(
        [
            *lines,
            escaping.latex_code(printable),
            rf"\href{{{escaping.latex_address(printable)}}}{{x}}",
            escaping.latex_text_of("a" * 10_000),
        ]
    )
    compiled(
        "\\documentclass{article}\\usepackage{amsmath,amssymb}\\usepackage{hyperref}\\begin{document}"
        + body
        + "\\end{document}",
        tmp_path,
    )


@needs_latex
@pytest.mark.skipif(shutil.which("bibtex") is None, reason="bibtex is not installed")
def test_bibtex_reads_the_bibliography(tmp_path: Path) -> None:
    sources = [{"key": key, **each} for key, each in document("llama2-70b", "params.total").sources.items()]
    (tmp_path / "all.bib").write_text(bibtex(sources), encoding="utf-8")
    cited = "\\relax\n\\citation{*}\n\\bibstyle{plain}\n\\bibdata{all}\n"
    (tmp_path / "paper.aux").write_text(cited, encoding="utf-8")
    done = subprocess.run(["bibtex", "paper"], cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout.decode()
    assert (tmp_path / "paper.bbl").read_text().count("\\bibitem") == len(sources)


def test_all_that_a_paper_cites_is_in_it() -> None:
    text = latex_paper(document("llama2-70b", "inference.latency"))
    cited = set(re.findall(r"\\cite(?:\[\{.*?\}\])?\{(.*?)\}", text))
    assert cited
    assert cited == set(re.findall(r"\\bibitem\{(.*?)\}", text)) == set(re.findall(r"@misc\{(.*?),", text))


def test_a_paper_never_varies(tmp_path: Path) -> None:
    for name in ("one.tex", "two.tex"):
        write_document(document("llama2-70b", "memory.total_bytes"), "latex", tmp_path / name)
    assert (tmp_path / "one.tex").read_bytes() == (tmp_path / "two.tex").read_bytes()


def test_keys_and_addresses() -> None:
    assert escaping.latex_key("pope2022") == "pope2022"
    assert escaping.latex_key("a}{b\\c") == "a-7d--7b-b-5c-c"
    assert escaping.latex_address("https://a.org/x_y#z%20{}") == r"https://a.org/x\_y\#z\%20\%7B\%7D"
