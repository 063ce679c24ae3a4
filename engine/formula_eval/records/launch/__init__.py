"""Translates what people run to our inputs: commands, scripts, manifests, configuration files, Python code.

Enters: a text or a file, and presets/launch/, one table for each program. Leaves: a `Launch`, the inputs that the text
states and what became of each of its options. Read `launch.py` first, then `launch_text.py`, which tells what a text
is. `script.py` follows a shell script, `python_code.py` Python; `manifest.py`, `wrapping.py` find the command in what
stands around it. `arguments.py` splits a command into options, `translation.py` makes them inputs; `program_reader.py`
reads the tables. Nothing of a text is ever executed.
"""
