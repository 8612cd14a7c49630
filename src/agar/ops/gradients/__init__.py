"""Gradients as Primitives (``ops.operations._grad_ops``)."""
