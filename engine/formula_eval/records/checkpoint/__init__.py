"""Reads the files of a checkpoint as a record of a model: their headers alone, never a weight.

Enters: a folder with a config.json and safetensors files or an ONNX model, a GGUF file, or an Ollama manifest that
points to one. Leaves: a model record with the bytes that its parts take in these files. Read `checkpoint.py` first;
`shards.py` finds the files, `safetensors.py`, `npz.py`, `gguf.py` and `onnx.py` read one each, `parts.py` adds up.
"""
