"""Gradients as primitives (``ops.operations._grad_ops``): of elements, activations and losses.

NOTE Gradient primitives. Programs with gradients of their own call them; they are not part of the
public operators. Each takes what MindSpore's takes: some of the inputs and results of an operator,
and the gradient of its result. Most are computed by differentiating the operator itself, so they
can be differentiated again. The families of them join one register.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.autodiff import functorch_level
from agar._core.optable import lookup, primitive_class
from agar.ops._private import NEEDED, Register

__all__ = ["declare", "forward", "pull_back", "register"]

register = Register("agar.ops.operations._grad_ops")
declare = register.declare


def forward(name: str, **attributes: Any) -> Callable[..., Any]:
    """The implementation of a primitive with attributes, checked, over torch tensors."""
    entry = lookup("primitive", name)
    result = primitive_class(entry, name, module=register.module)(**attributes)
    options = {p.name: getattr(result, p.name) for p in entry.params if p.kind is p.KEYWORD_ONLY}
    return lambda *inputs: entry.impl(*inputs, **options)


def pull_back(run: Callable[..., Tensor], inputs: tuple[Tensor, ...], cotangent: Tensor) -> Any:
    """The gradients of a function's inputs: one tensor, or a tuple for several inputs."""
    if functorch_level():
        result = torch.func.vjp(run, *inputs)[1](cotangent)
    else:
        again = torch.is_grad_enabled() and any(t.requires_grad for t in (*inputs, cotangent))
        with torch.enable_grad():
            leaves = [
                t if again and t.requires_grad else t.detach().requires_grad_() for t in inputs
            ]
            result = torch.autograd.grad(
                run(*leaves),
                leaves,
                cotangent,
                create_graph=again,
                allow_unused=True,
                materialize_grads=True,
            )
    return tuple(result) if len(inputs) > 1 else result[0]


# ---------------------------------------------------------------------------------- elements

declare("AbsGrad", "x dout", lambda x, dout: dout * x.sign())
declare("ACosGrad", "x dout", lambda x, dout: -dout * torch.rsqrt(1 - x * x))
declare("AcoshGrad", "out dout", lambda out, dout: dout / out.sinh())
declare("AsinGrad", "x dout", lambda x, dout: dout * torch.rsqrt(1 - x * x))
declare("AsinhGrad", "out dout", lambda out, dout: dout / out.cosh())
declare("AtanGrad", "x dout", lambda x, dout: dout / (1 + x * x))
declare("ReciprocalGrad", "y dy", lambda y, dy: -dy * y * y)
declare("InvGrad", "x grad", lambda x, grad: -grad * x * x)
declare("RsqrtGrad", "y_backprop x", lambda y_backprop, x: -0.5 * x * y_backprop**3)
declare("SqrtGrad", "dy y", lambda dy, y: 0.5 * y / dy)
declare(
    "LogitGrad",
    "grad input",
    lambda grad, input, eps: pull_back(
        lambda x: lookup("primitive", "Logit").impl(x, eps=eps), (input,), grad
    ),
    eps=-1.0,
)
declare(
    "MvlgammaGrad",
    "y_grad x",
    lambda y_grad, x, p: pull_back(lambda v: torch.mvlgamma(v, p), (x,), y_grad),
    p=NEEDED,
)


def _igamma_by_a(a: Tensor, x: Tensor) -> Tensor:
    """The derivative of the regularized lower gamma function by its order, by its series."""
    kind = a.dtype
    a, x = torch.broadcast_tensors(a.double(), x.double())
    # P(a, x) = sum over k of x^(a+k) e^-x / Gamma(a+k+1), each term differentiated
    order = a.unsqueeze(-1) + torch.arange(400, dtype=torch.float64, device=a.device)
    log_x = x.log().unsqueeze(-1)
    term = torch.exp(order * log_x - x.unsqueeze(-1) - torch.lgamma(order + 1))
    total = (term * (log_x - torch.digamma(order + 1))).sum(-1)
    return torch.where(x > 0, total, torch.zeros_like(total)).to(kind)


declare("IgammaGradA", "a x", _igamma_by_a, words="Derivative of Igamma by its order a")


def _larger(sign: int) -> Callable[..., Any]:
    """The larger number, or with sign -1 the smaller one, gets the gradient; equal ones share."""

    def compute(x: Tensor, y: Tensor, dout: Tensor, grad_x: bool, grad_y: bool) -> Any:
        share = ((x - y).sign() * sign + 1).to(dout.dtype) / 2
        return (dout * share).sum_to_size(x.shape), (dout * (1 - share)).sum_to_size(y.shape)

    return compute


def _larger_again(sign: int) -> Callable[..., Any]:
    def compute(x: Tensor, y: Tensor, dx: Tensor, dy: Tensor, **_: Any) -> Any:
        first = (x - y) * sign >= 0
        return torch.zeros_like(x), torch.zeros_like(y), torch.where(first, dx, dy)

    return compute


declare("MaximumGrad", "x y grads", _larger(1), grad_x=True, grad_y=True)
declare("MinimumGrad", "x1 x2 grads", _larger(-1), grad_x=True, grad_y=True)
declare("MaximumGradGrad", "x y dx dy", _larger_again(1), grad_x=True, grad_y=True)
declare("MinimumGradGrad", "x1 x2 grad_y1 grad_y2", _larger_again(-1))


# ------------------------------------------------------------------------------- activations


def _through(name: str, x: Tensor, dout: Tensor, **attributes: Any) -> Tensor:
    """The gradient of a primitive of one tensor."""
    return pull_back(lambda v: lookup("primitive", name).impl(v, **attributes), (x,), dout)


_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772

declare("ReluGrad", "y_backprop x", lambda dy, x: torch.where(x > 0, dy, torch.zeros_like(dy)))
declare(
    "ReLU6Grad",
    "y_backprop x",
    lambda dy, x: torch.where((x > 0) & (x <= 6), dy, torch.zeros_like(dy)),
)
declare("SigmoidGrad", "y dy", lambda y, dy: dy * y * (1 - y))
declare("TanhGrad", "y dy", lambda y, dy: dy * (1 - y * y))
declare("EluGrad", "dout out", lambda dout, out: torch.where(out > 0, dout, dout * (out + 1)))
declare(
    "SeluGrad",
    "gradient result",
    lambda gradient, result: torch.where(
        result < 0, gradient * (result + _SELU_SCALE * _SELU_ALPHA), gradient * _SELU_SCALE
    ),
)
declare(
    "GeLUGrad",
    "dy x y",
    lambda dy, x, y: pull_back(lambda v: F.gelu(v, approximate="tanh"), (x,), dy),
)
declare(
    "GeluGradExt",
    "grad input approximate='none'",
    lambda grad, input, approximate: pull_back(
        lambda v: F.gelu(v, approximate=approximate), (input,), grad
    ),
)
declare("FastGeLUGrad", "dy x", lambda dy, x: _through("FastGeLU", x, dy))
declare("SiLUGrad", "dout x", lambda dout, x: pull_back(F.silu, (x,), dout))
declare("MishGradExt", "dout x", lambda dout, x: pull_back(F.mish, (x,), dout))
declare("HSwishGrad", "y_grad x", lambda y_grad, x: _through("HSwish", x, y_grad))
declare("HSigmoidGrad", "grads input_x", lambda grads, x: _through("HSigmoid", x, grads))
declare(
    "HShrinkGrad",
    "gradients features",
    lambda dy, x, lambd: torch.where(x.abs() > lambd, dy, torch.zeros_like(dy)),
    lambd=0.5,
)
declare(
    "SoftShrinkGrad",
    "input_grad input_x",
    lambda dy, x, lambd: torch.where(x.abs() > lambd, dy, torch.zeros_like(dy)),
    lambd=0.5,
)
declare("SoftplusGrad", "gradients features", lambda dy, x: dy * x.sigmoid())
declare(
    "SoftplusGradExt",
    "dout x beta=1 threshold=20",
    lambda dout, x, beta, threshold: pull_back(
        lambda v: F.softplus(v, beta, threshold), (x,), dout
    ),
)
declare("LogSigmoidGrad", "dy input buffer", lambda dy, x, buffer: dy * (-x).sigmoid())
declare(
    "HardtanhGrad",
    "dout input min_val=-1 max_val=1",
    lambda dout, x, low, high: torch.where((x > low) & (x < high), dout, torch.zeros_like(dout)),
)
declare(
    "ThresholdGrad",
    "grad_output input threshold!",
    lambda dy, x, threshold: torch.where(x > threshold, dy, torch.zeros_like(dy)),
)
declare(
    "LeakyReLUGradExt",
    "dy input negative_slope=0.01 is_result=False",
    lambda dy, x, slope, is_result: torch.where(x > 0, dy, dy * slope),
)


def _elu_ext(dout: Tensor, x: Tensor, alpha: float, is_result: bool) -> Tensor:
    slope = x + alpha if is_result else alpha * x.exp()
    return torch.where(x > 0, dout, dout * slope)


declare("EluGradExt", "dout x_or_out alpha=1.0 is_result=False", _elu_ext)


def _prelu(dy: Tensor, x: Tensor, weight: Tensor) -> Any:
    return pull_back(lookup("primitive", "PReLU").impl, (x, weight), dy)


declare("PReLUGrad", "dy x weight", _prelu)
declare(
    "GluGrad",
    "grads x",
    lambda grads, x, axis: pull_back(lambda v: F.glu(v, axis), (x,), grads),
    axis=NEEDED,
)


def _swiglu(dy: Tensor, x: Tensor, dim: int) -> Tensor:
    def run(v: Tensor) -> Tensor:
        first, second = v.chunk(2, dim)
        return F.silu(first) * second

    return pull_back(run, (x,), dy)


declare("SwigluGrad", "grad_output input dim=-1", _swiglu)
declare(
    "SoftmaxGrad",
    "y dy",
    lambda y, dy: y * (dy - (y * dy).sum(-1, keepdim=True)),
)
declare(
    "LogSoftmaxGrad",
    "logits grad",
    lambda out, grad, axis: grad - out.exp() * grad.sum(axis, keepdim=True),
    axis=-1,
)


# ------------------------------------------------------------------------------------ losses


def _loss(name: str) -> Callable[..., Any]:
    """The gradient of a loss of two tensors for the first one: (first, second, dout)."""

    def compute(first: Tensor, second: Tensor, dout: Tensor, **attributes: Any) -> Tensor:
        impl = lookup("primitive", name).impl
        return pull_back(
            lambda v: impl(v, second, **attributes), (first,), _as_result(dout, first, attributes)
        )

    return compute


def _as_result(dout: Tensor, first: Tensor, attributes: dict[str, Any]) -> Tensor:
    """The gradient of a loss in the shape of the loss: without axes after a reduction."""
    if attributes.get("reduction", "none") == "none":
        return dout.expand(first.shape)
    return dout.reshape(())


declare("SigmoidCrossEntropyWithLogitsGrad", "x y dout", _loss("SigmoidCrossEntropyWithLogits"))
declare(
    "SmoothL1LossGrad", "prediction target dout", _loss("SmoothL1Loss"), beta=1.0, reduction="none"
)
declare("SoftMarginLossGrad", "predict label dout", _loss("SoftMarginLoss"), reduction="mean")


def _kl_div(dout: Tensor, x: Tensor, target: Tensor, reduction: str) -> Tensor:
    impl = lookup("primitive", "KLDivLoss").impl
    given = _as_result(dout, x, {"reduction": reduction})
    return pull_back(lambda v: impl(v, target, reduction=reduction), (x,), given)


declare("KLDivLossGrad", "grad input target", _kl_div, reduction="mean")


def _kl_div_ext(
    dout: Tensor, x: Tensor, target: Tensor, reduction: str, log_target: bool
) -> Tensor:
    def run(v: Tensor) -> Tensor:
        return F.kl_div(v, target, reduction=reduction, log_target=log_target)

    return pull_back(run, (x,), dout)


declare("KLDivGrad", "grad_output input target reduction='mean' log_target=False", _kl_div_ext)
declare(
    "MSELossGradExt",
    "dout x target reduction='mean'",
    lambda dout, x, target, reduction: pull_back(
        lambda v: F.mse_loss(v, target, reduction=reduction), (x,), dout
    ),
)


def _binary_cross_entropy(
    x: Tensor, target: Tensor, dout: Tensor, weight: Tensor | None, reduction: str
) -> Tensor:
    impl = lookup("primitive", "BinaryCrossEntropy").impl
    given = _as_result(dout, x, {"reduction": reduction})
    return pull_back(lambda v: impl(v, target, weight, reduction=reduction), (x,), given)


declare(
    "BinaryCrossEntropyGrad",
    "input target grad_output weight?",
    _binary_cross_entropy,
    reduction="mean",
)


def _nll(
    logits: Tensor,
    dout: Tensor,
    labels: Tensor,
    weight: Tensor,
    total: Tensor,
    reduction: str,
    ignore_index: int,
) -> Tensor:
    index = labels.long().unsqueeze(1)
    counted = index != ignore_index
    safe = torch.where(counted, index, torch.zeros_like(index))
    share = weight.to(logits.dtype)[safe] * counted
    given = dout.reshape(-1, *(1,) * (index.ndim - 1)) if dout.numel() == 1 else dout.unsqueeze(1)
    value = -share * given
    if reduction == "mean":
        value = value / total
    return torch.zeros_like(logits).scatter(1, safe, value.to(logits.dtype))


declare(
    "NLLLossGrad",
    "logits loss_grad labels weight total_weight",
    _nll,
    reduction="mean",
    ignore_index=-100,
)


def _multi_margin(
    dout: Tensor,
    x: Tensor,
    target: Tensor,
    weight: Tensor | None,
    p: int,
    margin: float,
    reduction: str,
) -> Tensor:
    impl = lookup("primitive", "MultiMarginLoss").impl
    given = dout if reduction == "none" else dout.reshape(())

    def run(v: Tensor) -> Tensor:
        return impl(v, target, weight, p=p, margin=margin, reduction=reduction)

    return pull_back(run, (x,), given)


declare(
    "MultiMarginLossGrad",
    "y_grad x target weight?",
    _multi_margin,
    p=1,
    margin=1.0,
    reduction="mean",
)


def _multilabel_margin(
    dout: Tensor, x: Tensor, target: Tensor, is_target: Tensor, reduction: str
) -> Tensor:
    impl = lookup("primitive", "MultilabelMarginLoss").impl
    given = dout if reduction == "none" else dout.reshape(())
    return pull_back(lambda v: impl(v, target, reduction=reduction)[0], (x,), given)


declare(
    "MultilabelMarginLossGrad", "y_grad x target is_target", _multilabel_margin, reduction="mean"
)


# ------------------------------------------------------------------------- masks and distances

declare(
    "DropoutGrad",
    "dy mask",
    lambda dy, mask, keep_prob: dy * mask.to(dy.dtype) / keep_prob,
    keep_prob=0.5,
)
declare(
    "DropoutGradExt",
    "input mask p!",
    lambda dy, mask, p: dy * mask.to(dy.dtype) / (1 - p) if p < 1 else torch.zeros_like(dy),
)
declare(
    "PdistGrad",
    "y_grad x y",
    lambda dy, x, y, p: pull_back(lambda v: F.pdist(v, p), (x,), dy),
    p=2.0,
)
declare(
    "CdistGrad",
    "grad input_x input_y cdist",
    lambda dy, x, y, distances, p: pull_back(lambda v: torch.cdist(v, y, p), (x,), dy),
    p=2.0,
)


def _cholesky(out: Tensor, dout: Tensor) -> Tensor:
    r"""From the factor L and its gradient: :math:`L^{-T} \Phi(L^T dL) L^{-1}`, made symmetric."""
    inner = (out.mT @ dout).tril()
    inner = inner - 0.5 * torch.diag_embed(inner.diagonal(dim1=-2, dim2=-1))
    inverse = torch.linalg.inv(out)
    result = inverse.mT @ inner @ inverse
    return (result + result.mT) / 2


declare("CholeskyGrad", "x grad", _cholesky)


def _einsum(inputs: list[Tensor], dout: Tensor, equation: str) -> tuple[Tensor, ...]:
    def run(*parts: Tensor) -> Tensor:
        return torch.einsum(equation, *parts).reshape(dout.shape)

    result = pull_back(run, tuple(inputs), dout)
    return result if isinstance(result, tuple) else (result,)


declare(
    "EinsumGrad",
    "inputs+ dout",
    _einsum,
    equation=NEEDED,
)


def _median(
    dout: Tensor,
    x: Tensor,
    y: Tensor,
    indices: Tensor,
    global_median: bool,
    axis: int,
    keep_dims: bool,
) -> Tensor:
    """The element that the median is gets its gradient; those equal to a global one share it."""
    if global_median:
        same = x == y
        return torch.where(same, dout / same.sum(), torch.zeros((), dtype=dout.dtype))
    if not keep_dims and x.ndim:
        dout, indices = dout.unsqueeze(axis), indices.unsqueeze(axis)
    return torch.zeros_like(x).scatter(axis, indices.long(), dout.to(x.dtype))


declare("MedianGrad", "y_grad x y indices", _median, global_median=False, axis=0, keep_dims=False)
