"""Plans a service or a training run: what the demand takes on each accelerator and engine that is allowed.

In: a `Question` whose records may have several values, and a `PlanLayout` (reports/plan.toml). Out: a `Plan`: the best
configuration of each alternative at the busiest hour, at the average one and for twice the load, or what stops it.
Read first: `demand.py`, what is asked for, and `planned.py`, what is found; `planner.py` searches for each alternative,
`mixed_fleet.py` lets two alternatives share the requests.
"""
