"""An index outside of its axis raises in compiled kernels too, and nothing is lost by it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from agar._core.graph.backends.inductor import available
from agar._core.graph.backends.kernel_errors import errors_leave_threads

KERNEL = """\
#include <torch/csrc/inductor/cpp_prefix.h>
extern "C"  void  kernel(const int64_t* in_ptr0,
                       float* out_ptr0)
{
    #pragma omp parallel num_threads(2)
    {
        int tid = omp_get_thread_num();
        {
            #pragma omp for collapse(2)
            for(int64_t x0=0; x0<4; x0+=1)
            {
                for(int64_t x1=0; x1<4; x1+=1)
                {
                    {
                        auto tmp0 = in_ptr0[x0];
                        TORCH_CHECK((0 <= tmp0) & (tmp0 < 3L), "index out of bounds");
                        out_ptr0[x0] = tmp0;
                    }
                }
            }
        }
        #pragma omp single
        {
            out_ptr0[0] = 1;
        }
    }
}
"""


def test_every_shared_loop_catches_and_the_function_throws():
    lines = [line.strip() for line in errors_leave_threads(KERNEL).split("\n")]
    assert lines.count("if (agar_error) std::rethrow_exception(agar_error);") == 1
    assert lines[-3:-1] == ["if (agar_error) std::rethrow_exception(agar_error);", "}"]
    tries = [i for i, line in enumerate(lines) if line.endswith("{ try {")]
    assert len(tries) == 2
    assert lines[tries[0] - 2].startswith("for(int64_t x1")  # OpenMP wants the two loops nested
    assert lines[tries[1] - 2] == "#pragma omp single"
    catches = [i for i, line in enumerate(lines) if line.startswith("} catch (...)")]
    assert len(catches) == 2
    text = "\n".join(lines)
    assert text.count("{") == text.count("}")


def test_kernels_that_cannot_throw_in_threads_stay_as_they_are():
    without_check = KERNEL.replace("TORCH_CHECK", "check")
    one_thread = KERNEL.replace("#pragma omp parallel num_threads(2)", "")
    assert errors_leave_threads(without_check) == without_check
    assert errors_leave_threads(one_thread) == one_thread


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("for(int64_t x1", "while (for_int64_t x1"),
        ("#pragma omp single\n        {", "#pragma omp single\n        out();{"),
        ('extern "C"', "static"),
        ("out_ptr0[0] = 1;", "{"),
    ],
)
def test_an_unknown_form_is_not_compiled(old, new):
    with pytest.raises(ValueError, match="generated kernel"):
        errors_leave_threads(KERNEL.replace(old, new, 1))


PROGRAM = """
import numpy as np
import torch
import agar as ms
from agar import nn, ops

torch.set_num_threads(2)
ms.set_seed(1)
rows, good = ops.ones((300, 64)), ms.Tensor([0, 2, -1, 7] * 25)
bad = ms.Tensor([500, 2, 1, 7] * 25)


def message(function, *args):
    try:
        function(*args)
    except RuntimeError as error:
        return str(error).split(" Given")[0].split(chr(10))[0]
    raise AssertionError("an index outside of its axis was accepted")


def same(function):
    compiled = ms.jit(function, jit_level="O1")
    for _ in range(4):
        compiled(rows, good)
    ms.graph.wait(compiled)
    assert "plan O1" in ms.graph.explain(compiled).text(times=False)
    for _ in range(8):
        out = compiled(rows, good)
    assert message(compiled, rows, bad) == message(function, rows, bad)
    np.testing.assert_allclose(compiled(rows, good).asnumpy(), out.asnumpy())


same(lambda x, i: (x[i] * 2).sum(1))
same(lambda x, i: (ops.gather(x, i, 0) * 2).sum(1))


class Tagger(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(300, 64)
        self.out = nn.Dense(64, 4)

    def construct(self, i, y):
        return ops.cross_entropy(self.out(ops.tanh(self.table(i)) * 2), y)


net = Tagger()
step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.01))
ms.set_context(mode=ms.GRAPH_MODE, jit_level="O1")
tokens, labels = ms.Tensor(np.arange(100) % 300), ms.Tensor(np.arange(100) % 4, ms.int32)
for _ in range(4):
    step(tokens, labels)
ms.graph.wait(step)
for _ in range(8):
    step(tokens, labels)
before = [p.asnumpy().copy() for p in step.get_parameters()]
assert "Embedding" in message(step, bad, labels), message(step, bad, labels)
for p, b in zip(step.get_parameters(), before, strict=True):
    np.testing.assert_array_equal(p.asnumpy(), b, err_msg=p.name)
step(tokens, labels)
print("the process lives")
"""


@pytest.mark.skipif(available() is not None, reason="nothing can be compiled here")
def test_an_index_outside_raises_as_in_python_and_changes_nothing(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    run = subprocess.run(
        [sys.executable, str(file)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "2"},
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout.strip().endswith("the process lives")
