"""Rules of torch.optim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agar.migrate.rules._declare import case, missing, rule

_CALL = {
    "step": "there is no zero_grad() and no step(): gradients are values, and the optimizer is "
    "called with them: optimizer(grads)",
    "grads": "they come from ms.value_and_grad(forward, None, optimizer.parameters)",
}
_SPEED = "foreach capturable differentiable fused"
_MAXIMIZE = {"maximize": "MindSpore's has no such switch; give the negative of the loss"}
_DECOUPLED = {
    "decoupled_weight_decay": "MindSpore's adds the decay to the gradient; take AdamW, or "
    "multiply the weights by 1 - lr * weight_decay before each step"
}


def _optimizer(
    call: str,
    template: str,
    samples: Sequence[str],
    *,
    cases: Sequence = (),
    refuse: Mapping[str, str] | None = None,
    differs: Mapping[str, str] | None = None,
    note: str = "",
) -> None:
    name = call.partition("(")[0]
    rule(
        f"torch.optim.{call}",
        *cases,
        f"ms.experimental.optim.{name}({{params}}, {template})",
        refuse=refuse,
        ignore=_SPEED,
        differs={**_CALL, **(differs or {})},
        samples=samples,
        note=note,
    )


_ADAM = (
    "lr={lr}, betas={betas}, eps={eps}, weight_decay={weight_decay}, amsgrad={amsgrad}, "
    "maximize={maximize}"
)
_optimizer(
    "SGD(params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, "
    "maximize=False, foreach=None, differentiable=False, fused=None)",
    "lr={lr}, momentum={momentum}, dampening={dampening}, weight_decay={weight_decay}, "
    "nesterov={nesterov}, maximize={maximize}",
    [
        "()",
        "(lr=0.1, momentum=0.9, dampening=0.5, weight_decay=0.01)",
        "(lr=0.1, momentum=0.9, nesterov=True)",
        "(0.1, 0.9, maximize=True)",
    ],
    differs={
        "lr": "it has no default; nn.SGD calls it learning_rate and takes a list or a schedule of "
        "learning rates too",
        "momentum": "nn.Momentum is the same with dampening 0",
    },
    note="nn.SGD computes the same and suits ms.train.Model",
)
_optimizer(
    "Adam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *, "
    "foreach=None, maximize=False, capturable=False, differentiable=False, fused=None, "
    "decoupled_weight_decay=False)",
    _ADAM,
    [
        "()",
        "(lr=0.1, betas=(0.8, 0.9), weight_decay=0.05)",
        "(lr=0.1, amsgrad=True, eps=1e-3)",
        "(lr=0.1, weight_decay=0.1, decoupled_weight_decay=True)",
        "(lr=0.1, weight_decay=0.1, amsgrad=True)",
    ],
    cases=[
        case(
            f"ms.experimental.optim.AdamW({{params}}, {_ADAM})",
            "decoupled_weight_decay",
        ),
        case(
            f"ms.experimental.optim.AdamW({{params}}, {_ADAM.replace('{weight_decay}', '0.0')})",
            "weight_decay == 0",
            note="without weight decay AdamW is PyTorch's Adam; MindSpore's own Adam adds eps "
            "before the correction of the bias and ignores amsgrad",
        ),
        case(
            f"mint.optim.Adam({{params}}, {_ADAM})",
            "amsgrad",
            note="MindSpore's other Adams with weight decay ignore amsgrad or count it otherwise; "
            "this one needs an Ascend device",
        ),
    ],
    differs={
        "betas": "nn.Adam has beta1 and beta2",
        "eps": "MindSpore's Adam adds it before the correction of the bias, PyTorch after: where "
        "gradients are near 1e-07 the first steps are smaller",
        "amsgrad": "mindspore.experimental.optim.Adam ignores it, AdamW does not",
    },
    note="nn.Adam suits ms.train.Model; its use of eps differs",
)
_optimizer(
    "AdamW(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, *, "
    "maximize=False, foreach=None, capturable=False, differentiable=False, fused=None)",
    _ADAM,
    ["()", "(lr=0.1, betas=(0.8, 0.9), weight_decay=0.3, amsgrad=True)"],
    differs={
        "weight_decay": "nn.AdamWeightDecay has no correction of the bias, and 0.0 by default: "
        "its numbers are others",
    },
)
_optimizer(
    "Adagrad(params, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, "
    "foreach=None, *, maximize=False, differentiable=False, fused=None)",
    "lr={lr}, lr_decay={lr_decay}, weight_decay={weight_decay}, "
    "initial_accumulator_value={initial_accumulator_value}, eps={eps}, maximize={maximize}",
    ["()", "(lr=0.1, lr_decay=0.2, weight_decay=0.1, initial_accumulator_value=0.3)"],
    differs={"accum": "nn.Adagrad begins its sums with 0.1, PyTorch with 0"},
)
_optimizer(
    "Adadelta(params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0, foreach=None, *, "
    "capturable=False, maximize=False, differentiable=False)",
    "lr={lr}, rho={rho}, eps={eps}, weight_decay={weight_decay}, maximize={maximize}",
    ["()", "(lr=0.5, rho=0.8, weight_decay=0.1)"],
    differs={"epsilon": "nn.Adadelta calls eps epsilon"},
)
_optimizer(
    "Adamax(params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, foreach=None, *, "
    "maximize=False, differentiable=False, capturable=False)",
    "lr={lr}, betas={betas}, eps={eps}, weight_decay={weight_decay}, maximize={maximize}",
    ["()", "(lr=0.1, betas=(0.8, 0.9), weight_decay=0.1)"],
    differs={"name": "nn's is written AdaMax"},
)
_optimizer(
    "NAdam(params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, momentum_decay=0.004, "
    "decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, "
    "differentiable=False)",
    "lr={lr}, betas={betas}, eps={eps}, weight_decay={weight_decay}, "
    "momentum_decay={momentum_decay}",
    ["()", "(lr=0.1, weight_decay=0.1, momentum_decay=0.01)"],
    refuse={**_MAXIMIZE, **_DECOUPLED},
)
_optimizer(
    "RAdam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, "
    "decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, "
    "differentiable=False)",
    "lr={lr}, betas={betas}, eps={eps}, weight_decay={weight_decay}",
    ["()", "(lr=0.1, betas=(0.8, 0.9), weight_decay=0.1)"],
    refuse={**_MAXIMIZE, **_DECOUPLED},
)
_optimizer(
    "RMSprop(params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False, "
    "capturable=False, foreach=None, maximize=False, differentiable=False)",
    "lr={lr}, alpha={alpha}, eps={eps}, weight_decay={weight_decay}, momentum={momentum}, "
    "centered={centered}, maximize={maximize}",
    ["()", "(lr=0.1, alpha=0.9, weight_decay=0.1, momentum=0.5, centered=True)"],
    differs={
        "alpha": "nn.RMSProp calls it decay, 0.9 by default, begins its mean squares with ones "
        "and puts epsilon under the root: its numbers are others"
    },
)
_optimizer(
    "Rprop(params, lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-06, 50), *, capturable=False, "
    "foreach=None, maximize=False, differentiable=False)",
    "lr={lr}, etas={etas}, step_sizes={step_sizes}, maximize={maximize}",
    ["()", "(lr=0.1, etas=(0.4, 1.5))"],
)
_optimizer(
    "ASGD(params, lr=0.01, lambd=0.0001, alpha=0.75, t0=1000000.0, weight_decay=0, foreach=None, "
    "maximize=False, differentiable=False, capturable=False)",
    "lr={lr}, lambd={lambd}, alpha={alpha}, t0={t0}, weight_decay={weight_decay}, "
    "maximize={maximize}",
    ["()", "(lr=0.1, lambd=0.01, alpha=0.6, t0=2.0, weight_decay=0.1)"],
)
rule(
    "torch.optim.Optimizer(params, defaults)",
    "ms.experimental.optim.Optimizer({params}, {defaults})",
    differs={**_CALL, "construct": "a subclass writes construct(self, gradients), not step()"},
    samples=["({'lr': 0.1})"],
    note="a base class",
)
missing(
    "torch.optim.Adafactor(params, lr=0.01, beta2_decay=-0.8, eps=(None, 0.001), d=1.0, "
    "weight_decay=0.0, *, foreach=None, maximize=False)",
    "nn.AdaFactor follows the paper's relative steps and another order of clipping, its numbers "
    "are others. Where the same training is not asked for, take nn.AdaFactor(params).",
)
missing(
    "torch.optim.LBFGS(params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-07, "
    "tolerance_change=1e-09, history_size=100, line_search_fn=None)",
    "MindSpore has no optimizer that evaluates the loss again within a step; "
    "mindspore.scipy.optimize.minimize(method='lbfgs') minimizes a function of one array.",
)
missing(
    "torch.optim.Muon(params, lr=0.001, weight_decay=0.1, momentum=0.95, nesterov=True, "
    "ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-07, ns_steps=5, adjust_lr_fn=None)",
    "MindSpore has none; write it as a subclass of mindspore.experimental.optim.Optimizer, its "
    "orthogonalization takes ops.matmul alone.",
)
missing(
    "torch.optim.SparseAdam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, maximize=False)",
    "gradients of embeddings are dense here: take Adam. nn.LazyAdam updates only the rows that "
    "a batch used.",
)
for _name, _instead in (
    ("AveragedModel", "keep a second copy of the Parameters and average into it after each step"),
    ("SWALR", "write a subclass of mindspore.experimental.optim.lr_scheduler.LRScheduler"),
    ("update_bn", "run the network over the data with set_train() once more"),
    ("get_ema_avg_fn", "write the average in a line: average + (value - average) * (1 - decay)"),
    ("get_ema_multi_avg_fn", "average each Parameter with ops.assign"),
    ("get_swa_avg_fn", "write the average in a line: average + (value - average) / (n + 1)"),
    ("get_swa_multi_avg_fn", "average each Parameter with ops.assign"),
):
    missing(f"torch.optim.swa_utils.{_name}", f"MindSpore does not average weights; {_instead}.")
