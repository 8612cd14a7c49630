"""Torch modules of one idiom each, for test_live_idioms.py."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import parametrizations, parametrize, prune


@dataclasses.dataclass
class Idiom:
    """A module, how it is called, and what is changed in it after the conversion."""

    make: Callable[[], nn.Module]
    args: Callable[[], tuple[Any, ...]]
    kwargs: Callable[[], dict[str, Any]]
    after: Callable[[Any], None] | None = None
    later: Callable[[Any], None] | None = None
    evaluates: bool = True


IDIOMS: dict[str, Idiom] = {}


def rows():
    return (torch.randn(2, 3),)


def images():
    return (torch.randn(2, 3, 4, 4),)


def idiom(args=rows, kwargs=dict, **options):
    def add(make):
        name = make.__name__
        known = IDIOMS.get(name)
        # the same line again is a table that pytest imports a second time, to look for doctests
        assert known is None or known.make.__code__.co_firstlineno == make.__code__.co_firstlineno
        IDIOMS[name] = Idiom(make, args, kwargs, **options)
        return make

    return add


class One(nn.Module):
    """A module of one layer."""

    def __init__(self, layer=None):
        super().__init__()
        self.fc = nn.Linear(3, 3) if layer is None else layer

    def forward(self, x):
        return self.fc(x).tanh()


# -------------------------------------------------------------------------------------- hooks


@idiom()
def forward_hook_before():
    m = One()
    m.fc.register_forward_hook(lambda mod, a, out: out * 2)
    return m


@idiom()
def forward_pre_hook_before():
    m = One()
    m.fc.register_forward_pre_hook(lambda mod, a: (a[0] + 1,))
    m.register_forward_pre_hook(lambda mod, a, k: ((a[0] * 2,), k), with_kwargs=True)
    return m


@idiom()
def root_hook_that_keeps_values():
    m = One()
    m.seen = []
    m.register_forward_hook(lambda mod, a, out: mod.seen.append(float(out.sum())))
    return m


@idiom()
def forward_hook_on_a_container():
    m = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.Tanh(), nn.Linear(3, 2)))
    m[1].register_forward_hook(lambda mod, a, out: out * a[0].sum())
    return m


@idiom()
def backward_hooks_before():
    m = One()
    m.fc.register_full_backward_hook(lambda mod, gi, go: (gi[0] * 2,))
    m.fc.register_full_backward_pre_hook(lambda mod, go: (go[0] * 3,))
    return m


@idiom()
def gradient_hook_of_an_intermediate():
    class M(One):
        def forward(self, x):
            y = self.fc(x)
            if y.requires_grad:
                y.register_hook(lambda g: g * 2)
            return y * 2

    return M()


@idiom()
def hook_removed_in_forward():
    class M(One):
        def forward(self, x):
            handle = self.fc.register_forward_hook(lambda mod, a, out: out + 1)
            y = self.fc(x)
            handle.remove()
            return y + self.fc(x)

    return M()


@idiom()
def features_by_hooks():
    class M(One):
        def __init__(self):
            super().__init__()
            self.features = {}
            self.fc.register_forward_hook(self.keep)

        def keep(self, mod, args, out):
            self.features["fc"] = out

        def forward(self, x):
            self.fc(x)
            return self.features["fc"] * 2

    return M()


# ------------------------------------------------------------------- weights that are computed


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).T


@idiom()
def parametrized():
    m = One()
    parametrize.register_parametrization(m.fc, "weight", Symmetric())
    return m


@idiom()
def parametrized_cached():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(3, 3)
            parametrize.register_parametrization(self.fc, "weight", Symmetric())

        def forward(self, x):
            with parametrize.cached():
                return self.fc(self.fc(x))

    return M()


@idiom()
def parametrized_weight_norm():
    return One(parametrizations.weight_norm(nn.Linear(3, 3)))


@idiom()
def old_weight_norm():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return One(nn.utils.weight_norm(nn.Linear(3, 3)))


@idiom()
def parametrized_spectral_norm():
    return One(parametrizations.spectral_norm(nn.Linear(3, 3)))


@idiom()
def old_spectral_norm():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return One(nn.utils.spectral_norm(nn.Linear(3, 3)))


@idiom()
def orthogonal():
    return One(parametrizations.orthogonal(nn.Linear(3, 3)))


@idiom()
def pruned():
    m = One()
    prune.l1_unstructured(m.fc, "weight", 4)
    return m


@idiom()
def pruned_for_good():
    m = One()
    prune.remove(prune.l1_unstructured(m.fc, "weight", 4), "weight")
    return m


# --------------------------------------------------------------------------- modes of recording


@idiom()
def no_grad_inside():
    class M(One):
        def forward(self, x):
            with torch.no_grad():
                scale = self.fc(x).abs().max()
            return self.fc(x) / scale

    return M()


@idiom()
def set_grad_enabled_inside():
    class M(One):
        def forward(self, x):
            with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
                y = self.fc(x)
            return y * 2 + x

    return M()


@idiom()
def enable_grad_inside():
    """A gradient by its input, as of an energy."""

    class M(One):
        def forward(self, x):
            with torch.enable_grad():
                x = x if x.requires_grad else x.detach().requires_grad_()
                energy = self.fc(x).tanh().sum()
                (force,) = torch.autograd.grad(energy, x, create_graph=True)
            return force * 2

    return M()


@idiom()
def inference_mode_inside():
    class M(One):
        def forward(self, x):
            with torch.inference_mode():
                scale = float(self.fc(x).abs().max())
            return self.fc(x) / scale

    return M()


@idiom()
def autocast_inside():
    class M(One):
        def forward(self, x):
            with torch.autocast("cpu", torch.bfloat16):
                y = self.fc(x)
            return y.float(), y

    return M()


@idiom()
def no_grad_as_a_decorator():
    class M(One):
        @torch.no_grad()
        def stats(self, x):
            return self.fc(x).mean(0)

        def forward(self, x):
            return self.fc(x) - self.stats(x)

    return M()


@idiom()
def detach_inside():
    class M(One):
        def forward(self, x):
            y = self.fc(x)
            return y + (y.round() - y).detach()

    return M()


# ------------------------------------------------------------------------------------ buffers


@idiom()
def buffer_reassigned():
    class M(One):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", torch.zeros(3))

        def forward(self, x):
            if self.training:
                self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)
            return self.fc(x - self.mean)

    return M()


@idiom()
def buffer_in_place():
    class M(One):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", torch.zeros(3))
            self.register_buffer("count", torch.tensor(0))

        def forward(self, x):
            if self.training:
                with torch.no_grad():
                    self.mean.mul_(0.9).add_(0.1 * x.mean(0))
                    self.count += 1
            return self.fc(x - self.mean) * self.count

    return M()


@idiom()
def buffer_copy_and_data():
    class M(One):
        def __init__(self):
            super().__init__()
            self.register_buffer("last", torch.zeros(2, 3), persistent=False)

        def forward(self, x):
            y = self.fc(x) + self.last
            self.last.copy_(x.detach())
            self.fc.weight.data.clamp_(-0.3, 0.3)
            return y

    return M()


@idiom()
def buffer_registered_late():
    class M(One):
        def forward(self, x):
            if not hasattr(self, "seen"):
                self.register_buffer("seen", torch.zeros(3))
            self.seen = self.seen + x.detach().sum(0)
            return self.fc(x) + self.seen

    return M()


@idiom()
def buffer_of_none():
    class M(One):
        def __init__(self):
            super().__init__()
            self.register_buffer("cache", None)

        def forward(self, x):
            if self.cache is None:
                self.cache = x.detach() * 1
            return self.fc(x) + self.cache

    return M()


@idiom(evaluates=False)
def buffer_of_a_child_reassigned():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.bn = nn.BatchNorm1d(3)
            self.fc = nn.Linear(3, 3)

        def forward(self, x):
            y = self.bn(self.fc(x))
            self.bn.running_mean = self.bn.running_mean * 0.5
            self.bn.running_var = self.bn.running_var * 1.5
            return y

    return M()


@idiom()
def complex_buffer():
    class M(One):
        def __init__(self):
            super().__init__()
            self.register_buffer("freqs", torch.polar(torch.ones(3), torch.arange(3.0)))

        def forward(self, x):
            return torch.view_as_real(torch.complex(self.fc(x), x) * self.freqs).flatten(1)

    return M()


@idiom()
def shared_buffer():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = One(), One()
            self.a.register_buffer("n", torch.zeros(3))
            self.b.register_buffer("n", self.a.n)

        def forward(self, x):
            with torch.no_grad():
                self.a.n += 1
            return self.a(x) + self.b(x) * self.b.n

    return M()


# --------------------------------------------------------------------------------- train mode


@idiom()
def frozen_norm_by_train():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc, self.bn = nn.Linear(3, 3), nn.BatchNorm1d(3)

        def train(self, mode=True):
            super().train(mode)
            self.bn.eval()
            return self

        def forward(self, x):
            return self.bn(self.fc(x)) * (2 if self.training else 3)

    return M()


@idiom(evaluates=False)
def eval_of_a_child_in_forward():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc, self.bn = nn.Linear(3, 3), nn.BatchNorm1d(3)

        def forward(self, x):
            self.bn.eval()
            y = self.bn(self.fc(x))
            self.bn.train()
            return y + self.bn(x)

    return M()


@idiom()
def training_of_a_child_read():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc, self.bn = nn.Linear(3, 3), nn.BatchNorm1d(3)

        def forward(self, x):
            return self.fc(x) * (2 if self.bn.training else 3)

    return M()


def child_to_eval(root):
    child = root.bn
    child.eval() if isinstance(root, nn.Module) else child.set_train(False)


@idiom(evaluates=False, later=child_to_eval)
def child_in_eval():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc, self.bn = nn.Linear(3, 3), nn.BatchNorm1d(3)

        def forward(self, x):
            return self.bn(self.fc(x))

    return M()


# --------------------------------------------------------------------------------- containers


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x) + i
        return x * len(self.layers)


def new_act(root):
    import agar as ms

    return nn.Sigmoid() if isinstance(root, nn.Module) else ms.nn.Sigmoid()


@idiom(later=lambda root: root.layers.append(new_act(root)))
def list_append():
    return Listed()


@idiom(later=lambda root: root.layers.insert(1, new_act(root)))
def list_insert():
    return Listed()


@idiom(later=lambda root: root.layers.extend([new_act(root), new_act(root)]))
def list_extend():
    return Listed()


def del_one(root):
    del root.layers[1]


@idiom(later=del_one)
def list_del():
    return Listed()


def del_slice(root):
    del root.layers[:2]


@idiom(later=del_slice)
def list_del_slice():
    return Listed()


def set_item(root):
    root.layers[-1] = new_act(root)


@idiom(later=set_item)
def list_set_item():
    return Listed()


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Tanh()})

    def forward(self, x):
        for name, head in self.heads.items():
            x = head(x) + len(name)
        return x


def dict_change(root):
    root.heads["new"] = new_act(root)
    del root.heads["b"]


@idiom(later=dict_change)
def dict_set_and_del():
    return Named()


@idiom(later=lambda root: root.heads.update({"a": new_act(root)}))
def dict_update():
    return Named()


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3))

    def forward(self, x):
        return self.seq(x) + self.seq[0](x) + self.seq[:2](x) * len(self.seq)


@idiom(later=lambda root: root.seq.append(new_act(root)))
def sequential_append():
    return Stacked()


def seq_del(root):
    del root.seq[2]


@idiom(later=seq_del)
def sequential_del():
    return Stacked()


@idiom()
def sequential_sliced():
    return Stacked()


@idiom()
def list_sliced_and_reversed():
    class M(Listed):
        def forward(self, x):
            for layer in self.layers[::2]:
                x = layer(x)
            for layer in reversed(self.layers):
                x = layer(x)
            return self.layers[-1](x)

    return M()


@idiom()
def parameter_list():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.ps = nn.ParameterList([nn.Parameter(torch.randn(3)) for _ in range(3)])
            self.pd = nn.ParameterDict({"w": nn.Parameter(torch.randn(3, 3))})

        def forward(self, x):
            for p in self.ps[1:]:
                x = x * p
            return x @ self.pd["w"] + self.ps[0] + sum(p.sum() for p in self.ps)

    return M()


@idiom()
def list_appended_in_forward():
    class M(Listed):
        def forward(self, x):
            if len(self.layers) < 5:
                self.layers.append(nn.Tanh())
            return super().forward(x)

    return M()


@idiom()
def module_created_in_forward():
    class M(One):
        def forward(self, x):
            if not hasattr(self, "act"):
                self.act = nn.Softplus()
            return self.act(self.fc(x)) + nn.Tanh()(x)

    return M()


@idiom()
def layer_with_weights_created_in_forward():
    class M(One):
        def __init__(self):
            super().__init__()
            self.proj = None

        def forward(self, x):
            if self.proj is None:
                self.proj = nn.Linear(3, 3)
                nn.init.ones_(self.proj.weight), nn.init.ones_(self.proj.bias)
            return self.proj(self.fc(x))

    return M()


# ----------------------------------------------------------------------------------- sharing


@idiom()
def shared_module():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = One()
            self.b = self.a
            self.seq = nn.Sequential(self.a, nn.Tanh(), self.a.fc)

        def forward(self, x):
            return self.seq(self.b(self.a(x)))

    return M()


def tie(root):
    root.a.fc.weight = root.b.fc.weight


@idiom()
def tied_before():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.emb, self.out = nn.Embedding(5, 3), nn.Linear(3, 5, bias=False)
            self.out.weight = self.emb.weight

        def forward(self, x):
            return self.out(x @ self.emb.weight[:3]) + self.emb(torch.tensor([0, 1])).sum()

    return M()


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = One(), One()

    def forward(self, x):
        return self.a(self.b(x))


@idiom(later=tie)
def tied_after():
    return Pair()


def same_child(root):
    root.a = root.b


@idiom(later=same_child)
def shared_after():
    return Pair()


@idiom()
def tied_in_forward():
    class M(Pair):
        def forward(self, x):
            return self.a(x) @ self.b.fc.weight.T + F.linear(x, self.a.fc.weight.t())

    return M()
