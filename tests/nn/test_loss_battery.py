"""The battery on the losses, with torch's functions as twins.

Losses return a number computed in float32 whatever surrounds them, so what a layer does with
half types and empty batches is tested in test_losses.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch.nn.functional as F

from agar import nn
from nn.battery import arrays, battery

PAIR = arrays((3, 4), (3, 4))
TRIPLE = arrays((3, 4), (3, 4), (3, 4))
SPLIT = np.sign(PAIR[1])
SIGNS = np.array([1.0, -1.0, 1.0])
CLASSES = np.array([1, 3, 0], np.int32)
ONE_HOT = np.eye(4)[CLASSES]


def chances(*shape: int, seed: int = 0) -> np.ndarray:
    """Numbers between 0.1 and 0.9."""
    return np.random.default_rng(seed).uniform(0.1, 0.9, shape)


def logs(*shape: int) -> np.ndarray:
    """Logarithms of chances that sum to 1."""
    values = chances(*shape)
    return np.log(values / values.sum(1, keepdims=True))


def twin(name: str, **options: Any) -> Any:
    """torch's function of the inputs alone; it wants class indices as int64."""

    def apply(_: Any, *inputs: Any) -> Any:
        inputs = tuple(t if t.is_floating_point() else t.long() for t in inputs)
        return getattr(F, name)(*inputs, **options)

    return apply


def case(name: str, inputs: Any, theirs: Any, **options: Any) -> Any:
    text = ",".join(f"{k}={v}" for k, v in options.items())
    return pytest.param(lambda: getattr(nn, name)(**options), inputs, theirs, id=f"{name}({text})")


CASES = [
    case("L1Loss", PAIR, twin("l1_loss")),
    case("L1Loss", PAIR, twin("l1_loss", reduction="none"), reduction="none"),
    case("MSELoss", PAIR, twin("mse_loss")),
    case("MSELoss", PAIR, twin("mse_loss", reduction="sum"), reduction="sum"),
    case("RMSELoss", PAIR, lambda _, x, y: F.mse_loss(x, y).sqrt()),
    case("MAELoss", PAIR, twin("l1_loss")),
    case("SmoothL1Loss", PAIR, twin("smooth_l1_loss", reduction="none")),
    case("SmoothL1Loss", PAIR, twin("smooth_l1_loss", beta=0.4), beta=0.4, reduction="mean"),
    case("HuberLoss", PAIR, twin("huber_loss", delta=0.7), delta=0.7),
    case("SoftMarginLoss", (PAIR[0], SPLIT), lambda _, x, y: F.softplus(-x * y).mean()),
    case("BCELoss", (chances(3, 4), chances(3, 4, seed=1)), twin("binary_cross_entropy")),
    case("BCEWithLogitsLoss", (PAIR[0], ONE_HOT), twin("binary_cross_entropy_with_logits")),
    case("CrossEntropyLoss", (PAIR[0], CLASSES), twin("cross_entropy")),
    case(
        "CrossEntropyLoss",
        (PAIR[0], CLASSES),
        twin("cross_entropy", label_smoothing=0.2, ignore_index=3),
        label_smoothing=0.2,
        ignore_index=3,
    ),
    case(
        "SoftmaxCrossEntropyWithLogits",
        (PAIR[0], CLASSES),
        twin("cross_entropy"),
        sparse=True,
        reduction="mean",
    ),
    case(
        "SoftmaxCrossEntropyWithLogits", (PAIR[0], ONE_HOT), twin("cross_entropy", reduction="none")
    ),
    case("NLLLoss", (logs(3, 4), CLASSES), twin("nll_loss")),
    case(
        "KLDivLoss", (logs(3, 4), chances(3, 4, seed=1)), lambda _, x, y: (y * (y.log() - x)).mean()
    ),
    case(
        "PoissonNLLLoss",
        (PAIR[0], np.abs(PAIR[1]) + 1.5),
        twin("poisson_nll_loss", full=True),
        full=True,
    ),
    case("GaussianNLLLoss", (*PAIR, chances(3, 4)), twin("gaussian_nll_loss")),
    case("HingeEmbeddingLoss", (PAIR[0], SPLIT), twin("hinge_embedding_loss")),
    case("CosineEmbeddingLoss", (*PAIR, SIGNS), twin("cosine_embedding_loss")),
    case(
        "MarginRankingLoss",
        (PAIR[0][:, 0], PAIR[1][:, 0], SIGNS),
        twin("margin_ranking_loss", margin=0.3),
        margin=0.3,
    ),
    case("TripletMarginLoss", TRIPLE, twin("triplet_margin_loss")),
    case(
        "TripletMarginWithDistanceLoss",
        TRIPLE,
        twin(
            "triplet_margin_with_distance_loss",
            distance_function=lambda x, y: (x - y).norm(dim=1),
        ),
    ),
    case("MultiMarginLoss", (PAIR[0], CLASSES), twin("multi_margin_loss")),
    case("MultiLabelSoftMarginLoss", (PAIR[0], ONE_HOT), twin("multilabel_soft_margin_loss")),
    case("DiceLoss", (chances(3, 4), ONE_HOT), None),
    case("MultiClassDiceLoss", (chances(3, 4), ONE_HOT), None),
    case("FocalLoss", (PAIR[0], CLASSES[:, None]), None),
]


@pytest.mark.parametrize(("make", "inputs", "theirs"), CASES)
def test_loss(make, inputs, theirs):
    battery(make, inputs, theirs, names=[], half="refuses", empty=False)
