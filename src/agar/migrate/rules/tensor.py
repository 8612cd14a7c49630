"""Rows of methods and attributes which only tensors have."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, overload, rule
from agar.migrate.rules._rule import Case

_T = "torch.Tensor."

# ---------------------------------------------------------------- what a tensor is

for _name in ("shape", "ndim", "dtype", "itemsize", "nbytes"):
    rule(f"{_T}{_name}(self)", f"{{self}}.{_name}", samples=["(f(3, 4).detach())"])
rule(
    f"{_T}size(self, dim=None)",
    Case("{self}.shape", when="dim is None"),
    "{self}.shape[{dim}]",
    samples=["(f(3, 4).detach())", "(f(3, 4).detach(), 1)", "(f(3, 4).detach(), dim=-1)"],
    differs={"size": "MindSpore's size is an attribute: the number of elements."},
)
for _name in ("numel", "nelement"):
    rule(f"{_T}{_name}(self)", f"{{self}}.{_name}()", samples=["(f(3, 4).detach())"])
for _name in ("dim", "ndimension"):
    rule(f"{_T}{_name}(self)", "{self}.ndim", samples=["(f(3, 4).detach())"])
rule(f"{_T}element_size(self)", "{self}.itemsize", samples=["(f(3, 4).detach())"])
rule(
    f"{_T}stride(self, dim=None)",
    Case("tuple({self}.stride())", when="dim is None"),
    "{self}.stride({dim})",
    samples=["(f(3, 4).detach())", "(f(3, 4).detach(), 0)"],
)
rule(f"{_T}storage_offset(self)", "{self}.storage_offset()", samples=["(f(3, 4).detach())"])
rule(f"{_T}is_contiguous(self, memory_format=None)", "{self}.is_contiguous()",
     ignore="memory_format", samples=["(f(3, 4).detach())"])  # fmt: skip
rule(
    f"{_T}device(self)",
    "{self}.device",
    compare="shape",
    differs={"device": "MindSpore gives a text such as 'CPU' or 'GPU:0'. One device is chosen "
             "for the whole program with ms.set_device."},
)  # fmt: skip
for _name, _kind in (("is_cuda", "'GPU'"), ("is_cpu", "'CPU'")):
    rule(f"{_T}{_name}(self)", f"{{self}}.device.startswith({_kind})",
         samples=["(f(3, 4).detach())"])  # fmt: skip
for _name in ("is_sparse", "is_quantized", "is_mkldnn", "is_xla", "is_mps", "is_meta", "is_nested",
              "is_ipu", "is_xpu", "is_vulkan", "is_maia", "is_mtia", "is_sparse_csr"):  # fmt: skip
    rule(f"{_T}{_name}(self)", "False", samples=["(f(3, 4).detach())"],
         note="A Tensor of MindSpore is dense and on a device of its own.")  # fmt: skip
for _name in ("is_conj", "is_neg", "is_distributed", "is_inference"):
    rule(f"{_T}{_name}(self)", "False", samples=["(f(3, 4).detach())"])
    rule(f"torch.{_name}(input)", "False", samples=["(f(3, 4).detach())"])
rule(f"{_T}is_same_size(self, other)", "{self}.shape == {other}.shape",
     samples=["(f(3).detach(), f(3).detach())"])  # fmt: skip
rule("torch.is_same_size(input, other)", "{input}.shape == {other}.shape",
     samples=["(f(3).detach(), f(4).detach())"])  # fmt: skip
rule(f"{_T}get_device(self)", "-1 if {self}.device == 'CPU' else 0",
     samples=["(f(3, 4).detach())"])  # fmt: skip
rule("torch.get_device(input)", "-1 if {input}.device == 'CPU' else 0",
     samples=["(f(3, 4).detach())"])  # fmt: skip
rule(f"{_T}data_ptr(self)", "{self}.data_ptr()", compare="shape", samples=["(f(3).detach())"])

# ---------------------------------------------------------------- to Python and numpy

rule(f"{_T}item(self)", "{self}.item()", samples=["(torch.tensor([2.5]))", "(torch.tensor(3))"])
rule(f"{_T}tolist(self)", "{self}.tolist()", samples=["(i(5, 3, 2))"])
rule(
    f"{_T}numpy(self, *, force=False)",
    "{self}.asnumpy()",
    ignore="force",
    samples=["(f(3, 4).detach())"],
    differs={"memory": "MindSpore's array does not share the tensor's memory."},
)

# ---------------------------------------------------------------- devices and dtypes

for _name, _dtype in (
    ("float", "float32"), ("double", "float64"), ("half", "float16"), ("long", "int64"),
    ("int", "int32"), ("short", "int16"), ("bool", "bool_"), ("byte", "uint8"),
    ("bfloat16", "bfloat16"),
):  # fmt: skip
    rule(f"{_T}{_name}(self, memory_format=None)", f"{{self}}.{_name}()", ignore="memory_format",
         samples=["(f(3, 4).detach() * 5)" if _name != "byte" else "(i(5, 3))"])  # fmt: skip
for _name, _dtype in (("char", "int8"), ("cfloat", "complex64"), ("cdouble", "complex128")):
    rule(f"{_T}{_name}(self, memory_format=None)", f"{{self}}.astype(ms.{_dtype})",
         ignore="memory_format", samples=["(i(5, 3))"])  # fmt: skip
missing(f"{_T}chalf", "MindSpore has no complex numbers of half size; use complex64")
_PLACE = "MindSpore chooses the device for the whole program: ms.set_device('GPU')"
rule(
    f"{_T}to(self, dtype: dtype, non_blocking=False, copy=False, memory_format=None)",
    "{self}.astype({dtype})",
    ignore="non_blocking copy memory_format",
    others=[
        overload(
            f"{_T}to(self, device: device | int | None=None, dtype: dtype | None=None, "
            "non_blocking=False, copy=False, memory_format=None)",
            Case("{self}.astype({dtype})", when="dtype is not None", note=_PLACE, likely=True),
            Case("{self}", note=_PLACE),
            ignore="device non_blocking copy memory_format",
        ),
        overload(
            f"{_T}to(self, other: Tensor, non_blocking=False, copy=False, memory_format=None)",
            "{self}.astype({other}.dtype)",
            ignore="non_blocking copy memory_format",
        ),
    ],
    samples=[
        "(f(3, 4), torch.float32)",
        "(f(3, 4), 'cpu')",
        "(f(3, 4), 'cpu', torch.float32)",
        "(f(3, 4), device='cpu')",
        "(f(3, 4), i(3, 2).float())",
        "(i(3, 4), dtype=torch.bool)",
    ],
    differs={"device": _PLACE},
)
for _name in ("cuda", "cpu", "xpu", "ipu", "mtia"):
    rule(
        f"{_T}{_name}(self, device=None, non_blocking=False, memory_format=None)",
        Case("{self}", note=_PLACE),
        ignore="device non_blocking memory_format",
        samples=["(f(3, 4))"] if _name == "cpu" else (),
        differs={"device": _PLACE},
    )
rule(
    f"{_T}type(self, dtype=None, non_blocking=False)",
    Case(
        "{self}.astype({dtype})",
        when="dtype is not None and not isinstance(dtype, str)",
        likely=True,
    ),
    refuse={"isinstance(dtype, str)": "write the dtype, such as ms.float32"},
    ignore="non_blocking",
    note="without an argument PyTorch gives a text such as 'torch.FloatTensor'; use .dtype",
    samples=["(f(3, 4), torch.float32)"],
)
rule(f"{_T}type_as(self, other)", "{self}.astype({other}.dtype)",
     samples=["(f(3).detach(), i(3, 2))"])  # fmt: skip
rule(f"{_T}contiguous(self, memory_format=None)", "{self}.contiguous()", ignore="memory_format",
     samples=["(f(3, 4).t())"])  # fmt: skip
rule(f"{_T}clone(self, *, memory_format=None)", "{self}.copy()", ignore="memory_format",
     samples=["(f(3, 4))"],
     differs={"name": "MindSpore's own clone has no kernel for the CPU."})  # fmt: skip
for _name in ("pin_memory", "share_memory_"):
    rule(f"{_T}{_name}(self, *args)", "{self}", ignore="args",
         note="It changes where the numbers lie, not what they are.",
         samples=["(f(3, 4))"] if _name != "pin_memory" else ())  # fmt: skip
rule(f"{_T}dequantize(self)", "{self}", note="A tensor of MindSpore is not quantized.")
for _name in ("is_pinned", "is_shared"):
    rule(f"{_T}{_name}(self)", "False", samples=["(f(3).detach())"])
rule(f"{_T}record_stream(self, stream)", "None", ignore="stream",
     note="MindSpore orders its streams by itself.")  # fmt: skip

# ---------------------------------------------------------------- gradients

rule(f"{_T}detach(self)", "ops.stop_gradient({self})", samples=["(f(3, 4))"])
rule(
    f"{_T}data(self)",
    "ops.stop_gradient({self})",
    samples=["(f(3, 4))"],
    note="Write parameter.set_data(...) where data is assigned.",
)
_GRADS = (
    "MindSpore keeps no gradients in tensors: ms.value_and_grad(forward, None, "
    "optimizer.parameters) gives them, and the optimizer takes them"
)
for _name in ("backward", "grad", "grad_fn", "retain_grad", "is_leaf", "retains_grad", "output_nr",
              "register_post_accumulate_grad_hook", "reinforce", "grad_dtype"):  # fmt: skip
    missing(f"{_T}{_name}", _GRADS)
rule(f"{_T}register_hook(self, hook)", "{self}.register_hook({hook})",
     note="The hook gets the gradient, as in PyTorch.", compare="shape")  # fmt: skip
rule(
    f"{_T}requires_grad(self)",
    "{self}.requires_grad",
    note="Only a Parameter has it; what is differentiated is chosen by ms.grad.",
)
missing(
    f"{_T}requires_grad_",
    "what is differentiated is chosen by ms.grad(fn, grad_position, weights); a Parameter has "
    "requires_grad, and ops.stop_gradient cuts",
)
rule(f"{_T}detach_(self)", "ops.stop_gradient({self})",
     note="Assign the result: MindSpore cannot cut a tensor in place.",
     samples=["(f(3, 4).detach())"])  # fmt: skip
rule("torch.detach(input)", "ops.stop_gradient({input})", samples=["(f(3, 4))"])
rule("torch.clone(input, *, memory_format=None)", "{input}.copy()", ignore="memory_format",
     samples=["(f(3, 4))"])  # fmt: skip

# ---------------------------------------------------------------- in place

rule(f"{_T}copy_(self, src, non_blocking=False)", "{self}.copy_({src})", ignore="non_blocking",
     samples=["(f(3, 4), f(3, 4))", "(f(3, 4), f(4))"])  # fmt: skip
rule(f"{_T}zero_(self)", "{self}.copy_(ops.zeros_like({self}))", samples=["(f(3, 4))"],
     differs={"name": "MindSpore's own zero_ has no kernel for the CPU."})  # fmt: skip
rule(f"{_T}fill_(self, value)", "{self}.copy_(ops.zeros_like({self}) + {value})",
     samples=["(f(3, 4), 2.5)", "(f(3, 4), torch.tensor(1.5))"],
     differs={"name": "MindSpore's own fill_ has no kernel for the CPU."})  # fmt: skip
rule("torch.fill_(input, value)", "{input}.copy_(ops.zeros_like({input}) + {value})",
     samples=["(f(3, 4), 2.5)"])  # fmt: skip
rule("torch.zero_(input)", "{input}.copy_(ops.zeros_like({input}))", samples=["(f(3, 4))"])
rule(
    f"{_T}fill_diagonal_(self, fill_value, wrap=False)",
    "{self}.copy_(ops.where(ops.eye({self}.shape[0], {self}.shape[1], ms.int32) == 1, "
    "ops.zeros_like({self}) + {fill_value}, {self}.copy()))",
    refuse={"wrap": "fill the other diagonals with ops.diagonal_scatter"},
    samples=["(f(3, 4), 0.5)"],
)
_DRAWN = {"generator is not None": "MindSpore draws from the generator of ms.set_seed"}
_FLAT = "ms.Tensor({%s}, ms.float32)"
for _name, _arguments, _template in (
    ("normal_", "mean=0, std=1", "ops.normal({self}.shape, {mean}, {std})"),
    ("uniform_", "from_=0, to=1",
     "ops.rand({self}.shape) * ({to} - {from_}) + {from_}"),
    ("bernoulli_", "p=0.5", "ops.bernoulli(ops.ones({self}.shape), {p})"),
    ("exponential_", "lambd=1", "-ops.log(1 - ops.rand({self}.shape)) / {lambd}"),
    ("log_normal_", "mean=1, std=2", "ops.exp(ops.normal({self}.shape, {mean}, {std}))"),
    ("cauchy_", "median=0, sigma=1",
     "{median} + {sigma} * ops.tan(math.pi * (ops.rand({self}.shape) - 0.5))"),
    ("geometric_", "p",
     "ops.ceil(ops.log(1 - ops.rand({self}.shape)) / math.log(1 - {p}))"),
):  # fmt: skip
    rule(
        f"{_T}{_name}(self, {_arguments}, *, generator=None)",
        f"{{self}}.copy_({_template})",
        refuse=_DRAWN,
        compare="moments",
        samples=["(f(300, 40).detach(), 0.4)" if _name in ("geometric_", "bernoulli_")
                 else "(f(300, 40).detach())"],
    )  # fmt: skip
rule(
    f"{_T}random_(self, from_=0, to=None, *, generator=None)",
    Case("{self}.copy_(ops.randint(0, {from_}, {self}.shape))", when="to is None and from_ != 0"),
    Case("{self}.copy_(ops.randint({from_}, {to}, {self}.shape))", when="to is not None"),
    refuse=_DRAWN,
    compare="shape",
    note="give the bound: random_(0, high)",
    samples=["(i(5, 30, 40), 0, 9)"],
)
for _name, _axes in (("unsqueeze_", "dim"), ("squeeze_", "dim=None"), ("t_", ""),
                     ("transpose_", "dim0, dim1"), ("swapaxes_", "axis0, axis1"),
                     ("swapdims_", "dim0, dim1"), ("resize_", "*sizes"), ("resize_as_", "other"),
                     ("as_strided_", "*args"), ("set_", "*args")):  # fmt: skip
    missing(
        f"{_T}{_name}(self, {_axes})",
        "MindSpore cannot change the shape of a tensor in place; assign the result of "
        f"{_name[:-1] if _name != 'set_' else 'set_data'}",
    )
for _name in ("resize_as_", "resize_as_sparse_"):
    missing(f"torch.{_name}", "MindSpore cannot change the shape of a tensor in place")

# ---------------------------------------------------------------- new tensors like it

_SIZES = "{self}.new_{name}(({*size},), dtype={dtype})"
for _name in ("zeros", "ones", "empty"):
    _fill = "zeros" if _name == "empty" else _name
    rule(
        f"{_T}new_{_name}(self, *size: int | tuple, dtype=None, device=None, requires_grad=False, "
        "layout=None, pin_memory=False)",
        Case(f"ops.{_fill}({{*size}}, dtype={{self}}.dtype)",
             when="len(size) == 1 and dtype is None"),
        Case(f"ops.{_fill}({{*size}}, dtype={{dtype}})", when="len(size) == 1"),
        Case(f"ops.{_fill}(({{*size}},), dtype={{self}}.dtype)", when="dtype is None"),
        f"ops.{_fill}(({{*size}},), dtype={{dtype}})",
        ignore="device requires_grad layout pin_memory",
        compare="shape" if _name == "empty" else "values",
        samples=["(f(3).detach(), 2, 3)", "(f(3).detach(), (2, 3))",
                 "(f(3).detach(), 2, 3, dtype=torch.int64)", "(i(4, 3), 5)"],
    )  # fmt: skip
rule(
    f"{_T}new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False, "
    "layout=None, pin_memory=False)",
    Case("ops.full({size}, {fill_value}, dtype={self}.dtype)", when="dtype is None"),
    "ops.full({size}, {fill_value}, dtype={dtype})",
    ignore="device requires_grad layout pin_memory",
    samples=["(f(3).detach(), (2, 3), 1.5)", "(f(3).detach(), (2, 3), 2, dtype=torch.int64)"],
    differs={"name": "MindSpore's own new_full runs on Ascend only."},
)
rule(
    f"{_T}new_tensor(self, data, *, dtype=None, device=None, requires_grad=False)",
    Case("ms.Tensor({data}, {self}.dtype)", when="dtype is None"),
    "ms.Tensor({data}, {dtype})",
    ignore="device requires_grad",
    samples=["(f(3).detach(), [1.0, 2.0])", "(f(3).detach(), [1, 2], dtype=torch.int32)"],
)
for _name in ("new", "new_empty_strided"):
    missing(f"{_T}{_name}", "use ops.zeros with the shape and dtype")

# ---------------------------------------------------------------- what MindSpore does not have

_SPARSE = "sparse tensors are classes of their own: ms.COOTensor and ms.CSRTensor"
for _name in ("to_sparse", "to_sparse_bsc", "to_sparse_bsr", "to_sparse_csc", "sparse_mask",
              "sparse_resize_", "sparse_resize_and_clear_", "coalesce", "is_coalesced", "indices",
              "values", "crow_indices", "col_indices", "ccol_indices", "row_indices", "sparse_dim",
              "dense_dim", "smm", "sspaddmm", "to_mkldnn", "to_padded_tensor"):  # fmt: skip
    missing(f"{_T}{_name}", _SPARSE)
rule(f"{_T}to_sparse_coo(self)", "{self}.to_coo()", note=_SPARSE)
rule(f"{_T}to_sparse_csr(self, dense_dim=None)", "{self}.to_csr()", ignore="dense_dim",
     note=_SPARSE)  # fmt: skip
rule(f"{_T}to_dense(self, dtype=None, *, masked_grad=True)", "{self}",
     ignore="dtype masked_grad", samples=["(f(3))"])  # fmt: skip
for _name in ("int_repr", "q_per_channel_axis", "q_per_channel_scales", "q_per_channel_zero_points",
              "q_scale", "q_zero_point", "qscheme"):  # fmt: skip
    missing(f"{_T}{_name}", "MindSpore quantizes with the package golden-stick, not in tensors")
for _name in ("storage", "untyped_storage", "storage_type", "is_set_to", "const_data_ptr"):
    missing(f"{_T}{_name}", "MindSpore does not show the memory under a tensor")
for _name in ("apply_", "map_", "map2_"):
    missing(f"{_T}{_name}", "compute with operators, or on {self}.asnumpy()")
for _name in ("as_strided", "as_strided_scatter"):
    missing(f"{_T}{_name}", "use slices, narrow or unfold; MindSpore's views have no free strides")
missing(f"{_T}as_subclass", "subclass ms.Tensor or keep the value in an object of your own")
missing(f"{_T}module_load", "use parameter.set_data, or ms.load_param_into_net")
missing(f"{_T}dim_order", "MindSpore's tensors are in the order of their axes")
missing(f"{_T}layout", "MindSpore's dense and sparse tensors are different classes")
missing(f"{_T}name", "named axes do not exist; a Parameter has a name")
missing(f"{_T}volatile", "PyTorch itself dropped it; use ops.stop_gradient")
missing(f"{_T}hash_tensor", "compare with ops.equal, or hash {self}.asnumpy().tobytes()")
missing(f"{_T}slice_inverse", "an internal function of PyTorch's functionalisation")
