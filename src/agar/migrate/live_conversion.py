"""A PyTorch network as Cells at once, over the same weights.

Modules that the table of rules knows become agar's cells. A module with a forward of its own stays
PyTorch code in a :class:`ForeignCell`, whose children are cells nevertheless: its forward runs over
proxies (see `agar.migrate.proxies`) that hand their calls to the cells.

NOTE When a module is known. Its class has a rule, or inherits everything that it computes from one
that has; the rule takes the instance; every weight has its place in the cell, in the same memory;
and nothing hangs on the object that changes what it computes (hooks, parametrizations, a forward
set on the instance).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

# torch modules are what this file is about
import torch
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter
from torch.nn.utils import parametrize

from agar._core.errors import describe
from agar._core.parameter import Parameter, parameter_over
from agar._core.tensor import Tensor, wrap
from agar.migrate import rules
from agar.migrate.fallback import Foreign, ForeignCell, class_name, foreign, native_fraction
from agar.migrate.proxies import CALL, collect_flat_weights, gradient_hooks, proxy_of
from agar.migrate.proxy_attributes import Rewiring
from agar.migrate.proxy_calls import Bridge
from agar.migrate.proxy_sync import place, put_in_place
from agar.migrate.proxy_tree import ToldPhase, Tree
from agar.migrate.rules import Rule, RuleRefused
from agar.migrate.rules._rule import TRANSFORMS
from agar.nn.cell import Cell
from agar.nn.layer.container import CellDict, CellList, SequentialCell
from agar.nn.layer.transformer import MultiheadAttention
from agar.nn.torch_cell import TorchCell
from agar.nn.utils import no_init_parameters

__all__ = ["Foreign", "ForeignCell", "foreign", "from_torch", "native_fraction", "rule_of"]

_CONTAINERS: dict[type, type[Cell]] = {
    torch.nn.Sequential: SequentialCell,
    torch.nn.ModuleList: CellList,
    torch.nn.ModuleDict: CellDict,
}
_HOLDERS = (torch.nn.ParameterList, torch.nn.ParameterDict)
#: What a subclass may define anew without computing anything else.
_HARMLESS = frozenset(
    {
        *("__init__", "__module__", "__doc__", "__qualname__", "__repr__", "__annotations__"),
        *("__dict__", "__weakref__", "__constants__", "__annotate__", "__annotate_func__"),
        *("__conditional_annotations__", "__static_attributes__", "__firstlineno__"),
        *("__parameters__", "__orig_bases__", "__slots__", "__class_getitem__"),
        *("__init_subclass__", "_get_name", "extra_repr", "reset_parameters"),
        *("_reset_parameters", "from_float", "from_pretrained", "_load_from_state_dict"),
        *("_save_to_state_dict", "_version", "_init_weights"),
    }
)
#: What has a row in the table and is no layer.
_NO_LAYERS = (object, torch.nn.Module, *_CONTAINERS)
#: Layers that draw differently: torch's computes in evaluation what the cell draws.
_UNEQUAL = {
    "torch.nn.RReLU": "its cell draws slopes in evaluation too, where PyTorch takes their mean",
}
#: Modules that may return their input, or a view of it.
_PASSING = ("Identity", "Flatten", "Unflatten", "Dropout", "Sequential")


class _Holder(Cell):
    """The parameters of a ParameterList or ParameterDict, which computes nothing."""


def from_torch(module: torch.nn.Module) -> Cell:
    """A Cell tree that computes what a torch module computes, over the same weights.

    Known modules become agar's cells, Sequential, ModuleList and ModuleDict become SequentialCell,
    CellList and CellDict, under the same paths. A module with a forward of its own becomes a
    ForeignCell: its forward goes on running in PyTorch, and its children are cells. :func:`foreign`
    lists these with the reasons. Nothing is copied: an optimizer's step on the cell is seen by the
    module. The module itself is not changed, and goes on working.

    Args:
        module (torch.nn.Module): the network.

    Returns:
        Cell, in the module's train mode (for every cell that of its module).

    Raises:
        TypeError: `module` is no torch module, or one that only splits its work over devices.
        ValueError: it has parameters that its first call will make, or contains itself.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> import agar as ms, torch
        >>> net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
        >>> cell = ms.migrate.from_torch(net)
        >>> cell(ms.Tensor([[1.0, 2.0]])).shape
        (1, 3)
        >>> ms.migrate.live_conversion.foreign(cell)
        []
    """
    _check(module)
    return _Builder(module).build()


def convert_inside(tree: Tree, module: torch.nn.Module) -> tuple[Cell, torch.nn.Module]:
    """Convert a module that torch code put into a converted network.

    Args:
        tree (Tree): the network's.
        module (torch.nn.Module): the module.

    Returns:
        tuple[Cell, torch.nn.Module], its cell, and what torch code finds in its place.

    Raises:
        TypeError: it only splits its work over devices.
        ValueError: it has parameters that its first call will make, or contains itself.
    """
    _check(module)
    builder = _Builder(module, tree)
    return builder.build(), builder.proxies[id(module)]


def rule_of(module: torch.nn.Module) -> tuple[Rule | None, str]:
    """The rule by which a module becomes a cell, or None and why there is none.

    Args:
        module (torch.nn.Module): the module.
    """
    kind = type(module)
    for base in kind.__mro__:
        rule = None if base in _NO_LAYERS else rules.find(base)
        if rule is not None and rule.kind == "module":
            break
    else:
        return None, (
            "its forward is PyTorch code of its own"
            if module._modules
            else "there is no rule for it"
        )
    if parametrize.is_parametrized(module):
        return None, "its weights are computed by parametrizations"
    changed = sorted(
        name
        for between in kind.__mro__[: kind.__mro__.index(base)]
        for name in vars(between)
        if name not in _HARMLESS and hasattr(base, name)
    )
    if changed:
        return None, f"it is a {base.__name__} with a {', '.join(changed[:4])} of its own"
    if not rule.cases or rule.source in _UNEQUAL:
        return None, _UNEQUAL.get(rule.source) or rule.reason or "it has no counterpart"
    return rule, _attached(module)


def _attached(module: torch.nn.Module) -> str:
    """What hangs on a module and changes what it computes, in words; empty if nothing does."""
    if "forward" in module.__dict__:
        return "a forward was set on the object"
    for name, what in (
        ("_forward_pre_hooks", "forward pre-hooks"),
        ("_forward_hooks", "forward hooks"),
        ("_backward_hooks", "backward hooks"),
        ("_backward_pre_hooks", "backward pre-hooks"),
    ):
        if module.__dict__.get(name):
            return f"it has {what}, which PyTorch runs"
    return ""


def _check(module: Any) -> None:
    if isinstance(module, Cell):
        raise TypeError(
            "For 'from_torch', 'module' must be a torch.nn.Module, but got a Cell "
            f"({type(module).__name__}): it needs no conversion."
        )
    if not isinstance(module, torch.nn.Module):
        hint = " Make an instance first." if isinstance(module, type) else ""
        raise TypeError(
            f"For 'from_torch', 'module' must be a torch.nn.Module, but got {describe(module)}."
            + hint
        )
    waiting = []
    for path, part in module.named_modules():
        if type(part).__name__ in ("DataParallel", "DistributedDataParallel") and hasattr(
            part, "module"
        ):
            raise TypeError(
                f"For 'from_torch', '{path or 'module'}' is a {type(part).__name__}, which splits "
                "the work over devices and computes nothing itself; give its '.module'."
            )
        waiting += [
            f"{path}.{name}" if path else name
            for name, p in [*part._parameters.items(), *part._buffers.items()]
            if isinstance(p, (UninitializedParameter, UninitializedBuffer))
        ]
    if waiting:
        raise ValueError(
            f"For 'from_torch', {', '.join(waiting[:5])}"
            + (f" and {len(waiting) - 5} more" if len(waiting) > 5 else "")
            + " are not initialized yet: run the module once on an input, then convert it."
        )


class _Place(NamedTuple):
    """Where one entry of a module's state goes in its cell."""

    name: str
    value: torch.Tensor
    target: str
    viewed: torch.Tensor
    transform: str


class _Builder:
    """One conversion: what was made of which module, parameter and buffer."""

    def __init__(self, root: torch.nn.Module, tree: Tree | None = None) -> None:
        self.root = root
        self.tree = Tree() if tree is None else tree
        self.cells: dict[int, Cell] = {}
        self.proxies: dict[int, torch.nn.Module] = {}
        #: what stands for a torch tensor, and the transform between them
        self.held: dict[int, tuple[Tensor, str]] = {}
        self._open: set[int] = set()
        for cell, proxy in self.tree.child_proxies:
            self.cells[id(proxy)] = cell
            self.proxies[id(proxy)] = proxy
        for link in self.tree.weights:
            held = link.held
            if held is not None and link.transform is None:
                self.held[id(held._value)] = (held, "same")

    def build(self) -> Cell:
        for path, module in self.root.named_modules():
            reason = _opaque(module)
            if reason:
                self._opaque(module, path, reason)
        cell = self._cell(self.root, "")
        self._rewire()
        for bridge in self.tree.bridges:
            if bridge.kind is None:
                bridge.settle()
        if self.tree.root is None:
            self.tree.root = cell
            self.tree.rest()
            cell.update_parameters_name()
        return cell

    # ---------------------------------------------------------------------- the tree

    def _cell(self, module: torch.nn.Module, path: str) -> Cell:
        held = self.cells.get(id(module))
        if held is not None:
            return held
        if id(module) in self._open:
            raise ValueError(f"For 'from_torch', the module '{path}' contains itself.")
        self._open.add(id(module))
        proxy = self.proxies[id(module)] = proxy_of(module)
        cell = self._container(module, proxy, path)
        if cell is None:
            reason = ""
            rule, reason = rule_of(module)
            if rule is not None and not reason:
                cell, reason = self._native(rule, module, proxy)
            if cell is None:
                cell = self._foreign(module, proxy, path, reason)
        self._open.discard(id(module))
        self.cells[id(module)] = cell
        self.tree.modes.append((cell, proxy))
        if not isinstance(cell, (CellList, CellDict, _Holder)):
            bridge = Bridge(
                cell, proxy, isinstance(cell, ForeignCell), self.tree.bypassed, self.tree
            )
            proxy.__dict__[CALL] = bridge
            self.tree.bridges.append(bridge)
            self.tree.version += 1
        cell.__dict__["torch_class"] = class_name(type(module))
        # a layer that is made of several cells has none of the module's children
        if isinstance(cell, (ForeignCell, *_CONTAINERS.values())) and (
            cell._cells.keys() == proxy._modules.keys()
        ):
            seen = {n: (c, proxy._modules[n]) for n, c in cell._cells.items()}
            self.tree.parents.append((cell, proxy, seen))
        self.tree.child_proxies.append((cell, proxy))
        if type(module).train is not torch.nn.Module.train:
            self.tree.switches.append([cell, proxy, module.training])
            cell.__dict__["_phase"] = ToldPhase(cell.__dict__["_phase"])
        return cell

    def _children(
        self, module: torch.nn.Module, proxy: torch.nn.Module, path: str
    ) -> dict[str, Cell | None]:
        children: dict[str, Cell | None] = {}
        for name, child in module._modules.items():
            if child is None:
                children[name] = None
                proxy._modules[name] = None
            else:
                children[name] = self._cell(child, f"{path}.{name}" if path else name)
                proxy._modules[name] = self.proxies[id(child)]
        return children

    def _container(self, module: torch.nn.Module, proxy: torch.nn.Module, path: str) -> Cell | None:
        """The cell of a module that only keeps others."""
        if isinstance(module, _HOLDERS) and not module._modules:
            cell: Cell = _Holder()
            self._hold(cell, module, proxy)
            return cell
        base = next((b for b in _CONTAINERS if isinstance(module, b)), None)
        if base is None or _attached(module) or module._parameters or module._buffers:
            return None
        if any(child is None for child in module._modules.values()):
            return None
        changed = base is torch.nn.Sequential and any(
            n in vars(between)
            for between in type(module).__mro__[: type(module).__mro__.index(base)]
            for n in ("forward", "__call__", "__iter__", "__getattr__")
        )
        lists = base is not torch.nn.Sequential and (
            type(module).forward is not base.forward  # a list that can be called
            or type(module).__call__ is not torch.nn.Module.__call__
        )
        if changed or lists or (base is torch.nn.Sequential and _writes_input(module)):
            return None
        if base is torch.nn.ModuleDict and any(hasattr(Cell, n) for n in module._modules):
            return None
        children = self._children(module, proxy, path)
        cell = _CONTAINERS[base]()
        for name, child in children.items():
            place(cell, "_cells", name, child)
        cell.__dict__["training"] = module.training
        return cell

    def _foreign(
        self, module: torch.nn.Module, proxy: torch.nn.Module, path: str, reason: str
    ) -> Cell:
        cell = ForeignCell(proxy, self.tree, reason or "there is no rule for it")
        if _CONTAINERS.get(type(module)) is SequentialCell and not _attached(module):
            cell.__dict__["reason"] = "a module inside overwrites what others may hold"
        self._hold(cell, module, proxy)
        for name, child in self._children(module, proxy, path).items():
            place(cell, "_cells", name, child)
        if isinstance(proxy, torch.nn.RNNBase):
            self.tree.recurrent.append(proxy)
            collect_flat_weights(proxy)
        return cell

    def _opaque(self, module: torch.nn.Module, path: str, reason: str) -> None:
        """A module that cannot be taken apart: it runs as it is, with everything in it."""
        if id(module) in self.cells:
            return
        cell = TorchCell(module)
        cell.__dict__.update(reason=reason, torch_class=class_name(type(module)))
        for name, value in module.named_parameters():
            known = self.held.get(id(value))
            if known is not None:
                cell._params[name] = known[0]  # pyright: ignore[reportArgumentType]
            else:
                self.held[id(value)] = (cell._params[name], "same")  # pyright: ignore[reportArgumentType]
        self.proxies[id(module)] = module
        self.cells[id(module)] = cell
        for _, part in module.named_modules():
            self.cells.setdefault(id(part), cell)
            self.proxies.setdefault(id(part), part)

    # ------------------------------------------------------------------- the tensors

    def _hold(self, cell: Cell, module: torch.nn.Module, proxy: torch.nn.Module) -> None:
        """Give a cell the parameters and buffers that the module holds itself."""
        self.tree.holders.append((cell, proxy))
        for name, value in module._parameters.items():
            if value is None:
                continue
            p, transform = self._parameter(value, name)
            place(cell, "_params", name, p)
            self._bind(proxy._parameters, name, cell, name, transform)
        for name, value in module._buffers.items():
            if value is None:
                cell._buffers[name] = None
                continue
            known = self.held.setdefault(id(value), (wrap(value), "same"))[0]
            if isinstance(known, Parameter):  # shared with a cell's running statistics
                known = wrap(known._value)
            place(cell, "_buffers", name, known)
            if name in module._non_persistent_buffers_set:
                cell.__dict__.setdefault("_transient_buffers", set()).add(name)

    def _parameter(self, value: torch.Tensor, name: str) -> tuple[Parameter, str]:
        held = self.held.get(id(value))
        if held is not None and isinstance(held[0], Parameter):
            return held[0], held[1]
        parameter = parameter_over(value.detach(), name, value.requires_grad)
        self._carry_hooks(value, parameter, name)
        self.held[id(value)] = (parameter, "same")
        return parameter, "same"

    def _carry_hooks(self, value: torch.Tensor, parameter: Parameter, name: str) -> None:
        lost = gradient_hooks(value, parameter)
        if lost:
            warnings.warn(
                f"from_torch: the parameter '{name}' has {lost}; they do not run in the cell.",
                stacklevel=2,
            )

    def _bind(
        self,
        home: dict[str, Any],
        name: str,
        owner: Cell,
        key: str,
        transform: str,
        buffer: bool = False,
    ) -> None:
        ways: tuple[Callable[..., Any], ...] | None = None
        if transform != "same":
            ways = TRANSFORMS[transform]
            if transform == "flat":
                ways = (ways[0], _Reshaped(home[name].shape))
        self.tree.link(home, name, owner, key, ways, buffer)

    # -------------------------------------------------------------------- known modules

    def _native(
        self, rule: Rule, module: torch.nn.Module, proxy: torch.nn.Module
    ) -> tuple[Cell | None, str]:
        """The cell that the rule builds, over the module's weights; or why it cannot be."""
        try:
            with no_init_parameters():
                cell = rule.build(module)
        except RuleRefused as error:
            return None, str(error)
        except (
            AttributeError,
            KeyError,
            NotImplementedError,
            RuntimeError,
            TypeError,
            ValueError,
        ) as e:
            return (
                None,
                f"{rule.target} does not take it: {str(e).splitlines()[0] if str(e) else e!r}",
            )
        if not isinstance(cell, Cell):
            return None, f"its counterpart {rule.target} is no cell"
        places, left, reason = self._places(rule, module, cell)
        names = {p.name: (p.target, p.transform) for p in places}
        if reason:
            return None, reason
        inner = {path: part for path, part in module.named_modules() if path}
        for path, part in inner.items():
            if id(part) in self.cells or id(part) in self.proxies:
                return None, f"the module inside of it, '{path}', is used elsewhere too"
            if part.training is not module.training:
                return None, f"the module inside of it, '{path}', is in another mode"
        self._fill(cell, places)
        self._proxies_inside(module, proxy, proxy)
        for spot in places:
            home, _, name = spot.name.rpartition(".")
            owner = proxy.get_submodule(home)
            kind = owner._parameters if name in owner._parameters else owner._buffers
            at, _, key = spot.target.rpartition(".")
            self._bind(
                kind, name, cell.get_sub_cell(at), key, spot.transform, kind is owner._buffers
            )
        cell.set_train(module.training)
        if isinstance(cell, MultiheadAttention):
            cell.__dict__["_pair"] = True
        stated = [n for n in module.state_dict(keep_vars=True) if n in names or n in left]
        cell.__dict__.update(
            torch_rule=rule.source,
            torch_names={n: names.get(n) for n in stated},
            torch_extras=left,
        )
        if isinstance(proxy, torch.nn.RNNBase):
            self.tree.recurrent.append(proxy)
            collect_flat_weights(proxy)
        return cell, ""

    def _proxies_inside(
        self, module: torch.nn.Module, proxy: torch.nn.Module, whole: torch.nn.Module
    ) -> None:
        """Proxies of what is inside a module that one cell stands for as a whole."""
        for name, child in module._modules.items():
            if child is None:
                proxy._modules[name] = None
                continue
            inner_proxy = self.proxies[id(child)] = proxy_of(child)
            proxy._modules[name] = inner_proxy
            self.tree.inner.append((whole, inner_proxy))
            self._proxies_inside(child, inner_proxy, whole)

    def _places(
        self, rule: Rule, module: torch.nn.Module, cell: Cell
    ) -> tuple[list[_Place], dict[str, torch.Tensor], str]:
        """Where each entry goes, what the cell does not keep, and what does not fit."""
        parameters = dict(module.named_parameters(remove_duplicate=False))
        entries = {**parameters, **dict(module.named_buffers(remove_duplicate=False))}
        names = rule.weight_names(list(entries), module)
        targets: dict[str, Tensor] = dict(_paths(cell))
        places: list[_Place] = []
        left = {n: v for n, v in entries.items() if n not in names}
        for name, value in entries.items():
            if name in left:
                if name in parameters:
                    return [], {}, f"the cell has no place for its parameter '{name}'"
                continue
            target, transform = names[name]
            if target not in targets:
                if name in parameters:
                    return [], {}, f"{type(cell).__name__} has no parameter '{target}'"
                left[name] = value
                continue
            viewed = TRANSFORMS[transform][0](value.detach())
            if viewed.shape != targets[target].shape:
                return (
                    [],
                    {},
                    (
                        f"'{name}' has shape {tuple(viewed.shape)}, the cell's '{target}' "
                        f"{tuple(targets[target].shape)}"
                    ),
                )
            if value.numel() and not _one_memory(viewed, value):
                return [], {}, f"'{name}' cannot be shared: its memory is laid out otherwise"
            known = self.held.get(id(value))
            if known is not None and (known[1] != transform or not isinstance(known[0], Parameter)):
                return [], {}, f"'{name}' is shared with a module that keeps it in another form"
            places.append(_Place(name, value, target, viewed, transform))
        taken = {p.target for p in places}
        for target, held in targets.items():
            if target not in taken and isinstance(held, Parameter) and held.requires_grad:
                return [], {}, f"{type(cell).__name__} has a weight '{target}' of its own"
        return places, left, ""

    def _fill(self, cell: Cell, places: list[_Place]) -> None:
        targets = dict(_paths(cell))
        for spot in places:
            target = targets[spot.target]
            known = self.held.get(id(spot.value))
            if known is not None:
                put_in_place(cell, spot.target, target, known[0])
                continue
            target._value = spot.viewed
            self.held[id(spot.value)] = (target, spot.transform)
            if isinstance(target, Parameter):
                vars(target)["_requires_grad"] = spot.value.requires_grad
                self._carry_hooks(spot.value, target, spot.name)
        taken = {p.target for p in places}
        like = next((p.viewed for p in places if p.viewed.is_floating_point()), None)
        for name, held in targets.items():
            # what the cell keeps and the module does not, such as gamma of an affine=False layer
            if name not in taken and like is not None and held._value.is_floating_point():
                held._value = held._value.to(like.device, like.dtype)

    # ----------------------------------------------------------------------- the end

    def _rewire(self) -> None:
        known: dict[int, Any] = {}
        for module in self.root.modules():
            proxy = self.proxies.get(id(module))
            if proxy is None or proxy is module:
                continue
            known[id(module)] = proxy
            for name, value in module._parameters.items():
                if value is not None:
                    known[id(value)] = proxy._parameters[name]
        rewiring = Rewiring(known)
        for module in self.root.modules():
            proxy = self.proxies.get(id(module))
            if proxy is not None and proxy is not module:
                rewiring.attributes(proxy)


class _Reshaped:
    """The way back from a flattened weight."""

    def __init__(self, shape: torch.Size) -> None:
        self.shape = shape

    def __call__(self, value: torch.Tensor) -> torch.Tensor:
        return value.reshape(self.shape)


def _opaque(module: torch.nn.Module) -> str:
    if isinstance(module, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        return "it is compiled by TorchScript and cannot be looked into"
    if type(module).__name__ == "OptimizedModule" and hasattr(module, "_orig_mod"):
        return "it is compiled by torch.compile; convert its '_orig_mod' to look into it"
    for name, value in [*module._parameters.items(), *module._buffers.items()]:
        if value is not None and type(value) not in (
            torch.Tensor,
            torch.nn.Parameter,
            torch.nn.Buffer,
        ):
            return f"'{name}' is a tensor of its own kind, {type(value).__name__}"
        if value is not None and (value.is_sparse or value.is_quantized or value.is_nested):
            return f"'{name}' is no dense tensor"
    return ""


def _writes_input(sequence: torch.nn.Module) -> bool:
    """Whether a module in a sequence may overwrite a tensor that somebody else holds.

    torch's in-place modules do: what they overwrite must come from a module that has just made it.
    """
    fresh = False
    for child in sequence.children():
        kind = type(child)
        if getattr(child, "inplace", False) is True:
            if not fresh:
                return True
            continue
        rule, reason = rule_of(child)
        if rule is None or reason or any(word in kind.__name__ for word in _PASSING):
            fresh = False
        else:
            fresh = True
    return False


def _paths(cell: Cell) -> Iterator[tuple[str, Tensor]]:
    """Every parameter and buffer of a cell by its path."""
    for path, part in cell.cells_and_names():
        for name, value in [*part._params.items(), *part._buffers.items()]:
            if value is not None:
                yield (f"{path}.{name}" if path else name), value


def _one_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()
