"""GraphCell: an exported network as a Cell."""

from __future__ import annotations

from typing import Any

from agar._core.errors import describe, missing_feature
from agar._core.parameter import parameter_over
from agar._core.program import FuncGraph
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell

__all__ = ["GraphCell"]


class GraphCell(Cell):
    """A network that ``agar.export``, or MindSpore, wrote and ``agar.load`` read.

    Its parameters have the names and values of the exported network's and are the cell's own: they
    can be trained, saved, loaded into and moved with ``to``. The computation is fixed: a network
    exported in evaluation stays so whatever ``set_train`` says, and ``to_float`` does not reach
    into it.

    Args:
        graph (FuncGraph): what ``agar.load`` returned. Several cells may be made of one.
        params_init (dict): values for parameters, as Tensors or Parameters by name. Names that the
            network does not have are ignored. Default: None.
        obf_random_seed (int): must be None. Default: None.

    Inputs:
        - **inputs** (tuple[Tensor]) - Tensors in the structure in which the network was exported.
          Numbers, bool and None were taken as constants and are left out.

    Outputs: Those of the exported network.

    Raises:
        TypeError: `graph` is not a FuncGraph, `params_init` is not a dict of str to Tensor.
        ValueError: a value in `params_init` has another shape or dtype than the parameter.
        NotImplementedError: `obf_random_seed` is given.
        RuntimeError: inputs are not like those that were exported.

    Difference from PyTorch: ``torch.export.load(file).module()``; its file is pickled in part.

    Source: behavior observed in MindSpore 2.10, with these differences: parameters that were not
    trained stay so (there: all are trained); inputs may be tuples; gradients for parameters can be
    taken; every GraphCell has parameters of its own.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> net = ms.nn.Dense(3, 2, weight_init="ones")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "net.mindir")
        ...     x = ms.Tensor(shape=[None, 3], dtype=ms.float32)
        ...     ms.export(net, x, file_name=file, file_format="MINDIR")
        ...     graph = ms.load(file)
        >>> cell = ms.nn.GraphCell(graph, {"bias": ms.Tensor([1.0, 2.0])})
        >>> print(cell(ms.Tensor([[1.0, 2.0, 3.0]])))
        [[7. 8.]]
        >>> [p.name for p in cell.trainable_params()]
        ['weight', 'bias']
    """

    def __init__(
        self,
        graph: FuncGraph,
        params_init: dict[str, Tensor] | None = None,
        obf_random_seed: int | None = None,
    ) -> None:
        super().__init__()
        if obf_random_seed is not None:
            raise missing_feature(
                "GraphCell(obf_random_seed=...), obfuscation of networks,",
                "MindSpore has withdrawn it as well",
                "leave it out",
            )
        if not isinstance(graph, FuncGraph):
            raise TypeError(
                "For 'GraphCell', the argument 'graph' must be a FuncGraph, as agar.load(file) "
                f"returns it, but got {describe(graph)} of type {type(graph).__name__}."
            )
        given = {} if params_init is None else params_init
        if not isinstance(given, dict) or not all(
            isinstance(name, str) and isinstance(value, Tensor) for name, value in given.items()
        ):
            raise TypeError(
                "For 'GraphCell', 'params_init' must be a dict of str to Tensor or Parameter, but "
                f"got {describe(params_init)}."
            )
        self.graph = graph
        for name, trained in graph.parameters:
            value = graph.tensors[name]
            new = given.get(name)
            if new is not None:
                if new.shape != tuple(value.shape) or new._value.dtype is not value.dtype:
                    raise ValueError(
                        f"For 'GraphCell', the value for the parameter '{name}' must have its "
                        f"shape and dtype, which are those of {describe(wrap(value))}, but got "
                        f"{describe(new)}."
                    )
                value = new._value.detach()
            result = parameter_over(value.clone(), name, trained)
            self.insert_param_to_cell(name, result, check_name_contain_dot=False, attribute=False)
        for name in (*graph.buffers, *graph.constants):
            self._buffers[name] = wrap(graph.tensors[name].clone())
        # constants belong to the computation: no state_dict and no checkpoint has them
        self.__dict__["_transient_buffers"] = set(graph.constants)

    def construct(self, *inputs: Any) -> Any:
        """Run the exported network over this cell's parameters."""
        graph = self.graph
        state: list[Any] = [self._params[name] for name, _ in graph.parameters]
        state += [self._buffers[name] for name in (*graph.buffers, *graph.constants)]
        return graph.run([t._value for t in state], inputs)
