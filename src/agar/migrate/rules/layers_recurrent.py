"""Rules of recurrent layers, attention and transformers."""

from __future__ import annotations

from agar.migrate.rules._declare import missing, rule

_RNN = {
    "seq_length": "packed sequences do not exist: give the padded batch, and the lengths as "
    "seq_length=",
    "has_bias": "PyTorch calls it bias",
    "input": "it has a batch axis always; PyTorch's may be one sequence of two axes: add the axis",
}
_SAMPLES = [
    "(5, 4)(f(6, 3, 5))",
    "(5, 4, 2, batch_first=True, bidirectional=True)(f(3, 6, 5))",
    "(5, 4, bias=False)(f(6, 3, 5))",
]
_ARGS = (
    "{input_size}, {hidden_size}, num_layers={num_layers}, has_bias={bias}, "
    "batch_first={batch_first}, dropout={dropout}, bidirectional={bidirectional}, dtype={dtype?}"
)
_READ = {"dtype": "None"}

rule(
    "torch.nn.LSTM(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, "
    "dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None)",
    f"nn.LSTM({_ARGS})",
    refuse={
        "proj_size != 0": "MindSpore's LSTM has no projection; write nn.LSTMCell and an nn.Dense "
        "in a loop"
    },
    ignore="device",
    differs=_RNN,
    read=_READ,
    samples=[*_SAMPLES, "(5, 4)(f(6, 3, 5), (f(1, 3, 4), f(1, 3, 4)))"],
)
rule(
    "torch.nn.GRU(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, "
    "dropout=0.0, bidirectional=False, device=None, dtype=None)",
    f"nn.GRU({_ARGS})",
    ignore="device",
    differs=_RNN,
    read=_READ,
    samples=[*_SAMPLES, "(5, 4)(f(6, 3, 5), f(1, 3, 4))"],
)
rule(
    "torch.nn.RNN(input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, "
    "batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None)",
    f"nn.RNN({_ARGS}, nonlinearity={{nonlinearity}})",
    ignore="device",
    differs=_RNN,
    read=_READ,
    samples=[
        *_SAMPLES,
        "(5, 4, nonlinearity='relu')(f(6, 3, 5))",
        "(5, 4)(f(6, 3, 5), f(1, 3, 4))",
    ],
)
_STATE = {
    "hx": "the state has no default: give zeros where PyTorch's call gives none",
    "has_bias": "PyTorch calls it bias",
}
rule(
    "torch.nn.LSTMCell(input_size, hidden_size, bias=True, device=None, dtype=None)",
    "nn.LSTMCell({input_size}, {hidden_size}, has_bias={bias}, dtype={dtype?})",
    ignore="device",
    differs=_STATE,
    read=_READ,
    samples=[
        "(5, 4)(f(3, 5), (f(3, 4), f(3, 4)))",
        "(5, 4, bias=False)(f(3, 5), (f(3, 4), f(3, 4)))",
    ],
)
rule(
    "torch.nn.GRUCell(input_size, hidden_size, bias=True, device=None, dtype=None)",
    "nn.GRUCell({input_size}, {hidden_size}, has_bias={bias}, dtype={dtype?})",
    ignore="device",
    differs=_STATE,
    read=_READ,
    samples=["(5, 4)(f(3, 5), f(3, 4))", "(5, 4, bias=False)(f(3, 5), f(3, 4))"],
)
rule(
    "torch.nn.RNNCell(input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, "
    "dtype=None)",
    "nn.RNNCell({input_size}, {hidden_size}, has_bias={bias}, nonlinearity={nonlinearity}, "
    "dtype={dtype?})",
    ignore="device",
    differs=_STATE,
    read=_READ,
    samples=["(5, 4)(f(3, 5), f(3, 4))", "(5, 4, nonlinearity='relu')(f(3, 5), f(3, 4))"],
)
for _name in ("RNNBase", "RNNCellBase"):
    missing(
        f"torch.nn.{_name}",
        "it is what PyTorch's recurrent layers have in common; use nn.LSTM, nn.GRU, nn.RNN or "
        "their cells, or write a Cell.",
    )

# -------------------------------------------------------------- attention

rule(
    "torch.nn.MultiheadAttention(embed_dim, num_heads, dropout=0.0, bias=True, "
    "add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, "
    "device=None, dtype=None)",
    "nn.MultiheadAttention({embed_dim}, {num_heads}, dropout={dropout}, has_bias={bias}, "
    "add_bias_kv={add_bias_kv}, add_zero_attn={add_zero_attn}, kdim={kdim}, vdim={vdim}, "
    "batch_first={batch_first}, dtype={dtype?})",
    ignore="device",
    differs={"has_bias": "PyTorch calls it bias"},
    read={
        "bias": "module.in_proj_bias is not None",
        "add_bias_kv": "module.bias_k is not None",
        "kdim": "None if module._qkv_same_embed_dim else module.kdim",
        "vdim": "None if module._qkv_same_embed_dim else module.vdim",
        "dtype": "None",
    },
    samples=[
        "(8, 2)(f(5, 3, 8), f(6, 3, 8), f(6, 3, 8))",
        "(8, 2, batch_first=True, bias=False)(f(3, 5, 8), f(3, 6, 8), f(3, 6, 8))",
        "(8, 2, kdim=6, vdim=7, add_bias_kv=True, add_zero_attn=True)"
        "(f(5, 3, 8), f(6, 3, 6), f(6, 3, 7))",
        "(8, 4)(f(5, 3, 8), f(5, 3, 8), f(5, 3, 8), need_weights=False)",
    ],
)

_LAYER_WEIGHTS = {
    "encoder layer": "linear1.*=dense1.* linear2.*=dense2.* "
    "norm*.weight=norm*.gamma norm*.bias=norm*.beta",
    "stack": "layers.*.linear1.*=layers.*.dense1.* layers.*.linear2.*=layers.*.dense2.* "
    "layers.*.norm*.weight=layers.*.norm*.gamma layers.*.norm*.bias=layers.*.norm*.beta "
    "norm.weight=norm.gamma norm.bias=norm.beta",
    "whole": "*.layers.*.linear1.*=*.layers.*.dense1.* *.layers.*.linear2.*=*.layers.*.dense2.* "
    "*.layers.*.norm*.weight=*.layers.*.norm*.gamma *.layers.*.norm*.bias=*.layers.*.norm*.beta "
    "*.norm.weight=*.norm.gamma *.norm.bias=*.norm.beta",
}
_ACTIVATION = "{}.activation"
_LAYER_READ = {
    "d_model": "{m}.self_attn.embed_dim",
    "nhead": "{m}.self_attn.num_heads",
    "dim_feedforward": "{m}.linear1.out_features",
    "dropout": "{m}.dropout.p",
    "activation": "{{torch.nn.functional.relu: 'relu', torch.nn.functional.gelu: 'gelu'}}.get("
    "{m}.activation, {m}.activation)",
    "layer_norm_eps": "{m}.norm1.eps",
    "batch_first": "{m}.self_attn.batch_first",
    "norm_first": "{m}.norm_first",
    "bias": "{m}.linear1.bias is not None",
    "dtype": "None",
}


def _read(module: str) -> dict[str, str]:
    return {name: text.format(m=module) for name, text in _LAYER_READ.items()}


_NO_BIAS = {
    "not bias": "MindSpore's transformer layers always have biases; build the layer of "
    "nn.MultiheadAttention, nn.Dense(has_bias=False) and nn.LayerNorm"
}
_ACTIVATION_DIFFERS = {
    "activation": "'gelu' is the exact formula in both; other activations are given as a Cell or "
    "a function",
    "dense1": "the linear layers are called dense1 and dense2, PyTorch's linear1 and linear2",
}
_LAYER_ARGS = (
    "{d_model}, {nhead}, dim_feedforward={dim_feedforward}, dropout={dropout}, "
    "activation={activation}, layer_norm_eps={layer_norm_eps}, batch_first={batch_first}, "
    "norm_first={norm_first}, dtype={dtype?}"
)
_SIGNATURE = (
    "d_model, nhead, dim_feedforward=2048, dropout=0.1, activation='relu', "
    "layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None"
)
rule(
    f"torch.nn.TransformerEncoderLayer({_SIGNATURE})",
    f"nn.TransformerEncoderLayer({_LAYER_ARGS})",
    refuse=_NO_BIAS,
    ignore="device",
    differs=_ACTIVATION_DIFFERS,
    weights=_LAYER_WEIGHTS["encoder layer"],
    read=_read("module"),
    samples=[
        "(8, 2, 16, dropout=0.0)(f(5, 3, 8))",
        "(8, 2, 16, 0.0, 'gelu', batch_first=True, norm_first=True)(f(3, 5, 8))",
    ],
)
rule(
    f"torch.nn.TransformerDecoderLayer({_SIGNATURE})",
    f"nn.TransformerDecoderLayer({_LAYER_ARGS})",
    refuse=_NO_BIAS,
    ignore="device",
    differs=_ACTIVATION_DIFFERS,
    weights=_LAYER_WEIGHTS["encoder layer"],
    read=_read("module"),
    samples=[
        "(8, 2, 16, dropout=0.0)(f(5, 3, 8), f(6, 3, 8))",
        "(8, 2, 16, 0.0, 'gelu', batch_first=True, norm_first=True)(f(3, 5, 8), f(3, 6, 8))",
    ],
)
rule(
    "torch.nn.TransformerEncoder(encoder_layer, num_layers, norm=None, "
    "enable_nested_tensor=True, mask_check=True)",
    "nn.TransformerEncoder({encoder_layer}, {num_layers}, norm={norm})",
    ignore="enable_nested_tensor mask_check",
    weights=_LAYER_WEIGHTS["stack"],
    read={"encoder_layer": "module.layers[0]"},
    samples=[
        "(torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), 2, "
        "enable_nested_tensor=False)(f(5, 3, 8))",
        "(torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), 2, torch.nn.LayerNorm(8), "
        "enable_nested_tensor=False)(f(5, 3, 8))",
    ],
)
rule(
    "torch.nn.TransformerDecoder(decoder_layer, num_layers, norm=None)",
    "nn.TransformerDecoder({decoder_layer}, {num_layers}, norm={norm})",
    weights=_LAYER_WEIGHTS["stack"],
    read={"decoder_layer": "module.layers[0]"},
    samples=[
        "(torch.nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0), 2, torch.nn.LayerNorm(8))"
        "(f(5, 3, 8), f(6, 3, 8))",
    ],
)
rule(
    "torch.nn.Transformer(d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, "
    "dim_feedforward=2048, dropout=0.1, activation='relu', custom_encoder=None, "
    "custom_decoder=None, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, "
    "device=None, dtype=None)",
    "nn.Transformer(d_model={d_model}, nhead={nhead}, num_encoder_layers={num_encoder_layers}, "
    "num_decoder_layers={num_decoder_layers}, dim_feedforward={dim_feedforward}, "
    "dropout={dropout}, activation={activation}, custom_encoder={custom_encoder}, "
    "custom_decoder={custom_decoder}, layer_norm_eps={layer_norm_eps}, "
    "batch_first={batch_first}, norm_first={norm_first}, dtype={dtype?})",
    refuse=_NO_BIAS,
    ignore="device",
    differs=_ACTIVATION_DIFFERS,
    weights=_LAYER_WEIGHTS["whole"],
    read={
        **_read("module.encoder.layers[0]"),
        "num_encoder_layers": "len(module.encoder.layers)",
        "num_decoder_layers": "len(module.decoder.layers)",
        "custom_encoder": "None",
        "custom_decoder": "None",
        "batch_first": "module.batch_first",
    },
    samples=["(8, 2, 1, 2, 16, 0.0)(f(5, 3, 8), f(6, 3, 8))"],
)
