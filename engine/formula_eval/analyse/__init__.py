"""Answers questions that go beyond a single value, as plain data that `export/terminal` prints.

In: an `Evaluator` and a question. Out: named tuples and dataclasses, no text for people but that of formulas.
`explain` says how a value comes about, `show` what a name means, `compare/` how configurations or published tools
differ, `listing` what there is, `recommendations` what to try next, `ineffective_inputs` which made no difference;
`validate/` holds the formulas against measured runs.
Read first: `alternatives.py` and `recommendations.py`, which tries what it finds; then `explain.py`.
"""
