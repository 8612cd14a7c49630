"""Probability distributions, and the invertible maps between them."""

from agar.nn.probability import bijector as bijector
from agar.nn.probability import distribution as distribution

__all__ = ["bijector", "distribution"]
