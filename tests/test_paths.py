"""MindSpore's module paths and names: what hands on, what says that it is not there, old ones."""

from __future__ import annotations

import importlib
import inspect
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import agar as ms
from agar import _checkparam, _paths
from agar._core import absent

# Modules that programs import, besides those that have files: by how many programs.
IMPORTED = """
_c_dataengine _c_expression _c_expression.security _c_expression.typing _checkparam _extends
common._register_for_tensor common._stub_tensor common.api common.dump common.dtype
common.initializer common.parameter common.seed common.tensor communication
communication._comm_helper communication.comm_func communication.management dataset
dataset.audio dataset.audio.utils dataset.core.validator_helpers dataset.engine
dataset.engine.datasets dataset.text dataset.text.transforms dataset.transforms
dataset.transforms.c_transforms dataset.transforms.py_transforms dataset.transforms.transforms
dataset.vision dataset.vision.c_transforms dataset.vision.py_transforms dataset.vision.utils
hypercomplex.dual.dual_operators mindrecord nn.generator nn.loss.loss nn.metrics.metric
nn.optim.momentum nn.transformer nn.transformer.layers nn.wrap.grad_reducer nn.wrap.loss_scale
ops._grad_experimental.grad_comm_ops ops._primitive_cache ops._tracefunc ops.composite
ops.composite.multitype_ops.zeros_like_impl ops.function.nn_func ops.functional ops.operations
ops.operations._grad_ops ops.operations._inner_ops ops.operations._rl_inner_ops
ops.operations._sequence_ops ops.operations.comm_ops ops.operations.math_ops
ops.operations.nn_ops parallel parallel._auto_parallel_context parallel._cost_model_context
parallel._transformer parallel._transformer.layers parallel._transformer.loss
parallel._transformer.moe parallel._transformer.op_parallel_config
parallel._transformer.transformer parallel._utils parallel.auto_parallel parallel.nn
parallel.shard profiler profiler.profiling train._utils train.callback._callback
train.callback._checkpoint train.callback._loss_monitor train.callback._time_monitor
train.loss_scale_manager train.node_strategy_pb2 train.serialization train.summary
train.summary.summary_record utils
"""


@pytest.mark.parametrize("path", IMPORTED.split())
def test_paths_under_both_names(path):
    own = importlib.import_module(f"agar.{path}")
    assert own.__doc__
    ms.alias_mindspore()
    assert importlib.import_module(f"mindspore.{path}") is own


def test_every_face_leads_somewhere():
    wrong = []
    for path in (*_paths.ALIASES, *_paths.OLD_ALIASES, *_paths.RENAMED, *absent.modules()):
        module = importlib.import_module(f"agar.{path}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            for name in getattr(module, "__all__", ()):
                try:
                    getattr(module, name)
                except (AttributeError, ImportError) as error:
                    wrong.append(f"{path}.{name}: {error}")
    assert not wrong, "\n".join(wrong)


def test_an_alias_takes_no_name_from_its_package():
    """The import of a path must not hide a function of its name."""
    code = (
        "import importlib, types, agar; from agar import _paths; from agar._core import absent;"
        "paths = sorted({*_paths.ALIASES, *absent.modules()});"
        "parent = lambda p: importlib.import_module('.'.join(['agar', *p.split('.')[:-1]]));"
        "held = lambda p: getattr(parent(p), p.split('.')[-1], None);"
        "before = {p: held(p) for p in paths};"
        "[importlib.import_module(f'agar.{p}') for p in paths];"
        "print([p for p in paths if before[p] is not None and held(p) is not before[p]])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr


def test_a_face_has_no_other_names():
    stub = importlib.import_module("agar.common._stub_tensor")
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        stub.nonsense
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("agar.common.nonsense")


def test_the_function_stays_where_a_module_has_its_name():
    ms.alias_mindspore()
    importlib.import_module("mindspore.common.tensor")
    importlib.import_module("mindspore.parallel.shard")
    importlib.import_module("mindspore.train.data_sink")
    importlib.import_module("agar.common.lazy_inline")
    assert inspect.isfunction(ms.train.data_sink)
    assert inspect.isfunction(ms.common.lazy_inline)
    assert inspect.isfunction(ms.common.tensor)
    assert inspect.isfunction(ms.parallel.shard)


# ------------------------------------------------------------------------------ not there

LISTED = [(module, name) for module in absent.modules() for name in absent.names(module)]


def test_what_is_not_there_says_what_why_and_what_instead():
    for module, name in LISTED:
        result = absent.find(module, name)
        assert "Source:" in result.__doc__ or hasattr(result, "__members__"), (module, name)
        if hasattr(result, "__members__"):
            assert list(result)
            continue
        with pytest.raises(NotImplementedError, match=rf"{name}' is not available .* Instead: "):
            result(1, key=2)


def test_classes_that_are_not_there_serve_as_bases():
    ds = ms.dataset

    class Mine(ds.OBSMindDataset):
        def __init__(self):
            super().__init__()

    assert not isinstance([1], ds.SBDataset)
    with pytest.raises(NotImplementedError, match=r"'dataset\.OBSMindDataset'"):
        Mine()
    with pytest.raises(NotImplementedError, match=r"TrainFaultTolerance\.get_optimizer_wrapper'"):
        ms.train.TrainFaultTolerance.get_optimizer_wrapper(ms.nn.SGD)


def test_one_class_at_all_its_paths():
    user = importlib.import_module("agar.dataset.engine.datasets_user_defined")
    assert ms.dataset.GeneratorDataset is user.GeneratorDataset
    assert ms.dataset.vision.Resize is ms.dataset.vision.transforms.Resize


def test_choices_are_there():
    """Values of MindSpore 2.10: programs use them as default arguments."""
    vision = ms.dataset.vision
    assert vision.Inter.LINEAR == vision.Inter.BILINEAR == 2
    assert vision.Border.REFLECT.value == "reflect"
    assert ms.dataset.text.NormalizeForm.NFKC == 2
    assert ms.NodeType.CallCell.value == 1
    assert ms.mindrecord.SUCCESS == 0
    assert pickle.loads(pickle.dumps(vision.Inter.AREA)) is vision.Inter.AREA


def test_classes_made_after_the_alias_show_its_paths():
    code = (
        "import agar; agar.alias_mindspore(); import mindspore.dataset.vision as v;"
        "print(v.Crop, v.Inter)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == (
        "<class 'mindspore.dataset.vision.transforms.Crop'> <enum 'Inter'>"
    )


def test_settings_of_pipelines():
    """The figures of MindSpore 2.10."""
    config = ms.dataset.config
    assert config.get_prefetch_size() == 16
    assert config.get_monitor_sampling_interval() == 1000
    assert config.get_iterator_mode() == {"do_copy": False, "parallel_convert": False}
    config.set_prefetch_size(32)
    assert config.get_prefetch_size() == 32
    config.set_prefetch_size(size=16)
    with pytest.raises(TypeError, match=r"set_prefetch_size'.* isn't of type int"):
        config.set_prefetch_size(True)
    with pytest.raises(ValueError, match="required range"):
        config.set_prefetch_size(0)
    with pytest.raises(TypeError, match="one argument"):
        config.set_prefetch_size(1, 2)


# ------------------------------------------------------------------------------ top module


def test_names_of_the_top_module():
    missing = [name for name in ms.__all__ if not hasattr(ms, name)]
    assert not missing
    assert ms.Stream is ms.runtime.Stream is ms.hal.Stream
    assert (ms.STRICT, ms.COMPATIBLE, ms.LAX) == (0, 1, 2)
    assert ms.TensorType(ms.float32).element_type() is ms.float32
    assert str(ms.QuantDtype.INT8) == "INT8"
    assert ms.QuantDtype.UINT16.value == 115


@pytest.mark.parametrize(
    ("module", "name", "new"),
    [
        ("", "ms_function", "jit"),
        ("", "ms_class", "jit_class"),
        (".common.api", "ms_function", "jit"),
        (".nn", "GlobalBatchNorm", "SyncBatchNorm"),
        (".nn.loss.loss", "_Loss", "LossBase"),
    ],
)
def test_spellings_of_mindspore_1(module, name, new):
    where = importlib.import_module(f"agar{module}")
    with pytest.warns(DeprecationWarning, match=f"{name}' is a spelling of MindSpore 1"):
        assert getattr(where, name) is getattr(where, new)


def test_an_old_path_warns_once_for_each_name():
    code = (
        "import warnings, agar; agar.alias_mindspore(); warnings.simplefilter('always');"
        "import mindspore.dataset.vision.c_transforms as c; c.Resize; c.Resize; c.Normalize"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.count("DeprecationWarning") == 2
    assert "'mindspore.dataset.vision'" in done.stderr


def test_resize_bilinear_of_mindspore_1():
    x = ms.Tensor(np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2))
    net = ms.nn.ResizeBilinear()
    assert net(x, scale_factor=2).shape == (1, 1, 4, 4)
    np.testing.assert_allclose(
        net(x, size=(2, 3), align_corners=True).asnumpy()[0, 0], [[0, 0.5, 1], [2, 2.5, 3]]
    )
    with pytest.raises(ValueError, match="either 'size' or 'scale_factor'"):
        net(x)


def test_run_check(capsys):
    ms.run_check()
    out = capsys.readouterr().out
    assert out.startswith(f"agar version: {ms.__version__}\n")
    assert "calculation is correct" in out
    assert "[CPU]" in out


# --------------------------------------------------------------------------------- context


def test_the_context_of_automatic_parallelism():
    """The figures and errors of MindSpore 2.10."""
    from agar.parallel import _utils
    from agar.parallel._auto_parallel_context import auto_parallel_context

    assert _utils._get_device_num() == 1
    assert _utils._get_parallel_mode() == "stand_alone"
    try:
        ms.set_auto_parallel_context(
            parallel_mode="data_parallel", gradients_mean=True, device_num=8, global_rank=3
        )
        assert _utils._get_device_num() == 8
        assert _utils._get_global_rank() == 3
        assert _utils._get_gradients_mean()
        assert _utils._is_in_data_parallel_mode()
        assert auto_parallel_context().get_parallel_mode() == "data_parallel"
        assert auto_parallel_context().get_device_num_is_set()
        auto_parallel_context().set_pipeline_stages(2)
        assert ms.get_auto_parallel_context("pipeline_stages") == 2
    finally:
        ms.reset_auto_parallel_context()
    assert ms.context.get_auto_parallel_context("device_num") == 1
    assert ms.get_auto_parallel_context("comm_fusion")["allreduce"]["mode"] == "auto"


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"foo": 1}, ValueError, "Set context keyword foo is not recognized!"),
        ({"device_num": "a"}, TypeError, "must be <class 'int'>"),
        ({"device_num": 0}, ValueError, "must be a positive integer"),
        ({"parallel_mode": "zz"}, ValueError, "only support 'stand_alone'"),
        ({"gradients_mean": 1}, TypeError, "must be <class 'bool'>"),
        ({"full_batch": True, "global_rank": 5000}, ValueError, r"\[0, 4095\]"),
    ],
)
def test_a_wrong_setting_changes_nothing(values, error, words):
    with pytest.raises(error, match=words):
        ms.set_auto_parallel_context(**values)
    assert ms.get_auto_parallel_context("full_batch") is False


def test_other_settings():
    ms.set_algo_parameters(fully_use_devices=True, algo_approxi_epsilon=0.2)
    assert ms.get_algo_parameters("algo_approxi_epsilon") == 0.2
    ms.reset_algo_parameters()
    assert ms.get_algo_parameters("fully_use_devices") is False
    ms.set_ps_context(enable_ps=True, client_password="")
    assert ms.get_ps_context("enable_ps") is True
    ms.reset_ps_context()
    with pytest.raises(ValueError, match="Get context keyword foo"):
        ms.get_algo_parameters("foo")


def test_plans_for_many_devices_run_on_one():
    from agar.parallel.auto_parallel import AutoParallel

    layout = ms.Layout((2, 2, 2), ("dp", "sp", "interleaved_parallel"))
    assert layout(("dp", "interleaved_parallel"), "sp").to_dict()["tensor_map"] == ((2, 0), 1)
    with pytest.raises(ValueError, match="not found"):
        layout("other")
    with pytest.raises(ValueError, match="more than one"):
        layout("dp", "dp")
    net = AutoParallel(ms.nn.ReLU(), parallel_mode="semi_auto")
    net.dataset_strategy("full_batch")
    net.hsdp()
    net.save_param_strategy_file("file.ckpt")
    assert net(ms.Tensor([-1.0])).asnumpy() == 0
    with pytest.raises(KeyError, match="absolute"):
        net.load_operator_strategy_file("relative.json")
    with pytest.raises(ValueError, match="parallel_mode"):
        AutoParallel(ms.nn.ReLU(), parallel_mode="other")


def test_parts_of_a_parameter():
    """The figures of MindSpore 2.10's documentation."""
    parts = [ms.Parameter(ms.Tensor(np.full((2, 2), float(i))), "w") for i in range(3)]
    whole = ms.merge_sliced_parameter(parts)
    assert repr(whole) == "Parameter (name=w, shape=(6, 2), dtype=Float64, requires_grad=True)"
    with pytest.raises(ValueError, match="at index 1"):
        ms.merge_sliced_parameter([parts[0], ms.Parameter(ms.Tensor([[1.0]]), "w")])
    with pytest.raises(ValueError, match="not be empty"):
        ms.merge_sliced_parameter([])


# --------------------------------------------------------------------------- private faces

CHECKS = [
    ("check_positive_int(3, 'a', 'N')", 3),
    ("check_positive_int(0, 'a')", ValueError),
    ("check_positive_int(True)", TypeError),
    ("check_positive_int(1.0)", TypeError),
    ("check_int_range(3, 0, 4, INC_LEFT, 'x')", 3),
    ("check_int_range(4, 0, 4, INC_LEFT, 'x')", ValueError),
    ("check_int_range(4, 0, 4, Rel.INC_BOTH, 'x')", 4),
    ("check_value_type('a', 1, [int], 'N')", 1),
    ("check_value_type('a', True, [int], 'N')", TypeError),
    ("check_value_type('a', True, (int, bool))", True),
    ("check_bool(1)", TypeError),
    ("check_string('c', ['a', 'b'], 'x')", ValueError),
    ("check_float_range(1, 0.0, 1.0, INC_BOTH)", TypeError),
    ("check_positive_float(1.0)", 1.0),
    ("check_is_float(float('nan'))", ValueError),
    ("check('a', 3, 'b', 4, LT)", 3),
    ("check('a', 5, 'b', 4, LT)", ValueError),
    ("check_isinstance('a', 1, str)", ValueError),
    ("twice(3)", (3, 3)),
    ("twice((1, 2, 3))", TypeError),
    ("check_axis_in_range(-1, 3)", 2),
    ("check_axis_valid((0, 0), 3)", ValueError),
    ("infer_out_shape((2, 1), (1, 3))", (2, 3)),
    ("check_positive_int_sequence([1, 0])", ValueError),
    ("args_type_check(a=int)(lambda a: a)('3')", TypeError),
    ("Validator.check_int(3, 4, LE)", 3),
]


@pytest.mark.parametrize(("text", "want"), CHECKS)
def test_checks_of_arguments(text, want):
    """As recorded from MindSpore 2.10."""
    if isinstance(want, type):
        with pytest.raises(want):
            eval(text, vars(_checkparam))
    else:
        assert eval(text, vars(_checkparam)) == want


def test_private_helpers_do_what_programs_expect():
    from agar.common.api import _cell_graph_executor, _executor, _pynative_executor
    from agar.common.initializer import _assignment
    from agar.ops._primitive_cache import _get_cache_prim
    from agar.train._utils import _construct_tensor_list, check_value_type

    _pynative_executor.sync()
    net = ms.nn.ReLU()
    name, done = _cell_graph_executor.compile(net, ms.Tensor([1.0]), phase="train")
    assert done
    assert name.startswith("train.")
    assert _executor is _cell_graph_executor
    values = np.zeros((2,), np.float32)
    _assignment(values, np.ones((2,), np.float32))
    assert values.tolist() == [1.0, 1.0]
    serialization = importlib.import_module("agar.train.serialization")
    assert serialization.merge_sliced_parameter is ms.merge_sliced_parameter
    assert serialization.load_distributed_checkpoint is ms.load_distributed_checkpoint
    assert not hasattr(serialization, "nonsense")
    get = _get_cache_prim(ms.ops.Softmax)
    assert get(-1) is get(-1)
    assert get(-1) is not get(0)
    assert _construct_tensor_list([ms.float32], [(2, 3)], 4)[0].shape == (8, 3)
    with pytest.raises(TypeError, match="valid type"):
        check_value_type("x", True, int)
    security = importlib.import_module("agar._c_expression.security")
    assert security.enable_security() is False


def test_functions_with_a_gradient_of_their_own():
    from agar.common import _Function, _no_grad

    class Scaled(_Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, dout):
            x, y = ctx.saved_tensors
            return dout * y * 10, dout * x

    x, y = ms.Tensor([2.0]), ms.Tensor([3.0])
    dx, dy = ms.grad(Scaled.apply, (0, 1))(x, y)
    assert (dx.asnumpy(), dy.asnumpy()) == ([30.0], [2.0])

    @_no_grad()
    def fixed(v):
        return v * 5

    assert ms.grad(lambda v: v * fixed(v))(x).asnumpy() == [10.0]


def test_hooks_of_kept_tensors(capsys):
    """The values of MindSpore 2.10's documentation."""

    def pack(t):
        print("packing", t)
        return t + 1

    def unpack(t):
        print("unpacking", t)
        return t

    def forward(x, y):
        with ms.saved_tensors_hooks(pack, unpack):
            out = x * y
        print("forward end")
        return out

    x = ms.ops.ones(2, dtype=ms.float32)
    ms.value_and_grad(forward, grad_position=(0, 1))(x, x)
    assert capsys.readouterr().out.split("\n")[:5] == [
        "packing [1. 1.]",
        "packing [1. 1.]",
        "forward end",
        "unpacking [2. 2.]",
        "unpacking [2. 2.]",
    ]


def test_tensors_over_buffers():
    """The figures of MindSpore 2.10."""
    memory = bytearray([1, 2, 3, 4, 5, 6])
    tensor = ms.frombuffer(memory, dtype=ms.uint8, count=2, offset=1)
    memory[1] = 9
    assert tensor.asnumpy().tolist() == [9, 3]
    assert ms.frombuffer(b"1234", dtype=ms.uint8).asnumpy().tolist() == [49, 50, 51, 52]
    with pytest.raises(ValueError, match="buffer"):
        ms.frombuffer(memory, dtype=ms.float32, count=5)
    capsule = ms.utils.to_dlpack(ms.Tensor([1.0]))
    assert ms.utils.from_dlpack(capsule).asnumpy() == [1.0]
    a, b = ms.Tensor([1.0]), ms.Parameter(ms.Tensor([2.0, 3.0]), name="w")
    ms.swap_tensors(a, b)
    assert isinstance(a, ms.Parameter)
    assert (a.name, a.shape, b.shape) == ("w", (2,), (1,))


# --------------------------------------------------------------------------------- devices


def test_streams_and_events_on_the_cpu():
    """The words of MindSpore 2.10."""
    stream = ms.runtime.current_stream()
    assert repr(stream) == "Stream(device_name=CPU, device_id:0, stream id:0)"
    assert stream == ms.runtime.Stream() == ms.hal.default_stream()
    with pytest.raises(TypeError, match="'other' should be Stream"):
        stream == 3  # noqa: B015
    event = stream.record_event()
    assert event.query()
    assert event.elapsed_time(event) == 0.0
    first, last = (ms.hal.Event(enable_timing=True) for _ in range(2))
    first.record()
    last.record()
    assert first.elapsed_time(last) >= 0
    with ms.hal.StreamCtx(ms.hal.Stream()):
        y = ms.ops.ones((2,)) + 1
    ms.hal.synchronize()
    assert y.asnumpy().tolist() == [2, 2]
    with pytest.raises(TypeError, match="'priority' must be an int"):
        ms.hal.Stream("a")


def test_memory_and_devices_on_the_cpu():
    stats = ms.runtime.memory_stats()
    assert stats["common_mem_pool_stats"]["block_counts"] == 0
    assert ms.hal.max_memory_allocated() == ms.hal.memory_reserved() == 0
    assert "| Reserved memory      |      0 B             |" in ms.runtime.memory_summary()
    assert ms.hal.device_count() == 1
    assert ms.hal.get_device_name(0) == "CPU"
    with pytest.raises(ValueError, match=r"\[0, 1\)"):
        ms.hal.get_device_name(1)
    with pytest.raises(ValueError, match="must be one of"):
        ms.hal.is_available("TPU")
    with pytest.raises(TypeError, match="'device_id' must be int"):
        ms.hal.get_device_name("0")


def test_profiles(tmp_path):
    plan = ms.profiler.schedule(wait=1, warmup=1, active=2, repeat=1, skip_first=1)
    actions = [int(plan(step)) for step in range(8)]
    assert actions == [0, 0, 1, 2, 3, 0, 0, 0]  # as recorded from MindSpore 2.10
    ready = ms.profiler.tensorboard_trace_handler(str(tmp_path / "traces"))
    with ms.profiler.profile(schedule=plan, on_trace_ready=ready) as prof:
        prof.add_metadata("who", "me")
        for _ in range(6):
            ms.ops.ones((4, 4)).sum()
            prof.step()
    traces = list((tmp_path / "traces").iterdir())
    assert len(traces) == 1
    assert '"who": "me"' in traces[0].read_text()
    prof = ms.Profiler(output_path=str(tmp_path / "one"))
    number = ms.profiler.mstx.range_start("a range of mine")
    ms.ops.matmul(ms.ops.ones((4, 4)), ms.ops.ones((4, 4)))
    ms.profiler.mstx.range_end(number)
    prof.analyse()
    assert "a range of mine" in next((tmp_path / "one").iterdir()).read_text()
    assert "mm" in prof.op_analyse("mm")


def test_calls_of_operators_are_seen():
    seen = []

    class Log(ms.MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            seen.append(func.name)
            return func(*args, **(kwargs or {}))

    x = ms.Tensor([1.0, 2.0])
    with Log():
        y = x + x
    assert seen == ["Add"]
    assert y.asnumpy().tolist() == [2.0, 4.0]
    assert Log()(lambda v: v * v)(x).asnumpy().tolist() == [1.0, 4.0]
    assert seen == ["Add", "Mul"]
