"""Measured points to predictions, errors and what was assumed: how far the formulas are from reality."""
