"""Renders a plan as a workbook of one sheet, whose formulas read the prices and counts in its cells.

In: the blocks of reports/plan.toml and a `Plan`. Out: a workbook. Read first: `plan_blocks.py`.
"""
