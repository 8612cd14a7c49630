"""Products, decompositions, norms and matrix functions."""
