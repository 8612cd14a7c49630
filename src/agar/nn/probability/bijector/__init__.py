"""Bijectors: invertible maps, with the logarithms of their derivatives."""

from agar.nn.probability.bijector.bijector import Bijector as Bijector
from agar.nn.probability.bijector.exp import Exp as Exp
from agar.nn.probability.bijector.gumbel_cdf import GumbelCDF as GumbelCDF
from agar.nn.probability.bijector.invert import Invert as Invert
from agar.nn.probability.bijector.power_transform import PowerTransform as PowerTransform
from agar.nn.probability.bijector.scalar_affine import ScalarAffine as ScalarAffine
from agar.nn.probability.bijector.softplus import Softplus as Softplus

__all__ = [
    "Bijector",
    "Exp",
    "GumbelCDF",
    "Invert",
    "PowerTransform",
    "ScalarAffine",
    "Softplus",
]
