"""Evaluates formulas over the declared ranges of all inputs: what is proven, and where they fail or lose digits."""
