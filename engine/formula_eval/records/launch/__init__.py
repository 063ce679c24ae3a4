"""What people run to what it asks of us: launch commands, scripts, manifests and configuration files.

Enters: a text or a file, and presets/launch/, one table for each program. Leaves: a `Launch`, the inputs that the text
states and what became of each of its options. Read `launch.py` first. `script.py` follows a shell script, `manifest.py`
what YAML wraps around a command, `arguments.py` splits a command into options, `translation.py` makes them inputs;
`program.py` reads the tables. Nothing of a text is ever executed.
"""
