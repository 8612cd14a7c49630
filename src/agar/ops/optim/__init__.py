"""Steps of optimizers as Primitives."""
