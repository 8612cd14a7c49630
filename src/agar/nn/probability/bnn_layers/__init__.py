"""Layers of Bayesian networks: their weights are drawn from a distribution that is learned."""

from agar.nn.probability.bnn_layers.bnn_cell_wrapper import WithBNNLossCell as WithBNNLossCell
from agar.nn.probability.bnn_layers.conv_variational import ConvReparam as ConvReparam
from agar.nn.probability.bnn_layers.dense_variational import DenseLocalReparam as DenseLocalReparam
from agar.nn.probability.bnn_layers.dense_variational import DenseReparam as DenseReparam
from agar.nn.probability.bnn_layers.layer_distribution import NormalPosterior as NormalPosterior
from agar.nn.probability.bnn_layers.layer_distribution import NormalPrior as NormalPrior

__all__ = [
    "ConvReparam",
    "DenseLocalReparam",
    "DenseReparam",
    "NormalPosterior",
    "NormalPrior",
    "WithBNNLossCell",
]
