"""Private helpers of MindSpore's modules that programs import: they do what MindSpore's do."""

from __future__ import annotations

import importlib
import warnings

import numpy as np
import pytest

import agar as ms
from agar import _c_expression
from agar import compat as compat_package
from agar.compat import _c_expression as c_expression
from agar.compat import _common_parts as common_parts
from agar.compat import _initializers as initializers
from agar.compat import _nn_parts as nn_parts
from agar.compat import _train_parts as train_parts
from agar.compat import _validators as validators
from agar.dataset.vision import py_transforms_util as images
from agar.ops.composite.multitype_ops import _compile_utils

# ------------------------------------------------------------------------------ dataset checks

#: call, exception of MindSpore 2.10 (None: none), a word of the message
CHECKS = [
    ("type_check(1, (int,), 'a')", None, ""),
    ("type_check(True, (int,), 'a')", TypeError, "Argument a"),
    ("type_check_list([1, 'b'], (int,), ['a', 'b'])", TypeError, "Argument b"),
    ("type_check_list([1, 'b'], (int,), 'c')", TypeError, r"c\[1\]"),
    ("check_value(3, [1, 2], 'a')", ValueError, r"\[1, 2\]: got 3"),
    ("check_value(2, [1, 2], 'a')", None, ""),
    ("check_value(1, (1, 2), 'a', left_open_interval=True)", ValueError, r"\(1, 2\]"),
    ("check_value(2, (1, 2), right_open_interval=True)", ValueError, r"\[1, 2\)"),
    ("check_value_cutoff(60, (0, 50), 'c')", ValueError, r"\[0, 50\)"),
    ("check_value_ratio(0.0, [0, 1], 's')", ValueError, r"\(0, 1\]"),
    ("check_positive(0, 'p')", ValueError, "p must be greater than 0"),
    ("check_odd(4, 'o')", ValueError, "o is not an odd value"),
    ("check_2tuple((1, 2, 3), 't')", ValueError, "2-tuple"),
    ("check_2tuple((1, 2), 't')", None, ""),
    ("check_int32(2**40, 'i')", ValueError, "2147483647"),
    ("check_int32('a', 'i')", TypeError, "Argument i"),
    ("check_int32_not_zero(0, 'z')", ValueError, r"0\) and \(0"),
    ("check_pos_int32(0)", ValueError, r"\[1, 2147483647\]"),
    ("check_uint8(300, 'u')", ValueError, r"\[0, 255\]"),
    ("check_pos_float32(0.0, 'f')", ValueError, r"\(0, 16777216\]"),
    ("check_float32_not_zero(0.0, 'f')", ValueError, r"\(0, 16777216\]"),
    ("check_float32(1e39, 'f')", ValueError, "16777216"),
    ("check_non_negative_float64(-1.0, 'f')", ValueError, "9007199254740992"),
    ("check_valid_detype('foo')", TypeError, "Unknown column type"),
    ("check_columns(['a', 'a'], 'c')", ValueError, "once"),
    ("check_columns([], 'c')", ValueError, "c should not be empty"),
    ("check_columns([1], 'c')", TypeError, r"c\[0\]"),
    ("check_columns('a', 'c')", None, ""),
    ("check_num_parallel_workers(0)", ValueError, "boundary between 1 and"),
    ("check_num_samples(-1)", ValueError, "INT64_MAX"),
    ("check_dir('/nowhere_at_all')", ValueError, "does not exist"),
    ("check_file('/nowhere_at_all')", ValueError, "does not exist"),
    ("check_filename('a*b')", ValueError, "should not contain"),
    ("check_filename('ok')", None, ""),
    ("check_valid_str('a', ['b', 'c'], 'm')", ValueError, "valid set"),
    ("check_valid_str(1, ['b', 'c'], 'm')", TypeError, "Argument m"),
    ("check_list_same_size([1], [1, 2], 'a', 'b')", ValueError, "size of a"),
    ("check_tensor_op(1, 't')", TypeError, "neither a transforms op"),
    ("check_dataset_num_shards_shard_id(None, 1)", ValueError, "together"),
    ("check_dataset_num_shards_shard_id(2, 2)", ValueError, "less than num_shards"),
    (
        "check_sampler_shuffle_shard_options({'sampler': 1, 'shuffle': True})",
        RuntimeError,
        "same time",
    ),
    ("check_sampler_shuffle_shard_options({'num_shards': 2})", RuntimeError, "requires shard_id"),
    ("check_padding_options({'padded_sample': 1})", RuntimeError, "requires num_padded"),
    ("validate_dataset_param_value(['a'], {'a': 'x'}, int)", TypeError, "Argument a"),
    ("validate_dataset_param_value(['a'], {'a': None}, int)", None, ""),
]


@pytest.mark.parametrize(("call", "error", "words"), CHECKS, ids=[c[0] for c in CHECKS])
def test_checks_of_arguments(call, error, words):
    helpers = importlib.import_module("agar.dataset.core.validator_helpers")
    function, _, rest = call.partition("(")
    space = {function: getattr(helpers, function)}
    if error is None:
        assert eval(f"{function}({rest}", space) is None
    else:
        with pytest.raises(error, match=words):
            eval(f"{function}({rest}", space)


def test_arguments_of_a_call():
    def method(self, a, b=2, *, c=3): ...

    values, by_name = validators.parse_user_args(method, None, 1, c=5)
    assert values == [None, 1, 5]
    assert by_name == {"self": method, "a": None, "b": 1, "c": 5}
    assert validators.replace_none(None, 3) == 3
    assert validators.pad_arg_name("a") == "a "
    assert validators.is_iterable([1])
    assert not validators.is_iterable(1)


# ---------------------------------------------------------------------------- initializers


def test_numbers_of_initializers():
    """Numbers of MindSpore 2.10 after set_seed(3)."""
    path = importlib.import_module("agar.common.initializer")
    assert compat_package.find("common.initializer", "_init_random_uniform") is (
        initializers._init_random_uniform
    )
    expected = [
        [-0.45627352595329285, -0.006054350174963474, -0.22652466595172882],
        [-0.5867727994918823, 0.8200926184654236, -0.6768056750297546],
    ]
    ms.set_seed(3)
    drawn = initializers._init_random_uniform(-1.0, 1.0, (2, 3))
    assert drawn.dtype == np.float32
    assert drawn.tolist() == expected
    array = np.zeros((2, 3), np.float32)
    ms.set_seed(3)
    initializers._init_random_uniform_inplace(-1.0, 1.0, array)
    assert array.tolist() == expected
    assert initializers._INITIALIZER_ALIAS["he_uniform"] is path.HeUniform
    assert len(initializers._INITIALIZER_ALIAS) == 20


# ----------------------------------------------------------------------------- C++ module


def test_settings_and_classes_of_the_c_module():
    instance = _c_expression.MSContext.get_instance()
    assert instance is c_expression.MSContext.get_instance()
    assert instance.get_param(_c_expression.ms_ctx_param.device_target) == ms.get_context(
        "device_target"
    )
    assert instance.get_backend_policy() == "ms"
    assert instance.is_pkg_support_device("CPU")
    assert not instance.is_pkg_support_device("Ascend")
    assert instance.get_ascend_soc_version() == ""
    with pytest.raises(NotImplementedError, match="no setting 'nonsense'"):
        instance.get_param("nonsense")
    before = ms.get_context("max_call_depth")
    try:
        instance.set_param(_c_expression.ms_ctx_param.max_call_depth, 77)
        assert ms.get_context("max_call_depth") == 77
    finally:
        ms.set_context(max_call_depth=before)
    assert isinstance(ms.nn.ReLU(), _c_expression.Cell_)
    info = _c_expression.ParamInfo()
    info.tensor_map.append(1)
    copied = info.clone()
    copied.tensor_map.append(2)
    assert (info.tensor_map, copied.tensor_map) == ([1], [1, 2])
    assert (info.name, info.key, info.requires_grad) == ("Parameter", -1, True)
    assert _c_expression.CreationType.CUSTOM_BPROP == 3
    assert _c_expression.is_reboot_node() is False


def test_what_is_of_c_only_refuses_with_a_reason():
    with pytest.raises(NotImplementedError, match=r"swap_cache' is not available .* Instead: "):
        _c_expression.swap_cache(1)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _c_expression.nonsense


def test_the_engine_of_pynative_mode():
    engine = importlib.import_module("agar.common.api")._pynative_executor
    assert engine.requires_grad() is engine.enable_grad()
    add = ms.ops.Add()
    assert engine.run_op_async(add, "Add", [ms.Tensor(1), ms.Tensor(2)]).asnumpy() == 3
    assert engine.real_run_op(add, "Add", (ms.Tensor(1), ms.Tensor(2))).asnumpy() == 3
    with pytest.raises(NotImplementedError, match=r"_pynative_executor.new_graph' is not avail"):
        engine.new_graph(1)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        engine.nonsense


# ------------------------------------------------------------------------------------- nn


@pytest.mark.parametrize("kind", ["RNNCell", "LSTMCell", "GRUCell"])
def test_steps_of_recurrent_cells(kind):
    ms.set_seed(1)
    cell = getattr(ms.nn, kind)(3, 4)
    x, h, c = (
        ms.Tensor(np.random.RandomState(i).randn(2, n).astype(np.float32))
        for i, n in enumerate((3, 4, 4))
    )
    state = (h, c) if kind == "LSTMCell" else h
    step = {
        "RNNCell": nn_parts._rnn_tanh_cell,
        "LSTMCell": nn_parts._lstm_cell,
        "GRUCell": nn_parts._gru_cell,
    }[kind]
    found = step(x, state, cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    expected = cell(x, state)
    pairs = zip(found, expected, strict=True) if kind == "LSTMCell" else [(found, expected)]
    for one, other in pairs:
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def test_gradients_are_added_and_cleared():
    """The figures of MindSpore 2.10's two functions on a parameter."""
    path = importlib.import_module("agar.boost.grad_accumulation")
    total = ms.Parameter(ms.Tensor([1.0, 2.0]), "total")
    assert path.gradient_accumulation_op(4, total, ms.Tensor([4.0, 8.0])) is total
    assert total.asnumpy().tolist() == [2.0, 4.0]
    path.gradient_clear_op(total)
    assert total.asnumpy().tolist() == [0.0, 0.0]
    mapped = ms.ops.HyperMap()(
        ms.ops.partial(path.gradient_accumulation_op, 2), (total,), (ms.Tensor([2.0, 6.0]),)
    )
    assert mapped[0] is total
    assert total.asnumpy().tolist() == [1.0, 3.0]


def test_scaled_gradients_and_overflow():
    scale, grad = ms.Tensor(4.0), ms.Tensor([8.0], ms.float16)
    scaled = nn_parts.grad_scale(scale, grad)
    assert (scaled.dtype, scaled.asnumpy().tolist()) == (ms.float16, [2.0])
    assert nn_parts._grad_overflow(ms.Tensor([1.0, np.inf])).asnumpy() == 1.0
    assert nn_parts._grad_overflow(ms.Tensor([1.0, 2.0])).asnumpy() == 0.0


# ---------------------------------------------------------------------------------- train


def test_a_checkpoint_from_entries(tmp_path):
    file = tmp_path / "a.ckpt"
    weight = np.arange(6, dtype=np.float32)
    train_parts._exec_save(
        file, {"w": [[2, 3], "Float32", weight], "b": [[1], "Int32", np.array([7], np.int32)]}
    )
    loaded = ms.load_checkpoint(str(file))
    assert loaded["w"].asnumpy().tolist() == weight.reshape(2, 3).tolist()
    assert (loaded["b"].dtype, loaded["b"].asnumpy().tolist()) == (ms.int32, [7])
    with pytest.raises(NotImplementedError, match="remove_redundancy"):
        train_parts._exec_save(file, {}, remove_redundancy=True)


def test_a_parameter_takes_fitting_numbers():
    target = ms.Parameter(ms.Tensor([0.0, 0.0]), "p")
    train_parts._update_param(target, ms.Parameter(ms.Tensor([1.0, 2.0], ms.float16), "p"), False)
    assert (target.dtype, target.asnumpy().tolist()) == (ms.float32, [1.0, 2.0])
    train_parts._update_param(target, ms.Parameter(ms.Tensor([[3.0], [4.0]]), "p"), False)
    assert target.asnumpy().tolist() == [3.0, 4.0]
    with pytest.raises(RuntimeError, match="'p' has shape"):
        train_parts._update_param(target, ms.Parameter(ms.Tensor([1.0]), "p"), False)
    with pytest.raises(RuntimeError, match="strict_load"):
        train_parts._update_param(
            target, ms.Parameter(ms.Tensor([1.0, 2.0], ms.float16), "p"), True
        )
    with pytest.raises(RuntimeError, match="dtype"):
        train_parts._update_param(target, ms.Parameter(ms.Tensor([1, 2]), "p"), False)
    assert target.asnumpy().tolist() == [3.0, 4.0]


def test_names_and_types_of_checkpoints():
    assert train_parts._whether_load_param(("a.",), None, "a.w")
    assert not train_parts._whether_load_param(None, ("a.",), "a.w")
    assert train_parts._check_prefix("a") == ("a",)
    with pytest.raises(ValueError, match="empty"):
        train_parts._check_prefix([""])
    assert train_parts.tensor_to_ms_type["BFloat16"] is ms.bfloat16
    assert train_parts.tensor_to_np_type("Int16") is np.int16
    with pytest.raises(ValueError, match="BFloat16"):
        train_parts.tensor_to_np_type("BFloat16")


def test_parts_of_mixed_precision():
    model = importlib.import_module("agar.train.model")
    assert compat_package.find("train.model", "_StepSync")().step_end(None) is None
    assert model.Model
    assert train_parts.amp_cast(ms.Tensor([1.0]), ms.float16).dtype is ms.float16
    assert train_parts.amp_cast(ms.Tensor([1]), ms.float16).dtype is ms.int64
    names = [kind.__name__ for kind in train_parts.AMP_AUTO_WHITE_LIST]
    assert len(names) == 20
    assert {"Conv2D", "MatMulExt", "Mv"} <= set(names)
    net = train_parts._OutputTo32(ms.nn.ReLU().to_float(ms.float16))
    assert net(ms.Tensor([1.0])).dtype is ms.float32
    assert train_parts._transfer_tensor_to_tuple(3) == 3


# --------------------------------------------------------------------------------- images


def test_functions_over_images():
    array = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    img = images.to_pil(array)
    assert images.is_pil(img)
    assert not images.is_pil(array)
    assert (np.asarray(images.horizontal_flip(img)) == array[:, ::-1]).all()
    assert (np.asarray(images.vertical_flip(img)) == array[::-1]).all()
    assert (np.asarray(images.crop(img, 1, 2, 2, 1)) == array[1:3, 2:3]).all()
    assert images.center_crop(img, (2, 2)).size == (2, 2)
    assert images.resize(img, (2, 3)).size == (3, 2)
    assert (np.asarray(images.invert_color(img)) == 255 - array).all()
    assert (np.asarray(images.adjust_brightness(img, 0.0)) == 0).all()
    assert (np.asarray(images.rotate(img, 90, 0, False, None, 0)) == np.rot90(array)).all()
    with pytest.raises(TypeError, match=r"img should be PIL image. Got <class 'numpy.ndarray'>"):
        images.adjust_contrast(array, 1.0)


# --------------------------------------------------------------------------- small helpers


def test_indices_and_methods_as_functions():
    x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert _compile_utils._tensor_getitem(x, (slice(None), 1)).asnumpy().tolist() == [2.0, 4.0]
    _compile_utils._tensor_setitem(x, 0, 9.0)
    assert x.asnumpy().tolist() == [[9.0, 9.0], [3.0, 4.0]]
    assert _compile_utils._tensor_rpow(ms.Tensor([2.0]), 3.0).asnumpy().tolist() == [9.0]
    methods = importlib.import_module("agar.ops.tensor_method")
    assert methods.tensor_abs(ms.Tensor([-1.0])).asnumpy().tolist() == [1.0]
    assert methods.deprecated_tensor_sum(ms.Tensor([1.0, 2.0])).asnumpy() == 3.0
    with pytest.raises(TypeError, match="'tensor_abs', the first argument must be a Tensor"):
        methods.tensor_abs(1)


def test_helpers_of_common():
    assert type(ms.Tensor) is common_parts._TensorMeta
    assert common_parts.is_shape_unknown((2, -1))
    assert not common_parts.is_shape_unknown((2, 3))
    assert common_parts.is_dim_unknown((-2,))
    registry = common_parts.Registry()
    registry.register("a", 1)
    assert registry.get("a") == 1
    with pytest.raises(KeyError, match="Nothing is registered as 'b'"):
        registry.get("b")

    @common_parts.deprecated("2.0", "ops.new")
    def old(x):
        return x + 1

    with pytest.warns(DeprecationWarning, match=r"'old' is deprecated .* use 'ops.new'"):
        assert old(1) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert common_parts.get_func(registry.get) is common_parts.Registry.get


def test_decorators_check_as_the_class_of_their_name():
    checks = importlib.import_module("agar.dataset.vision.validators")

    class Mine(ms.dataset.vision.RandomCrop):
        @checks.check_random_crop
        def __init__(self, size, padding=None, own=1):
            super().__init__(size, padding)
            self.own = own

    assert Mine(3, own=2).own == 2
    for wrong, error in (("a", TypeError), (0, ValueError)):
        with pytest.raises(error) as of_class:
            ms.dataset.vision.RandomCrop(wrong)
        with pytest.raises(error) as of_mine:
            Mine(wrong)
        assert str(of_mine.value) == str(of_class.value)
    with pytest.raises(TypeError, match="missing a required argument: 'size'"):
        Mine()
    with pytest.raises(NotImplementedError, match=r"check_crop_size' is not available"):
        checks.check_crop_size(3)

    class Data:
        @importlib.import_module("agar.dataset.engine.validators").check_map
        def map(self, operations, input_columns=None):
            return operations

    assert Data().map(1) == 1
    with pytest.raises(TypeError, match="operations"):
        Data().map()


def test_summaries_that_were_collected():
    class Watched(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.values = ms.ops.TensorSummary()
            self.number = ms.ops.ScalarSummary()

        def construct(self, x):
            self.values("x", x)
            self.number("sum", x.sum())
            return x * 2

    take = compat_package.find("train.summary.summary_record", "_get_summary_tensor_data")
    take()
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        net = Watched()
        for k in range(3):
            net(ms.Tensor([1.0, k]))
            found = {name: value.asnumpy().tolist() for name, value in take().items()}
            assert found == {"x[:Tensor]": [1.0, k], "sum[:Scalar]": 1.0 + k}
            assert take() == {}


def test_every_implemented_name_is_there():
    wrong = []
    for path, (home, own) in compat_package.HOMES.items():
        module = importlib.import_module(f"agar.compat.{home}")
        names = own.split()
        assert names or callable(module.lookup)
        wrong += [f"{path}.{name}" for name in names if name not in module.__all__]
        wrong += [
            f"{path}.{name} is another object"
            for name in names
            if compat_package.find(path, name) is not getattr(module, name)
        ]
    assert not wrong


def test_marks_for_mindspores_compiler():
    """What MindSpore 2.10 sets on the functions."""
    from agar.compat import find

    def function():
        return 1

    forbid = find("common.api", "_function_forbid_reuse")
    assert forbid(function) is function
    assert function.__function_forbid_reuse__ is True
    assert find("graph.api", "_core")(function) is function
    find("graph.api", "_add_flags")(has_effect=True)(function)
    assert function._func_graph_flags == {"core": True, "has_effect": True}
    assert find("graph.api", "_no_recursive")(function)() == 1
    with pytest.raises(TypeError, match="only be used for function type"):
        forbid(len)
    with pytest.raises(TypeError, match="used for callable object"):
        find("graph.api", "_no_recursive")(1)
