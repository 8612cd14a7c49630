"""Rows of torch's own names beside mathematics: modes, devices, files, compilation, aliases."""

from __future__ import annotations

from agar.migrate.rules._declare import TABLE, missing, overload, rule
from agar.migrate.rules._rule import Case

# ---------------------------------------------------------------- the same under another name


def _again(call: str, source: str, **values: str) -> None:
    """A row with the cases of another row's, whose parameters have these names here."""
    base = TABLE[source]
    cases = [
        Case(
            _renamed(c.template, values),
            c.when and _named(c.when, values),
            c.note,
            c.likely,
            doubt=c.doubt,
        )
        for c in base.cases
    ]
    rule(
        call,
        *cases,
        refuse=base.refuse,
        ignore=" ".join(base.ignore),
        differs=base.differs,
        samples=() if values else base.samples,
        compare=base.compare,
        note=base.reason,
    )


def _renamed(template: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def _named(condition: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        condition = condition.replace(name, value.strip("{}"))
    return condition


def _signature(source: str) -> str:
    return str(TABLE[source].signature).strip("()")


for _view, _arguments in (
    ("detach", ""), ("transpose", ""), ("permute", ""), ("squeeze", ""), ("unsqueeze", ""),
    ("t", ""), ("split", ""), ("split_with_sizes", ""), ("unbind", ""), ("select", ""),
    ("diagonal", ""), ("view_as_real", ""), ("view_as_complex", ""),
):  # fmt: skip
    _base = TABLE[f"torch.{_view}"]
    _many = _view in ("split", "split_with_sizes", "unbind")
    _plain = {k: v for k, v in _base.refuse.items() if "out" not in k}
    _list = ", ".join(str(p) for n, p in _base.signature.parameters.items() if n != "out").replace(
        ", *,", ","
    )
    rule(
        f"torch.{_view}_copy({_list})",
        *(
            Case(
                f"tuple(part.copy() for part in {c.template})"
                if _many
                else f"({c.template}).copy()",
                c.when,
            )
            for c in _base.cases
        ),
        refuse=_plain,
        samples=[
            s.replace("f(3, 4)", "f(3, 4).detach()") if _view == "detach" else s
            for s in _base.samples
            if "f(" in s or "c(" in s
        ][:2]
        if _view != "view_as_complex"
        else ["(f(3, 4, 2).detach())"],
    )
for _view, _method, _arguments, _sample in (
    ("expand", "expand", "size", "(f(3, 1), (3, 4))"),
    ("view", "reshape", "size", "(f(3, 4), (2, 6))"),
):
    rule(f"torch.{_view}_copy(input, {_arguments})",
         f"{{input}}.{_method}({{{_arguments}}}).copy()", samples=[_sample])  # fmt: skip
rule("torch.alias_copy(input)", "{input}.copy()", samples=["(f(3))"])

_F = "torch.nn.functional."
for _name in ("adaptive_avg_pool1d", "conv1d", "conv2d", "conv3d", "conv_transpose1d",
              "conv_transpose2d", "conv_transpose3d", "conv_tbc", "bilinear", "cosine_similarity",
              "pairwise_distance", "pdist", "pixel_shuffle", "pixel_unshuffle", "channel_shuffle",
              "native_channel_shuffle", "rms_norm"):  # fmt: skip
    _again(f"torch.{_name}({_signature(_F + _name)})", _F + _name)
rule(
    "torch.adaptive_max_pool1d(input, output_size)",
    TABLE[f"{_F}adaptive_max_pool1d"].cases[0].template,
    refuse=TABLE[f"{_F}adaptive_max_pool1d"].refuse,
    samples=["(f(2, 3, 9), 3)", "(f(2, 3, 9), output_size=2)"],
)
for _n, _shape in ((1, "2, 3, 9"), (2, "2, 3, 8, 9"), (3, "1, 2, 6, 5, 6")):
    _base = TABLE[f"{_F}max_pool{_n}d"]
    rule(
        f"torch.max_pool{_n}d(input, kernel_size, stride=None, padding=0, dilation=1, "
        "ceil_mode=False)",
        *(
            Case(c.template.replace(", return_indices={return_indices}", ""), c.when)
            for c in _base.cases
            if "return_indices" not in (c.when or "")
        ),
        refuse=_base.refuse,
        samples=[f"(f({_shape}), 2)", f"(f({_shape}), 3, 2, 1)"],
    )
_again(
    "torch.max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, "
    "ceil_mode=False, return_indices=True)",
    f"{_F}max_pool1d_with_indices",
)
rule(
    "torch.layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, "
    "cudnn_enable=True)",
    *TABLE[f"{_F}layer_norm"].cases,
    refuse=TABLE[f"{_F}layer_norm"].refuse,
    ignore="cudnn_enable",
    samples=TABLE[f"{_F}layer_norm"].samples,
)
rule(
    "torch.group_norm(input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True)",
    *TABLE[f"{_F}group_norm"].cases,
    ignore="cudnn_enabled",
    samples=TABLE[f"{_F}group_norm"].samples,
)
rule(
    "torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, "
    "cudnn_enabled)",
    *TABLE[f"{_F}batch_norm"].cases,
    ignore="cudnn_enabled",
    samples=["(f(3, 4, 5), f(4), f(4), f(4).detach(), p(4).detach(), False, 0.1, 1e-5, True)"],
)
rule(
    "torch.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, "
    "momentum, eps, cudnn_enabled)",
    *TABLE[f"{_F}instance_norm"].cases,
    refuse=TABLE[f"{_F}instance_norm"].refuse,
    ignore="cudnn_enabled momentum running_var",
    samples=["(f(3, 4, 5), f(4), f(4), None, None, True, 0.1, 1e-5, True)"],
)
rule("torch.embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False)",
     "ops.gather({weight}, {indices}, 0)", ignore="padding_idx sparse",
     refuse={"scale_grad_by_freq": "scale the gradient in the training step"},
     samples=["(f(5, 4), i(5, 3))"])  # fmt: skip
rule("torch.constant_pad_nd(input, pad, value=0)", "ops.pad({input}, {pad}, value={value})",
     samples=["(f(3, 4), (1, 2))", "(f(3, 4), [1, 2], 0.5)"])  # fmt: skip
rule("torch.affine_grid_generator(theta, size, align_corners)",
     "ops.affine_grid({theta}, tuple({size}), align_corners={align_corners})",
     samples=["(f(2, 2, 3), (2, 3, 4, 5), True)"])  # fmt: skip
rule("torch.conj_physical_(input)", "{input}.copy_(ops.conj({input}))", samples=["(c(3))"])
rule("torch.rrelu_(input, lower=0.125, upper=0.3333333333333333, training=False)",
     *TABLE[f"{_F}rrelu_"].cases, refuse=TABLE[f"{_F}rrelu_"].refuse,
     samples=["(f(3, 4))"])  # fmt: skip
#: the losses below take the reduction as a number: 0 none, 1 mean, 2 sum
_NUMBERS = "{0: 'none', 1: 'mean', 2: 'sum'}[{reduction}]"
for _name, _arguments, _rest, _sample in (
    ("binary_cross_entropy_with_logits", "input, target, weight=None, pos_weight=None, reduction=0",
     "{input}, {target}, weight={weight}, pos_weight={pos_weight}",
     "(f(3, 4), u(3, 4).detach())"),
    ("cosine_embedding_loss", "input1, input2, target, margin=0.0, reduction=0",
     "{input1}, {input2}, {target}, margin={margin}", "(f(3, 4), f(3, 4), i(2, 3) * 2 - 1)"),
    ("margin_ranking_loss", "input1, input2, target, margin=0.0, reduction=0",
     "{input1}, {input2}, {target}, margin={margin}", "(f(4), f(4), f(4).detach().sign())"),
    ("hinge_embedding_loss", "input, target, margin=1.0, reduction=0",
     "{input}, {target}, margin={margin}", "(f(3, 4), b(3, 4).double() * 2 - 1)"),
):  # fmt: skip
    rule(f"torch.{_name}({_arguments})",
         *(Case(f"ops.{_name}({_rest}, reduction={_word!r})", when=f"reduction == {_number}")
           for _number, _word in enumerate(("none", "mean", "sum"))),
         samples=[_sample])  # fmt: skip
for _name in ("kl_div", "ctc_loss", "poisson_nll_loss", "triplet_margin_loss", "embedding_bag"):
    missing(f"torch.{_name}", f"use the function {_name} of nn.functional")
for _name in ("grid_sampler", "grid_sampler_2d", "grid_sampler_3d"):
    rule(
        f"torch.{_name}(input, grid, interpolation_mode, padding_mode, align_corners)",
        *(
            Case(
                f"ops.grid_sample({{input}}, {{grid}}, {_mode!r}, {_pad!r}, {{align_corners}})",
                when=f"interpolation_mode == {_m} and padding_mode == {_p}",
            )
            for _m, _mode in enumerate(("bilinear", "nearest"))
            for _p, _pad in enumerate(("zeros", "border", "reflection"))
        ),
        samples=["(f(2, 3, 4, 4), f(2, 3, 2, 2), 0, 0, True)"] if "3d" not in _name else (),
    )

# ---------------------------------------------------------------- gradients

_RECORD = (
    "MindSpore records nothing outside ms.grad and ms.value_and_grad: leave the block out, or cut "
    "with ops.stop_gradient inside of them"
)
for _name in ("no_grad", "inference_mode", "enable_grad", "set_grad_enabled",
              "autograd.no_grad", "autograd.enable_grad", "autograd.inference_mode",
              "autograd.set_grad_enabled"):  # fmt: skip
    missing(f"torch.{_name}", _RECORD)
missing("torch.is_grad_enabled", _RECORD)
missing("torch.is_inference_mode_enabled", _RECORD)
_FUNCTIONAL = "write the loss as a function and call ms.grad or ms.value_and_grad of it"
missing("torch.autograd.grad", _FUNCTIONAL)
missing("torch.autograd.backward", _FUNCTIONAL)
rule("torch.autograd.Function(*args, **kwargs)", "ms.common._Function()", ignore="args kwargs",
     note="MindSpore runs it in PYNATIVE_MODE only, agar in both: an nn.Cell with construct and "
     "bprop runs in both everywhere.")  # fmt: skip
missing("torch.autograd.Variable", "a Tensor is enough")
for _name in ("set_anomaly_enabled", "is_anomaly_enabled", "is_anomaly_check_nan_enabled",
              "autograd.set_detect_anomaly", "autograd.detect_anomaly"):  # fmt: skip
    missing(f"torch.{_name}", "agar raises at the line; MindSpore: ms.set_context(pynative_"
            "synchronize=True)")  # fmt: skip
for _head in ("torch.func.", "torch."):
    if _head == "torch.func.":
        rule("torch.func.grad(func, argnums=0, has_aux=False)",
             "ms.grad({func}, {argnums}, has_aux={has_aux})")  # fmt: skip
        rule("torch.func.grad_and_value(func, argnums=0, has_aux=False)",
             "ms.value_and_grad({func}, {argnums}, has_aux={has_aux})",
             differs={"result": "MindSpore gives the value first, then the gradient."})  # fmt: skip
        rule("torch.func.jacrev(func, argnums=0, *, has_aux=False)",
             "ms.jacrev({func}, {argnums}, {has_aux})")  # fmt: skip
        rule("torch.func.jacfwd(func, argnums=0, has_aux=False)",
             "ms.jacfwd({func}, {argnums}, {has_aux})")  # fmt: skip
        rule("torch.func.vjp(func, *primals, has_aux=False)",
             "ms.vjp({func}, {*primals}, has_aux={has_aux})")  # fmt: skip
        rule("torch.func.jvp(func, primals, tangents)",
             "ms.jvp({func}, {primals}, {tangents})")  # fmt: skip
    rule(f"{_head}vmap(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None)",
         "ms.vmap({func}, {in_dims}, {out_dims})", ignore="randomness chunk_size")  # fmt: skip
rule("torch.autograd.functional.jacobian(func, inputs)", "ms.jacrev({func})({inputs})")
rule("torch.autograd.functional.hessian(func, inputs)", "ms.jacfwd(ms.jacrev({func}))({inputs})")
rule("torch.autograd.functional.vjp(func, inputs, v=None)", "ms.vjp({func}, {inputs})",
     refuse={"v is not None": "call the second part of the result with v"})  # fmt: skip
rule("torch.autograd.functional.jvp(func, inputs, v)", "ms.jvp({func}, {inputs}, {v})")
rule("torch.utils.checkpoint.checkpoint(function, *args, use_reentrant=None)",
     "ms.recompute({function}, {*args})", ignore="use_reentrant")  # fmt: skip

# ---------------------------------------------------------------- files and compilation

_FILES = {"format": "MindSpore's .ckpt holds named tensors; `agar migrate weights` converts files."}
rule(
    "torch.save(obj, f, pickle_module=None, pickle_protocol=2)",
    Case("ms.save_checkpoint({obj}, {f})", note="MindSpore saves a Cell, or named parameters"),
    ignore="pickle_module pickle_protocol",
    differs=_FILES,
)
rule(
    "torch.load(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None)",
    Case("ms.load_checkpoint({f})", note="the file must be a .ckpt"),
    ignore="map_location pickle_module weights_only mmap",
    differs=_FILES,
)
rule(
    "torch.compile(model=None, *, fullgraph=False, dynamic=None, backend='inductor', mode=None, "
    "options=None, disable=False)",
    Case("{model}", when="disable"),
    Case("ms.jit({model})", when="model is not None", note="MindSpore compiles functions and "
         "methods; a network runs compiled after ms.set_context(mode=ms.GRAPH_MODE)"),
    ignore="fullgraph dynamic backend mode options",
    note="give the function: ms.jit(fn)",
)  # fmt: skip
rule("torch.jit.script(obj)", Case("ms.jit({obj})", note="MindSpore compiles functions"))
for _name in ("is_scripting", "is_tracing"):
    rule(f"torch.jit.{_name}()", "False", samples=["()"])
rule("torch.jit.annotate(the_type, the_value)", "{the_value}", ignore="the_type",
     samples=["(int, 3)"])  # fmt: skip
rule("torch._C._get_tracing_state()", "None", samples=["()"])
for _name, _count in (("_single", 1), ("_pair", 2), ("_triple", 3), ("_quadruple", 4)):
    rule(
        f"torch.nn.modules.utils.{_name}(x)",
        f"tuple({{x}}) if hasattr({{x}}, '__iter__') else ({{x}},) * {_count}",
        samples=["(3)", "((1, 2, 3, 4))"],
    )
for _name in ("compiler.is_compiling", "compiler.is_dynamo_compiling", "compiler.is_exporting",
              "_dynamo.is_compiling", "onnx.is_in_onnx_export"):  # fmt: skip
    rule(f"torch.{_name}()", "False", samples=["()"])
missing("torch.jit.trace", "use ms.jit, or ms.export for a file")
missing("torch.jit.save", "use ms.export(network, *inputs, file_name=..., file_format='MINDIR')")
missing("torch.jit.load", "use nn.GraphCell(ms.load(file))")
missing("torch.onnx.export", "use ms.export(network, *inputs, file_name=..., file_format='ONNX')")
missing("torch.export.export", "use ms.export(network, *inputs, file_name=...)")
missing("torch.hub.load", "convert the weights with agar.migrate.convert_weights")
missing("torch.cond", "write if and else: graphs of MindSpore may branch on tensors")
missing("torch.while_loop", "write while: graphs of MindSpore may loop on tensors")
for _name in ("fork", "wait"):
    missing(f"torch.{_name}", "MindSpore launches operators in parallel by itself")

# ---------------------------------------------------------------- questions about values

rule("torch.is_tensor(obj)", "ops.is_tensor({obj})", samples=["(f(3).detach())", "(3)"])
rule("torch.is_storage(obj)", "False", samples=["(3)"])
rule("torch.numel(input)", "{input}.numel()", samples=["(f(3, 4).detach())"])
rule("torch.get_default_dtype()", "ms.float32", samples=["()"])
missing("torch.set_default_dtype", "give dtype=, or cast the network: net.to_float(ms.float16)")
missing("torch.set_default_tensor_type", "give dtype= to what creates tensors")
missing("torch.typename", "use type(x).__name__")
_TYPES = "cast by hand with astype"
for _name in ("result_type", "promote_types", "can_cast"):
    missing(f"torch.{_name}", _TYPES)
rule("torch.finfo(type)", "np.finfo(ms.dtype_to_nptype({type}))")
rule("torch.iinfo(type)", "np.iinfo(ms.dtype_to_nptype({type}))")
rule("torch.Size(sizes=())", "tuple({sizes})", samples=["([2, 3])"], compare="shape")
rule("torch.device(type, index=None)", "{type}", ignore="index",
     note="MindSpore chooses one device for the program: ms.set_device('GPU', 0).")  # fmt: skip
rule("torch.Generator(device='cpu')", "ms.Generator()", ignore="device")
for _name, _dtype in (("Float", "float32"), ("Double", "float64"), ("Half", "float16"),
                      ("Long", "int64"), ("Int", "int32"), ("Short", "int16"), ("Byte", "uint8"),
                      ("Char", "int8"), ("Bool", "bool_"), ("BFloat16", "bfloat16")):  # fmt: skip
    for _head in ("torch.", "torch.cuda."):
        rule(
            f"{_head}{_name}Tensor(*data: int)",
            Case(f"ms.Tensor([], ms.{_dtype})", when="len(data) == 0"),
            f"ops.zeros(({{*data}},), dtype=ms.{_dtype})",
            others=[
                overload(f"{_head}{_name}Tensor(data: tuple)", f"ms.Tensor({{data}}, ms.{_dtype})"),
                overload(f"{_head}{_name}Tensor(data)", f"ms.Tensor({{data}}, ms.{_dtype})"),
            ],
            samples=["([1, 2])"] if _head == "torch." and _name != "Half" else (),
        )
for _name, _template, _sample in (
    ("sym_float", "float({a})", "(3)"), ("sym_int", "int({a})", "(3.5)"),
    ("sym_not", "not {a}", "(False)"), ("sym_sqrt", "math.sqrt({a})", "(2.0)"),
):  # fmt: skip
    rule(f"torch.{_name}(a)", _template, samples=[_sample])
rule("torch.sym_max(a, b)", "max({a}, {b})", samples=["(2, 3)"])
rule("torch.sym_min(a, b)", "min({a}, {b})", samples=["(2, 3)"])
rule("torch.sym_sum(args)", "sum({args})", samples=["([2, 3])"])
rule("torch.sym_ite(b, t, f)", "{t} if {b} else {f}", samples=["(True, 2, 3)"])
rule(
    "torch.set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, "
    "profile=None, sci_mode=None)",
    "np.set_printoptions(precision={precision}, threshold={threshold}, edgeitems={edgeitems}, "
    "linewidth={linewidth})",
    ignore="profile sci_mode",
)

# ---------------------------------------------------------------- the machine

_GPU = "ms.get_context('device_target')"
rule("torch.cuda.is_available()", f"{_GPU} != 'CPU'", compare="shape", samples=["()"])
rule("torch.cuda.device_count()", f"0 if {_GPU} == 'CPU' else ms.hal.device_count()",
     samples=["()"])  # fmt: skip
rule("torch.cuda.current_device()", "ms.get_context('device_id')")
rule("torch.cuda.set_device(device)", f"ms.set_device({_GPU}, {{device}})")
rule("torch.cuda.get_device_name(device=None)", "ms.hal.get_device_name({device} or 0)")
rule("torch.cuda.synchronize(device=None)", "ms.runtime.synchronize()", ignore="device")
rule("torch.cuda.empty_cache()", "ms.runtime.empty_cache()", samples=["()"])
for _name in ("memory_allocated", "memory_reserved", "max_memory_allocated", "max_memory_reserved",
              "reset_peak_memory_stats", "reset_max_memory_allocated", "memory_stats",
              "memory_summary"):  # fmt: skip
    rule(f"torch.cuda.{_name}(device=None)", f"ms.runtime.{_name}()", ignore="device")
for _name in ("manual_seed", "manual_seed_all"):
    rule(f"torch.cuda.{_name}(seed)", "ms.set_seed({seed})")
rule("torch.cuda.is_bf16_supported()", f"{_GPU} != 'CPU'")
for _name in ("Stream", "Event"):
    rule(f"torch.cuda.{_name}(*args, **kwargs)", f"ms.runtime.{_name}()", ignore="args kwargs")
rule("torch.cuda.current_stream(device=None)", "ms.runtime.current_stream()", ignore="device")
rule("torch.cuda.stream(stream)", "ms.runtime.StreamCtx({stream})")
missing("torch.cuda.get_device_properties", "ms.hal.get_device_properties of MindSpore")
missing("torch.cuda.device", "MindSpore chooses one device for the program: ms.set_device")
rule("torch.backends.mps.is_available()", "False", samples=["()"])
for _name in ("xpu", "mps", "mtia", "accelerator"):
    rule(f"torch.{_name}.is_available()", "False", samples=["()"])
rule("torch.backends.mps.is_built()", "False", samples=["()"])
rule("torch.backends.cudnn.is_available()", "False", samples=["()"], compare="shape")
rule("torch.set_num_threads(num)", "ms.set_context(runtime_num_threads={num})")
rule("torch.set_num_interop_threads(num)", "ms.set_context(runtime_num_threads={num})")
rule("torch.get_num_threads()", "ms.get_context('runtime_num_threads')", compare="shape",
     samples=["()"])  # fmt: skip
rule("torch.get_num_interop_threads()", "ms.get_context('runtime_num_threads')", compare="shape",
     samples=["()"])  # fmt: skip
rule("torch.use_deterministic_algorithms(mode, *, warn_only=False)",
     "ms.set_deterministic({mode})", ignore="warn_only", samples=["(False)"])  # fmt: skip
rule("torch.are_deterministic_algorithms_enabled()", "ms.get_context('deterministic') == 'ON'",
     samples=["()"])  # fmt: skip
for _name in ("set_deterministic_debug_mode", "get_deterministic_debug_mode",
              "is_deterministic_algorithms_warn_only_enabled"):  # fmt: skip
    missing(f"torch.{_name}", "use ms.set_deterministic")
for _name in ("set_float32_matmul_precision", "get_float32_matmul_precision"):
    missing(f"torch.{_name}", "MindSpore: ms.device_context.gpu.op_precision.matmul_allow_tf32")
for _name in ("set_default_device", "get_default_device", "get_device_module"):
    missing(f"torch.{_name}", "MindSpore chooses one device for the program: ms.set_device")
for _name in ("set_flush_denormal", "set_warn_always", "is_warn_always_enabled",
              "is_vulkan_available", "compiled_with_cxx11_abi"):  # fmt: skip
    missing(f"torch.{_name}", "MindSpore has no such switch; leave it out")

# ---------------------------------------------------------------- mixed precision

_AMP = (
    "MindSpore casts a network once, not a block: ms.amp.auto_mixed_precision(network, 'O1'), or "
    "network.to_float(ms.float16)"
)
for _name in ("is_autocast_enabled", "is_autocast_cpu_enabled", "is_autocast_ipu_enabled",
              "is_autocast_xla_enabled"):  # fmt: skip
    rule(f"torch.{_name}(device_type=None)" if _name == "is_autocast_enabled" else
         f"torch.{_name}()", "False", ignore="device_type", samples=["()"])  # fmt: skip
for _name in ("autocast", "cuda.amp.autocast", "amp.autocast", "cpu.amp.autocast",
              "is_autocast_cache_enabled", "get_autocast_dtype",
              "get_autocast_cpu_dtype", "get_autocast_gpu_dtype", "get_autocast_ipu_dtype",
              "get_autocast_xla_dtype", "set_autocast_enabled", "set_autocast_cpu_enabled",
              "set_autocast_ipu_enabled", "set_autocast_xla_enabled", "set_autocast_dtype",
              "set_autocast_cpu_dtype", "set_autocast_gpu_dtype", "set_autocast_ipu_dtype",
              "set_autocast_xla_dtype", "set_autocast_cache_enabled", "clear_autocast_cache",
              "autocast_increment_nesting", "autocast_decrement_nesting"):  # fmt: skip
    missing(f"torch.{_name}", _AMP)
for _name in ("cuda.amp.GradScaler", "amp.GradScaler"):
    missing(
        f"torch.{_name}",
        "ms.amp.DynamicLossScaler is used otherwise: scale the loss inside of value_and_grad with "
        "scaler.scale, the gradients with scaler.unscale, call the optimizer where "
        "ms.amp.all_finite(grads), and then scaler.adjust",
    )

# ---------------------------------------------------------------- many machines

_D = "torch.distributed."
_SETUP = "backend init_method timeout world_size rank store group_name pg_options device_id"
rule(
    f"{_D}init_process_group({_SETUP.replace(' ', '=None, ')}=None)",
    "ms.communication.init()",
    ignore=_SETUP,
)
rule(f"{_D}get_rank(group=None)", "ms.communication.get_rank()",
     refuse={"group is not None": "give the group's name"})  # fmt: skip
rule(f"{_D}get_world_size(group=None)", "ms.communication.get_group_size()",
     refuse={"group is not None": "give the group's name"})  # fmt: skip
rule(f"{_D}destroy_process_group(group=None)", "ms.communication.release()", ignore="group")
rule(f"{_D}barrier(group=None, async_op=False, device_ids=None)", "ops.Barrier()()",
     ignore="group async_op device_ids")  # fmt: skip
rule(f"{_D}is_initialized()", "ms.communication.GlobalComm.INITED")
rule(f"{_D}is_available()", "True", samples=["()"])
for _name in ("all_reduce", "all_gather", "broadcast", "reduce", "reduce_scatter", "scatter",
              "gather", "all_to_all", "send", "recv", "new_group"):  # fmt: skip
    missing(f"{_D}{_name}", "MindSpore's collectives give their result: "
            "ms.communication.comm_func has them")  # fmt: skip

# ---------------------------------------------------------------- recurrent and other kernels

for _name in ("lstm", "gru", "rnn_tanh", "rnn_relu", "lstm_cell", "gru_cell", "rnn_tanh_cell",
              "rnn_relu_cell"):  # fmt: skip
    missing(f"torch.{_name}", "use the layer: nn.LSTM, nn.GRU, nn.RNN and their cells")
_QUANTUM = "MindSpore quantizes with the package golden-stick, not in tensors"
for _name in ("quantize_per_channel", "quantize_per_tensor", "quantize_per_tensor_dynamic",
              "dequantize", "int_repr", "q_scale", "q_zero_point", "q_per_channel_axis",
              "q_per_channel_scales", "q_per_channel_zero_points", "choose_qparams_optimized",
              "fake_quantize_per_channel_affine", "fake_quantize_per_tensor_affine",
              "fused_moving_avg_obs_fake_quant"):  # fmt: skip
    missing(f"torch.{_name}", _QUANTUM)
_SPARSE = "sparse tensors are classes of their own: ms.COOTensor and ms.CSRTensor"
for _name in ("smm", "spmm", "hsmm", "dsmm", "hspmm", "saddmm", "sspaddmm"):
    missing(f"torch.{_name}", _SPARSE)
for _name in ("as_strided", "as_strided_", "as_strided_copy", "as_strided_scatter"):
    missing(f"torch.{_name}", "use slices, narrow or unfold; MindSpore's views have no strides")
for _name in ("torch.frexp", "torch.Tensor.frexp"):
    missing(_name, "use np.frexp on x.asnumpy()")
missing("torch.detach_", "assign the result of ops.stop_gradient")
missing("torch.norm_except_dim", "use ops.vector_norm over the other axes")
missing("torch.embedding_renorm_", "use ops.renorm")
missing("torch.unfold_copy", "use the method unfold")
missing("torch.slice_copy", "use a slice and copy()")
missing("torch.hash_tensor", "hash x.asnumpy().tobytes()")
missing("torch.Tensor.index", "use x[...]")
missing("torch.Tensor.resize", "use reshape, or ops.pad and a slice")
missing("torch.Tensor.resize_as", "use reshape, or ops.pad and a slice")
missing("torch.Tensor.resize_as_sparse_", _SPARSE)
rule(
    "torch.Tensor.polygamma_(self, n)",
    "{self}.copy_(ops.polygamma(ms.Tensor({n}), {self}.copy()))",
    samples=["(p(4), 1)"],
)
for _name in ("profiler.profile", "profiler.record_function", "autograd.profiler.profile"):
    missing(f"torch.{_name}", "use ms.Profiler")
