"""Functions of neural networks: convolution, pooling, normalization, activation, loss."""
