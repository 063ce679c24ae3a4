"""Evaluates formulas over the declared ranges of all inputs: what is proven, where they fail or lose digits."""
