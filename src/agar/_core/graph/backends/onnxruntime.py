"""ONNX Runtime as an engine.

NOTE Memory. Weights are not in the model's file: the session is given their memory, and its kernels
have them again in their own order; while it is made, there are two or three copies more. Inputs are
read and results written where they are.

NOTE Threads do not spin, neither within a call nor after it. On two idle cores, spinning makes a
small call sooner (44 us, not 68), but it takes a core for 20 ms after each call; and where other
work has the cores, calls take several times as long, since one waits for a thread that waits.

NOTE Costs. Compiling takes 50 ms for a small network and 1 s for a large one, without the
interpreter's lock; importing ONNX Runtime holds that for 22 ms, once. A call costs 20 us.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import torch

from agar._core.graph.backends import engine
from agar._core.graph.backends.onnx_nodes import OnnxNodes
from agar._core.lent import numpy_of

__all__ = ["ONNX_RUNTIME", "OnnxRuntime"]


class OnnxRuntime(engine.Engine):
    """See the module."""

    name = "ONNX Runtime"
    switch = "AGAR_ONNXRUNTIME"
    modules: dict[str, tuple[str, ...]] = {  # noqa: RUF012
        "onnxruntime": ("onnxruntime", "onnxruntime-gpu"),
        "onnx": ("onnx",),
    }

    def nodes(self) -> OnnxNodes:
        runtime = importlib.import_module("onnxruntime")
        version = tuple(int(n) for n in runtime.__version__.split(".")[:2])
        return OnnxNodes(centered=version < _EXACT_MEANS)

    def compile(
        self, nodes: engine.Nodes, parameters: list[Any], results: list[Any]
    ) -> engine.Compiled:
        assert isinstance(nodes, OnnxNodes)
        runtime = importlib.import_module("onnxruntime")
        model, weights = nodes.model(parameters, results)
        values = [runtime.OrtValue.ortvalue_from_numpy(numpy_of(t)) for t in weights.values()]
        options = runtime.SessionOptions()
        options.intra_op_num_threads = torch.get_num_threads()
        options.inter_op_num_threads = 1
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 4  # errors are raised
        options.use_deterministic_compute = True
        for name, value in _ENTRIES.items():
            options.add_session_config_entry(name, value)
        options.add_external_initializers(list(weights), values)
        session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        return _Compiled(session, values)


#: The one of this process.
ONNX_RUNTIME = OnnxRuntime()

#: Earlier versions lose digits in the mean of a normalization.
_EXACT_MEANS = (1, 32)
_ENTRIES = {
    # threads that spin after a call would take the cores from torch
    "session.intra_op.allow_spinning": "0",
    # a shape that is not as it was worked out is an error
    "session.strict_shape_type_inference": "1",
    # float32 is computed in float32
    "mlas.enable_gemm_fastmath_arm64_bfloat16": "0",
}


class _Compiled(engine.Compiled):
    def __init__(self, session: Any, weights: list[Any]) -> None:
        super().__init__()
        self.session = session
        self._weights = weights  # whose memory the session has
        self._inputs = [(entry.name, entry.shape) for entry in session.get_inputs()]
        self._outputs = [(entry.name, entry.shape) for entry in session.get_outputs()]

    def _request(self) -> Any:
        return self.session.io_binding(), {}

    def _run(self, request: Any, inputs: list[torch.Tensor], outputs: list[torch.Tensor]) -> None:
        binding, known = request
        for bind, entries, given in (
            (binding.bind_input, self._inputs, inputs),
            (binding.bind_output, self._outputs, outputs),
        ):
            for (name, shape), t in zip(entries, given, strict=True):
                address = t.data_ptr()
                if known.get(name) != address:
                    known.pop(name, None)
                    bind(name, "cpu", 0, np.float32, shape, address)
                    known[name] = address
        self.session.run_with_iobinding(binding)
