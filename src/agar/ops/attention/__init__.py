"""Attention in its forms for training and inference."""
