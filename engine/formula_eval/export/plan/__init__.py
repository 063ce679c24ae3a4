"""A plan as data and documents: what reports/plan.toml says it tells, and files.

In: reports/plan.toml and a `Plan`. Out: a `PlanLayout`, and files. Read first: `plan_layout.py`.
"""
