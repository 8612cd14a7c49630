"""Fourier transforms under numpy's argument names."""

from __future__ import annotations

from typing import Any

from agar._core import optable
from agar.numpy._declare import Tensor, axis_of, home, named

_fft = home("fft")

_NOTE = """    Difference from PyTorch: {difference}.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> {example}
        {shown}
"""
_INPUTS = {"rfft": "f", "ihfft": "f", "rfft2": "f", "rfftn": "f", "ihfft2": "f"}
_NORM = (
    '        norm (str): ``"backward"`` divides the inverse by the number of elements,\n'
    '            ``"ortho"`` both ways by its root, ``"forward"`` the transform. Default None:\n'
    '            ``"backward"``.\n'
)


def _one(name: str, words: str, shown: str) -> None:
    """Declare a transform along one axis."""
    compute = optable.lookup("function", name).impl

    def impl(a: Tensor, n: int | None = None, axis: int = -1, norm: Any = None) -> Tensor:
        place = axis_of(f"numpy.fft.{name}", axis, a.ndim)
        return named(f"fft.{name}", compute, a, n, place, norm)

    impl.__name__ = name
    impl.__doc__ = (
        f"{words}; see :func:`ops.{name}`.\n\n"
        "    Args:\n"
        "        a (Tensor): the input.\n"
        "        n (int): the length; shorter input is filled with zeros, longer input is cut.\n"
        "            Default None: that of the input.\n"
        "        axis (int): the axis. Default: -1.\n"
        f"{_NORM}\n"
        "    Returns:\n        Tensor.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is of another type.\n"
        "        ValueError: `axis` is out of range, `n` not positive or `norm` another word.\n\n"
        + _NOTE.format(
            difference=f"`dim` of ``torch.fft.{name}`` is called `axis`",
            example=f"print(mnp.fft.{name}(mnp.array([1.0, 2.0, 3.0])))",
            shown=shown,
        )
    )
    source = _INPUTS.get(name, "c")
    _fft(
        f"fft.{name}",
        samples=(f"{source}(5)", f"{source}(2, 6), 4, 0", f"{source}(2, 6), norm='ortho'"),
        errors=(
            ("f(4), 0", ValueError, f"numpy.fft.{name}"),
            ("f(4), None, 1", ValueError, f"numpy.fft.{name}"),
            ("f(4), None, -1, 'x'", ValueError, f"numpy.fft.{name}"),
            ("[1.0]", TypeError, f"numpy.fft.{name}"),
        ),
        reference=f"np.fft.{name}(a, n, axis, norm)",
    )(impl)


_one("fft", "The discrete Fourier transform", "[ 6. +0.j        -1.5+0.8660254j -1.5-0.8660254j]")
_one(
    "ifft",
    "The inverse of the discrete Fourier transform",
    "[ 2. +0.j         -0.5-0.28867513j -0.5+0.28867513j]",
)
_one("rfft", "The Fourier transform of real numbers", "[ 6. +0.j        -1.5+0.8660254j]")
_one("irfft", "The inverse of the Fourier transform of real numbers", "[ 2.  -0.5  0.  -0.5]")
_one("hfft", "The Fourier transform of a Hermitian signal", "[ 8. -2.  0. -2.]")
_one(
    "ihfft",
    "The inverse of the Fourier transform of a Hermitian signal",
    "[ 2. -0.j         -0.5-0.28867513j]",
)


def _several(name: str, words: str, shown: str, *, like: str | None = None) -> None:
    """Declare a transform along several axes; `like` names the operator that computes it."""
    operator = like or name
    compute = optable.lookup("function", operator).impl
    plane = (-2, -1) if name.endswith("2") else None

    def impl(a: Tensor, s: Any = None, axes: Any = plane, norm: Any = None) -> Tensor:
        return named(f"fft.{name}", compute, a, s, axes, norm)

    difference = f"`dim` of ``torch.fft.{name}`` is called `axes`"
    if like:
        difference = f"the same as ``{like}``, as in MindSpore 2.10; use ops.{name} for the inverse"
    impl.__name__ = name
    impl.__doc__ = (
        f"{words}; see :func:`ops.{operator}`.\n\n"
        "    Args:\n"
        "        a (Tensor): the input.\n"
        "        s (tuple(int)): the lengths; shorter input is filled with zeros, longer input is\n"
        "            cut. Default None: those of the input.\n"
        f"        axes (tuple(int)): the axes. Default {plane}"
        f"{'' if plane else ': all, or the last ones that `s` names'}.\n"
        f"{_NORM}\n"
        "    Returns:\n        Tensor.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is of another type.\n"
        "        ValueError: an axis is out of range, or `norm` another word.\n\n"
        + _NOTE.format(
            difference=difference,
            example=f"mnp.fft.{name}(mnp.ones((2, 4))).shape",
            shown=shown,
        )
    )
    source = _INPUTS.get(name, "c")
    _fft(
        f"fft.{name}",
        samples=(f"{source}(4, 6)", f"{source}(3, 4, 6), (2, 4), (0, 1)"),
        errors=(
            ("f(4, 4), None, (0, 2)", ValueError, f"numpy.fft.{name}"),
            ("f(4, 4), None, None, 'x'", ValueError, f"numpy.fft.{name}"),
            ("[1.0]", TypeError, f"numpy.fft.{name}"),
        ),
        reference=f"torch.fft.{operator}(a, s, axes, norm)",
    )(impl)


_several("fft2", "The discrete Fourier transform along two axes", "(2, 4)")
_several("ifft2", "The inverse of the discrete Fourier transform along two axes", "(2, 4)")
_several("fftn", "The discrete Fourier transform along several axes", "(2, 4)")
_several("ifftn", "The inverse of the discrete Fourier transform along several axes", "(2, 4)")
_several("rfft2", "The Fourier transform of real numbers along two axes", "(2, 3)")
_several("irfft2", "The inverse of the Fourier transform of real numbers along two axes", "(2, 6)")
_several("rfftn", "The Fourier transform of real numbers along several axes", "(2, 3)")
_several(
    "irfftn", "The inverse of the Fourier transform of real numbers along several axes", "(2, 6)"
)
_several("hfft2", "The Fourier transform of a Hermitian signal along two axes", "(2, 6)")
_several(
    "ihfft2",
    "The inverse of the Fourier transform of a Hermitian signal along two axes",
    "(2, 3)",
)
_several("hfftn", "The Fourier transform of a Hermitian signal along several axes", "(2, 6)")
_several(
    "ihfftn",
    "The Fourier transform of a Hermitian signal along several axes",
    "(2, 6)",
    like="hfftn",
)


def _shift(name: str, words: str, shown: str) -> None:
    compute = optable.lookup("function", name).impl

    def impl(x: Tensor, axes: Any = None) -> Tensor:
        return named(f"fft.{name}", compute, x, axes)

    impl.__name__ = name
    impl.__doc__ = (
        f"{words}.\n\n"
        "    Args:\n"
        "        x (Tensor): the input.\n"
        "        axes (Union[None, int, tuple(int)]): the axes. Default None: all.\n\n"
        "    Returns:\n        Tensor of the input's shape and type.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is of another type.\n"
        "        ValueError: an axis is out of range.\n\n"
        + _NOTE.format(
            difference="`dim` is called `axes`",
            example=f"print(mnp.fft.{name}(mnp.arange(5)))",
            shown=shown,
        )
    )
    _fft(
        f"fft.{name}",
        cast="never",
        samples=("f(4)", "f(2, 3), 1", "f(2, 3), (0, 1)"),
        errors=(
            ("f(4), 1", ValueError, f"numpy.fft.{name}"),
            ("[1.0]", TypeError, f"numpy.fft.{name}"),
        ),
        reference=f"np.fft.{name}(x, axes)",
    )(impl)


_shift("fftshift", "Move the frequency zero into the middle", "[3 4 0 1 2]")
_shift("ifftshift", "Move the frequency zero from the middle to the start", "[2 3 4 0 1]")


def _frequencies(name: str, words: str, shown: str) -> None:
    compute = optable.lookup("function", name).impl

    def impl(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
        return named(f"fft.{name}", compute, n, d, dtype)

    impl.__name__ = name
    impl.__doc__ = (
        f"{words}.\n\n"
        "    Args:\n"
        "        n (int): the length of the transform.\n"
        "        d (float): the distance of samples. Default: 1.0.\n"
        "        dtype (Type): the type. Default None: float32.\n\n"
        "    Returns:\n        Tensor with one dimension.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is of another type.\n"
        "        ValueError: `n` is not positive.\n\n"
        + _NOTE.format(difference="none", example=f"print(mnp.fft.{name}(4))", shown=shown)
    )
    _fft(
        f"fft.{name}",
        cast="never",
        samples=("4", "5, 0.5", "5, 0.5, ms.float64"),
        errors=(
            ("0", ValueError, f"numpy.fft.{name}"),
            ("4.0", TypeError, f"numpy.fft.{name}"),
        ),
        reference=f"np.fft.{name}(n, d)",
        differentiable=False,
    )(impl)


_frequencies("fftfreq", "The frequencies of a Fourier transform", "[ 0.    0.25 -0.5  -0.25]")
_frequencies(
    "rfftfreq", "The frequencies of a Fourier transform of real numbers", "[0.   0.25 0.5 ]"
)
