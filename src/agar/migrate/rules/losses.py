"""Rules of loss functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agar.migrate.rules._declare import case, missing, rule

_OLD = {
    "size_average is not None or reduce is not None": "these arguments are out of date; write "
    "reduction='mean', 'sum' or 'none'"
}
_REDUCTION = {"reduction": "'mean' by default in both"}


def _loss(
    name: str,
    target: str,
    arguments: str,
    template: str,
    samples: Sequence[str],
    differs: Mapping[str, str] | None = None,
    state: str = "",
) -> None:
    """One loss: `arguments` with ``OLD`` where PyTorch keeps its out-of-date ones."""
    old = "OLD" in arguments
    rule(
        f"torch.nn.{name}({arguments.replace('OLD', 'size_average=None, reduce=None')})",
        f"nn.{target}({template})",
        refuse=_OLD if old else None,
        differs={**_REDUCTION, **(differs or {})},
        weights=state,
        read={"size_average": "None", "reduce": "None"} if old else None,
        samples=samples,
    )


_R = "reduction={reduction}"
_TWO = "(f(4, 3), f(4, 3))"

_loss("L1Loss", "L1Loss", "OLD, reduction='mean'", _R, [f"(){_TWO}", f"(reduction='sum'){_TWO}"])
_loss("MSELoss", "MSELoss", "OLD, reduction='mean'", _R, [f"(){_TWO}", f"(reduction='none'){_TWO}"])
_loss(
    "SmoothL1Loss",
    "SmoothL1Loss",
    "OLD, reduction='mean', beta=1.0",
    f"beta={{beta}}, {_R}",
    [f"(){_TWO}", f"(beta=0.3, reduction='sum'){_TWO}"],
    {"reduction": "it is 'none' by default, PyTorch's 'mean'; write reduction='mean'"},
)
_loss(
    "HuberLoss",
    "HuberLoss",
    "reduction='mean', delta=1.0",
    f"{_R}, delta={{delta}}",
    [f"(){_TWO}", f"(delta=0.4, reduction='none'){_TWO}"],
)
_LABELS = {
    "labels": "MindSpore's kernels want int32 labels; agar takes int64 too",
}
_loss(
    "CrossEntropyLoss",
    "CrossEntropyLoss",
    "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', "
    "label_smoothing=0.0",
    "weight={weight}, ignore_index={ignore_index}, reduction={reduction}, "
    "label_smoothing={label_smoothing}",
    [
        "()(f(4, 5), i(5, 4))",
        "(ignore_index=1, reduction='sum', label_smoothing=0.1)(f(4, 5), i(5, 4))",
        "(torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64))(f(4, 3, 2), i(3, 4, 2))",
        "()(f(4, 5), u(4, 5))",
    ],
    {
        **_LABELS,
        "name": "nn.SoftmaxCrossEntropyWithLogits is another one: sparse=False and no reduction "
        "by default",
    },
    state="weight=",
)
_loss(
    "NLLLoss",
    "NLLLoss",
    "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'",
    "weight={weight}, ignore_index={ignore_index}, reduction={reduction}",
    [
        "()(f(4, 5), i(5, 4))",
        "(ignore_index=1, reduction='none')(f(4, 5), i(5, 4))",
        "(torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64), reduction='sum')(f(4, 3), i(3, 4))",
    ],
    _LABELS,
    state="weight=",
)
missing(
    "torch.nn.NLLLoss2d(weight=None, size_average=None, ignore_index=-100, reduce=None, "
    "reduction='mean')",
    "it is the old name of torch.nn.NLLLoss; write that.",
)
_loss(
    "PoissonNLLLoss",
    "PoissonNLLLoss",
    "log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean'",
    "log_input={log_input}, full={full}, eps={eps}, reduction={reduction}",
    ["()(f(4, 3), p(4, 3))", "(log_input=False, full=True, reduction='sum')(p(4, 3), p(4, 3) * 2)"],
)
_loss(
    "GaussianNLLLoss",
    "GaussianNLLLoss",
    "*, full=False, eps=1e-06, reduction='mean'",
    "full={full}, eps={eps}, reduction={reduction}",
    ["()(f(4, 3), f(4, 3), p(4, 3))", "(full=True, reduction='none')(f(4, 3), f(4, 3), p(4, 3))"],
)
rule(
    "torch.nn.KLDivLoss(size_average=None, reduce=None, reduction='mean', log_target=False)",
    case(
        "mint.nn.KLDivLoss(reduction={reduction}, log_target=True)",
        "log_target",
        note="nn.KLDivLoss takes probabilities as its target; MindSpore's mint.nn.KLDivLoss needs "
        "an Ascend device",
    ),
    "nn.KLDivLoss(reduction={reduction})",
    refuse=_OLD,
    differs={
        **_REDUCTION,
        "target": "MindSpore gives no gradient to the target, agar does as PyTorch",
        "log_target": "nn.KLDivLoss has none; give ops.exp(target), or take mint.nn.KLDivLoss",
    },
    read={"size_average": "None", "reduce": "None"},
    samples=[
        "()(f(4, 3), u(4, 3))",
        "(reduction='batchmean')(f(4, 3), u(4, 3))",
        "(reduction='sum', log_target=True)(f(4, 3), f(4, 3))",
    ],
)
_loss(
    "BCELoss",
    "BCELoss",
    "weight=None, OLD, reduction='mean'",
    "weight={weight}, reduction={reduction}",
    [
        "()(u(4, 3), u(4, 3).detach())",
        "(torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64), reduction='sum')"
        "(u(4, 3), u(4, 3).detach())",
    ],
    {"weight": "MindSpore's CPU kernel does not broadcast it: give it the shape of the input"},
    state="weight=",
)
_loss(
    "BCEWithLogitsLoss",
    "BCEWithLogitsLoss",
    "weight=None, OLD, reduction='mean', pos_weight=None",
    "reduction={reduction}, weight={weight}, pos_weight={pos_weight}",
    [
        "()(f(4, 3), u(4, 3).detach())",
        "(pos_weight=torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64), reduction='none')"
        "(f(4, 3), u(4, 3).detach())",
    ],
    {"reduction": "it is the first argument, PyTorch's weight is; name the arguments"},
    state="weight= pos_weight=",
)
_loss(
    "HingeEmbeddingLoss",
    "HingeEmbeddingLoss",
    "margin=1.0, OLD, reduction='mean'",
    "margin={margin}, reduction={reduction}",
    [
        "()(f(4, 3), b(4, 3).double() * 2 - 1)",
        "(0.4, reduction='sum')(f(4, 3), b(4, 3).double() * 2 - 1)",
    ],
)
_loss(
    "MultiLabelMarginLoss",
    "MultilabelMarginLoss",
    "OLD, reduction='mean'",
    _R,
    [
        "()(f(2, 4), torch.tensor([[3, 0, -1, 1], [1, -1, 0, 2]]))",
        "(reduction='none')(f(2, 4), torch.tensor([[3, 0, -1, 1], [1, -1, 0, 2]]))",
    ],
    {"name": "MindSpore writes Multilabel with a small l", "labels": _LABELS["labels"]},
)
_loss(
    "MultiLabelSoftMarginLoss",
    "MultiLabelSoftMarginLoss",
    "weight=None, OLD, reduction='mean'",
    "weight={weight}, reduction={reduction}",
    [
        "()(f(4, 3), b(4, 3).double())",
        "(torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64), reduction='none')"
        "(f(4, 3), b(4, 3).double())",
    ],
    state="weight=",
)
_loss(
    "SoftMarginLoss",
    "SoftMarginLoss",
    "OLD, reduction='mean'",
    _R,
    ["()(f(4, 3), b(4, 3).double() * 2 - 1)", "(reduction='none')(f(4, 3), f(4, 3).detach())"],
)
_loss(
    "CosineEmbeddingLoss",
    "CosineEmbeddingLoss",
    "margin=0.0, OLD, reduction='mean'",
    "margin={margin}, reduction={reduction}",
    [
        "()(f(4, 3), f(4, 3), b(4).double() * 2 - 1)",
        "(0.3, reduction='none')(f(4, 3), f(4, 3), b(4).double() * 2 - 1)",
    ],
)
_loss(
    "MarginRankingLoss",
    "MarginRankingLoss",
    "margin=0.0, OLD, reduction='mean'",
    "margin={margin}, reduction={reduction}",
    [
        "()(f(6), f(6), b(6).double() * 2 - 1)",
        "(0.3, reduction='sum')(f(6), f(6), b(6).double() * 2 - 1)",
    ],
)
_loss(
    "MultiMarginLoss",
    "MultiMarginLoss",
    "p=1, margin=1.0, weight=None, OLD, reduction='mean'",
    "p={p}, margin={margin}, reduction={reduction}, weight={weight}",
    [
        "()(f(4, 5), i(5, 4))",
        "(2, 0.5, torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64))(f(4, 3), i(3, 4))",
    ],
    {
        "weight": "it is the last argument, PyTorch's third",
        "labels": "MindSpore's kernel wants int64 labels, as PyTorch does",
    },
    state="weight=",
)
_TRIPLET = (
    "nn.TripletMarginLoss(p={p}, swap={swap}, eps={eps}, reduction={reduction}, margin={margin})"
)
rule(
    "torch.nn.TripletMarginLoss(margin=1.0, p=2.0, eps=1e-06, swap=False, size_average=None, "
    "reduce=None, reduction='mean')",
    case(_TRIPLET.replace("{p}", "int({p})"), "isinstance(p, float) and p.is_integer()"),
    _TRIPLET,
    refuse=_OLD,
    differs={
        **_REDUCTION,
        "margin": "it is the last argument, PyTorch's the first",
        "p": "MindSpore takes a whole number",
    },
    read={"size_average": "None", "reduce": "None"},
    samples=[
        "()(f(4, 3), f(4, 3), f(4, 3))",
        "(0.5, p=1.0, swap=True, reduction='none')(f(4, 3), f(4, 3), f(4, 3))",
    ],
    note="MindSpore has a kernel on Ascend and GPU alone",
)
rule(
    "torch.nn.TripletMarginWithDistanceLoss(*, distance_function=None, margin=1.0, swap=False, "
    "reduction='mean')",
    case(
        "nn.TripletMarginLoss(swap={swap}, reduction={reduction}, margin={margin})",
        "distance_function is None",
        note="MindSpore's own default distance lacks PyTorch's eps of 1e-06",
    ),
    "nn.TripletMarginWithDistanceLoss({distance_function}, swap={swap}, reduction={reduction}, "
    "margin={margin})",
    differs={
        **_REDUCTION,
        "distance_function": "the default is the plain 2-norm, PyTorch's adds an eps of 1e-06 to "
        "the difference",
    },
    read={
        "distance_function": "None if isinstance(module.distance_function, "
        "torch.nn.PairwiseDistance) else module.distance_function"
    },
    samples=[
        "()(f(4, 3), f(4, 3), f(4, 3))",
        "(margin=0.5, swap=True, reduction='sum')(f(4, 3), f(4, 3), f(4, 3))",
        "(distance_function=lambda a, b: (a - b).abs().sum(-1), margin=2.0)"
        "(f(4, 3), f(4, 3), f(4, 3))",
    ],
)
_loss(
    "CTCLoss",
    "CTCLoss",
    "blank=0, reduction='mean', zero_infinity=False",
    "blank={blank}, reduction={reduction}, zero_infinity={zero_infinity}",
    [
        "()(f(6, 2, 4).log_softmax(2), torch.tensor([[1, 2], [3, 1]]), "
        "torch.tensor([6, 5]), torch.tensor([2, 1]))",
        "(1, 'sum', zero_infinity=True)(f(6, 2, 4).log_softmax(2), torch.tensor([[0, 2], [3, 0]]), "
        "torch.tensor([6, 5]), torch.tensor([2, 1]))",
    ],
)
missing(
    "torch.nn.LinearCrossEntropyLoss(in_features, num_classes, *, out_features=(), bias=False, "
    "device=None, dtype=None, reduction='mean', weight=None, ignore_index=None, "
    "label_smoothing=0.0, options=None)",
    "write its two parts: nn.Dense(in_features, num_classes, has_bias=bias) and "
    "nn.CrossEntropyLoss.",
)
