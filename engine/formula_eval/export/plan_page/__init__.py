"""Renders a plan as a page on which requests, targets, prices and replicas can be changed.

In: a `Plan` and reports/plan.toml. Out: one HTML file. Read first: `live_plan.py`, which specialises the formulas to
these inputs; `plan_page.py` writes the file, `plan_rows.py` says what stands on it.
"""
