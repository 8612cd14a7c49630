"""Real handwritten digits for the demo, and how well a network reads them."""

from __future__ import annotations

import numpy as np

import agar as ms


def data():
    """Train and test images with labels: the handwritten digits that ship with scikit-learn."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    images, labels = load_digits(return_X_y=True)
    images = (images.reshape(-1, 1, 8, 8) / 16.0).astype(np.float32)
    return train_test_split(
        images, labels.astype(np.int32), test_size=0.25, random_state=0, stratify=labels
    )


def accuracy(net, images, labels):
    """The share of images whose largest logit is at the label."""
    net.set_train(False)
    return float((net(ms.Tensor(images)).argmax(1).asnumpy() == labels).mean())
