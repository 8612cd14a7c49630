"""Operators of MindSpore for its own chips, computed here with what torch has."""
