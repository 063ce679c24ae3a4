"""Models of random weights on the accelerator of this machine: their times and memory, as points of measurements."""
