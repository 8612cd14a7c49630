"""Gradients of Primitives that users write, at MindSpore's path."""
