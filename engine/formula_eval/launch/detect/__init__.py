"""Finds the programs that a text starts, whatever it is: a command, a script, a manifest, a file of one of them."""
