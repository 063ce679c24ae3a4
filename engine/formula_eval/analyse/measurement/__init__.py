"""Times kernels on the accelerator of a machine, or on its CPU, in the form that `calibrate` reads.

In: which kernels of which sizes. Out: a `Measurement`: rows of sizes and times, and what a record of it would state.
Read first: `measurement.py`. `torch_device.py` alone knows PyTorch, `numpy_device.py` what a CPU does without it.
"""
