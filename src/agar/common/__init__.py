"""MindSpore's module paths for tensors, parameters, types, seeds and initializers."""

from agar.common import initializer as initializer
