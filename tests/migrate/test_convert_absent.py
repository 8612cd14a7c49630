"""What a program asks of PyTorch itself, in a program that has no PyTorch."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar.migrate.conversion import convert, convert_text


def body(code: str, **kwargs: Any) -> str:
    """The converted text from its first line that is no helper."""
    made = convert_text("import torch\n" + dedent(code), **kwargs)
    assert "import torch" not in made.code
    return made.code


def run(code: str) -> dict[str, Any]:
    """The names of a converted text, with MindSpore's name for agar."""
    text = (
        body(code).replace("from mindspore", "from agar").replace("import mindspore", "import agar")
    )
    names: dict[str, Any] = {"__name__": "converted"}
    module = types.ModuleType("converted")
    sys.modules["converted"] = module
    try:
        exec(text, names)
    finally:
        del sys.modules["converted"]
    return names


def test_a_library_of_operators_cannot_be_loaded() -> None:
    names = run(
        """
        def available(path):
            try:
                torch.ops.load_library(path)
                return True
            except (ImportError, OSError) as error:
                return str(error)


        FOUND = available("lib.so")
        """
    )
    assert names["FOUND"].startswith("lib.so has operators of PyTorch")


def test_what_pytorch_is_asked_for_is_decided() -> None:
    names = run(
        """
        from torch import nn

        SYM = getattr(torch, "SymInt", int)
        DISABLE = getattr(getattr(torch, "compiler", None), "disable", None) or "own"
        HALF = getattr(torch, "float16", None)
        KIND = getattr(nn, "Linear")
        SILU = "silu" in dir(torch.nn.functional)
        OTHER = "nothing_of_this_name" not in dir(nn)
        NAMES = "append" in dir([])
        """
    )
    assert names["SYM"] is int
    assert names["DISABLE"] == "own"
    assert names["HALF"] is ms.float16
    assert isinstance(names["KIND"](3, 4), ms.nn.Cell)
    assert (names["SILU"], names["OTHER"], names["NAMES"]) == (True, True, True)


def test_the_module_itself_is_marked() -> None:
    names = run(
        """
        import torch.nn as nn

        def dtype_of(name):
            return getattr(torch, name)


        PARTS = {"torch": torch}
        """
    )
    with pytest.raises(NotImplementedError, match="used as a value"):
        names["dtype_of"]("float32")()
    with pytest.raises(NotImplementedError, match="used as a value"):
        names["PARTS"]["torch"]()


def test_an_assertion_with_a_text_over_several_lines() -> None:
    names = run(
        """
        def f(x):
            torch._assert(
                x > 0
                and x < 5,
                "of several "
                "parts",
            )
            return x
        """
    )
    assert names["f"](3) == 3
    with pytest.raises(AssertionError, match="of several parts"):
        names["f"](7)


def test_names_of_pytorch_that_a_star_import_passes_on(tmp_path: Path) -> None:
    folder = tmp_path / "acts"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "base.py").write_text("import torch\nfrom torch.nn import functional as F\n")
    (folder / "more.py").write_text("from .base import *\n")
    (folder / "table.py").write_text(
        'from .more import *\n\nTABLE = dict(relu=F.relu, has="relu" in dir(torch))\n'
    )
    files = {Path(f.path).name: f for f in convert(folder, target="mindspore").files}
    assert not any(f.error for f in files.values())
    assert "import torch" not in files["table.py"].code
    assert "has=True" in files["table.py"].code


def test_registrations_with_pytorch_go() -> None:
    code = """
        def double(x):
            return x + x


        def _register():
            torch.onnx.register_custom_op_symbolic("own::double", double, 11)
            torch.library.register_autograd("own::double", double, setup_context=None)


        torch.serialization.add_safe_globals([double])
        _register()
        """
    names = run(code)
    assert names["double"](2) == 4
    assert "_by_hand" not in names
    notes = [n.text for n in convert_text("import torch\n" + dedent(code)).notes]
    assert len([n for n in notes if "left out" in n]) == 3


def test_folders_of_downloads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import torch

    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    names = run(
        """
        import os
        from torch.hub import _get_torch_home

        HOME = os.path.join(_get_torch_home(), "data")
        HUB = torch.hub.get_dir()
        """
    )
    assert names["HOME"] == str(tmp_path / "data")
    assert names["HUB"] == torch.hub.get_dir() == str(tmp_path / "hub")


def test_marks_at_the_top_raise_when_they_are_used() -> None:
    names = run(
        """
        FORMAT = torch.channels_last
        MODEL = torch.hub.load("a", "b")
        TYPES = {"a": torch.jagged}


        class Tracer(torch.fx.Tracer):
            FIELD = torch.strided

            def f(self):
                return 3


        @torch.onnx.some_decorator("x")
        def traced(x):
            return x


        def g(x, fmt=torch.channels_last):
            return x


        def h(x, fmt=torch.channels_last):
            return x.contiguous() if fmt == torch.channels_last else x
        """
    )
    assert names["g"](2) == 2
    for use in (
        lambda: names["MODEL"](1),
        lambda: names["MODEL"].eval(),
        lambda: bool(names["FORMAT"]),
        lambda: names["FORMAT"] == 3,
        lambda: names["FORMAT"] is None or len(names["FORMAT"]),
        lambda: names["FORMAT"] + 1,
        lambda: names["Tracer"](),
        lambda: names["traced"](1),
        lambda: names["h"](ms.ops.ones(2)),
        lambda: f"{names['FORMAT']}",
    ):
        with pytest.raises(NotImplementedError, match=r"torch\.(hub|channels_last|fx|onnx)"):
            use()


def test_a_statement_at_the_top_raises_there() -> None:
    with pytest.raises(NotImplementedError, match=r"torch\.set_default_device"):
        run("torch.set_default_device('cuda')\n")


def test_names_in_functions_raise_when_they_are_reached() -> None:
    names = run(
        """
        def f(x, flash=False):
            kernels = [torch.nn.attention.SDPBackend.MATH] if flash else []
            return kernels[0] > 2 if flash else x
        """
    )
    assert names["f"](1) == 1
    with pytest.raises(NotImplementedError, match="SDPBackend"):
        names["f"](1, flash=True)


def test_with_target_agar_names_stay() -> None:
    made = convert_text("import torch\nx = torch.channels_last\n", target="agar")
    assert "import torch" in made.code
    assert "x = torch.channels_last" in made.code
    assert made.by_hand


def test_no_value_is_an_instance_of_what_is_not_there() -> None:
    names = run(
        """
        from torch import nn
        from torch.nn.modules.batchnorm import _BatchNorm

        def f(x):
            return isinstance(x, torch.fx.Proxy), isinstance(x, (nn.Linear, _BatchNorm))
        """
    )
    assert names["f"](ms.nn.BatchNorm2d(2)) == (False, True)
    assert names["f"](ms.nn.Dense(2, 2)) == (False, True)
    assert names["f"](ms.nn.ReLU()) == (False, False)


@pytest.mark.parametrize(
    "base",
    [
        "torch.nn.modules.rnn.RNNBase",
        "torch.nn.modules.loss._WeightedLoss",
        "torch.optim.Optimizer",
        "torch.utils.data.IterableDataset",
    ],
)
def test_a_layer_without_counterpart_is_not_called_absent(base: str) -> None:
    with pytest.raises(NotImplementedError, match=base):
        run(f"def f(x):\n    return isinstance(x, {base})\n")["f"](1)


def test_switches_and_states() -> None:
    names = run(
        """
        import torch.nn as nn
        from torch.nn.modules.utils import _pair

        @torch.jit.ignore
        def f(x):
            torch._assert(x.dim() == 2, "two dimensions")
            with torch.autocast(device_type="cuda", enabled=False):
                y = x + 1
            with torch.no_grad(), torch.cuda.amp.autocast(False):
                y = y + 1
            if torch.jit.is_scripting() or torch.compiler.is_compiling():
                return None
            return y

        torch.fx.wrap("f")
        VERSION = tuple(int(n) for n in torch.__version__.split("+")[0].split(".")[:2])
        HAS = hasattr(torch, "compile"), hasattr(torch, "no_such_name")
        PAIRS = _pair(3), _pair((1, 2)), _pair([4, 5])
        CONTEXT = torch.no_grad

        class Net(nn.Module):
            @torch.amp.autocast("cuda", enabled=False)
            def forward(self, x):
                with torch.autocast("cuda", enabled=False): y = x * 2
                return y
        """
    )
    assert np.array_equal(names["f"](ms.ops.ones((1, 2))).asnumpy(), [[3, 3]])
    with pytest.raises(AssertionError, match="two dimensions"):
        names["f"](ms.ops.ones(2))
    assert names["VERSION"] >= (2, 0)
    assert names["HAS"] == (True, False)
    assert names["PAIRS"] == ((3, 3), (1, 2), (4, 5))
    assert names["Net"]()(ms.ops.ones(2)).asnumpy().tolist() == [2, 2]
    with names["CONTEXT"]():
        pass


def test_an_autocast_that_casts_keeps_its_mark() -> None:
    for given in ("'cuda'", "'cuda', enabled=x.ndim > 2", "'cuda', torch.float16"):
        made = convert_text(
            f"import torch\ndef f(x):\n    with torch.autocast({given}):\n        pass\n"
        )
        assert made.by_hand, given


def test_creation_with_arguments_that_are_not_seen() -> None:
    names = run(
        """
        def f(**how):
            return torch.zeros(2, 3, **how), torch.ones((2,), **how), torch.randn(*[2, 2], **how)
        """
    )
    a, b, c = names["f"](dtype=ms.float16, device="cpu")
    assert (a.shape, b.shape, c.shape) == ((2, 3), (2,), (2, 2))
    assert a.dtype == b.dtype == c.dtype == ms.float16


def test_imports_of_libraries_go_where_all_uses_are_marked() -> None:
    code = """
        import torchvision
        from torchvision import transforms as T
        from torchvision.ops import nms, box_iou
        from torchvision.models import resnet18

        def f(x):
            return nms(x), T.ToTensor()(x), torchvision.ops.roi_align(x)
        """
    made = convert_text("import torch\n" + dedent(code))
    lines = [line.strip() for line in made.code.splitlines() if "by hand" not in line]
    # what nothing here uses may be meant for others
    assert "from torchvision.ops import box_iou" in lines
    assert "from torchvision.models import resnet18" in lines
    assert not any("import" in line and ("nms" in line or " T" in line) for line in lines)
    assert "import torchvision" not in lines


def test_networks_of_torchvision_are_those_of_the_converted_torchvision() -> None:
    code = """
        import torch
        from torchvision.models.resnet import ResNet

        class Encoder(ResNet):
            def forward(self, x):
                return torch.relu(self.conv1(x))
        """
    made = convert_text(dedent(code))
    assert "class Encoder(ResNet):" in made.code
    place = types.ModuleType("torchvision.models.resnet")
    place.ResNet = type("ResNet", (ms.nn.Cell,), {"conv1": staticmethod(lambda x: x)})
    names: dict[str, Any] = {"__name__": "encoders"}
    ours = made.code.replace("from mindspore", "from agar").replace(
        "import mindspore", "import agar"
    )
    with pytest.MonkeyPatch.context() as patch:
        for name in ("torchvision", "torchvision.models"):
            patch.setitem(sys.modules, name, types.ModuleType(name))
        patch.setitem(sys.modules, place.__name__, place)
        exec(ours, names)
    assert names["Encoder"]()(ms.Tensor([-1.0, 2.0])).asnumpy().tolist() == [0, 2]


def test_a_weight_of_a_cell_inside_of_a_cell() -> None:
    code = """
        import torch.nn as nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.bn = nn.BatchNorm1d(4)
                nn.init.constant_(self.bn.weight, 2.0)
        """
    made = convert_text("import torch\n" + dedent(code))
    compile(made.code, "net.py", "exec")


def test_one_file_does_not_stop_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agar.migrate.conversion._transform import Transformer

    source = tmp_path / "package"
    source.mkdir()
    (source / "good.py").write_text("import torch\nx = torch.zeros(2)\n")
    (source / "bad.py").write_text("import torch\ny = torch.ones(2)\n")
    real = Transformer._torch_call

    def failing(self: Any, original: Any, updated: Any, dotted: str) -> Any:
        if dotted == "torch.ones":
            raise KeyError("a defect")
        return real(self, original, updated, dotted)

    monkeypatch.setattr(Transformer, "_torch_call", failing)
    made = convert(source, dry_run=True)
    assert [Path(file).name for file, _ in made.errors] == ["bad.py"]
    assert "KeyError: 'a defect'" in made.errors[0][1]
    assert "ops.zeros" in made.files[1].code


@pytest.mark.parametrize(
    "call",
    [
        "torch.zeros(\n        (a\n            * b),\n    )",
        "torch.clamp(\n        (1\n            - x), min=(0\n   + 1))",
    ],
)
def test_expressions_over_several_lines(call: str) -> None:
    made = convert_text(f"import torch\ndef f(x, a, b):\n    return {call}\n")
    compile(made.code, "f.py", "exec")


def test_libraries_on_pytorch_are_missed_where_they_are_used() -> None:
    code = """
        import accelerate
        from flash_attn import flash_attn_func as attend, other
        import pytorch_lightning as pl
        from safetensors.torch import load_file
        import os


        class Trainer(pl.LightningModule):
            pass


        def f(x, fast=False):
            return attend(x) if fast else os.sep
        """
    made = convert_text("import torch\n" + dedent(code))
    assert [n.text.partition(" ")[0] for n in made.by_hand] == [
        "accelerate",
        "flash_attn",
        "pytorch_lightning",
        "safetensors.torch",
    ]
    assert [n.line for n in made.by_hand] == [3, 4, 5, 6]
    names: dict[str, Any] = {"__name__": "converted"}
    exec(made.code, names)
    assert names["f"](1) == "/"
    for use in (lambda: names["f"](1, True), lambda: names["Trainer"](), lambda: names["other"][0]):
        with pytest.raises(NotImplementedError, match="works on PyTorch's tensors"):
            use()


def test_a_package_imports_itself_without_a_guard(tmp_path: Path) -> None:
    source = tmp_path / "timm"
    source.mkdir()
    (source / "__init__.py").write_text("from timm.layers import act\n")
    (source / "layers.py").write_text(
        "import timm\nimport torch\n\n\ndef act(x):\n    return torch.relu(x)\n"
    )
    made = convert(source, dry_run=True)
    assert not made.by_hand
    assert "except ImportError" not in made.files[1].code


def test_formatted_texts_do_not_hold_their_own_quotes() -> None:
    names = run(
        """
        def f(x):
            return f"{torch.sum(x, dim=0, keepdim=True).shape} {torch.device('cpu')}"

        def g(x):
            return f'{torch.hub.load(x)}'
        """
    )
    assert names["f"](ms.ops.ones(2)).startswith("(1,) ")
    with pytest.raises(NotImplementedError, match=r"torch\.hub\.load"):
        names["g"](1)


def test_names_of_pytorch_that_files_pass_on(tmp_path: Path) -> None:
    files = {
        "__init__.py": "from .trace import _assert, nn, helper\n",
        "trace.py": "import torch.nn as nn\ntry:\n    from torch import _assert\n"
        "except ImportError:\n    def _assert(c, m):\n        assert c, m\n\n\n"
        "def helper(x):\n    return x\n",
        "net.py": "from package import _assert, helper\n"
        "from .trace import (\n    _assert as check,\n    nn,\n)\n\n\n"
        "def f(x):\n    _assert(x.dim() == 2, 'two')\n    check(True, 'b')\n"
        "    return helper(nn.Linear(2, 3)(x))\n",
    }
    source = tmp_path / "package"
    source.mkdir()
    for name, text in files.items():
        (source / name).write_text(text)
    made = {Path(f.path).name: f for f in convert(source, dry_run=True).files}
    assert made["__init__.py"].code == "from .trace import helper\n"
    text = made["net.py"].code
    assert "from package import helper" in text
    assert "nn.Dense(2, 3)" in text
    assert "_assert" not in text
    assert not any(f.by_hand for f in made.values())


def test_identity_as_a_value_takes_everything() -> None:
    names = run(
        """
        from torch import nn

        def f(layer=nn.Identity, **given):
            return layer(3, unused=1), nn.Identity(**given)
        """
    )
    assert all(isinstance(made, ms.nn.Identity) for made in names["f"](a=1))


def test_choices_of_kernels_are_left_out() -> None:
    code = """
        from torch.nn.attention import SDPBackend, sdpa_kernel

        def f(x):
            kernels = [SDPBackend.MATH]
            with sdpa_kernel(kernels):
                y = x + 1
            return y, kernels
        """
    out, kernels = run(code)["f"](1)
    assert out == 2
    with pytest.raises(NotImplementedError, match=r"SDPBackend\.MATH"):
        kernels[0]()


def test_a_mark_says_a_thing_once() -> None:
    code = """
        from torchvision import transforms as T

        def f(x):
            return T.Compose([T.ToTensor(), T.Normalize(0.5, 0.5)])(x)
        """
    made = convert_text("import torch\n" + dedent(code)).code
    marks = [line.strip() for line in made.splitlines() if "agar: by hand" in line]
    assert marks == ["# agar: by hand: T.Compose([T.ToTensor(), T.Normalize(0.5, 0.5)])"]
    assert made.count("mindspore.dataset.vision") == 1


def test_a_file_that_only_imports_a_library_is_guarded() -> None:
    made = convert_text("import timm\n\nNAMES = timm\n")
    assert made.code.endswith("NAMES = timm\n")
    assert "except ImportError" in made.code
    assert not convert_text("import numpy\n").changed
    assert not convert_text("import timm\n", target="agar").changed
