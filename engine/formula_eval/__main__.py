"""`python -m formula_eval` to the command."""

import sys

from formula_eval.cli import main

if __name__ == "__main__":
    sys.exit(main())
