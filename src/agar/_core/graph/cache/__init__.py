"""Compiled functions, their specializations, and the tree of branches of a call."""
