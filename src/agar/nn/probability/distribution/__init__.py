"""Probability distributions."""

from agar.nn.probability.distribution.bernoulli import Bernoulli as Bernoulli
from agar.nn.probability.distribution.beta import Beta as Beta
from agar.nn.probability.distribution.categorical import Categorical as Categorical
from agar.nn.probability.distribution.cauchy import Cauchy as Cauchy
from agar.nn.probability.distribution.distribution import Distribution as Distribution
from agar.nn.probability.distribution.exponential import Exponential as Exponential
from agar.nn.probability.distribution.gamma import Gamma as Gamma
from agar.nn.probability.distribution.geometric import Geometric as Geometric
from agar.nn.probability.distribution.gumbel import Gumbel as Gumbel
from agar.nn.probability.distribution.half_normal import HalfNormal as HalfNormal
from agar.nn.probability.distribution.laplace import Laplace as Laplace
from agar.nn.probability.distribution.log_normal import LogNormal as LogNormal
from agar.nn.probability.distribution.logistic import Logistic as Logistic
from agar.nn.probability.distribution.normal import Normal as Normal
from agar.nn.probability.distribution.poisson import Poisson as Poisson
from agar.nn.probability.distribution.student_t import StudentT as StudentT
from agar.nn.probability.distribution.transformed_distribution import (
    TransformedDistribution as TransformedDistribution,
)
from agar.nn.probability.distribution.uniform import Uniform as Uniform

__all__ = [
    "Bernoulli",
    "Beta",
    "Categorical",
    "Cauchy",
    "Distribution",
    "Exponential",
    "Gamma",
    "Geometric",
    "Gumbel",
    "HalfNormal",
    "Laplace",
    "LogNormal",
    "Logistic",
    "Normal",
    "Poisson",
    "StudentT",
    "TransformedDistribution",
    "Uniform",
]
