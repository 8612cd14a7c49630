"""Ways to run a recorded segment: straight-line code, TorchInductor, CUDA graphs."""
