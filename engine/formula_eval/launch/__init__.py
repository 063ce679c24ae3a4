"""Reads what people run (commands, scripts, manifests, configuration files, Python code) as inputs, and writes it.

Enters: a text or a file, and presets/launch/, one table for each program. Leaves: a `Launch` of
`records/launch_reading.py`, the inputs that the text states and what became of each of its options; or the text that
runs a configuration. Read `launch_reader.py` first, then `to_inputs.py`, which translates options to inputs;
`to_options.py` is the same backwards. `detect/` finds the programs that a text starts, `shell/` follows scripts,
`python_script/` Python, `manifests/` YAML, `tables/` reads what the options of a program mean. Nothing of a text is
ever executed.
"""
