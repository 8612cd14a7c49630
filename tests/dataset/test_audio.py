"""``dataset.audio``: MindSpore's recorded answers, random operations, use in a pipeline."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import agar.dataset as ds
from agar.dataset import audio
from agar.dataset.audio import _rates, _signal

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracle.record_audio import evaluated, wave

RECORD = Path(__file__).resolve().parents[1] / "data" / "oracle" / "audio.json"
ANSWERS = json.loads(RECORD.read_text(encoding="utf-8"))
# MindSpore computes much of float64 with coefficients of float32
TOLERANCES = {"float64": 1e-5, "float32": 2e-5, "float16": 2e-3, "int32": 0.0}


@pytest.fixture(autouse=True)
def unseeded():
    before = ds.config.get_seed()
    yield
    ds.config.set_seed(before)


def _assert_same(found, expected):
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            _assert_same(one, other)
    elif isinstance(expected, str) or "raises" in expected:
        assert found == expected
    else:
        assert (found["type"], found["shape"]) == (expected["type"], expected["shape"])
        values = np.array(expected["values"])
        bound = TOLERANCES[expected["type"]] * max(1.0, np.abs(values).max())
        np.testing.assert_allclose(found["values"], values, rtol=0, atol=bound)


@pytest.mark.parametrize("text", ANSWERS)
def test_as_mindspore(text):
    _assert_same(evaluated(audio, text), ANSWERS[text])


def test_every_transform_is_recorded():
    classes = [name for name in audio.__all__ if hasattr(getattr(audio, name), "_compute")]
    assert len(classes) == 51
    used = " ".join(ANSWERS)
    assert [name for name in classes if f"{name}(" not in used] == []


@pytest.mark.parametrize("order", [1, 2, 5])
@pytest.mark.parametrize("length", [1, 3, 127, 128, 1000])
def test_recursive_filter_against_its_formula(order, length):
    rng = np.random.default_rng(order)
    a = np.concatenate([[2.0], rng.uniform(-0.5, 0.5, order)])
    b = rng.uniform(-1, 1, order + 1)
    x = rng.standard_normal((2, length))
    expected = np.zeros((2, length + order))
    padded = np.concatenate([np.zeros((2, order)), x], axis=1)
    for t in range(length):
        taken = padded[:, t : t + order + 1][:, ::-1] @ b
        expected[:, t + order] = (taken - expected[:, t : t + order][:, ::-1] @ a[1:]) / a[0]
    result = _signal.recursive_filter(x, a.tolist(), b.tolist())
    np.testing.assert_allclose(result, expected[:, order:], rtol=1e-9, atol=1e-12)


def test_unstable_filters_are_limited():
    result = audio.LFilter([1.0, -1e6], [1.0, 0.0])(np.array([0.5] * 300))
    assert result[0] == 0.5
    assert (result[1:] == 1).all()


@pytest.mark.parametrize("onesided", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_spectrum_against_torch_and_back(onesided, dtype):
    x = wave(0, 3, 100).astype(dtype)
    result = audio.Spectrogram(16, 16, 4, power=2.0, onesided=onesided)(x)
    window = torch.hann_window(16, dtype=torch.from_numpy(x).dtype)
    expected = torch.stft(
        torch.from_numpy(x), 16, 4, 16, window, onesided=onesided, return_complex=True
    )
    assert result.dtype == dtype
    np.testing.assert_allclose(result, expected.abs().square().numpy(), rtol=1e-4, atol=1e-5)
    there = audio.Spectrogram(16, 16, 4, power=0.0, onesided=onesided)(x)
    back = audio.InverseSpectrogram(100, 16, 16, 4, onesided=onesided)(there)
    np.testing.assert_allclose(back, x, atol=1e-5)


@pytest.mark.parametrize("make", [audio.MFCC, audio.LFCC])
def test_cepstra_are_of_float32(make):
    x = wave(0, 2, 900)
    double, one = make(8000)(x), make(8000)(x.astype(np.float32))
    assert double.dtype == one.dtype == np.float32
    np.testing.assert_allclose(double, one, rtol=1e-3, atol=1e-3)


def test_cepstra_complete_their_dicts():
    given = {"n_fft": 64, "n_mels": 16}
    assert audio.MFCC(8000, 8, melkwargs=given)(wave(0, 200)).shape == (8, 7)
    assert given == {"n_fft": 64, "n_mels": 16}
    assert audio.LFCC(8000, 20, 8, speckwargs={"n_fft": 64})(wave(0, 200)).shape == (8, 7)
    with pytest.raises(ValueError, match=r"melkwargs.*n_ftt"):
        audio.MFCC(melkwargs={"n_ftt": 64})
    with pytest.raises(RuntimeError, match=r"at most the 128 mels"):
        audio.MFCC(n_mfcc=129)(wave(0, 900))


@pytest.mark.parametrize("kind", [audio.DensityFunction.RPDF, audio.DensityFunction.GPDF])
def test_random_dither(kind):
    x = np.zeros((2, 5000))
    ds.config.set_seed(5)
    first = audio.Dither(kind)(x) * 32768
    ds.config.set_seed(5)
    assert np.array_equal(first, audio.Dither(kind)(x) * 32768)
    ds.config.set_seed(6)
    assert not np.array_equal(first, audio.Dither(kind)(x) * 32768) or kind.value == "RPDF"
    assert np.array_equal(first, np.round(first))
    assert np.abs(first).max() <= (0 if kind.value == "RPDF" else 3)
    quarter = audio.Dither(kind)(x + 0.25 / 32766) * 32768
    assert 0.2 < quarter.mean() < 0.3


def test_griffin_lim_finds_a_waveform_of_the_spectrum():
    x = np.sin(0.4 * np.arange(400.0))
    powers = audio.Spectrogram(32, hop_length=8)(x)
    ds.config.set_seed(2)
    operation = audio.GriffinLim(32, 60, hop_length=8)
    result = operation(powers)
    assert (
        np.abs(np.sqrt(audio.Spectrogram(32, hop_length=8)(result)) - np.sqrt(powers)).mean() < 0.2
    )
    ds.config.set_seed(2)
    np.testing.assert_array_equal(result, operation(powers))
    ds.config.set_seed(3)
    assert not np.array_equal(result, operation(powers))


def test_drawn_masks_vary_and_stay_within():
    ds.config.set_seed(1)
    operation = audio.MaskAlongAxisIID(4, 9.0, 2)
    widths = set()
    for _ in range(60):
        masked = (operation(np.zeros((3, 2, 10))) == 9.0).reshape(6, 10)
        assert (masked == masked[0]).all()
        widths.add(int(masked[0].sum()))
        places = np.flatnonzero(masked[0])
        assert places.size == 0 or places[-1] - places[0] + 1 == places.size
    assert widths == {0, 1, 2, 3, 4}


def test_masks_leave_the_input():
    x = np.ones((3, 4))
    audio.FrequencyMasking(freq_mask_param=2)(x)
    assert (x == 1).all()


def test_inverse_mel_scale_comes_near():
    ds.config.set_seed(1)
    mels = audio.MelScale(4, 8000, n_stft=33)(np.abs(wave(0, 2, 33, 6)))
    operation = audio.InverseMelScale(33, 4, 8000, max_iter=3000, tolerance_change=1e-12)
    result = operation(mels)
    again = audio.MelScale(4, 8000, n_stft=33)(result)
    assert result.min() >= 0
    assert np.square(again - mels).mean() < 0.1 * np.square(mels).mean()


def test_vad_cuts_what_is_before_speech():
    time = np.arange(24000)
    noise = np.random.RandomState(0).randn(24000) * 1e-4
    voice = np.where(time > 12000, np.sign(np.sin(2 * math.pi * 150 * time / 8000)) * 0.5, 0)
    result = audio.Vad(8000)(noise + voice)
    assert 12000 <= result.size <= 13500
    assert np.array_equal(result, (noise + voice)[-result.size :])
    both = audio.Vad(8000)(np.stack([noise, noise + voice]))
    assert both.shape == (2, result.size)


def test_pitch_of_a_tone():
    tone = np.sin(2 * math.pi * 200 * np.arange(16000) / 8000)
    result = audio.DetectPitchFrequency(8000)(tone)
    assert np.abs(result - 200).max() < 1e-3
    assert audio.DetectPitchFrequency(8000, freq_high=1000)(tone.reshape(2, 8000)).shape[0] == 2


def test_pitch_shift_moves_a_tone_by_an_octave():
    tone = np.sin(2 * math.pi * 220 * np.arange(8000) / 8000)
    result = audio.PitchShift(8000, 12)(tone)
    spectrum = np.abs(np.fft.rfft(result * np.hanning(8000)))
    assert abs(int(spectrum.argmax()) - 440) <= 2


@pytest.mark.parametrize(
    ("operation", "shape"),
    [
        (audio.Flanger(8000, regen=60.0), (2, 4000)),
        (audio.Flanger(8000, delay=5.0, regen=-60.0), (2, 4000)),
        (audio.Phaser(8000), (4000,)),
    ],
)
def test_blocks_make_no_difference(monkeypatch, operation, shape):
    from agar.dataset.audio import _effects

    x = 0.3 * wave(0, *shape)
    whole = operation(x)
    sizes = []
    blocks = _effects._blocks

    def one_by_one(latest):
        sizes.append(len(list(blocks(latest))))
        return ((i, i + 1) for i in range(len(latest)))

    monkeypatch.setattr(_effects, "_blocks", one_by_one)
    np.testing.assert_allclose(operation(x), whole, atol=1e-12)
    assert sizes[0] < shape[-1]


def test_in_a_pipeline():
    rows = wave(0, 4, 64)
    data = ds.NumpySlicesDataset(rows, column_names=["audio"], shuffle=False)
    data = data.map([audio.LowpassBiquad(8000, 1000), audio.Spectrogram(16)], ["audio"])
    items = [row["audio"] for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
    expected = audio.Spectrogram(16)(audio.LowpassBiquad(8000, 1000)(rows))
    np.testing.assert_array_equal(np.stack(items), expected)


def test_two_outputs_become_two_columns():
    data = ds.NumpySlicesDataset(wave(0, 3, 5, 2), column_names=["z"], shuffle=False)
    data = data.map([audio.Magphase()], ["z"], ["size", "angle"])
    row = next(iter(data.create_dict_iterator(num_epochs=1, output_numpy=True)))
    assert row["size"].shape == row["angle"].shape == (5,)


def test_errors_name_the_transform_and_the_remedy():
    with pytest.raises(TypeError, match=r"audio.Gain.*numpy array.*asarray"):
        audio.Gain()([0.1])
    with pytest.raises(RuntimeError, match=r"audio.LFilter.*int64.*TypeCast"):
        audio.LFilter([1.0], [1.0])(np.arange(4))
    with pytest.raises(RuntimeError, match=r"audio.Angle.*complex=2.*\[4\]"):
        audio.Angle()(np.ones(4))
    with pytest.raises(ValueError, match=r"audio.Spectrogram.*win_length.*at most n_fft, 16.*17"):
        audio.Spectrogram(16, 17)
    with pytest.raises(RuntimeError, match=r"must hold data"):
        audio.Gain()(np.zeros((0,)))
    with pytest.raises(TypeError, match=r"WindowType.BARTLETT"):
        audio.Spectrogram(window="hann")  # type: ignore[arg-type]


def test_own_transforms():
    class Half(audio.transforms.AudioTensorOperation):
        def _compute(self, array):
            return array / 2

    assert Half()(np.ones(2)).tolist() == [0.5, 0.5]
    with pytest.raises(NotImplementedError, match=r"_compute"):
        audio.transforms.AudioTensorOperation()(np.ones(2))


@pytest.mark.parametrize("rates", [(3, 2), (160, 147), (1000, 999), (8000, 44100)])
@pytest.mark.parametrize("method", list(audio.ResampleMethod))
def test_both_ways_to_change_rates_agree(monkeypatch, rates, method):
    samples = np.random.RandomState(0).randn(2, 1000)
    results = []
    for most in (1 << 30, 0):
        monkeypatch.setattr(_rates, "_DENSE", most)
        results.append(_rates.resampled(samples, *rates, method))
    np.testing.assert_allclose(*results, rtol=0, atol=1e-10)
