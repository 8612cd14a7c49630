"""Names of PyTorch, and what stands for them here; `agar._core.hints` reads it for messages."""

from __future__ import annotations

__all__ = ["ARGUMENTS", "ATTRIBUTES", "CALLS", "MODULES", "REFUSING", "RENAMED"]

_SCHEDULES = (
    "give the optimizer a schedule as learning_rate: a list of numbers (nn.cosine_decay_lr, ...), "
    "or a cell such as nn.ExponentialDecayLR"
)
_DEVICE = "ms.set_device('GPU') chooses the device, and net.to('GPU') or tensor.to('GPU') moves"
_NO_GRAD = (
    "nothing is recorded outside ms.grad and ms.value_and_grad, so code that only computes needs "
    "no such block; inside of them, ops.stop_gradient(x) cuts the gradient"
)
_DATA = (
    "agar.dataset has data sets; dataset.GeneratorDataset(source, ['data', 'label']).batch(n) "
    "takes a Dataset of PyTorch as its source"
)

#: Keywords: the names that are proposed where a callable takes them (``a+b``: both), or a sentence.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "dim": ("axis", "axes", "dims", "dim0+dim1"),
    "dims": ("axis", "axes", "dim"),
    "axis": ("dim", "axes", "dims"),
    "axes": ("axis", "dims"),
    "keepdim": ("keep_dims", "keepdims"),
    "keep_dims": ("keepdim", "keepdims"),
    "input": ("x", "input_x", "logits", "tensor", "tensors"),
    "tensors": ("input", "inputs", "input_x"),
    "other": ("y", "input_y", "mat2"),
    "mat2": ("other",),
    "data": ("default_input", "input_data"),
    "bias": ("has_bias", "leave it out: the layer has its offset always"),
    "groups": ("group",),
    "group": ("groups",),
    "in_features": ("in_channels",),
    "out_features": ("out_channels",),
    "num_embeddings": ("vocab_size",),
    "embedding_dim": ("embedding_size",),
    "_weight": ("embedding_table",),
    "num_parameters": ("channel",),
    "negative_slope": ("alpha",),
    "min_value": ("min_val",),
    "max_value": ("max_val",),
    "kernel_size": ("ksizes",),
    "stride": ("strides",),
    "dilation": ("rates",),
    "lr": ("learning_rate",),
    "learning_rate": ("lr",),
    "beta1": ("betas",),
    "beta2": ("betas",),
    "params": ("parameters",),
    "betas": ("beta1+beta2",),
    "eps": ("epsilon",),
    "epsilon": ("eps",),
    "amsgrad": ("use_amsgrad",),
    "nesterov": ("use_nesterov",),
    "initial_accumulator_value": ("accum",),
    "training": ("is_training", "leave it out: net.set_train(True) and (False) choose"),
    "p": ("ord", "keep_prob"),
    "padding_mode": (
        "pad by another mode before: nn.ReflectionPad2d, nn.ReplicationPad2d or ops.pad",
    ),
    "track_running_stats": (
        "use_batch_statistics=True normalizes by the statistics of each batch",
        "leave it out: the layer keeps no statistics",
    ),
    "elementwise_affine": (
        "leave it out: the layer has its weights always; mint.nn.LayerNorm takes this argument",
    ),
    "size_average": ("reduction='mean', 'sum' or 'none' chooses",),
    "reduce": ("reduction='mean', 'sum' or 'none' chooses",),
    "inplace": ("leave it out: layers and operators return new tensors",),
    "out": ("leave it out: operators return new tensors",),
    "device": (f"leave it out: {_DEVICE}",),
    "requires_grad": (
        "leave it out: ms.grad(fn, position) and ms.value_and_grad(fn, position, weights) choose "
        "what is differentiated, and ms.Parameter is a tensor that is trained",
    ),
    "layout": ("leave it out: it is chosen when needed",),
    "memory_format": ("leave it out: it is chosen when needed",),
    "pin_memory": ("leave it out: it is chosen when needed",),
    "maximize": ("leave it out, and give the negated loss",),
    "foreach": ("leave it out: it is chosen when needed",),
    "fused": ("leave it out: it is chosen when needed",),
    "capturable": ("leave it out: it is chosen when needed",),
    "create_graph": ("leave it out: ms.grad(ms.grad(fn)) gives second derivatives",),
    "retain_graph": ("leave it out: each call of ms.grad records anew",),
    "proj_size": ("there is no projection; put nn.Dense behind the layer",),
    "batch_size": ("batch the data set: dataset.batch(batch_size)",),
    "collate_fn": ("dataset.batch(n, per_batch_map=function) takes such a function",),
    "num_workers": ("num_parallel_workers",),
    "drop_last": ("drop_remainder",),
}

#: Parameters that PyTorch calls otherwise, and functions with others of that kind: the functions of
#: agar.ops that themselves refuse arguments that they do not have.
RENAMED = frozenset({"axis", "axes", "dim", "keep_dims"})
REFUSING = frozenset(
    (
        "arange",
        "argmax",
        "bernoulli",
        "cross_entropy",
        "dropout",
        "empty",
        "eye",
        "full",
        "full_like",
        "l1_loss",
        "layer_norm",
        "leaky_relu",
        "linspace",
        "mse_loss",
        "multinomial",
        "nll_loss",
        "norm",
        "normal",
        "ones",
        "ones_like",
        "quantile",
        "rand",
        "rand_like",
        "randint",
        "randn",
        "randn_like",
        "randperm",
        "zeros",
        "zeros_like",
    )
)

#: Names of modules, by the module that was asked.
MODULES: dict[str, dict[str, str]] = {
    "agar": {
        "no_grad": _NO_GRAD,
        "inference_mode": _NO_GRAD,
        "enable_grad": _NO_GRAD,
        "set_grad_enabled": _NO_GRAD,
        "is_grad_enabled": _NO_GRAD,
        "autograd": "use ms.grad, ms.value_and_grad, ms.jvp or ms.vjp; "
        "a custom gradient is the method bprop of a Cell",
        "func": "use ms.grad, ms.vmap, ms.jvp, ms.vjp, ms.jacfwd or ms.jacrev",
        "optim": "optimizers are in agar.nn (nn.Adam), and with PyTorch's arguments in "
        "agar.mint.optim",
        "device": f"devices are strings: {_DEVICE}",
        "cuda": f"{_DEVICE}; agar.hal and agar.runtime tell about devices, streams and memory",
        "backends": "use ms.set_context(...) and ms.set_deterministic(True)",
        "use_deterministic_algorithms": "use ms.set_deterministic(True)",
        "set_default_device": "use ms.set_device('GPU')",
        "set_default_dtype": "give the type: ms.Tensor(x, ms.float16), net.to_float(ms.float16)",
        "get_default_dtype": "it is always ms.float32",
        "set_num_threads": "use ms.runtime.set_cpu_affinity or the variable OMP_NUM_THREADS",
        "set_printoptions": "use numpy.set_printoptions(...), and print tensor.asnumpy()",
        "save": "use ms.save_checkpoint(net, 'net.ckpt')",
        "compile": "use ms.jit(function), or ms.set_context(mode=ms.GRAPH_MODE)",
        "autocast": "use net.to_float(ms.float16), or ms.amp.auto_mixed_precision(net, 'O2')",
        "as_tensor": "use ms.Tensor(x), or ms.from_numpy(array) to share memory",
        "asarray": "use ms.Tensor(x), or ms.from_numpy(array) to share memory",
        "Module": "use nn.Cell",
        "FloatTensor": "use ms.Tensor(x, ms.float32)",
        "LongTensor": "use ms.Tensor(x, ms.int64)",
        "IntTensor": "use ms.Tensor(x, ms.int32)",
        "BoolTensor": "use ms.Tensor(x, ms.bool_)",
        "Size": "shapes are tuples",
        "finfo": "use numpy.finfo(...)",
        "iinfo": "use numpy.iinfo(...)",
        "linalg": "use agar.mint.linalg",
        "distributed": "use agar.communication or agar.mint.distributed",
        "distributions": "use agar.nn.probability.distribution",
        "utils": _DATA,
        "pi": "use math.pi",
        "inf": "use math.inf",
        "nan": "use math.nan",
        "e": "use math.e",
    },
    "agar.utils": {"data": _DATA, "tensorboard": "use agar.train.SummaryCollector"},
    "agar.nn": {
        "Module": "use nn.Cell, with construct in place of forward",
        "ModuleList": "use nn.CellList",
        "ModuleDict": "use nn.CellDict",
        "Sequential": "use nn.SequentialCell",
        "Parameter": "use ms.Parameter",
        "ParameterList": "use ms.ParameterTuple",
        "ParameterDict": "use ms.Parameter as attributes, or nn.CellDict for cells",
        "functional": "use agar.ops (ops.relu), or mint.nn.functional with PyTorch's arguments",
        "init": "use agar.common.initializer: weight_init=initializer.HeNormal()",
        "parallel": "use ms.set_auto_parallel_context(parallel_mode='data_parallel')",
        "DataParallel": "use ms.set_auto_parallel_context(parallel_mode='data_parallel')",
        "ConvTranspose1d": "use nn.Conv1dTranspose, or mint.nn.ConvTranspose1d",
        "ConvTranspose2d": "use nn.Conv2dTranspose, or mint.nn.ConvTranspose2d",
        "ConvTranspose3d": "use nn.Conv3dTranspose, or mint.nn.ConvTranspose3d",
        "Hardswish": "use nn.HSwish",
        "Hardsigmoid": "use nn.HSigmoid",
        "Hardshrink": "use nn.HShrink",
        "Softshrink": "use nn.SoftShrink",
        "SELU": "use nn.SeLU",
        "LocalResponseNorm": "use nn.LRN",
        "Fold": "use mint.nn.Fold",
        "ZeroPad1d": "use nn.ConstantPad1d(padding, 0)",
        "ZeroPad3d": "use nn.ConstantPad3d(padding, 0)",
        "UpsamplingNearest2d": "use nn.Upsample(mode='nearest')",
        "UpsamplingBilinear2d": "use nn.Upsample(mode='bilinear', align_corners=True)",
        "AdamW": "use nn.AdamWeightDecay, or mint.optim.AdamW as PyTorch computes it",
        "Adamax": "use nn.AdaMax",
        "RMSprop": "use nn.RMSProp",
        "StepLR": _SCHEDULES,
        "CosineAnnealingLR": _SCHEDULES,
        "OneCycleLR": _SCHEDULES,
        "ReduceLROnPlateau": "use ms.ReduceLROnPlateau, a callback of Model",
    },
}
MODULES["agar.mint.nn"] = {
    name: MODULES["agar.nn"][name] for name in ("Module", "ModuleList", "ModuleDict", "Sequential")
}

#: Attributes and methods, by the name of the class of the object or of one of its base classes.
ATTRIBUTES: dict[str, dict[str, str]] = {
    "Tensor": {
        "backward": "take gradients with ms.value_and_grad(fn, ...) or ms.grad(fn, ...)",
        "grad": "gradients are returned by ms.grad and ms.value_and_grad, not stored on tensors",
        "grad_fn": "gradients are returned by ms.grad and ms.value_and_grad; no graph is kept",
        "retain_grad": "gradients are returned by ms.grad and ms.value_and_grad",
        "is_leaf": "gradients are returned by ms.grad and ms.value_and_grad; no graph is kept",
        "requires_grad": "a tensor is differentiated by its position in "
        "ms.grad(fn, grad_position); a Parameter has requires_grad",
        "detach": "use ops.stop_gradient(tensor)",
        "detach_": "use ops.stop_gradient(tensor)",
        "cpu": "use tensor.to('CPU'), or tensor.asnumpy() for an array",
        "cuda": "use tensor.to('GPU')",
        "is_cuda": "use tensor.device",
        "cfloat": "use tensor.astype(ms.complex64)",
        "is_sparse": "use isinstance(x, (ms.COOTensor, ms.CSRTensor))",
        "layout": "use isinstance(x, (ms.COOTensor, ms.CSRTensor))",
        "get_device": "use tensor.device",
        "new": "use tensor.new_empty(...), tensor.new_zeros(...) or tensor.new_ones(...)",
        "to_dense": "a Tensor is dense; COOTensor and CSRTensor have to_dense()",
        "share_memory_": "hand tensor.asnumpy() to other processes",
    },
    "Optimizer": {
        "step": "call the optimizer with the gradients: "
        "loss, grads = grad_fn(x, y); optimizer(grads)",
        "zero_grad": "leave it out: gradients are returned by ms.value_and_grad, not stored",
        "add_param_group": "give the groups when it is made: nn.Adam([{'params': ...}, ...])",
        "param_groups": "use optimizer.parameters, and optimizer.get_lr() for the learning rate",
        "state": "use optimizer.parameters_dict()",
        "defaults": "use the attributes of the optimizer",
    },
    "Cell": {
        "forward": "use construct",
        "train": "use set_train()",
        "eval": "use set_train(False)",
        "parameters": "use get_parameters(), or trainable_params()",
        "named_parameters": "use parameters_and_names()",
        "modules": "use cells_and_names()",
        "named_modules": "use cells_and_names()",
        "children": "use cells()",
        "named_children": "use name_cells()",
        "get_submodule": "use get_sub_cell(name)",
        "add_module": "use insert_child_to_cell(name, cell)",
        "register_module": "use insert_child_to_cell(name, cell)",
        "register_parameter": "use insert_param_to_cell(name, param)",
        "register_full_backward_hook": "use register_backward_hook(hook)",
        "register_full_backward_pre_hook": "use register_backward_pre_hook(hook)",
        "requires_grad_": "set parameter.requires_grad for each of get_parameters()",
        "zero_grad": "leave it out: gradients are returned by ms.value_and_grad, not stored",
        "cuda": "use to('GPU')",
        "cpu": "use to('CPU')",
        "half": "use to_float(ms.float16), or to(ms.float16)",
        "bfloat16": "use to_float(ms.bfloat16), or to(ms.bfloat16)",
        "float": "use to_float(ms.float32), or to(ms.float32)",
        "double": "use to(ms.float64)",
        "extra_repr": "use extend_repr()",
    },
}

#: What is said of calls with more positional arguments than an operator takes.
CALLS: dict[str, str] = {
    "transpose": "the axes are one tuple, transpose(x, (0, 2, 1)); swapaxes(x, 1, 2) exchanges two",
    "permute": "the axes are one tuple: permute(x, (0, 2, 1))",
    "flip": "the axes are one tuple: flip(x, (0, 1))",
}
