"""Converted texts beside MindSpore 2.10: the same text ran there, and these are its figures.

Weights and inputs are made by a formula, so that nothing but the text and the formula is needed:
shape of the first output, its sum, the sum of its absolute values, its last value.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar.migrate.conversion import convert_text
from migrate.convert_samples import HEAD, SAMPLES, Sample
from migrate.test_convert_run import run

RECORDED = {
    "cnn": ((2, 10), -46.5724, 46.5724, -2.03062),
    "residual": ((2, 5), 2.28505, 3.41032, 0.426483),
    "gpt_block": ((2, 5, 13), -10.0688, 54.782, -0.668085),
    "unet": ((1, 2, 18, 16), 54.5103, 1918.98, -0.0505553),
    "vit": ((2, 5), 3.71756, 5.37178, 0.446577),
    "vae": ((3, 12), 17.6858, 17.6858, 0.479953),
    "gan_generator": ((2, 1, 8, 8), -1.52346, 51.7003, -0.225647),
    "gan_discriminator": ((3,), 1.2641, 1.2641, 0.439218),
    "squeeze_excite": ((2, 6, 5, 5), -0.0967336, 92.5174, 0.224686),
    "inverted_residual": ((2, 6, 3, 3), 3.05803, 30.5271, -0.411151),
    "inception": ((2, 10, 6, 7), 43.8431, 377.644, 0.603337),
    "dense_block": ((2, 3), 2.66973, 2.66973, 0.421019),
    "gru_classifier": ((2, 2), 0.228921, 1.70728, 0.426616),
    "wavenet": ((2, 1, 10), -14.531, 14.531, -0.673755),
    "autoencoder": ((2, 1, 8, 8), 49.3842, 52.6002, 0.22278),
    "channel_shuffle": ((2, 8, 4, 4), 32.3802, 123.978, -0.986625),
    "masked_attention": ((2, 6), -0.970826, 4.39846, 0.403995),
    "mlp_of_words": ((3, 3), 3.16802, 3.16802, 0.390795),
    "heads": ((3, 2), 0.64491, 1.78034, 0.441235),
    "pyramid_pooling": ((2, 10, 6, 6), 45.5633, 227.78, 0.265301),
    "own_layers": ((2, 48), -4.66133, 19.2468, -0.131501),
    "own_gradient": ((2,), 8.12059, 8.12059, 4.87383),
    "lstm_tagger": ((2, 6, 3), -12.4786, 12.4786, -0.352345),
    "layers_that_mindspore_lacks": ((2, 4, 6), 79.0609, 79.0609, 2.26789),
}


def filled(net: ms.nn.Cell) -> ms.nn.Cell:
    for i, (name, p) in enumerate(sorted(net.parameters_and_names())):
        count = int(np.prod(p.shape))
        value = np.sin(np.arange(count) * 0.7 + i).reshape(p.shape) * 0.4
        if name.endswith("moving_variance"):
            value = value * value + 0.5
        p.set_data(ms.Tensor(value.astype(np.float32)))
    return net


def inputs(sample: Sample) -> list[ms.Tensor]:
    out = []
    for k, shape in enumerate(sample.inputs):
        if shape[0] == "int":
            numbers = np.arange(int(np.prod(shape[2]))) * 3 + 1
            out.append(ms.Tensor(numbers.reshape(shape[2]) % shape[1], ms.int64))
        else:
            numbers = np.cos(np.arange(int(np.prod(shape))) * 0.9 + k)
            out.append(ms.Tensor(numbers.reshape(shape).astype(np.float32)))
    return out


@pytest.mark.parametrize("sample", [s for s in SAMPLES if s.name in RECORDED], ids=lambda s: s.name)
def test_the_same_text_gives_the_same_numbers(sample: Sample, tmp_path: Path) -> None:
    code = convert_text(HEAD + sample.code).code
    module = run(f"{sample.name}_recorded", code.replace("mindspore", "agar"), tmp_path)
    build = sample.build.replace("nn.Sequential", "nn.SequentialCell")
    net = filled(eval(build, vars(module)).set_train(False))
    found = net(*inputs(sample))
    while isinstance(found, tuple):
        found = found[0]
    shape, total, absolute, last = RECORDED[sample.name]
    value = found.asnumpy().astype(np.float64)
    assert value.shape == shape
    np.testing.assert_allclose(
        [value.sum(), np.abs(value).sum(), value.ravel()[-1]],
        [total, absolute, last],
        rtol=1e-4,
        atol=1e-4,
    )


def test_every_sample_was_run() -> None:
    assert {s.name for s in SAMPLES} == set(RECORDED)
