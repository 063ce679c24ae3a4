"""Expression to notation: one module for each; every one prints the tree in its author's shape."""
