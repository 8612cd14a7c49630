"""Primitive classes that have no function, or one with other arguments."""
