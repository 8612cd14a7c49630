"""Tools for building networks."""

from agar.nn.utils.init import no_init_parameters as no_init_parameters

__all__ = ["no_init_parameters"]
