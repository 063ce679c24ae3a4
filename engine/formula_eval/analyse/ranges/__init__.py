"""What formulas come to over the declared ranges of all inputs: what is proven of them, and where they go wrong or lose digits."""
