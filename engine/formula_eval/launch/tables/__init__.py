"""Reads the tables of presets/launch/: what the options of each program mean, and the words of a command by them."""
