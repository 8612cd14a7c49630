"""Rules of the methods of torch.nn.Module and torch.optim.Optimizer."""

from __future__ import annotations

from collections.abc import Mapping

from agar.migrate.rules._declare import missing, rule

_NET = "torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Sequential(torch.nn.ReLU()))"
_NORMED = "torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))"


def _method(
    call: str,
    template: str,
    *samples: str,
    refuse: Mapping[str, str] | None = None,
    ignore: str = "",
    differs: Mapping[str, str] | None = None,
) -> None:
    """One method; the samples are what follows the module in the call."""
    rule(
        f"torch.nn.Module.{call}",
        template,
        refuse=refuse,
        ignore=ignore,
        differs=differs,
        samples=[f"({_NET}{', ' if s else ''}{s})" for s in samples],
        compare="cells",
    )


_TRAINED = {
    "trainable_params": "it leaves out frozen parameters; get_parameters() gives them too, and "
    "the running statistics, which are Parameters here and buffers in PyTorch",
}
_NAMES = {
    "name": "names follow the cell: gamma, beta, moving_mean, embedding_table",
}
_method(
    "train(self, mode=True)",
    "{self}.set_train({mode})",
    "",
    "False",
    differs={
        "set_train": "a new Cell is in evaluation mode, a new Module in training mode",
    },
)
_method(
    "eval(self)",
    "{self}.set_train(False)",
    "",
    differs={
        "set_train": "there is no eval()",
    },
)
_method(
    "parameters(self, recurse=True)",
    "{self}.trainable_params({recurse})",
    "",
    "recurse=False",
    differs=_TRAINED,
)
_method(
    "named_parameters(self, prefix='', recurse=True, remove_duplicate=True)",
    "[(p.name, p) for p in {self}.trainable_params({recurse})]",
    "",
    refuse={"prefix != ''": "put it before p.name by hand"},
    ignore="remove_duplicate",
    differs={**_TRAINED, **_NAMES},
)
_method("children(self)", "{self}.cells()", "")
_method("named_children(self)", "{self}.name_cells().items()", "")
_method(
    "modules(self, remove_duplicate=True)",
    "[cell for _, cell in {self}.cells_and_names()]",
    "",
    ignore="remove_duplicate",
)
_method(
    "named_modules(self, memo=None, prefix='', remove_duplicate=True)",
    "{self}.cells_and_names(name_prefix={prefix})",
    "",
    "prefix='net'",
    refuse={"memo is not None": "it is PyTorch's own bookkeeping"},
    ignore="remove_duplicate",
)
_method(
    "buffers(self, recurse=True)",
    "{self}.buffers({recurse})",
    "",
    differs={"buffers": "running statistics are Parameters without gradient, no buffers"},
)
_method(
    "named_buffers(self, prefix='', recurse=True, remove_duplicate=True)",
    "{self}.named_buffers({prefix}, {recurse})",
    "",
    ignore="remove_duplicate",
    differs={"buffers": "running statistics are Parameters without gradient, no buffers"},
)
_method(
    "register_buffer(self, name, tensor, persistent=True)",
    "{self}.register_buffer({name}, {tensor}, {persistent})",
    "'steps', f(3).detach()",
    "'steps', f(3).detach(), persistent=False",
)
_method(
    "register_parameter(self, name, param)",
    "{self}.insert_param_to_cell({name}, {param})",
    "'scale', torch.nn.Parameter(f(3).detach())",
    refuse={"param is None": "set the attribute to None"},
    differs={"name": "assigning an attribute does the same: self.scale = Parameter(...)"},
)
for _name in ("add_module", "register_module"):
    _method(
        f"{_name}(self, name, module)",
        "{self}.insert_child_to_cell({name}, {module})",
        "'last', torch.nn.Tanh()",
        differs={"name": "assigning an attribute does the same: self.last = nn.Tanh()"},
    )
_method("get_submodule(self, target)", "{self}.get_sub_cell({target})", "'1.0'", "'0'")
_method("apply(self, fn)", "{self}.apply({fn})", "lambda part: part")
_method(
    "state_dict(self, *args, destination=None, prefix='', keep_vars=False)",
    "{self}.state_dict()",
    "",
    refuse={
        "args or destination is not None or prefix != ''": "change the names of the dict that "
        "state_dict() gives"
    },
    ignore="keep_vars",
    differs={
        **_NAMES,
        "values": "they are the Parameters themselves; agar.migrate.to_torch_state gives PyTorch's "
        "names and tensors",
    },
)
_method(
    "load_state_dict(self, state_dict, strict=True, assign=False)",
    "{self}.load_state_dict({state_dict}, {strict})",
    "{}, strict=False",
    refuse={"assign": "a Cell keeps its Parameters and takes the values: leave assign out"},
    differs=_NAMES,
)
_HOOK = {"hook": "it gets Cells and Tensors, and runs in both modes"}
_method(
    "register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False)",
    "{self}.register_forward_hook({hook})",
    "lambda module, inputs, output: None",
    refuse={
        "prepend or with_kwargs or always_call": "MindSpore's hook takes none of these; register "
        "the hooks in the order in which they should run"
    },
    differs=_HOOK,
)
_method(
    "register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False)",
    "{self}.register_forward_pre_hook({hook})",
    "lambda module, inputs: None",
    refuse={
        "prepend or with_kwargs": "MindSpore's hook takes none of these; register the hooks in the "
        "order in which they should run"
    },
    differs=_HOOK,
)
_method(
    "register_full_backward_hook(self, hook, prepend=False)",
    "{self}.register_backward_hook({hook})",
    "lambda module, inner, outer: None",
    refuse={"prepend": "register the hooks in the order in which they should run"},
    differs={**_HOOK, "name": "it is called register_backward_hook"},
)
_method(
    "register_full_backward_pre_hook(self, hook, prepend=False)",
    "{self}.register_backward_pre_hook({hook})",
    "lambda module, outer: None",
    refuse={"prepend": "register the hooks in the order in which they should run"},
    differs={**_HOOK, "name": "it is called register_backward_pre_hook"},
)
for _name, _reason in (
    (
        "forward(self, *input)",
        "the forward pass is called construct; a Cell is called like a function, as a Module is",
    ),
    ("extra_repr(self)", "it is called extend_repr; override that"),
    (
        "zero_grad(self, set_to_none=True)",
        "gradients are no state of a Cell: value_and_grad returns them",
    ),
    (
        "requires_grad_(self, requires_grad=True)",
        "set it on each: for p in "
        "cell.get_parameters(): p.requires_grad = False; leave the running statistics frozen",
    ),
    (
        "to(self, *args, **kwargs)",
        "the device is chosen once, with ms.set_device; "
        "cell.to_float(ms.float16) computes in another type",
    ),
    ("cuda(self, device=None)", "the device is chosen once, with ms.set_device"),
    ("cpu(self)", "the device is chosen once, with ms.set_device"),
    ("xpu(self, device=None)", "the device is chosen once, with ms.set_device"),
    ("ipu(self, device=None)", "the device is chosen once, with ms.set_device"),
    ("mtia(self, device=None)", "the device is chosen once, with ms.set_device"),
    (
        "to_empty(self, *, device, recurse=True)",
        "the device is chosen once, with ms.set_device; "
        "nn.no_init_parameters() leaves weights empty",
    ),
    ("half(self)", "cell.to_float(ms.float16) computes in float16 over float32 weights"),
    ("bfloat16(self)", "cell.to_float(ms.bfloat16) computes in bfloat16 over float32 weights"),
    ("float(self)", "cells are in float32 unless their dtype= says otherwise"),
    ("double(self)", "give the layers dtype=ms.float64"),
    (
        "type(self, dst_type)",
        "give the layers dtype=, or compute in another type with cell.to_float",
    ),
    ("compile(self, *args, **kwargs)", "use ms.jit, or ms.set_context(mode=ms.GRAPH_MODE)"),
    ("share_memory(self)", "processes do not share Cells; use ms.communication"),
    (
        "get_buffer(self, target)",
        "cell.get_buffer(name) gives what register_buffer was given; running statistics are "
        "Parameters here: cell.parameters_dict()[name]",
    ),
    ("get_parameter(self, target)", "look it up: cell.parameters_dict()[name]"),
    ("set_submodule(self, target, module, strict=False)", "assign it: setattr(parent, name, cell)"),
    (
        "register_backward_hook(self, hook)",
        "PyTorch gives this one partial gradients and warns; "
        "register_backward_hook of a Cell is PyTorch's register_full_backward_hook",
    ),
    ("get_extra_state(self)", "checkpoints hold Parameters alone; keep the rest in a file beside"),
    (
        "set_extra_state(self, state)",
        "checkpoints hold Parameters alone; keep the rest in a file beside",
    ),
    ("register_state_dict_pre_hook(self, hook)", "change the dict that parameters_dict() gives"),
    ("register_state_dict_post_hook(self, hook)", "change the dict that parameters_dict() gives"),
    (
        "register_load_state_dict_pre_hook(self, hook)",
        "change the dict before ms.load_param_into_net",
    ),
    ("register_load_state_dict_post_hook(self, hook)", "go on after ms.load_param_into_net"),
):
    missing(f"torch.nn.Module.{_name}", f"{_reason}.")

for _name, _reason in (
    (
        "step(self, closure=None)",
        "gradients are values, and the optimizer is called with them: "
        "loss, grads = grad_fn(data); optimizer(grads)",
    ),
    (
        "zero_grad(self, set_to_none=True)",
        "gradients are values, nothing adds up between steps: leave the line out",
    ),
    ("state_dict(self)", "the slots are Parameters: ms.save_checkpoint(optimizer, file)"),
    (
        "load_state_dict(self, state_dict)",
        "ms.load_param_into_net(optimizer, "
        "ms.load_checkpoint(file)); agar migrate weights converts PyTorch's",
    ),
    ("add_param_group(self, param_group)", "give all groups when the optimizer is made"),
):
    missing(f"torch.optim.Optimizer.{_name}", f"{_reason}.")
