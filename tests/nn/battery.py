"""One battery for every layer: what any Cell must do, whatever it computes.

``battery(make, inputs, torch_twin)`` takes a function that makes a fresh layer, its inputs as
arrays, and what torch computes from the same parameters and inputs. It checks, in this order:
output and names, parity with the twin in float64 forward and backward, gradients against finite
differences, state_dict, training and evaluation, float16 and bfloat16, an empty batch, copies.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

import agar as ms
from agar import nn
from agar._core.runtime import runtime

# The mantissas have 11 and 8 bits; a layer chains a few roundings.
HALF = {ms.float16: (2e-2, 5e-3), ms.bfloat16: (1e-1, 6e-2)}

Twin = Callable[..., Any]


def arrays(*shapes: tuple[int, ...], seed: int = 0) -> tuple[np.ndarray, ...]:
    """Normal numbers of the given shapes, distinct for every input."""
    rng = np.random.default_rng(seed)
    return tuple(rng.standard_normal(shape) for shape in shapes)


def battery(
    make: Callable[[], nn.Cell],
    inputs: Sequence[np.ndarray],
    torch_twin: Twin | None = None,
    *,
    names: Sequence[str] | None = None,
    text: str | None = None,
    gradient: bool = True,
    half: str = "computes",
    empty: bool = True,
) -> None:
    """Run all checks on a layer.

    Args:
        make: makes a fresh layer; called several times.
        inputs: arrays; floating ones become float32 tensors (float64 where it matters).
        torch_twin: ``twin(parameters, *inputs)`` computes the same with torch: a dict of float64
            tensors by attribute path, and the inputs. None if torch has no counterpart.
        names: the parameters' names in order, if they are to be checked.
        text: the layer's repr, if it is to be checked.
        gradient: whether the layer is differentiable where the inputs lie.
        half: what it does inside ``to_float``: "computes" in the narrow type, "moves" elements
            without a cast (views, or the input itself), or "refuses" (not tested).
        empty: whether the first dimension of the inputs may be empty.
    """
    ms.set_seed(1)
    cell = make()
    tensors = _tensors(inputs)
    out = cell(*tensors)
    _check_output(out, tensors)
    _check_names(make, names)
    if text is not None:
        assert repr(cell) == text
    assert type(cell).__name__ in repr(cell)
    if torch_twin is not None:
        check_parity(make, inputs, torch_twin)
    if gradient:
        check_gradient(make, inputs)
    _check_state(make, tensors)
    _check_modes(make, tensors)
    if half != "refuses":
        _check_half(make, tensors, moves=half == "moves")
    if empty:
        _check_empty(make, inputs)
    _check_copies(make, tensors)


def _tensors(inputs: Sequence[np.ndarray], dtype: Any = np.float32) -> list[ms.Tensor]:
    return [ms.Tensor(a.astype(dtype) if a.dtype.kind == "f" else a) for a in inputs]


def leaves(value: Any) -> list[ms.Tensor]:
    """The tensors in a nest of tuples and lists."""
    if isinstance(value, ms.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return []


def _floats(value: Any) -> list[ms.Tensor]:
    return [t for t in leaves(value) if t._value.is_floating_point()]


def _check_output(out: Any, tensors: list[ms.Tensor]) -> None:
    assert leaves(out)
    for t in _floats(out):
        assert t.dtype == ms.float32
        assert np.isfinite(t.asnumpy()).all()
    assert not any(t._value.requires_grad for t in leaves(out)), "nothing is recorded outside grad"


def _check_names(make: Callable[[], nn.Cell], names: Sequence[str] | None) -> None:
    cell = make()
    items = [p.name for p in cell.get_parameters()]
    if names is not None:
        assert items == list(names)
    parent = nn.Cell()
    parent.layer = make()
    parent.check_names()
    inside = [p.name for p in parent.get_parameters()]
    assert inside == [path for path, _ in parent.parameters_and_names()]
    assert all(name.startswith("layer.") for name in inside)
    assert len(inside) == len(items)


def _double(make: Callable[[], nn.Cell]) -> nn.Cell:
    ms.set_seed(2)
    return make().to(ms.float64)


def _weights(cell: nn.Cell) -> dict[str, ms.Parameter]:
    return dict(cell.parameters_and_names())


def _objective(outputs: list[torch.Tensor]) -> torch.Tensor:
    # a plain sum would hide errors: the gradient of sum(softmax(x)) is zero
    total = torch.zeros((), dtype=torch.float64)
    for i, t in enumerate(outputs):
        scale = torch.linspace(0.3, 1.7, t.numel(), dtype=torch.float64) + i
        total = total + (t.reshape(-1) * scale).sum()
    return total


def _agar_objective(outputs: Any) -> ms.Tensor:
    total = None
    for i, t in enumerate(_floats(outputs)):
        count = t.size
        scale = ms.Tensor(np.linspace(0.3, 1.7, count) + i)
        part = (t.reshape((count,)) * scale).sum()
        total = part if total is None else total + part
    assert total is not None
    return total


def agar_gradients(cell: nn.Cell, tensors: list[ms.Tensor]) -> tuple[list[np.ndarray], ...]:
    """Gradients of the objective for the floating inputs and for the trainable parameters."""
    positions = tuple(i for i, t in enumerate(tensors) if t._value.is_floating_point())
    weights = cell.trainable_params()
    if not positions and not weights:
        return [], []

    def objective(*args: ms.Tensor) -> ms.Tensor:
        return _agar_objective(cell(*args))

    result = ms.grad(objective, positions or None, weights or None)(*tensors)
    for_inputs, for_weights = result if positions and weights else (result, result)
    for_inputs = for_inputs if isinstance(for_inputs, tuple) else (for_inputs,)
    return (
        [g.asnumpy() for g in for_inputs] if positions else [],
        [g.asnumpy() for g in for_weights] if weights else [],
    )


def check_parity(
    make: Callable[[], nn.Cell], inputs: Sequence[np.ndarray], twin: Twin, *, train: bool = False
) -> None:
    """Output and gradients equal torch's in float64, with the same weights."""
    cell = _double(make).set_train(train)
    tensors = _tensors(inputs, np.float64)
    weights = _weights(cell)
    mirror = {
        name: torch.tensor(p.asnumpy(), requires_grad=p.requires_grad)
        for name, p in weights.items()
    }
    others = [torch.tensor(t.asnumpy()) for t in tensors]
    others = [t.requires_grad_() if t.is_floating_point() else t for t in others]
    expected = twin(mirror, *others)
    result = list(expected) if isinstance(expected, (tuple, list)) else [expected]
    got = leaves(cell(*tensors))
    assert len(got) == len(result)
    for ours, theirs in zip(got, result, strict=True):
        assert ours.shape == tuple(theirs.shape)
        np.testing.assert_allclose(
            ours.asnumpy(), theirs.detach().numpy(), rtol=1e-9, atol=1e-11, err_msg="output"
        )
    floating = [t for t in result if t.is_floating_point() and t.requires_grad]
    if not floating:
        return
    _objective(floating).backward()
    for_inputs, for_weights = agar_gradients(cell, tensors)
    sources = [t for t in others if t.is_floating_point()]
    for ours, theirs in zip(for_inputs, sources, strict=True):
        _same_gradient(ours, theirs, "input")
    trained = [name for name, p in weights.items() if p.requires_grad]
    for name, ours in zip(trained, for_weights, strict=True):
        _same_gradient(ours, mirror[name], name)


def _same_gradient(ours: np.ndarray, leaf: torch.Tensor, name: str) -> None:
    theirs = np.zeros_like(ours) if leaf.grad is None else leaf.grad.numpy()
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-10, err_msg=f"gradient of {name}")


def check_gradient(
    make: Callable[[], nn.Cell], inputs: Sequence[np.ndarray], *, train: bool = False
) -> None:
    """Gradients agree with finite differences along random directions, in float64."""
    cell = _double(make).set_train(train)
    tensors = _tensors(inputs, np.float64)
    for_inputs, for_weights = agar_gradients(cell, tensors)
    floating = [t for t in tensors if t._value.is_floating_point()]
    rng = np.random.default_rng(3)
    for holder, gradient in [
        *zip(floating, for_inputs, strict=True),
        *zip(cell.trainable_params(), for_weights, strict=True),
    ]:
        direction = rng.standard_normal(gradient.shape)
        numeric = _slope(cell, tensors, holder, direction)
        exact = float((gradient * direction).sum())
        np.testing.assert_allclose(exact, numeric, rtol=2e-5, atol=2e-7)


def _slope(cell: nn.Cell, tensors: list[ms.Tensor], holder: ms.Tensor, direction: Any) -> float:
    step = 1e-6
    origin = holder._value
    move = torch.tensor(direction, dtype=torch.float64, device=holder._value.device)
    values = []
    for sign in (1, -1):
        holder._value = origin.detach() + sign * step * move
        runtime.epoch += 1
        values.append(float(_agar_objective(cell(*tensors))))
    holder._value = origin
    runtime.epoch += 1
    return (values[0] - values[1]) / (2 * step)


def _check_state(make: Callable[[], nn.Cell], tensors: list[ms.Tensor]) -> None:
    ms.set_seed(4)
    first = make()
    ms.set_seed(5)
    second = make()
    missing, unexpected = second.load_state_dict(first.state_dict())
    assert not missing
    assert not unexpected
    ms.set_seed(6)
    expected = first(*tensors)
    ms.set_seed(6)
    _same(second(*tensors), expected)


def _same(got: Any, expected: Any) -> None:
    pairs = list(zip(leaves(got), leaves(expected), strict=True))
    assert pairs
    for ours, theirs in pairs:
        np.testing.assert_array_equal(ours.asnumpy(), theirs.asnumpy())


def _check_modes(make: Callable[[], nn.Cell], tensors: list[ms.Tensor]) -> None:
    cell = make()
    assert all(c.training is False for _, c in cell.cells_and_names())
    shapes = [t.shape for t in leaves(cell(*tensors))]
    assert cell.set_train() is cell
    assert all(c.training is True for _, c in cell.cells_and_names())
    trained = cell(*tensors)
    assert [t.shape for t in leaves(trained)] == shapes
    cell.set_train(False)
    assert [t.shape for t in leaves(cell(*tensors))] == shapes


def _check_half(make: Callable[[], nn.Cell], tensors: list[ms.Tensor], *, moves: bool) -> None:
    for dtype, (rtol, atol) in HALF.items():
        ms.set_seed(7)
        plain = make()
        ms.set_seed(7)
        narrow = make().to_float(dtype)
        ms.set_seed(8)
        expected = _floats(plain(*tensors))
        ms.set_seed(8)
        got = _floats(narrow(*tensors))
        assert len(got) == len(expected)
        for ours, theirs in zip(got, expected, strict=True):
            assert ours.dtype == (ms.float32 if moves else dtype)
            np.testing.assert_allclose(
                ours.astype(ms.float32).asnumpy(), theirs.asnumpy(), rtol=rtol, atol=atol
            )
        assert all(p.dtype != dtype for p in narrow.get_parameters()), "parameters keep their type"


def _check_empty(make: Callable[[], nn.Cell], inputs: Sequence[np.ndarray]) -> None:
    full = leaves(make()(*_tensors(inputs)))
    out = leaves(make()(*_tensors([a[:0] for a in inputs])))
    for ours, theirs in zip(out, full, strict=True):
        assert ours.shape == (0, *theirs.shape[1:])


def _check_copies(make: Callable[[], nn.Cell], tensors: list[ms.Tensor]) -> None:
    ms.set_seed(9)
    cell = make()
    expected = cell(*tensors)
    for twin in (copy.deepcopy(cell), pickle.loads(pickle.dumps(cell))):
        assert type(twin) is type(cell)
        assert [p.name for p in twin.get_parameters()] == [p.name for p in cell.get_parameters()]
        ms.set_seed(9)
        make()  # as many draws as before
        _same(twin(*tensors), expected)
        for p in twin.get_parameters():
            p._value.data.zero_()
    ms.set_seed(9)
    make()
    _same(cell(*tensors), expected)
