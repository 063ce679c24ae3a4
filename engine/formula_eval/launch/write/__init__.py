"""Writes the command, manifest or file that runs a configuration.

Enters: a question, answered, and a table of presets/launch/. Leaves: a text by the templates of reports/launch/.
Read first: `launch_text_writer.py`; `launch_values.py` translates the inputs into the program's own words.
"""
