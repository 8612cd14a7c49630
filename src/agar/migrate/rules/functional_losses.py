"""Rows of the distances and losses of torch.nn.functional."""

from __future__ import annotations

from agar.migrate.rules._declare import rule
from agar.migrate.rules._rule import Case
from agar.migrate.rules._texts import LEGACY

_HEAD = "torch.nn.functional."

# ---------------------------------------------------------------- distances

rule(
    f"{_HEAD}cosine_similarity(x1, x2, dim=1, eps=1e-08)",
    "ops.cosine_similarity({x1}, {x2}, dim={dim}, eps={eps})",
    samples=["(f(3, 4), f(3, 4))", "(f(2, 3, 4), f(2, 3, 4), dim=-1)"],
)
rule(
    f"{_HEAD}pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False)",
    "ops.norm({x1} - {x2} + {eps}, ord={p}, dim=-1, keepdim={keepdim})",
    samples=["(f(3, 4), f(3, 4))", "(f(3, 4), f(3, 4), p=1.0, keepdim=True)"],
)
rule(f"{_HEAD}pdist(input, p=2.0)", "ops.pdist({input}, p=float({p}))",
     samples=["(f(4, 3))", "(f(4, 3), 1.0)"])  # fmt: skip

# ---------------------------------------------------------------- losses

_OLD = "size_average=None, reduce=None, reduction='mean'"
_REDUCED = "reduction={reduction}"
for _name, _arguments, _template, _samples in (
    ("l1_loss", f"input, target, {_OLD}, weight=None",
     f"ops.l1_loss({{input}}, {{target}}, {_REDUCED})",
     ("(f(3, 4), f(3, 4))", "(f(3, 4), f(3, 4), reduction='sum')")),
    ("mse_loss", f"input, target, {_OLD}, weight=None",
     f"ops.mse_loss({{input}}, {{target}}, {_REDUCED})",
     ("(f(3, 4), f(3, 4))", "(f(3, 4), f(3, 4), reduction='none')")),
    ("huber_loss", "input, target, reduction='mean', delta=1.0, weight=None",
     f"ops.huber_loss({{input}}, {{target}}, {_REDUCED}, delta={{delta}})",
     ("(f(3, 4), f(3, 4))", "(f(3, 4), f(3, 4), 'sum', 0.5)")),
    ("binary_cross_entropy", f"input, target, weight=None, {_OLD}",
     f"ops.binary_cross_entropy({{input}}, {{target}}, weight={{weight}}, {_REDUCED})",
     ("(u(3, 4), u(3, 4).detach())", "(u(3, 4), u(3, 4).detach(), p(3, 4).detach(), "
      "reduction='sum')")),
    ("binary_cross_entropy_with_logits",
     "input, target, weight=None, size_average=None, reduce=None, reduction='mean', "
     "pos_weight=None",
     "ops.binary_cross_entropy_with_logits({input}, {target}, weight={weight?}, "
     "pos_weight={pos_weight}, reduction={reduction})",
     ("(f(3, 4), u(3, 4).detach())",
      "(f(3, 4), u(3, 4).detach(), p(3, 4).detach(), pos_weight=p(4).detach(), "
      "reduction='sum')")),
    ("nll_loss", "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
     "reduction='mean'",
     "ops.nll_loss({input}, {target}, weight={weight?}, ignore_index={ignore_index}, "
     "reduction={reduction})",
     ("(f(5, 4), i(4, 5))", "(f(5, 4), i(4, 5), p(4).detach(), ignore_index=1)",
      "(f(5, 4, 3), i(4, 5, 3), reduction='none')")),
    ("cross_entropy", "input, target, weight=None, size_average=None, ignore_index=-100, "
     "reduce=None, reduction='mean', label_smoothing=0.0",
     "ops.cross_entropy({input}, {target}, weight={weight?}, ignore_index={ignore_index}, "
     "reduction={reduction}, label_smoothing={label_smoothing})",
     ("(f(5, 4), i(4, 5))", "(f(5, 4), i(4, 5), p(4).detach(), ignore_index=1)",
      "(f(5, 4, 3), i(4, 5, 3), reduction='none')", "(f(5, 4), i(4, 5), label_smoothing=0.1)",
      "(f(5, 4), u(5, 4).detach())")),
    ("multi_margin_loss", f"input, target, p=1, margin=1.0, weight=None, {_OLD}",
     "ops.multi_margin_loss({input}, {target}, p={p}, margin=int({margin}), weight={weight?}, "
     "reduction={reduction})",
     ("(f(5, 4), i(4, 5))", "(f(5, 4), i(4, 5), 2, 2.0, p(4).detach())")),
    ("multilabel_soft_margin_loss", f"input, target, weight=None, {_OLD}",
     f"ops.multilabel_soft_margin_loss({{input}}, {{target}}, weight={{weight}}, {_REDUCED})",
     ("(f(3, 4), b(3, 4).double())",)),
    ("hinge_embedding_loss", f"input, target, margin=1.0, {_OLD}",
     f"ops.hinge_embedding_loss({{input}}, {{target}}, margin=float({{margin}}), {_REDUCED})",
     ("(f(3, 4), b(3, 4).double() * 2 - 1)", "(f(3, 4), b(3, 4).double() * 2 - 1, 0.5)")),
    ("margin_ranking_loss", f"input1, input2, target, margin=0, {_OLD}",
     "ops.margin_ranking_loss({input1}, {input2}, {target}, margin=float({margin}), "
     "reduction={reduction})",
     ("(f(4), f(4), f(4).detach().sign())", "(f(4), f(4), f(4).detach().sign(), 0.5)")),
    ("cosine_embedding_loss", f"input1, input2, target, margin=0, {_OLD}",
     "ops.cosine_embedding_loss({input1}, {input2}, {target}, margin=float({margin}), "
     "reduction={reduction})",
     ("(f(3, 4), f(3, 4), i(2, 3) * 2 - 1)", "(f(3, 4), f(3, 4), i(2, 3) * 2 - 1, 0.2)")),
    ("gaussian_nll_loss", "input, target, var, full=False, eps=1e-06, reduction='mean'",
     "ops.gaussian_nll_loss({input}, {target}, {var}, full={full}, eps={eps}, "
     "reduction={reduction})",
     ("(f(3, 4), f(3, 4), p(3, 4))", "(f(3, 4), f(3, 4), p(3, 4), full=True)")),
):  # fmt: skip
    _refuse = dict(LEGACY) if "size_average" in _arguments else {}
    if _name == "multi_margin_loss":
        _refuse["margin != int(margin)"] = "MindSpore takes whole margins only"
    if _name in ("l1_loss", "mse_loss", "huber_loss"):
        _refuse["weight is not None"] = "weigh the losses of reduction='none' by hand"
    rule(f"{_HEAD}{_name}({_arguments})", _template, refuse=_refuse, samples=_samples)
rule(
    f"{_HEAD}smooth_l1_loss(input, target, {_OLD}, beta=1.0, weight=None)",
    Case(f"ops.l1_loss({{input}}, {{target}}, {_REDUCED})", when="beta == 0"),
    f"ops.smooth_l1_loss({{input}}, {{target}}, beta=float({{beta}}), {_REDUCED})",
    refuse={**LEGACY, "weight is not None": "weigh the losses of reduction='none' by hand"},
    differs={"reduction": "MindSpore's default is 'none', PyTorch's is 'mean'."},
    samples=["(f(3, 4), f(3, 4))", "(f(3, 4), f(3, 4), beta=0.5, reduction='none')"],
)
rule(
    f"{_HEAD}kl_div(input, target, {_OLD}, log_target=False)",
    Case(f"ops.kl_div({{input}}, ops.exp({{target}}), {_REDUCED})", when="log_target"),
    f"ops.kl_div({{input}}, {{target}}, {_REDUCED})",
    refuse=LEGACY,
    samples=[
        "(f(3, 4), u(3, 4).detach())",
        "(f(3, 4), u(3, 4).detach(), reduction='batchmean')",
        "(f(3, 4), f(3, 4).detach(), reduction='sum', log_target=True)",
    ],
)
_LOSS = {"mean": "(%s).mean()", "sum": "(%s).sum()", "none": "%s"}


def _reduced(text: str, first: str = "") -> tuple[Case, ...]:
    """One case for each reduction, where `first` holds too."""
    return tuple(
        Case(form % text, when=f"reduction == {name!r}" + (f" and {first}" if first else ""))
        for name, form in _LOSS.items()
    )


rule(
    f"{_HEAD}soft_margin_loss(input, target, {_OLD})",
    *_reduced("ops.log1p(ops.exp(-{target} * {input}))"),
    refuse=LEGACY,
    differs={"name": "MindSpore's own ops.soft_margin_loss has no kernel for the CPU."},
    samples=["(f(3, 4), b(3, 4).double() * 2 - 1)", "(f(3), f(3).detach(), reduction='none')"],
)
rule(
    f"{_HEAD}multilabel_margin_loss(input, target, {_OLD})",
    "ops.multilabel_margin_loss({input}, {target}.astype(ms.int32), reduction={reduction})",
    refuse=LEGACY,
    note="MindSpore 2.10 has no kernel for the CPU.",
    differs={"target": "MindSpore takes int32 labels only."},
    samples=["(f(3, 4), torch.tensor([[1, 0, -1, 2], [3, -1, 0, 0], [0, 1, 2, 3]]))"],
)
_POISSON = "ops.exp({input}) - {target} * {input}"
_NO_LOG = "{input} - {target} * ops.log({input} + {eps})"
_STIRLING = (
    " + ops.where({target} > 1, {target} * ops.log(ops.clamp({target}, min=1)) - {target} + "
    "0.5 * ops.log(2 * math.pi * ops.clamp({target}, min=1)), ops.zeros_like({target}))"
)
rule(
    f"{_HEAD}poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, "
    "eps=1e-08, reduce=None, reduction='mean')",
    *_reduced(_POISSON + _STIRLING, "log_input and full"),
    *_reduced(_POISSON, "log_input and not full"),
    *_reduced(_NO_LOG + _STIRLING, "not log_input and full"),
    *_reduced(_NO_LOG, "not log_input and not full"),
    refuse=LEGACY,
    samples=[
        "(f(3, 4), p(3, 4).detach())",
        "(p(3, 4), p(3, 4).detach(), log_input=False, full=True, reduction='sum')",
    ],
)


def _apart(one: str, other: str) -> str:
    return f"ops.norm({one} - {other} + {{eps}}, ord={{p}}, dim=-1)"


_FAR = _apart("{anchor}", "{negative}")
_SWAPPED = f"ops.minimum({_FAR}, {_apart('{positive}', '{negative}')})"
_TRIPLET = "ops.relu({margin} + " + _apart("{anchor}", "{positive}") + " - %s)"
rule(
    f"{_HEAD}triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, "
    f"swap=False, {_OLD})",
    *_reduced(_TRIPLET % _SWAPPED, "swap"),
    *_reduced(_TRIPLET % _FAR),
    refuse=LEGACY,
    differs={"name": "MindSpore's own ops.triplet_margin_loss has no kernel for the CPU."},
    samples=[
        "(f(3, 4), f(3, 4), f(3, 4))",
        "(f(3, 4), f(3, 4), f(3, 4), margin=0.5, swap=True, reduction='none')",
    ],
)
_GIVEN = "ops.relu({margin} + {distance_function}({anchor}, {positive}) - %s)"
_ASIDE = "{distance_function}({anchor}, {negative})"
_NEAREST = f"ops.minimum({_ASIDE}, {{distance_function}}({{positive}}, {{negative}}))"
rule(
    f"{_HEAD}triplet_margin_with_distance_loss(anchor, positive, negative, *, "
    "distance_function=None, margin=1.0, swap=False, reduction='mean')",
    *_reduced(_GIVEN % _NEAREST, "swap and distance_function is not None"),
    *_reduced(_GIVEN % _ASIDE, "distance_function is not None"),
    *_reduced((_TRIPLET % _FAR).replace("{eps}", "1e-06").replace("{p}", "2"), "not swap"),
    samples=["(f(3, 4), f(3, 4), f(3, 4))"],
)
rule(
    f"{_HEAD}ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, "
    "reduction='mean', zero_infinity=False)",
    "ops.ctc_loss({log_probs}, {targets}, {input_lengths}, {target_lengths}, blank={blank}, "
    "reduction={reduction}, zero_infinity={zero_infinity})[0]",
    differs={"result": "MindSpore's function gives a pair, the loss and the log of alpha."},
    samples=[
        "(f(6, 2, 5).log_softmax(2), i(4, 2, 3) + 1, torch.tensor([6, 5]), torch.tensor([3, 2]))",
        "(f(6, 2, 5).log_softmax(2), i(4, 2, 3) + 1, torch.tensor([6, 5]), torch.tensor([3, 2]), "
        "reduction='none')",
    ],
)
