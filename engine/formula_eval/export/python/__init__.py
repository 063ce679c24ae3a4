"""A document to a Python module that needs nothing else."""
