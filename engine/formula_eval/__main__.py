"""Runs the command line for `python -m formula_eval`."""

import sys

from formula_eval.cli import main

if __name__ == "__main__":
    sys.exit(main())
