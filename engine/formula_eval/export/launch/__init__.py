"""A configuration to the command, manifest or file that runs it.

Enters: a question, answered, and a table of presets/launch/. Leaves: a text by the templates of reports/launch/. Read
`launch_writer.py` first; `launch_values.py` says what the inputs are in the program's own words.
"""
