"""Code for a recorded subgraph: straight-line Python, TorchInductor, CUDA graphs."""
