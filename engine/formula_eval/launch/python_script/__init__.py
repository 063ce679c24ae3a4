"""Reads Python scripts: what they call with which values, as far as plain assignments tell."""
