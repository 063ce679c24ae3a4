"""The LLaMA study: fills the tables of README.md and draws its pictures.

`python examples/llama/study.py` writes both here, with `-o DIR` into another folder.
"""

import argparse
import sys
import tomllib
from pathlib import Path

from answers import Answers
from pictures import draw
from tables import filled

from formula_eval import load

HERE = Path(__file__).parent


def main() -> None:
    """Ask, write the tables, and the pictures where matplotlib is installed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=HERE, help="where README.md and the pictures go")
    folder = parser.parse_args().output
    study = tomllib.loads((HERE / "study.toml").read_text(encoding="utf-8"))
    answers = Answers(load(HERE / "library"), study)
    page = filled((HERE / "README.md").read_text(encoding="utf-8"), study, answers)
    (folder / "README.md").write_text(page, encoding="utf-8")
    try:
        draw(study, answers, folder)
    except ModuleNotFoundError as error:
        sys.exit(f"The tables are written. The pictures need {error.name}: pip install 'formula-eval[plot]'")


if __name__ == "__main__":
    main()
