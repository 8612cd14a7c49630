"""What an inference engine is asked for: nodes of a model, its compilation, its calls.

Engines are libraries that compute float32 on the CPU: OpenVINO (openvino.py) and ONNX Runtime
(onnxruntime.py). Which operations may be theirs stands in engine_rules.py, for all of them.
"""

from __future__ import annotations

import abc
import functools
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

__all__ = ["Compiled", "Engine", "Nodes", "Untranslatable", "Window", "in_order"]


class Untranslatable(Exception):
    """An operation that the model cannot have; the text says why, for people."""


class Engine(abc.ABC):
    """A library that compiles models, where it is installed.

    Attributes:
        name: of its plan.
        switch: the environment variable that turns it off when it is 0.
        modules: what it needs, by module: the distributions that may have it.
        used: whether this process has compiled a model.
        forked: whether this process was forked from one that had.
    """

    name: str
    switch: str
    modules: dict[str, tuple[str, ...]]

    def __init__(self) -> None:
        self.used = self.forked = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """In a forked child: the threads are the parent's, and waiting for them is forever."""
        self.forked = self.forked or self.used

    def available(self) -> str | None:
        """None if there may be models here, else the reason why not, for people."""
        if os.environ.get(self.switch, "1") == "0":
            return f"the environment variable {self.switch} is 0"
        if self.forked:
            return f"the process was forked after its parent had used {self.name}"
        for module in self.modules:
            if module not in sys.modules and importlib.util.find_spec(module) is None:
                return f"{self.name} is not installed"
        return None

    @functools.cached_property
    def version(self) -> str:
        """The versions that are installed, without importing them; "" for none."""
        metadata = importlib.import_module("importlib.metadata")
        versions = []
        for distribution in [d for names in self.modules.values() for d in names]:
            try:
                versions.append(metadata.version(distribution))
            except metadata.PackageNotFoundError:
                continue
        return " ".join(versions)

    @abc.abstractmethod
    def nodes(self) -> Nodes:
        """A new model without nodes."""

    @abc.abstractmethod
    def compile(self, nodes: Any, parameters: list[Any], results: list[Any]) -> Compiled:
        """The model of these inputs and outputs, compiled for the threads that torch has."""


class Compiled(abc.ABC):
    """A compiled model. Each thread that runs it has a request, which no other thread uses."""

    def __init__(self) -> None:
        self._requests: list[Any] = []

    def infer(self, inputs: list[torch.Tensor], outputs: list[torch.Tensor]) -> None:
        """Compute outputs, which are written where they are, as inputs are read.

        Args:
            inputs: contiguous, float32, of the shapes of the parameters.
            outputs: contiguous, float32, of the shapes of the results.
        """
        try:
            request = self._requests.pop()
        except IndexError:
            request = self._request()
        self._run(request, inputs, outputs)
        self._requests.append(request)

    @abc.abstractmethod
    def _request(self) -> Any:
        """What a thread needs to run the model."""

    @abc.abstractmethod
    def _run(
        self, request: Any, inputs: list[torch.Tensor], outputs: list[torch.Tensor]
    ) -> None: ...


def in_order(t: torch.Tensor, gates: Sequence[int]) -> torch.Tensor:
    """Weights of an LSTM with their gates (input, forget, cell, output) in another order."""
    return torch.cat([t.chunk(4)[gate] for gate in gates])


class Window(NamedTuple):
    """How a convolution or pooling goes over a picture: numbers for each of its dimensions."""

    kernel: list[int]
    stride: list[int]
    padding: list[int]
    dilation: list[int]


class Nodes(abc.ABC):
    """A model that is being made: each method adds a node.

    What methods take and give are outputs of nodes, with a `shape`; weights and biases are tensors
    that do not change. Names and arguments mean what they mean in torch; dimensions are not
    negative. A method raises Untranslatable where the engine has nothing as exact.
    """

    def __init__(self) -> None:
        self._constants: dict[int, tuple[torch.Tensor, Any]] = {}

    def constant(self, t: torch.Tensor) -> Any:
        """A tensor that does not change, whose memory is shared where it can be."""
        known = self._constants.get(id(t))
        if known is None:
            if t.dtype is not torch.float32:
                raise Untranslatable(f"a constant is of {t.dtype}")
            block = t.detach().contiguous()
            known = self._constants[id(t)] = (t, self._constant(block))
        return known[1]

    @abc.abstractmethod
    def _constant(self, block: torch.Tensor) -> Any: ...

    @abc.abstractmethod
    def scalar(self, value: float) -> Any:
        """A number of float32, without dimensions."""

    @abc.abstractmethod
    def parameter(self, shape: Sequence[int]) -> Any:
        """An input of the model."""

    @abc.abstractmethod
    def elementwise(self, name: str, *taken: Any) -> Any:
        """An operation on each element: add sub mul div neg abs exp, or an activation's name."""

    @abc.abstractmethod
    def leaky_relu(self, x: Any, slope: float) -> Any: ...

    @abc.abstractmethod
    def clamp(self, x: Any, low: float, high: float) -> Any: ...

    @abc.abstractmethod
    def convolution(
        self,
        x: Any,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        window: Window,
        groups: int,
        output_padding: list[int] | None = None,
    ) -> Any:
        """A convolution, or a transposed one if `output_padding` is not None."""

    @abc.abstractmethod
    def matmul(self, x: Any, y: Any, transpose: bool = False, bias: Any = None) -> Any:
        """``x @ y``, or ``x @ y.mT``, and what is added to it."""

    @abc.abstractmethod
    def lstm(
        self, x: Any, weights: Sequence[torch.Tensor], h: Any, c: Any, reverse: bool
    ) -> list[Any]:
        """One direction of one layer.

        Args:
            x: of shape `(time, batch, inputs)`.
            weights: those of `nn.LSTM`: for inputs, for states, and both biases.
            h: the state before, of shape `(batch, units)`.
            c: the cell's.
            reverse: whether time goes from the last step to the first.

        Returns:
            The results of all steps, and both states at the end.
        """

    @abc.abstractmethod
    def layer_norm(
        self,
        x: Any,
        dims: list[int],
        weight: torch.Tensor | None,
        bias: torch.Tensor | None,
        eps: float,
    ) -> Any: ...

    @abc.abstractmethod
    def group_norm(
        self,
        x: Any,
        groups: int,
        weight: torch.Tensor | None,
        bias: torch.Tensor | None,
        eps: float,
    ) -> Any: ...

    @abc.abstractmethod
    def softmax(self, x: Any, dim: int, log: bool = False) -> Any: ...

    @abc.abstractmethod
    def max_pool(self, x: Any, window: Window, ceil: bool) -> Any: ...

    @abc.abstractmethod
    def avg_pool(self, x: Any, window: Window, count_padding: bool) -> Any: ...

    @abc.abstractmethod
    def reduce(self, name: str, x: Any, dims: list[int], keep: bool) -> Any:
        """One number of all along dimensions: mean, sum or amax."""

    @abc.abstractmethod
    def reshape(self, x: Any, shape: Sequence[int]) -> Any: ...

    @abc.abstractmethod
    def permute(self, x: Any, order: Sequence[int]) -> Any: ...

    @abc.abstractmethod
    def expand(self, x: Any, shape: Sequence[int]) -> Any: ...

    @abc.abstractmethod
    def cat(self, parts: list[Any], dim: int) -> Any: ...

    @abc.abstractmethod
    def split(self, x: Any, dim: int, sizes: list[int]) -> list[Any]: ...

    @abc.abstractmethod
    def slice(self, x: Any, dim: int, start: int, end: int, step: int) -> Any: ...

    @abc.abstractmethod
    def pad(self, x: Any, begin: list[int], end: list[int], value: float) -> Any: ...

    @abc.abstractmethod
    def pixel_shuffle(self, x: Any, factor: int) -> Any: ...
