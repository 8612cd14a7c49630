"""Rules of torch.nn.utils."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, rule

_CLIPPED = (
    "gradients are values here, and this would clip the weights: clip what value_and_grad gives, "
    "before the optimizer takes it: "
)
missing(
    "torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type=2.0, "
    "error_if_nonfinite=False, foreach=None)",
    _CLIPPED + "grads = ops.clip_by_global_norm(grads, max_norm).",
)
missing(
    "torch.nn.utils.clip_grad_value_(parameters, clip_value, foreach=None)",
    _CLIPPED + "grads = ops.clip_by_value(grads, -clip_value, clip_value).",
)
rule(
    "torch.nn.utils.parameters_to_vector(parameters)",
    "ops.cat([ops.reshape(p, (-1,)) for p in {parameters}])",
    samples=["([f(3, 4), f(5)])"],
)
missing(
    "torch.nn.utils.vector_to_parameters(vec, parameters)",
    "cut the vector with ops.split and put each part in place: p.set_data(part.reshape(p.shape)).",
)
for _name in ("clip_grad_norm",):
    missing(f"torch.nn.utils.{_name}", "it is an old name; write clip_grad_norm_.")
missing(
    "torch.nn.utils.get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None)",
    "compute it: ops.sqrt(sum(ops.reduce_sum(ops.square(g)) for g in grads)).",
)
missing(
    "torch.nn.utils.clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None)",
    "scale the gradients: coefficient = ops.clamp(max_norm / (total_norm + 1e-6), max=1.0).",
)
_NORMS = (
    "MindSpore does not compute a weight from other parameters by itself; write a Cell that keeps "
    "{parts} as Parameters and computes the weight in construct"
)
for _name, _parts in (
    ("weight_norm", "g and v"),
    ("spectral_norm", "the weight and the vector u"),
    ("parametrizations.weight_norm", "g and v"),
    ("parametrizations.spectral_norm", "the weight and the vector u"),
    ("parametrizations.orthogonal", "the unconstrained matrix"),
    ("parametrize.register_parametrization", "the unconstrained tensor"),
):
    missing(f"torch.nn.utils.{_name}", _NORMS.format(parts=_parts) + ".")
for _name in ("remove_weight_norm", "remove_spectral_norm"):
    missing(
        f"torch.nn.utils.{_name}",
        "remove it in PyTorch before the conversion; the module then has a plain weight.",
    )
for _name in ("fuse_conv_bn_eval", "fuse_linear_bn_eval"):
    missing(
        f"torch.nn.utils.{_name}",
        "fuse in PyTorch before the conversion; agar's graph mode folds them by itself.",
    )
for _name in ("fuse_conv_bn_weights", "fuse_linear_bn_weights"):
    missing(
        f"torch.nn.utils.{_name}",
        "compute scale = gamma / ops.sqrt(variance + eps), then weight * scale and "
        "(bias - mean) * scale + beta.",
    )
missing(
    "torch.nn.utils.skip_init(module_cls, *args, **kwargs)",
    "write: with nn.no_init_parameters(): cell = Cell(...).",
)
for _name, _text in (
    ("pack_padded_sequence", "give the padded batch to the layer, and the lengths as seq_length="),
    ("pad_packed_sequence", "the layers return padded batches"),
    ("pack_sequence", "pad the sequences and give the lengths as seq_length="),
    ("unpack_sequence", "cut each row to its length: output[n, :length[n]]"),
    ("PackedSequence", "keep the padded batch and the lengths"),
):
    missing(f"torch.nn.utils.rnn.{_name}", f"there are no packed sequences; {_text}.")
rule(
    "torch.nn.utils.rnn.pad_sequence(sequences, batch_first=False, padding_value=0.0, "
    "padding_side='right')",
    "_pad_sequence({sequences}, batch_first={batch_first}, padding_value={padding_value})",
    refuse={"padding_side != 'right'": "put the filling in front with ops.cat"},
    samples=["([f(3, 2), f(2, 2)])", "([f(3), f(1)], batch_first=True, padding_value=2.0)"],
)
missing(
    "torch.nn.utils.rnn.unpad_sequence(padded_sequences, lengths, batch_first=False)",
    "cut each row to its length: padded[n, :lengths[n]].",
)
missing(
    "torch.nn.utils.prune.l1_unstructured(module, name, amount, importance_scores=None)",
    "MindSpore does not prune; multiply the weight by a mask of its own in construct, or convert "
    "the pruned module after prune.remove.",
)
