"""Writes the command, manifest or file that runs a configuration.

In: a question, answered, and a table of presets/launch/.
Out: a text by the templates of reports/launch/.
Read first: `launch_writer.py`; `launch_values.py` translates the inputs into the program's own words.
"""
