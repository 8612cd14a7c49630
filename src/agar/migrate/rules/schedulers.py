"""Rules of torch.optim.lr_scheduler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agar.migrate.rules._declare import missing, rule

_GROUPS = {
    "lr": "the learning rate of a group is a Parameter: read it with float(group['lr'])",
    "optimizer": "it goes with the optimizers of mindspore.experimental.optim; those of nn take a "
    "list of learning rates or a schedule as learning_rate, and step by themselves",
}


def _scheduler(
    call: str,
    template: str,
    samples: Sequence[str],
    *,
    refuse: Mapping[str, str] | None = None,
    differs: Mapping[str, str] | None = None,
    note: str = "",
) -> None:
    name, _, rest = call.partition("(")
    rule(
        f"torch.optim.lr_scheduler.{name}(optimizer, {rest}",
        f"ms.experimental.optim.lr_scheduler.{name}({{optimizer}}, {template})",
        refuse=refuse,
        ignore="verbose",
        differs={**_GROUPS, **(differs or {})},
        samples=samples,
        note=note,
    )


_LAST = "last_epoch={last_epoch}"
_END = "last_epoch=-1, verbose='deprecated')"

_scheduler(
    f"StepLR(step_size, gamma=0.1, {_END}",
    f"{{step_size}}, gamma={{gamma}}, {_LAST}",
    ["(7)", "(step_size=5, gamma=0.5)"],
    note="nn.piecewise_constant_lr and nn.exponential_decay_lr(is_stair=True) give lists",
)
_scheduler(
    f"MultiStepLR(milestones, gamma=0.1, {_END}",
    f"{{milestones}}, gamma={{gamma}}, {_LAST}",
    ["([4, 9, 15])", "(milestones=[3, 3, 8], gamma=0.5)"],
    note="nn.piecewise_constant_lr gives a list",
)
_scheduler(
    f"ConstantLR(factor=0.3333333333333333, total_iters=5, {_END}",
    f"factor={{factor}}, total_iters={{total_iters}}, {_LAST}",
    ["()", "(factor=0.5, total_iters=9)"],
)
_scheduler(
    f"LinearLR(start_factor=0.3333333333333333, end_factor=1.0, total_iters=5, {_END}",
    f"start_factor={{start_factor}}, end_factor={{end_factor}}, total_iters={{total_iters}}, "
    f"{_LAST}",
    ["()", "(0.1, 0.7, total_iters=12)"],
    note="nn.warmup_lr gives a list that begins at 0",
)
_scheduler(
    f"ExponentialLR(gamma, {_END}",
    f"{{gamma}}, {_LAST}",
    ["(0.9)", "(gamma=0.7)"],
    note="nn.exponential_decay_lr gives a list",
)
_scheduler(
    f"PolynomialLR(total_iters=5, power=1.0, {_END}",
    f"total_iters={{total_iters}}, power={{power}}, {_LAST}",
    ["()", "(total_iters=12, power=2.0)"],
    note="nn.polynomial_decay_lr gives a list",
)
_scheduler(
    f"CosineAnnealingLR(T_max, eta_min=0.0, {_END}",
    f"{{T_max}}, eta_min={{eta_min}}, {_LAST}",
    ["(10)", "(T_max=12, eta_min=0.01)"],
    note="nn.cosine_decay_lr gives a list for one descent",
)
_scheduler(
    f"CosineAnnealingWarmRestarts(T_0, T_mult=1, eta_min=0.0, {_END}",
    f"{{T_0}}, T_mult={{T_mult}}, eta_min={{eta_min}}, {_LAST}",
    ["(6)", "(4, T_mult=2, eta_min=0.01)"],
)
_scheduler(
    f"LambdaLR(lr_lambda, {_END}",
    f"{{lr_lambda}}, {_LAST}",
    ["(lambda epoch: 0.9 ** epoch)", "([lambda epoch: 1 / (epoch + 1), lambda epoch: 0.5])"],
)
_scheduler(
    f"MultiplicativeLR(lr_lambda, {_END}",
    f"{{lr_lambda}}, {_LAST}",
    ["(lambda epoch: 0.9)", "(lr_lambda=lambda epoch: 1 - epoch / 100)"],
)
_scheduler(
    "CyclicLR(base_lr, max_lr, step_size_up=2000, step_size_down=None, mode='triangular', "
    "gamma=1.0, scale_fn=None, scale_mode='cycle', cycle_momentum=True, base_momentum=0.8, "
    f"max_momentum=0.9, {_END}",
    "{base_lr}, {max_lr}, step_size_up={step_size_up}, step_size_down={step_size_down}, "
    "mode={mode}, gamma={gamma}, scale_fn={scale_fn}, scale_mode={scale_mode}, "
    f"{_LAST}",
    [
        "(0.01, 0.1, step_size_up=4, cycle_momentum=False)",
        "(0.01, 0.1, 3, 5, 'triangular2', cycle_momentum=False)",
        "(0.01, 0.1, 3, mode='exp_range', gamma=0.95, cycle_momentum=False)",
        "(0.01, 0.1, 3, scale_fn=lambda x: 0.5 ** x, scale_mode='iterations', "
        "cycle_momentum=False)",
    ],
    refuse={
        "cycle_momentum": "MindSpore's CyclicLR leaves the momentum alone; write "
        "cycle_momentum=False in PyTorch, or set group['momentum'] by hand after each step"
    },
    differs={"cycle_momentum": "PyTorch cycles the momentum by default, MindSpore never"},
)
_scheduler(
    "ReduceLROnPlateau(mode='min', factor=0.1, patience=10, threshold=0.0001, "
    "threshold_mode='rel', cooldown=0, min_lr=0, eps=1e-08, verbose='deprecated')",
    "mode={mode}, factor={factor}, patience={patience}, threshold={threshold}, "
    "threshold_mode={threshold_mode}, cooldown={cooldown}, min_lr={min_lr}, eps={eps}",
    [
        "(patience=2)",
        "('max', 0.5, patience=1, threshold_mode='abs', threshold=0.05, cooldown=2, min_lr=0.02)",
    ],
)
_scheduler(
    f"SequentialLR(schedulers, milestones, {_END}",
    f"{{schedulers}}, {{milestones}}, {_LAST}",
    [
        "([s('ConstantLR', factor=0.1, total_iters=4), s('ExponentialLR', gamma=0.9)], [4])",
        "(schedulers=[s('LinearLR', total_iters=3), s('StepLR', step_size=2), "
        "s('CosineAnnealingLR', T_max=5)], milestones=[3, 9])",
    ],
)
rule(
    "torch.optim.lr_scheduler.LRScheduler(optimizer, last_epoch=-1, verbose='deprecated')",
    "ms.experimental.optim.lr_scheduler.LRScheduler({optimizer}, last_epoch={last_epoch})",
    ignore="verbose",
    differs=_GROUPS,
    note="a base class; a subclass writes get_lr()",
)
missing(
    "torch.optim.lr_scheduler.ChainedScheduler(schedulers, optimizer=None)",
    "step the schedulers one after another: for scheduler in schedulers: scheduler.step().",
)
rule(
    "torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr, total_steps=None, epochs=None, "
    "steps_per_epoch=None, pct_start=0.3, anneal_strategy='cos', cycle_momentum=True, "
    "base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=10000.0, "
    "three_phase=False, last_epoch=-1, verbose='deprecated')",
    "_OneCycleLR({optimizer}, {max_lr}, total_steps={total_steps}, epochs={epochs}, "
    "steps_per_epoch={steps_per_epoch}, pct_start={pct_start}, "
    "anneal_strategy={anneal_strategy}, cycle_momentum={cycle_momentum}, "
    "base_momentum={base_momentum}, max_momentum={max_momentum}, div_factor={div_factor}, "
    "final_div_factor={final_div_factor}, three_phase={three_phase})",
    ignore="verbose",
    refuse={"last_epoch != -1": "load the schedule's state instead"},
    differs=_GROUPS,
    samples=[
        "(0.5, total_steps=32)",
        "([0.5, 0.2], epochs=4, steps_per_epoch=8, pct_start=0.2, anneal_strategy='linear')",
        "(0.5, 40, three_phase=True, div_factor=5, final_div_factor=100.0, cycle_momentum=False)",
    ],
    note="MindSpore has none; the converted file carries the class",
)
