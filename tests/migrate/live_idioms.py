"""Torch modules of one idiom each, for test_live_idioms.py."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import parametrizations, parametrize, prune
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.checkpoint import checkpoint


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
        assert name not in IDIOMS
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


@idiom(
    args=lambda: (torch.randn(2, 3), torch.randn(2, 3)), kwargs=lambda: {"c": torch.randn(2, 3)}
)
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
            return checkpoint(self.a, checkpoint(self.b, x, use_reentrant=False), use_reentrant=False)

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
            call = lambda p, b: torch.func.functional_call(base, (p, b), (x,))
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


# ------------------------------------------------------------- what a forward does to its parts


@idiom()
def setting_of_a_layer_changed():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.act, self.fc = nn.LeakyReLU(0.1), nn.Linear(3, 3)
            self.n = 0

        def forward(self, x):
            self.n += 1
            self.act.negative_slope = 0.1 * self.n
            return self.act(self.fc(x))

    return M()


@idiom()
def setting_inside_a_sequence_changed():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.seq = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.LeakyReLU(0.1)))

        def forward(self, x):
            self.seq[1][0].negative_slope = 0.7
            return self.seq(x)

    return M()


@idiom()
def momentum_scheduled():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.bn, self.calls = nn.BatchNorm1d(3), 0

        def forward(self, x):
            self.calls += 1
            self.bn.momentum = 1 / self.calls
            return self.bn(x)

    return M()


@idiom()
def layer_replaced_in_forward():
    class M(Listed):
        def __init__(self):
            super().__init__()
            self.act, self.calls = nn.Tanh(), 0

        def forward(self, x):
            self.calls += 1
            if self.calls == 2:
                self.act = nn.Sigmoid()
            if self.calls == 3:
                del self.layers[1]
            if self.calls == 4:
                self.layers[0] = nn.Softplus()
            if self.calls == 5:
                self.act = None
            x = super().forward(x)
            return x if self.act is None else self.act(x)

    return M()


@idiom()
def layer_wrapped_in_forward():
    class M(One):
        def __init__(self):
            super().__init__()
            self.wrapped = False

        def forward(self, x):
            if not self.wrapped:
                self.fc = nn.Sequential(self.fc, nn.Tanh())
                self.wrapped = True
            return self.fc(x) * self.fc[0].weight.sum()

    return M()


@idiom()
def growing_dictionary():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.heads = nn.ModuleDict()

        def forward(self, x):
            key = f"h{len(self.heads)}"
            if len(self.heads) < 3:
                self.heads[key] = Shifted()
            return sum(head(x) for head in self.heads.values())

    return M()


@idiom()
def parameter_made_in_forward():
    class M(One):
        def __init__(self):
            super().__init__()
            self.scale = None
            self.ps = nn.ParameterList()

        def forward(self, x):
            if self.scale is None:
                del self.scale
                self.scale = nn.Parameter(torch.full((3,), 2.0))
            if len(self.ps) < 2:
                self.ps.append(nn.Parameter(torch.ones(3) * (len(self.ps) + 1)))
            return self.fc(x) * self.scale + sum(p for p in self.ps)

    return M()


@idiom()
def buffer_deleted_in_forward():
    class M(One):
        def __init__(self):
            super().__init__()
            self.register_buffer("once", torch.ones(3))

        def forward(self, x):
            y = self.fc(x)
            if hasattr(self, "once"):
                y = y + self.once
                del self.once
            return y

    return M()


@idiom()
def tied_by_the_forward():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)

        def forward(self, x):
            self.b.weight = self.a.weight
            return self.b(self.a(x))

    return M()


@idiom(args=lambda: (torch.randn(2, 3, 4),))
def weights_written_as_a_vector():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.fc = nn.Conv1d(3, 3, 1), nn.Linear(4, 4)

        def forward(self, x):
            flat = nn.utils.parameters_to_vector(self.parameters())
            nn.utils.vector_to_parameters(flat.detach() * 0.9, self.parameters())
            return self.fc(self.conv(x))

    return M()


@idiom()
def state_loaded_inside():
    class M(Pair):
        def forward(self, x):
            self.b.load_state_dict(self.a.state_dict())
            return self.a(x) + self.b(x) * 2

    return M()


@idiom()
def global_hook_inside():
    class M(One):
        def forward(self, x):
            found = []
            handle = nn.modules.module.register_module_forward_hook(
                lambda m, a, out: found.append(out.sum())
            )
            try:
                y = self.fc(x)
            finally:
                handle.remove()
            return y * sum(found)

    return M()


@idiom()
def forward_replaced_in_forward():
    class M(One):
        def forward(self, x):
            old = self.fc.forward
            self.fc.forward = lambda x: old(x) * 2
            y = self.fc(x)
            del self.fc.forward
            return y + self.fc(x)

    return M()


@idiom()
def pieces_of_an_attention():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.at = nn.MultiheadAttention(4, 2, batch_first=True)

        def forward(self, x):
            y, weights = self.at(x, x, x)
            return y + x @ self.at.in_proj_weight[:4] + self.at.out_proj(x), weights

    return M()


IDIOMS["pieces_of_an_attention"].args = lambda: (torch.randn(2, 3, 4),)


def part_to_eval(root):
    part = root.layer.dropout1
    part.eval() if isinstance(root, nn.Module) else part.set_train(False)


@idiom(args=lambda: (torch.randn(2, 3, 4),))
def part_of_a_layer_in_eval():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.TransformerEncoderLayer(4, 2, 8, 0.0)
            self.layer.norm1 = nn.BatchNorm1d(3)
            self.layer.norm1.eval()

        def forward(self, x):
            return self.layer(x)

    return M()


@idiom()
def functional_dropout():
    class M(One):
        def forward(self, x):
            return F.dropout(self.fc(x), 0.5, self.training) + torch.rand_like(x)

    return M()


@idiom(args=lambda: (torch.ones(2, 3), torch.arange(3), [torch.ones(3)], {"n": torch.ones(2)}))
def arguments_changed_in_place():
    class M(One):
        def forward(self, x, index, more, named):
            index += 1
            more.append(more[0] * 2)
            more[0].add_(1) if not more[0].requires_grad else None
            named["new"] = named["n"] + 1
            return self.fc(x)[:, index - 1] + more[1]

    return M()


@idiom(args=lambda: (Result(torch.ones(2, 3), None),))
def attributes_of_arguments_set():
    class M(One):
        def forward(self, r):
            r.extra = self.fc(r.value)
            r.value = r.value * 2
            return r.extra * 1

    return M()


@idiom(kwargs=lambda: {"size": torch.Size([2, 3]), "kind": torch.float32, "at": slice(0, 2)})
def arguments_that_are_no_tensors():
    class M(One):
        def forward(self, x, size, kind, at):
            return self.fc(x.reshape(size).to(kind))[:, at]

    return M()


def scale_to_three(root):
    root.scale = 3.0


@idiom(later=scale_to_three)
def plain_attribute_set_after():
    class M(One):
        def __init__(self):
            super().__init__()
            self.scale = 2.0

        def forward(self, x):
            return self.fc(x) * self.scale

    return M()


def another_weight(root):
    import agar as ms

    new = torch.full((3, 3), 0.5)
    mine = nn.Parameter(new) if isinstance(root, nn.Module) else ms.Parameter(ms.Tensor(new.numpy()))
    root.fc.weight = mine


@idiom(later=another_weight)
def another_parameter_after():
    class M(One):
        def forward(self, x):
            return self.fc(x) + F.linear(x, self.fc.weight)

    return M()


def another_child(root):
    import agar as ms

    old = root.a
    if isinstance(root, nn.Module):
        root.a = nn.Linear(3, 3)
        root.a.weight, root.a.bias = old.fc.weight, old.fc.bias
    else:
        root.a = ms.nn.Dense(3, 3)
        root.a.weight, root.a.bias = old.fc.weight, old.fc.bias


@idiom(later=another_child)
def another_child_after():
    class M(Pair):
        def forward(self, x):
            penalty = sum((p**2).sum() for p in self.parameters())
            return self.a(self.b(x)) + penalty

    return M()
