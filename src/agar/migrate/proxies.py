"""Copies of torch modules that hand their calls to cells.

NOTE What a proxy is. A shallow copy of a module, of the same class: its attributes are the
original's, its parameters are the tensors of the cells' Parameters, its children are proxies.
Torch code that runs over proxies sees the modules that it was written for (`isinstance`,
`self.fc.weight`, `self.fc.in_features`), and where it *calls* a child, the child's cell runs. The
original module is never touched.

NOTE Where calls are caught. torch's ``Module.__call__`` looks for ``_compiled_call_impl`` on the
object first; that is where a proxy has its :class:`Bridge`. So hooks of the module belong to what
the cell runs, and run whether the cell is called by torch code or by agar's.

NOTE In step. A cell's Parameter may get another tensor (``set_data``, a functional gradient), a
cell another train mode. :class:`Tree` brings the proxies in step with the cells when the outermost
torch code of a call begins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# torch modules are what this file is about
import torch

from agar._core.autodiff import functorch_level
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor, wrap
from agar.migrate.checkpoint_rng import repeated
from agar.migrate.tensor_interop import Exchange, to_torch
from agar.nn.cell import Cell

__all__ = ["CALL", "Link", "StandIn", "collect_flat_weights", "gradient_hooks", "proxy_of"]

#: where torch's ``Module.__call__`` looks first
CALL = "_compiled_call_impl"
_HOOKS = (
    "_backward_hooks",
    "_backward_pre_hooks",
    "_forward_hooks",
    "_forward_hooks_always_called",
    "_forward_hooks_with_kwargs",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
)


def proxy_of(module: torch.nn.Module) -> torch.nn.Module:
    """A copy of a module without children; what is registered in one is not in the other.

    Args:
        module (torch.nn.Module): the module.
    """
    copy = object.__new__(type(module))
    state = dict(module.__dict__)
    for name in ("_parameters", "_buffers", *_HOOKS):
        if name in state:
            state[name] = state[name].copy()
    state["_modules"] = {}
    state["_non_persistent_buffers_set"] = set(state.get("_non_persistent_buffers_set", ()))
    state[CALL] = None
    copy.__dict__.update(state)
    return copy


class Link:
    """A name of a proxy's parameters or buffers, and the cell's tensor that it stands for.

    Args:
        home (dict): the proxy's parameters or buffers.
        name (str): the name there.
        owner (Cell): the cell that holds the tensor.
        key (str): the name there.
        transform (tuple, optional): the way to the cell's form, and back. Default: ``None``.
        buffer (bool): the proxy has it as a buffer. Default: ``False``.
    """

    __slots__ = ("buffer", "home", "key", "name", "owner", "put", "transform", "viewed")

    def __init__(
        self,
        home: dict[str, Any],
        name: str,
        owner: Cell,
        key: str,
        transform: tuple[Callable[..., Any], ...] | None = None,
        buffer: bool = False,
    ) -> None:
        self.buffer = buffer
        self.home = home
        self.name = name
        self.owner = owner
        self.key = key
        self.transform = transform
        #: what the proxy was given for the call that is open
        self.put: torch.Tensor | None = None
        #: the cell's tensor, and what the proxy has of it between calls
        self.viewed: tuple[torch.Tensor, torch.Tensor] | None = None

    def view(self, held: torch.Tensor) -> torch.Tensor:
        """The proxy's form of a tensor between calls, free of any call's gradient.

        The same object for the same tensor: another one would be a change that a call leaves.

        Args:
            held (torch.Tensor): the cell's tensor.
        """
        assert self.transform is not None
        known = self.viewed
        # either may have been given other memory (p.data = ...)
        if (
            known is None
            or known[0] is not held
            or (not functorch_level() and known[1].data_ptr() != held.data_ptr())
        ):
            known = self.viewed = held, self.transform[1](held.detach())
        return known[1]

    def is_swapped(self) -> bool:
        """Whether torch code put another tensor there, as ``functional_call`` does."""
        put = self.put
        if put is None:
            return False
        return self.home.get(self.name) is not put or (self.transform is not None and self.moved())

    @property
    def held(self) -> Tensor | None:
        """The cell's parameter or buffer as it is now; None where it was deleted."""
        known = self.owner._params.get(self.key)
        return self.owner._buffers.get(self.key) if known is None else known

    def moved(self) -> bool:
        """Whether a view of the cell's tensor was given memory of its own (``p.data = ...``)."""
        held = self.held
        if self.transform is None or self.put is None or held is None or functorch_level():
            return False
        return held._value.numel() > 0 and self.put.data_ptr() != held._value.data_ptr()

    def lend(self) -> bool:
        """Give the proxy the cell's tensor; whether that is another one."""
        held: Tensor | None = self.owner._params.get(self.key)
        if held is None:
            held = self.owner._buffers.get(self.key)
        if held is None:
            self.put = None
            return self.home.pop(self.name, None) is not None
        if self.transform is not None:
            value = held._value
            fresh = value.requires_grad or functorch_level()
            self.put = self.transform[1](value) if fresh else self.view(value)
            self.home[self.name] = self.put
            return False
        self.put = held._value
        if self.home.get(self.name) is self.put:
            return False
        self.home[self.name] = self.put
        return True


class StandIn(torch.nn.Module):
    """What torch code finds where a cell without a module was put in a child's place.

    Its parameters are listed by the cell's names, for what looks at all of a network.

    Args:
        cell (Cell): the cell; calls are its own.
    """

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.cell: Cell
        self.links: list[Link]
        self.__dict__.update(cell=cell, links=[])

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the cell with agar's tensors over the same memory.

        Args:
            *args (Any): the positional arguments, with torch tensors.
            **kwargs (Any): the keyword arguments, with torch tensors.
        """
        if any(map(Link.is_swapped, self.links)):
            raise TypeError(
                "torch.func.functional_call gives other parameters to a child in whose place a "
                f"{type(self.cell).__name__} was put, which it cannot lend to a cell; leave these "
                "out, or put a torch module there and convert the whole again with from_torch."
            )
        exchange = Exchange(into_torch=False)
        given = [exchange.take(v) for v in args]
        named = {k: exchange.take(v) for k, v in kwargs.items()}
        out = repeated(self.cell, lambda: self.cell(*given, **named))
        exchange.write_back()
        return to_torch(out)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # private: what looks into any object asks for such
            raise AttributeError(name)
        # no AttributeError: a forward that asks with hasattr must not go another way unseen
        raise TypeError(
            f"The forward of a torch module reads '{name}' of a child in whose place a "
            f"{type(self.cell).__name__} was put, which can only be called; replace the parent "
            "too, or put a torch module there and convert the whole again with from_torch."
        )


def collect_flat_weights(proxy: Any) -> None:
    """Renew torch's own list of a recurrent module's weights.

    Args:
        proxy (torch.nn.Module): the module.
    """
    proxy.__dict__["_flat_weights"] = [
        proxy._parameters.get(name) for name in proxy._flat_weights_names
    ]


def gradient_hooks(value: torch.Tensor, p: Parameter) -> str | None:
    """Carry a torch parameter's gradient hooks over; says what could not be carried.

    Args:
        value (torch.Tensor): the torch parameter.
        p (Parameter): what the hooks are registered with.
    """
    for hook in list((value._backward_hooks or {}).values()):

        def seen(grad: Tensor, hook: Callable[..., Any] = hook) -> Tensor | None:
            out = hook(grad._value)
            return None if out is None else wrap(out)

        p.register_hook(seen)
    if getattr(value, "_post_accumulate_grad_hooks", None):
        return "hooks after the accumulation of its gradient, which agar does not accumulate"
    return None
