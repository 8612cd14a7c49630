"""Rows of torch.fft and of the transforms of signals."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, rule
from agar.migrate.rules._pairs import both
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import FILL, OUT

_FFT = "torch.fft."
_REAL = ("rfft", "rfft2", "rfftn", "ihfft", "ihfft2", "ihfftn")
for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    _t = "f" if _name in _REAL else "c"
    rule(
        f"{_FFT}{_name}(input, n=None, dim=-1, norm=None, *, out=None)",
        f"ops.{_name}({{input}}, n={{n}}, dim={{dim}}, norm={{norm}})",
        refuse=OUT,
        samples=[f"({_t}(8))", f"({_t}(3, 8), n=6, dim=1, norm='ortho')", f"({_t}(4, 3), dim=0)"],
    )
    for _many, _dims in (("2", "(-2, -1)"), ("n", "None")):
        rule(
            f"{_FFT}{_name}{_many}(input, s=None, dim={_dims}, norm=None, *, out=None)",
            f"ops.{_name}{_many}({{input}}, s={{s}}, dim={{dim}}, norm={{norm}})",
            refuse=OUT,
            samples=[f"({_t}(4, 6))", f"({_t}(2, 4, 6), dim=(1, 2), norm='ortho')"],
        )
for _name in ("fftshift", "ifftshift"):
    rule(f"{_FFT}{_name}(input, dim=None)", f"ops.{_name}({{input}}, dim={{dim}})",
         samples=["(f(4, 5))", "(f(4, 5), 1)"])  # fmt: skip
for _name in ("fftfreq", "rfftfreq"):
    rule(
        f"{_FFT}{_name}(n, d=1.0, *, dtype=None, {FILL.replace(' ', '=None, ')}=None)",
        Case(f"ops.{_name}({{n}}, float({{d}}), {{dtype}})", when="dtype is not None"),
        f"ops.{_name}({{n}}, float({{d}}))",
        ignore=FILL,
        samples=["(8)", "(9, 0.5)"],
    )
_SIGNAL = (
    "n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect', "
    "normalized=False, onesided=None, return_complex=None, align_to_window=None"
)
both(
    f"stft(input, {_SIGNAL})",
    "ops.stft({input}, {n_fft}, {hop_length}, {win_length}, {window}, {center}, "
    "{pad_mode}.upper(), {normalized}, {onesided}, {return_complex})",
    method="ops.stft({self}, {n_fft}, {hop_length}, {win_length}, {window}, {center}, "
    "{pad_mode}.upper(), {normalized}, {onesided}, {return_complex})",
    out=False,
    refuse={"align_to_window is not None": "cut the signal by hand"},
    samples=["(f(2, 32).detach(), 8, window=torch.ones(8, dtype=torch.float64), onesided=True, "
             "return_complex=True)"],
)  # fmt: skip
for _name in ("torch.istft", "torch.Tensor.istft"):
    missing(_name, "MindSpore has no inverse; use ops.irfft of the frames and add them up")
