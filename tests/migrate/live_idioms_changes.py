"""Torch modules of one idiom each, for test_live_idioms.py: what a forward does to its parts."""

from __future__ import annotations

import collections
import copy
import random

import numpy as np
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

import agar as ms
from migrate.live_idioms import IDIOMS, Listed, One, Pair, idiom
from migrate.live_idioms_calls import Result, Shifted

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
    new = torch.full((3, 3), 0.5)
    mine = (
        nn.Parameter(new) if isinstance(root, nn.Module) else ms.Parameter(ms.Tensor(new.numpy()))
    )
    root.fc.weight = mine


@idiom(later=another_weight)
def another_parameter_after():
    class M(One):
        def forward(self, x):
            return self.fc(x) + F.linear(x, self.fc.weight)

    return M()


def another_child(root):
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


# ------------------------------------------------------------------------------ several at once


@idiom()
def maml_func():
    class M(One):
        def forward(self, x):
            params = dict(self.fc.named_parameters())

            def loss(p):
                return (functional_call(self.fc, p, (x,)) ** 2).sum()

            g = torch.func.grad(loss)(params)
            fast = {n: p - 0.1 * g[n] for n, p in params.items()}
            return functional_call(self.fc, fast, (x,))

    return M()


@idiom()
def maml_foreign():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.m = Shifted()

        def forward(self, x):
            params = dict(self.m.named_parameters())

            def loss(p):
                return (functional_call(self.m, p, (x,)) ** 2).sum()

            g = torch.func.grad(loss)(params)
            fast = {n: p - 0.1 * g[n] for n, p in params.items()}
            return functional_call(self.m, fast, (x,))

    return M()


@idiom()
def forward_mode():
    class M(One):
        def forward(self, x):
            y, t = torch.func.jvp(self.fc, (x,), (torch.ones_like(x),))
            return y + t

    return M()


@idiom()
def agar_inside():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            ms.set_seed(0)
            self.m = ms.as_torch(ms.nn.Dense(3, 3))
            self.fc = nn.Linear(3, 3)

        def forward(self, x):
            return self.fc(self.m(x))

    return M()


@idiom()
def numpy_inside():
    class M(One):
        def forward(self, x):
            w = torch.from_numpy(np.abs(x.detach().numpy()).max(0))
            return self.fc(x) * w

    return M()


@idiom()
def deque_state():
    class M(One):
        def __init__(self):
            super().__init__()
            self.q = collections.deque(maxlen=2)

        def forward(self, x):
            self.q.append(x.detach() * 1)
            return self.fc(x) + sum(self.q)

    return M()


@idiom()
def item_branch():
    class M(One):
        def forward(self, x):
            if x.sum().item() > 0:
                return self.fc(x)
            return -self.fc(x)

    return M()


@idiom()
def stochastic_depth():
    class M(Listed):
        def forward(self, x):
            for layer in self.layers:
                if torch.rand(()) < 0.5:
                    x = layer(x)
            return x

    return M()


@idiom()
def python_random():
    class M(Listed):
        def __init__(self):
            super().__init__()
            self.r = random.Random(3)

        def forward(self, x):
            for layer in self.layers:
                if self.r.random() < 0.5:
                    x = layer(x)
            return x

    return M()


@idiom()
def bn_sync_ema_teacher():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.s = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
            self.t = copy.deepcopy(self.s).requires_grad_(False)

        def forward(self, x):
            with torch.no_grad():
                for a, b in zip(
                    self.s.state_dict().values(), self.t.state_dict().values(), strict=True
                ):
                    b.copy_(0.9 * b + 0.1 * a if b.is_floating_point() else a)
                t = self.t(x)
            return self.s(x) - t

    return M()


@idiom()
def memory_bank():
    class M(One):
        def __init__(self):
            super().__init__()
            self.register_buffer("bank", torch.zeros(4, 3))
            self.register_buffer("ptr", torch.zeros((), dtype=torch.long))

        def forward(self, x):
            y = self.fc(x)
            p = int(self.ptr)
            self.bank[p : p + 2] = y.detach()
            self.ptr.fill_((p + 2) % 4)
            return y @ self.bank.T.clone()

    return M()


@idiom()
def rnn_stateful():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.LSTM(3, 3, batch_first=True)
            self.h = None

        def forward(self, x):
            y, h = self.rnn(x[None], self.h)
            self.h = tuple(v.detach() for v in h)
            return y

    return M()


@idiom()
def flatten_parameters():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.GRU(3, 3)

        def forward(self, x):
            self.rnn.flatten_parameters()
            return self.rnn(x[None])[0] + self.rnn.weight_ih_l0.sum()

    return M()


@idiom()
def apply_in_place_init():
    class M(Pair):
        def forward(self, x):
            with torch.no_grad():
                for m in self.modules():
                    if isinstance(m, nn.Linear):
                        nn.init.constant_(m.weight, 0.1)
                        m.bias.zero_()
            return self.a(self.b(x))

    return M()


@idiom()
def view_of_the_input():
    class M(One):
        def forward(self, x):
            return self.fc(x), x.view(-1), x[0]

    return M()


@idiom()
def own_call():
    class M(One):
        def __call__(self, x, **k):
            return super().__call__(x, **k) * 2

        def forward(self, x):
            return self.fc(x)

    return nn.Sequential(M(), M())


@idiom()
def list_subclass():
    class L2(nn.ModuleList):
        def run(self, x):
            for layer in self:
                x = layer(x)
            return x

    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.l = L2([nn.Linear(3, 3), nn.Tanh()])

        def forward(self, x):
            return self.l.run(x)

    return M()


@idiom()
def sequential_in_place():
    return nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True), nn.Linear(3, 3), nn.ReLU(True))


@idiom()
def hook_returns_none_and_counts():
    m = One()
    m.n = 0

    def h(mod, a, o):
        m.n += 1

    m.fc.register_forward_hook(h)
    return m


@idiom()
def bn_track_off():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.bn = nn.BatchNorm1d(3)

        def forward(self, x):
            self.bn.track_running_stats = False
            y = self.bn(x)
            self.bn.track_running_stats = True
            return y

    return M()


@idiom()
def requires_grad_toggled():
    class M(Pair):
        def forward(self, x):
            self.a.requires_grad_(False)
            y = self.a(self.b(x))
            self.a.requires_grad_(True)
            return y

    return M()


@idiom()
def grad_of_params_inside():
    class M(One):
        def forward(self, x):
            with torch.enable_grad():
                w = self.fc.weight.detach().requires_grad_()
                (g,) = torch.autograd.grad((x.detach() @ w).sum(), w)
            return self.fc(x) * g.sum()

    return M()


@idiom()
def nested_foreign_dicts():
    class Inner(One):
        def forward(self, d):
            d["h"] = self.fc(d["x"])
            return d

    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = Inner()
            self.b = Inner()

        def forward(self, x):
            d = {"x": x}
            d = self.a(d)
            d["x"] = d["h"]
            d = self.b(d)
            return d

    return M()


@idiom()
def shared_mutable_between_children():
    class Ctx:
        pass

    class Inner(One):
        def forward(self, x, ctx):
            ctx.n = getattr(ctx, "n", 0) + 1
            ctx.last = x
            return self.fc(x)

    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = Inner()
            self.b = Inner()

        def forward(self, x):
            c = Ctx()
            y = self.b(self.a(x, c), c)
            return y * c.n + c.last

    return M()


@idiom()
def cache_keyword():
    class Inner(One):
        def forward(self, x, cache=None):
            cache = [] if cache is None else cache
            cache.append(x)
            return self.fc(sum(cache)), cache

    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = Inner()
            self.b = Inner()

        def forward(self, x):
            y, c = self.a(x)
            y, c = self.b(y, cache=c)
            return y, c

    return M()


@idiom()
def generator_of_a_child():
    class Steps(One):
        def forward(self, x):
            for _ in range(3):
                x = self.fc(x)
                yield x

    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.steps = Steps()

        def forward(self, x):
            return sum(self.steps(x))

    return M()


@idiom()
def sequence_changed_and_called():
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.seq = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.Tanh()))
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            if self.calls < 4:
                self.seq.append(nn.Softplus())
            if self.calls == 5:
                self.seq[1][0] = nn.ReLU()
            return self.seq(x)

    return M()
