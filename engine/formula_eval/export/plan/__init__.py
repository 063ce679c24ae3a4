"""Reads what a plan looks for and tells (reports/plan.toml), and writes plans to files.

In: reports/plan.toml and a `Plan`. Out: a `PlanLayout`, and files. Read first: `plan_layout.py`.
"""
