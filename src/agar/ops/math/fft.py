"""Discrete Fourier transforms, their frequencies, and windows.

NOTE Scaling. `norm` is ``"backward"`` (the inverse divides by n), ``"ortho"`` (both by the root of
n) or ``"forward"`` (the transform divides); None means ``"backward"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core import context
from agar._core.dtype import to_torch_dtype
from agar.ops._checks import choice, integer, number
from agar.ops.spec import op, primitive
from agar.ops.tensor.axes import axes_of, axis_of

__all__: list[str] = []

_NORMS = ("forward", "backward", "ortho")


def _scaling(op_name: str, norm: Any) -> str | None:
    return None if norm is None else choice(op_name, "norm", norm, _NORMS)


_LINE_DOC = """{words}.

    Args:
        input (Tensor): {input}.
        n (int): the length {length}: shorter input is filled with zeros, longer input is cut.
            Default None: {default}.
        dim (int): the axis. Default: -1.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of {result}; float64 gives double precision, everything else single.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `dim` is out of range, `n` not positive or `norm` another word.

    Difference from PyTorch: none (``torch.fft.{name}``).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.{name}(ms.Tensor([1.0, 2.0, 3.0])))
        {shown}
"""


def _along_one(
    name: str,
    words: str,
    shown: str,
    *,
    result: str = "complex numbers",
    input: str = "any shape",
    to_real: bool = False,
) -> None:
    """Declare a transform along one axis."""
    compute = getattr(torch.fft, name)

    def impl(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
        place = axis_of(name, dim, input.ndim, "dim")
        size = None if n is None else integer(name, "n", n, 1)
        return compute(_precise(input), size, place, _scaling(name, norm))

    impl.__name__ = name
    impl.__doc__ = _LINE_DOC.format(
        words=words,
        input=input,
        name=name,
        shown=shown,
        result=result,
        length="of the result" if to_real else "to transform",
        default="twice the input's less two" if to_real else "that of the input",
    )
    op(
        name,
        samples=("c(5)", "c(2, 6), 4, 0", "c(2, 6), norm='ortho'", "c(4), 7, norm='forward'")
        if to_real or name in ("fft", "ifft")
        else ("f(5)", "f(2, 6), 4, 0", "f(2, 6), norm='ortho'", "f(4), 7, norm='forward'"),
        errors=(
            ("f(4), 0", ValueError, "n"),
            ("f(4), dim=1", ValueError, "dim"),
            ("f(4), norm='x'", ValueError, "norm"),
        ),
    )(impl)


def _precise(x: Tensor) -> Tensor:
    """The input in a type that torch transforms on every device."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


_along_one(
    "fft",
    "Discrete Fourier transform along an axis",
    "[ 6. +0.j        -1.5+0.8660254j -1.5-0.8660254j]",
)
_along_one(
    "ifft",
    "Inverse discrete Fourier transform along an axis",
    "[ 2. +0.j         -0.5-0.28867513j -0.5+0.28867513j]",
)
_along_one(
    "rfft",
    "Discrete Fourier transform of real numbers, the first half",
    "[ 6. +0.j        -1.5+0.8660254j]",
    input="real, any shape",
)
_along_one(
    "irfft",
    "Real numbers from the first half of their Fourier transform",
    "[ 2.  -0.5  0.  -0.5]",
    result="real numbers",
    to_real=True,
)
_along_one(
    "hfft",
    "Fourier transform of a signal that is Hermitian in time",
    "[ 8. -2.  0. -2.]",
    result="real numbers",
    to_real=True,
)
_along_one(
    "ihfft",
    "Inverse of the transform of a Hermitian signal, the first half",
    "[ 2. -0.j         -0.5-0.28867513j]",
    input="real, any shape",
)

_PLANE_DOC = """{words}.

    Args:
        input (Tensor): {input}.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default {default}.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of {result}; float64 gives double precision, everything else single.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an axis is out of range or `norm` another word.

    Difference from PyTorch: none (``torch.fft.{name}``).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.{name}(ms.ops.ones((2, 4))).shape
        {shown}
"""


def _along_several(
    name: str, words: str, shown: str, *, result: str = "complex numbers", input: str = "any shape"
) -> None:
    """Declare a transform along two axes (a name in 2) or several."""
    compute = getattr(torch.fft, name)
    two = name.endswith("2")
    plane = (-2, -1) if two else None

    def impl(input: Tensor, s: Any = None, dim: Any = plane, norm: Any = None) -> Tensor:
        axes = None if dim is None else axes_of(name, dim, input.ndim, "dim")
        sizes = None if s is None else [integer(name, "s", n, 1) for n in s]
        return compute(_precise(input), sizes, axes, _scaling(name, norm))

    impl.__name__ = name
    impl.__doc__ = _PLANE_DOC.format(
        words=words,
        input=input,
        name=name,
        shown=shown,
        result=result,
        default="(-2, -1)" if two else "None: all, or the last ones that `s` names",
    )
    source = "f" if "real" in input else "c"
    op(
        name,
        samples=(f"{source}(4, 6)", f"{source}(3, 4, 6), (2, 4), (0, 1)"),
        errors=(
            ("f(4, 4), dim=(0, 2)", ValueError, "dim"),
            ("f(4, 4), norm='x'", ValueError, "norm"),
        ),
    )(impl)


_along_several("fft2", "Discrete Fourier transform along two axes", "(2, 4)")
_along_several("ifft2", "Inverse discrete Fourier transform along two axes", "(2, 4)")
_along_several("fftn", "Discrete Fourier transform along several axes", "(2, 4)")
_along_several("ifftn", "Inverse discrete Fourier transform along several axes", "(2, 4)")
_along_several(
    "rfft2",
    "Discrete Fourier transform of real numbers along two axes",
    "(2, 3)",
    input="real, any shape",
)
_along_several(
    "irfft2",
    "Real numbers from half of their Fourier transform along two axes",
    "(2, 6)",
    result="real numbers",
)
_along_several(
    "rfftn",
    "Discrete Fourier transform of real numbers along several axes",
    "(2, 3)",
    input="real, any shape",
)
_along_several(
    "irfftn",
    "Real numbers from half of their Fourier transform along several axes",
    "(2, 6)",
    result="real numbers",
)
_along_several(
    "hfft2",
    "Fourier transform of a Hermitian signal along two axes",
    "(2, 6)",
    result="real numbers",
)
_along_several(
    "ihfft2",
    "Inverse of the transform of a Hermitian signal along two axes",
    "(2, 3)",
    input="real, any shape",
)
_along_several(
    "hfftn",
    "Fourier transform of a Hermitian signal along several axes",
    "(2, 6)",
    result="real numbers",
)
_along_several(
    "ihfftn",
    "Inverse of the transform of a Hermitian signal along several axes",
    "(2, 3)",
    input="real, any shape",
)


def _frequencies(name: str, words: str, shown: str) -> None:
    """Declare fftfreq or rfftfreq."""
    compute = getattr(torch.fft, name)

    def impl(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
        size, step = integer(name, "n", n, 1), number(name, "d", d)
        kind = torch.float32 if dtype is None else to_torch_dtype(dtype, op_name=name)
        return compute(size, step, dtype=kind, device=context.torch_device())

    impl.__name__ = name
    impl.__doc__ = (
        f"{words}.\n\n"
        "    Args:\n"
        "        n (int): the length of the transform.\n"
        "        d (float): the distance of the samples. Default: 1.0.\n"
        "        dtype (Type): the type. Default None: float32.\n\n"
        "    Returns: Tensor with one axis.\n"
        "    Raises TypeError: `n` is not an int.\n"
        "    Raises ValueError: `n` is not positive.\n"
        f"    Difference from PyTorch: none (``torch.fft.{name}``).\n\n"
        f"    >>> print(ms.ops.{name}(4))\n"
        f"    {shown}\n"
    )
    op(
        name,
        cast="never",
        samples=("4", "5, 0.5", "4, dtype=ms.float64"),
        differentiable=False,
        errors=(("0", ValueError, "n"), ("1.5", TypeError, "n")),
    )(impl)


_frequencies("fftfreq", "The frequencies of a Fourier transform", "[ 0.    0.25 -0.5  -0.25]")
_frequencies(
    "rfftfreq", "The frequencies of a Fourier transform of real numbers", "[0.   0.25 0.5 ]"
)


def _shift(name: str, words: str, shown: str) -> None:
    """Declare fftshift or ifftshift."""
    compute = getattr(torch.fft, name)

    def impl(input: Tensor, dim: Any = None) -> Tensor:
        return compute(input, None if dim is None else axes_of(name, dim, input.ndim, "dim"))

    impl.__name__ = name
    impl.__doc__ = (
        f"{words}.\n\n"
        "    Args:\n"
        "        input (Tensor): any shape.\n"
        "        dim (Union[int, tuple]): the axes. Default None: all.\n\n"
        "    Returns: Tensor of the same shape and type.\n"
        "    Raises TypeError: an axis is not an int.\n"
        "    Raises ValueError: an axis is out of range.\n"
        f"    Difference from PyTorch: none (``torch.fft.{name}``).\n\n"
        f"    >>> print(ms.ops.{name}(ms.Tensor([1.0, 2.0, 3.0])))\n"
        f"    {shown}\n"
    )
    op(name, samples=("f(5)", "f(4, 3), 0"), errors=(("f(3), 1", ValueError, "dim"),))(impl)


_shift("fftshift", "Move the frequency 0 to the middle", "[3. 1. 2.]")
_shift("ifftshift", "Move the frequency 0 from the middle to the front", "[2. 3. 1.]")


# ------------------------------------------------------------------------------------ windows

_WINDOW_DOC = """{words}: :math:`{formula}` for n from 0 to N - 1.

    Args:
        window_length (Union[int, Tensor]): how many numbers.
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
{more}        dtype (Type): the type. Default None: {default}.

    Returns:
        Tensor with one axis.

    Raises:
        TypeError: `window_length` is not an int.
        ValueError: it is negative.

    Difference from PyTorch: {difference}.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.{name}(4))
        {shown}
"""


def _declare_window(
    name: str,
    impl: Callable[..., Tensor],
    words: str,
    formula: str,
    shown: str,
    default: str,
    more: str = "",
) -> None:
    """Declare a window: its implementation and the documentation that windows share."""
    impl.__name__ = name
    difference = "none" if default == "float32" else "float32 there by default"
    impl.__doc__ = _WINDOW_DOC.format(
        words=words,
        formula=formula,
        shown=shown,
        default=default,
        more=more,
        name=name,
        difference=difference,
    )
    op(
        name,
        cast="never",
        differentiable=False,
        samples=("5", "6, False", "1", "torch.tensor(4)", "4, dtype=ms.float16"),
        errors=(("-1", ValueError, name), ("1.5", TypeError, name)),
    )(impl)


def _window(
    op_name: str,
    compute: Callable[..., Tensor],
    length: Any,
    periodic: bool,
    dtype: Any,
    default: torch.dtype,
    *rest: float,
) -> Tensor:
    size = integer(op_name, "window_length", length, 0)
    kind = default if dtype is None else to_torch_dtype(dtype, op_name=op_name)
    result = compute(size, bool(periodic), *rest, dtype=torch.float64)
    return result.to(device=context.torch_device(), dtype=kind)


def _bartlett(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    return _window(
        "bartlett_window", torch.bartlett_window, window_length, periodic, dtype, torch.float32
    )


def _blackman(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    return _window(
        "blackman_window", torch.blackman_window, window_length, periodic, dtype, torch.float32
    )


def _hann(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    return _window("hann_window", torch.hann_window, window_length, periodic, dtype, torch.float64)


def _hamming(
    window_length: Any,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: Any = None,
) -> Tensor:
    return _window(
        "hamming_window",
        torch.hamming_window,
        window_length,
        periodic,
        dtype,
        torch.float32,
        number("hamming_window", "alpha", alpha),
        number("hamming_window", "beta", beta),
    )


def _kaiser(
    window_length: Any, periodic: bool = True, beta: float = 12.0, *, dtype: Any = None
) -> Tensor:
    return _window(
        "kaiser_window",
        torch.kaiser_window,
        window_length,
        periodic,
        dtype,
        torch.float64,
        number("kaiser_window", "beta", beta),
    )


_declare_window(
    "bartlett_window",
    _bartlett,
    "Bartlett window",
    r"1 - |2n/N - 1|",
    "[0.  0.5 1.  0.5]",
    "float32",
)
_declare_window(
    "blackman_window",
    _blackman,
    "Blackman window",
    r"0.42 - 0.5 \cos(2 \pi n/N) + 0.08 \cos(4 \pi n/N)",
    "[0.   0.34 1.   0.34]",
    "float32",
)
_declare_window(
    "hann_window", _hann, "Hann window", r"\sin^2(\pi n/N)", "[0.  0.5 1.  0.5]", "float64"
)
_declare_window(
    "hamming_window",
    _hamming,
    "Hamming window",
    r"\alpha - \beta \cos(2 \pi n/N)",
    "[0.08 0.54 1.   0.54]",
    "float32",
    "        alpha (float): see the formula. Default: 0.54.\n"
    "        beta (float): see the formula. Default: 0.46.\n",
)
_declare_window(
    "kaiser_window",
    _kaiser,
    "Kaiser window",
    r"I_0(\beta \sqrt{1 - (2n/N - 1)^2}) / I_0(\beta)",
    "[5.27734413e-05 2.15672745e-01 1.00000000e+00 2.15672745e-01]",
    "float64",
    "        beta (float): see the formula. Default: 12.0.\n",
)


@primitive(
    "BartlettWindow",
    cast="never",
    differentiable=False,
    samples=("torch.tensor(5)", "torch.tensor(4), periodic=False"),
    errors=(("torch.tensor(-1)", ValueError, "length"), ("1.5", TypeError, "length")),
)
def _bartlett_primitive(
    window_length: Any, *, periodic: bool = True, dtype: Any = torch.float32
) -> Tensor:
    """Bartlett window; see :func:`ops.bartlett_window`.

    >>> print(ms.ops.BartlettWindow()(ms.Tensor(4)))
    [0.  0.5 1.  0.5]
    """
    return _bartlett(window_length, periodic, dtype=dtype)


@primitive(
    "BlackmanWindow",
    cast="never",
    differentiable=False,
    samples=("torch.tensor(5)", "torch.tensor(4), periodic=False"),
    errors=(("torch.tensor(-1)", ValueError, "length"), ("1.5", TypeError, "length")),
)
def _blackman_primitive(
    window_length: Any, *, periodic: bool = True, dtype: Any = torch.float32
) -> Tensor:
    """Blackman window; see :func:`ops.blackman_window`.

    >>> print(ms.ops.BlackmanWindow()(ms.Tensor(4)))
    [0.   0.34 1.   0.34]
    """
    return _blackman(window_length, periodic, dtype=dtype)


@primitive(
    "HammingWindow",
    cast="never",
    differentiable=False,
    samples=("torch.tensor(5)", "torch.tensor(4), periodic=False"),
    errors=(("torch.tensor(-1)", ValueError, "length"), ("1.5", TypeError, "length")),
)
def _hamming_primitive(
    length: Any,
    *,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    dtype: Any = torch.float32,
) -> Tensor:
    """Hamming window; see :func:`ops.hamming_window`.

    >>> print(ms.ops.HammingWindow()(ms.Tensor([4])))
    [0.08 0.54 1.   0.54]
    """
    size = length[0] if isinstance(length, list) else length
    return _hamming(size, periodic, alpha, beta, dtype=dtype)


@primitive(
    "FFTWithSize",
    samples=(
        "c(5), signal_ndim=1, inverse=False, real=False",
        "f(2, 6), signal_ndim=2, inverse=False, real=True",
        "c(2, 4), signal_ndim=1, inverse=True, real=True",
    ),
    errors=(("c(5), signal_ndim=4, inverse=False, real=False", ValueError, "signal_ndim"),),
)
def _fft_with_size(
    x: Tensor,
    *,
    signal_ndim: int,
    inverse: bool,
    real: bool,
    norm: str = "backward",
    onesided: bool = True,
    signal_sizes: Any = (),
) -> Tensor:
    """Fourier transform along the last axes, of the kind that the arguments select.

    Args:
        signal_ndim (int): how many axes, 1 to 3.
        inverse (bool): whether to transform back.
        real (bool): whether the signal is real.
        norm (str): see the note on scaling. Default: ``"backward"``.
        onesided (bool): whether a real signal's transform is its first half. Default: True.
        signal_sizes (tuple): the size of the real signal, when transformed back. Default (): even.
        x (Tensor): any shape.

    Returns: Tensor.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `signal_ndim` is out of range or `norm` is unknown.
    Difference from PyTorch: ``torch.fft``.

    >>> print(ms.ops.FFTWithSize(1, False, True)(ms.Tensor([1.0, 2.0])))
    [ 3.+0.j -1.+0.j]
    """
    count = integer("FFTWithSize", "signal_ndim", signal_ndim, 1)
    if count > 3:
        raise ValueError(f"For 'FFTWithSize', 'signal_ndim' must be in [1, 3], but got {count}.")
    axes, x = tuple(range(-count, 0)), _precise(x)
    scaling = _scaling("FFTWithSize", norm)
    if not real:
        return (torch.fft.ifftn if inverse else torch.fft.fftn)(x, None, axes, scaling)
    if not inverse:
        compute = torch.fft.rfftn if onesided else torch.fft.fftn
        return compute(x, None, axes, scaling)
    if not onesided:
        return torch.fft.ifftn(x, None, axes, scaling).real
    return torch.fft.irfftn(x, list(signal_sizes) or None, axes, scaling)


_PADS = ("REFLECT", "CONSTANT", "SYMMETRIC")


def _frames(
    op_name: str,
    x: Tensor,
    n_fft: Any,
    hop_length: Any,
    win_length: Any,
    window: Tensor | None,
    normalized: Any,
    onesided: Any,
) -> Tensor:
    """Fourier transforms of the frames of a signal, complex, without padding."""
    size = integer(op_name, "n_fft", n_fft, 1)
    hop = size // 4 if hop_length is None else integer(op_name, "hop_length", hop_length, 1)
    length = size if win_length is None else integer(op_name, "win_length", win_length, 1)
    if length > size or size > x.shape[-1]:
        raise ValueError(
            f"For '{op_name}', 'win_length' must not be greater than 'n_fft', nor that than the "
            f"signal, but got {length}, {size} and {x.shape[-1]}."
        )
    x = _precise(x)
    if window is None:
        window = torch.ones(length, dtype=x.real.dtype, device=x.device)
    window = _precise(window)
    one = not x.is_complex() if onesided is None else bool(onesided)
    return torch.stft(
        x, size, hop, length, window, False, "reflect", bool(normalized), one, return_complex=True
    )


@op(
    samples=(
        "f(16), 8",
        "f(2, 16), 8, 4, 6, u(6), pad_mode='CONSTANT', normalized=True",
        "f(16), 8, center=False, return_complex=True",
        "f(16), 8, pad_mode='SYMMETRIC', onesided=False",
    ),
    errors=(
        ("f(16), 8, win_length=9", ValueError, "win_length"),
        ("f(16), 8, pad_mode='x'", ValueError, "pad_mode"),
        ("f(2, 2, 16), 8", ValueError, "axes"),
    ),
)
def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "REFLECT",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    r"""Fourier transforms of the frames of a signal.

    :math:`out_{k, t} = \sum_n window_n\, x_{t \cdot hop + n}\, e^{-2 \pi i k n / n_{fft}}`

    Args:
        x (Tensor): shape :math:`(L,)` or :math:`(B, L)`.
        n_fft (int): length of a frame.
        hop_length (int): distance of frames. Default None: a quarter of `n_fft`.
        win_length (int): length of the window. Default None: `n_fft`.
        window (Tensor): the window. Default None: ones.
        center (bool): whether frames are centered on their time, with padding at the ends.
            Default: True.
        pad_mode (str): ``"REFLECT"``, ``"CONSTANT"`` or ``"SYMMETRIC"``. Default: ``"REFLECT"``.
        normalized (bool): whether to divide by the root of `n_fft`. Default: False.
        onesided (bool): whether to give the first half of the frequencies. Default None: for real
            signals.
        return_complex (bool): whether the result is complex. Default None: for complex signals.

    Returns: Tensor of shape :math:`(.., frequencies, frames)`; real and imaginary parts in a last
        axis of size 2 unless complex.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `x` has other axes, the lengths do not fit, or `pad_mode` is unknown.
    Difference from PyTorch: the names of `pad_mode`; `return_complex` may be left out.

    >>> ms.ops.stft(ms.ops.arange(16.0), 8).shape
    (5, 9, 2)
    """
    choice("stft", "pad_mode", pad_mode, _PADS)
    if x.ndim not in (1, 2):
        raise ValueError(f"For 'stft', 'x' must have one or two axes, but got {x.ndim}.")
    if center:
        x = _padded("stft", x, integer("stft", "n_fft", n_fft, 1) // 2, pad_mode)
    out = _frames("stft", x, n_fft, hop_length, win_length, window, normalized, onesided)
    whole = x.is_complex() if return_complex is None else bool(return_complex)
    return out if whole else torch.view_as_real(out)


def _padded(op_name: str, x: Tensor, count: int, mode: str) -> Tensor:
    """A signal with `count` more values at both ends."""
    skip = 1 if mode == "REFLECT" else 0  # a reflection leaves the end itself out
    size = x.shape[-1]
    if mode != "CONSTANT" and count + skip > size:
        raise ValueError(
            f"For '{op_name}', a signal of {size} values cannot be mirrored {count} far."
        )
    if mode == "CONSTANT":
        return torch.nn.functional.pad(x, (count, count))
    before = x[..., skip : count + skip].flip(-1)
    after = x[..., size - count - skip : size - skip].flip(-1)
    return torch.cat((before, x, after), -1)


@primitive(
    "STFT",
    samples=(
        "f(16), u(8), n_fft=8, hop_length=4, win_length=8, normalized=False, onesided=True, "
        "return_complex=True",
    ),
    errors=(
        (
            "f(16), u(9), n_fft=8, hop_length=4, win_length=9, normalized=False, onesided=True, "
            "return_complex=True",
            ValueError,
            "win_length",
        ),
    ),
)
def _stft(
    signal: Tensor,
    window: Tensor,
    *,
    n_fft: int,
    hop_length: int,
    win_length: int,
    normalized: bool,
    onesided: bool,
    return_complex: bool,
) -> Tensor:
    """Fourier transforms of the frames of a signal, without padding; see :func:`ops.stft`.

    >>> frames = ms.ops.STFT(8, 4, 8, False, True, True)
    >>> frames(ms.ops.arange(16.0), ms.ops.ones(8)).shape
    (5, 3)
    """
    out = _frames("STFT", signal, n_fft, hop_length, win_length, window, normalized, onesided)
    return out if return_complex else torch.view_as_real(out)
