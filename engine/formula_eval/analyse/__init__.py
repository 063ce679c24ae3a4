"""Answers questions that go beyond a single value, as plain data that `export/terminal` prints.

In: an `Evaluator` and a question. Out: named tuples and dataclasses, no text for people but that of formulas.
`explain` says how a value comes about, `show` what a name means, `compare/` how configurations or published tools
differ, `listing` what there is, `recommendations` what to try next, `ineffective_inputs` which made no difference;
`validate/` holds the formulas against measured runs.
Read first: `alternatives.py` and `recommendations.py`, which tries what it finds; then `explain.py`.
"""

from typing import TYPE_CHECKING

from formula_eval.lazy_modules import modules_of

if TYPE_CHECKING:
    from formula_eval.analyse import (
        data_frame as data_frame,
        default_remarks as default_remarks,
        derive as derive,
        explain as explain,
        ineffective_inputs as ineffective_inputs,
        listing as listing,
        show as show,
        uncertain_inputs as uncertain_inputs,
    )
    from formula_eval.analyse.ranges import hazards as hazards, precision as precision
    from formula_eval.analyse.search import record_grid as record_grid
    from formula_eval.analyse.sweep import sweep_frame as sweep_frame
    from formula_eval.analyse.validate import comparisons as comparisons, validation as validation

__getattr__ = modules_of(__name__)
