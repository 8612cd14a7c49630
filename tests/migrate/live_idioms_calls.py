"""Torch modules of one idiom each, for test_live_idioms.py: values, state, machineries of torch."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import warnings
from collections import OrderedDict, namedtuple
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.checkpoint import checkpoint

from migrate.live_idioms import IDIOMS, Listed, One, Pair, idiom, images

# -------------------------------------------------------------------- looking at the modules


@idiom()
def modules_inside():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.bn, self.act = nn.Conv2d(3, 3, 1), nn.BatchNorm2d(3), nn.ReLU()

        def forward(self, x):
            for m in self.children():
                if isinstance(m, nn.Conv2d):
                    x = m(x) / m.in_channels
                elif isinstance(m, nn.BatchNorm2d):
                    x = m(x) * m.eps * 1e5
                else:
                    x = m(x)
            return x * sum(1 for _ in self.modules())

    return M()


IDIOMS["modules_inside"].args = images


@idiom()
def parameters_inside():
    class M(Pair):
        def forward(self, x):
            penalty = sum((p**2).sum() for p in self.parameters())
            named = sum(p.sum() for n, p in self.named_parameters() if n.endswith("bias"))
            for name, child in self.named_children():
                x = child(x) + len(name)
            return x + penalty + named

    return M()


@idiom()
def state_dict_inside():
    class M(One):
        def forward(self, x):
            return self.fc(x) + sum(v.sum() for v in self.state_dict().values())

    return M()


@idiom()
def weight_of_a_child():
    class M(One):
        def forward(self, x):
            return F.linear(x, self.fc.weight * 2, self.fc.bias) + self.fc.out_features

    return M()


@idiom(args=images)
def weight_of_a_convolution():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 3, 3, padding=1)
            self.bn = nn.BatchNorm2d(3)

        def forward(self, x):
            w = self.conv.weight / self.conv.weight.flatten(1).norm(dim=1).view(-1, 1, 1, 1)
            y = F.conv2d(x, w, self.conv.bias, padding=self.conv.padding)
            y = y + self.conv._conv_forward(x, w, None)
            return F.batch_norm(
                y, self.bn.running_mean, self.bn.running_var, self.bn.weight, self.bn.bias,
                self.training, self.bn.momentum, self.bn.eps,
            )  # fmt: skip

    return M()


@idiom()
def forward_called_directly():
    class M(Pair):
        def forward(self, x):
            return self.a.forward(x) + self.b.fc.forward(x)

    return M()


@idiom()
def getattr_by_number():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            for i in range(3):
                setattr(self, f"layer{i}", nn.Linear(3, 3))

        def forward(self, x):
            for i in range(3):
                x = getattr(self, f"layer{i}")(x)
            return x + self.get_submodule("layer1")(x) + self._modules["layer2"](x)

    return M()


# ---------------------------------------------------------------------------- forms of values


@idiom(args=tuple, kwargs=lambda: {"a": torch.randn(2, 3), "scale": 2.0})
def keywords_only():
    class M(One):
        def forward(self, *, a, scale=1.0, mask=None):
            return self.fc(a) * scale if mask is None else mask

    return M()


@idiom(args=lambda: (torch.randn(2, 3), torch.randn(2, 3)), kwargs=lambda: {"c": torch.randn(2, 3)})
def star_arguments():
    class M(One):
        def forward(self, *xs, **named):
            return self.fc(sum(xs)) + sum(named.values()), len(xs), None

    return M()


Pt = namedtuple("Pt", "x y")


@dataclasses.dataclass
class Result:
    value: Any
    extra: Any = None


@idiom(args=lambda: ({"x": torch.randn(2, 3), "y": [torch.randn(2, 3), None]},))
def dictionaries():
    class M(One):
        def forward(self, batch):
            y = self.fc(batch["x"]) + batch["y"][0]
            return OrderedDict(y=y, inner={"z": y * 2, "n": None})

    return M()


@idiom(args=lambda: (Pt(torch.randn(2, 3), torch.randn(2, 3)),))
def named_tuples():
    class M(One):
        def forward(self, p):
            return Pt(self.fc(p.x), p.y * 2)

    return M()


@idiom(args=lambda: (Result(torch.randn(2, 3), "text"),))
def dataclasses_both_ways():
    class M(One):
        def forward(self, r):
            return Result(self.fc(r.value), r.extra + "!")

    return M()


@idiom(args=lambda: (SimpleNamespace(x=torch.randn(2, 3)),))
def namespaces():
    class M(One):
        def forward(self, ns):
            ns.y = self.fc(ns.x)
            return SimpleNamespace(out=ns.y * 2)

    return M()


@idiom()
def no_tensor_at_all():
    class M(One):
        def forward(self, x):
            self.fc(x)
            return (None, 3, "a")

    return M()


@idiom()
def input_changed_in_place():
    class M(One):
        def forward(self, x):
            y = x * 1
            y.add_(1)
            y[0] = 0
            y[:, 1] *= 2
            return self.fc(y)

    return M()


@idiom()
def generators_and_iterators():
    class M(Listed):
        def steps(self, x):
            for layer in self.layers:
                x = layer(x)
                yield x

        def forward(self, x):
            it = iter(self.steps(x))
            first = next(it)
            return sum(it) + first

    return M()


# ------------------------------------------------------------------------ state of the module


@idiom()
def counter():
    class M(One):
        def __init__(self):
            super().__init__()
            self.calls = 0
            self.history = []

        def forward(self, x):
            self.calls += 1
            self.history.append(self.calls)
            return self.fc(x) * self.calls

    return M()


@idiom()
def tensors_as_attributes():
    class M(One):
        def __init__(self):
            super().__init__()
            self.scale = torch.ones(3) * 2
            self.steps = [torch.ones(3), torch.zeros(3)]
            self.table = {"a": torch.ones(3)}

        def forward(self, x):
            self.scale = self.scale * 1.5
            self.steps[0] = self.steps[0] + 1
            self.table["a"].add_(1)
            return self.fc(x) * self.scale + self.steps[0] * self.table["a"]

    return M()


@idiom()
def memory_of_the_last_call():
    class M(One):
        def __init__(self):
            super().__init__()
            self.hidden = None

        def forward(self, x):
            h = x if self.hidden is None else x + self.hidden
            self.hidden = self.fc(h).detach()
            return self.hidden + self.fc(x)

    return M()


@idiom()
def class_level():
    class M(One):
        shared = nn.Tanh()
        table = torch.arange(3.0)
        count = 0

        def forward(self, x):
            type(self).count += 1
            return self.shared(self.fc(x)) * self.table + self.count

    return M()


@idiom()
def properties():
    class M(One):
        @property
        def weight(self):
            return self.fc.weight * 2

        @property
        def device(self):
            return next(self.parameters()).device

        def forward(self, x):
            return x.to(self.device) @ self.weight

    return M()


@idiom()
def getattr_of_its_own():
    class M(One):
        def __getattr__(self, name):
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(super().__getattr__("fc"), name)

        def forward(self, x):
            return self.fc(x) + self.bias * self.in_features

    return M()


@idiom()
def ema_copy():
    class M(One):
        def __init__(self):
            super().__init__()
            self.ema = copy.deepcopy(self.fc).requires_grad_(False)

        @torch.no_grad()
        def update(self):
            for p, q in zip(self.fc.parameters(), self.ema.parameters(), strict=True):
                q.mul_(0.9).add_(p, alpha=0.1)

        def forward(self, x):
            self.update()
            return self.fc(x) - self.ema(x)

    return M()


@idiom()
def ema_made_in_forward():
    class M(One):
        def __init__(self):
            super().__init__()
            self.ema = None

        def forward(self, x):
            if self.ema is None:
                self.ema = [copy.deepcopy(self.fc).requires_grad_(False)]
            return self.fc(x) - self.ema[0](x)

    return M()


@idiom()
def own_generator():
    class M(One):
        def __init__(self):
            super().__init__()
            self.gen = torch.Generator().manual_seed(3)

        def forward(self, x):
            noise = torch.randn(x.shape, generator=self.gen)
            return self.fc(x + noise)

    return M()


@idiom()
def seeded_inside():
    class M(One):
        def forward(self, x):
            torch.manual_seed(int(x.sum().abs() * 10))
            return self.fc(x) * torch.rand(3)

    return M()


# ------------------------------------------------------------------------- other machineries


@idiom()
def lazy():
    m = nn.Sequential(nn.LazyLinear(4), nn.Tanh(), nn.LazyLinear(2))
    m(torch.randn(2, 3))
    return m


@idiom()
def scripted_child():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return One(torch.jit.script(nn.Sequential(nn.Linear(3, 3), nn.Tanh())))


@idiom()
def compiled_child():
    return One(torch.compile(nn.Linear(3, 3), backend="eager"))


class Cubed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x**3 * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * 30 * x**2 * w, (g * x**3).sum(0)


@idiom()
def custom_function():
    class M(One):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(torch.randn(3))

        def forward(self, x):
            return Cubed.apply(self.fc(x), self.w)

    return M()


@idiom()
def checkpointed():
    class M(Pair):
        def forward(self, x):
            return checkpoint(
                self.a, checkpoint(self.b, x, use_reentrant=False), use_reentrant=False
            )

    return M()


@idiom()
def checkpointed_norm():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Tanh())

        def forward(self, x):
            return checkpoint(self.body, x, use_reentrant=False)

    return M()


@idiom()
def parameters_of_none():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(3, 3))
            self.register_parameter("bias", None)
            self.down = None

        def forward(self, x):
            y = F.linear(x, self.weight, self.bias)
            return y if self.down is None else self.down(y)

    return M()


def set_frozen(root):
    if isinstance(root, nn.Module):
        root.a.requires_grad_(False)
    else:
        for p in root.a.get_parameters():
            p.requires_grad = False


@idiom(later=set_frozen)
def frozen_after():
    return Pair()


@idiom()
def half_precision_child():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc, self.half_fc = nn.Linear(3, 3), nn.Linear(3, 3).bfloat16()

        def forward(self, x):
            return self.fc(self.half_fc(x.bfloat16()).to(self.fc.weight.dtype))

    return M()


@idiom(args=lambda: (torch.randn(5, 2, 3),))
def packed():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn, self.out = nn.GRU(3, 4), nn.Linear(4, 2)

        def forward(self, x):
            y, h = self.rnn(pack_padded_sequence(x, [5, 3]))
            return self.out(pad_packed_sequence(y)[0]), h

    return M()


@idiom()
def functional_call_inside():
    class M(One):
        def forward(self, x):
            fast = {n: p - 0.1 * p for n, p in self.fc.named_parameters()}
            return torch.func.functional_call(self.fc, fast, (x,)) + self.fc(x)

    return M()


class Shifted(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.register_buffer("shift", torch.ones(3))

    def forward(self, x):
        return self.fc(x) + self.shift


@idiom()
def functional_call_with_buffers():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.m = Shifted()

        def forward(self, x):
            other = {"shift": torch.zeros(3) + x.detach().mean()}
            return torch.func.functional_call(self.m, other, (x,)) * self.m(x)

    return M()


class Running(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.bn = nn.Linear(3, 3), nn.BatchNorm1d(3)
        self.register_buffer("n", torch.zeros(3))

    def forward(self, x):
        self.n += 1
        self.n = self.n + x.detach().sum(0)
        return self.bn(self.fc(x)) + self.n


@idiom()
def functional_call_that_changes_buffers():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.m = Running()

        def forward(self, x):
            state = {n: v.clone() for n, v in self.m.named_buffers()}
            y = torch.func.functional_call(self.m, state, (x,))
            return y + self.m(x) + state["n"] + state["bn.running_mean"]

    return M()


@idiom()
def vmap_inside():
    class M(One):
        def forward(self, x):
            return torch.vmap(lambda r: self.fc(r).tanh())(x)

    return M()


@idiom()
def jacobian_inside():
    class M(One):
        def forward(self, x):
            return torch.func.vmap(torch.func.jacrev(lambda r: self.fc(r).tanh()))(x)

    return M()


@idiom()
def ensemble_by_vmap():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.members = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

        def forward(self, x):
            params, buffers = torch.func.stack_module_state(list(self.members))
            base = self.members[0]

            def call(p, b):
                return torch.func.functional_call(base, (p, b), (x,))

            return torch.vmap(call)(params, buffers)

    return M()


@idiom()
def forward_bound_in_init():
    class M(One):
        def __init__(self):
            super().__init__()
            self.steps = [self.fc, torch.tanh, self.twice]

        def twice(self, x):
            return self.fc(x) * 2

        def forward(self, x):
            for step in self.steps:
                x = step(x)
            return x

    return M()


@idiom()
def with_a_context_manager():
    class M(One):
        @contextlib.contextmanager
        def scaled(self, factor):
            old, self.factor = getattr(self, "factor", 1.0), factor
            try:
                yield
            finally:
                self.factor = old

        def forward(self, x):
            with self.scaled(3.0):
                y = self.fc(x) * self.factor
            return y * self.factor

    return M()


@idiom()
def try_and_except():
    class M(One):
        def forward(self, x):
            try:
                return self.fc(x[:, :2])
            except RuntimeError:
                return self.fc(x)

    return M()


@idiom()
def apply_inside():
    class M(Pair):
        def forward(self, x):
            found = []
            self.apply(lambda m: found.append(type(m).__name__))
            return self.a(self.b(x)) * len(found)

    return M()


@idiom()
def zero_grad_and_to_inside():
    class M(One):
        def forward(self, x):
            self.fc.to(torch.float32)
            return self.fc(x) + (self.fc.weight.grad is None)

    return M()
