"""Tensors made, viewed, cut, joined, indexed, sorted and written."""
