"""JAX as a worker of benchmarks/graph.py: train steps of networks in flax nnx, compiled as a whole.

As in `graph_peers.py`, another Python runs this file, and it stands still while others are timed.
Pictures are channels-last, which XLA's kernels for the CPU like best; modules, states and the
optimizer are taken apart once, so that a step is one call of a compiled function with its memory
given away.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any

import flax
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

MARK = "@@"
KEYS = nnx.Rngs(0)


def convolution(cin, cout, kernel, stride=1, bias=False):
    pad = ((kernel // 2, kernel // 2),) * 2
    size, strides = (kernel, kernel), (stride, stride)
    return nnx.Conv(cin, cout, size, strides, padding=pad, use_bias=bias, rngs=KEYS)


def norm(channels):
    return nnx.BatchNorm(channels, momentum=0.9, epsilon=1e-5, rngs=KEYS)


def dense(cin, cout):
    return nnx.Linear(cin, cout, rngs=KEYS)


def layer_norm(width):
    return nnx.LayerNorm(width, epsilon=1e-5, rngs=KEYS)


def pooled(x, size, stride, pad=0):
    return nnx.max_pool(x, (size, size), (stride, stride), ((pad, pad), (pad, pad)))


class MLP(nnx.Module):
    def __init__(self):
        self.layers = nnx.List([dense(784, 512), dense(512, 512), dense(512, 10)])

    def __call__(self, x):
        first, second, last = self.layers
        return last(nnx.relu(second(nnx.relu(first(x)))))


class CNN(nnx.Module):
    def __init__(self):
        self.conv1, self.bn1 = convolution(3, 12, 3, bias=True), norm(12)
        self.conv2, self.bn2 = convolution(12, 4, 3, bias=True), norm(4)
        self.fc = dense(4 * 16 * 16, 10)

    def __call__(self, x):
        x = pooled(nnx.relu(self.bn1(self.conv1(x))), 2, 2)
        x = pooled(nnx.relu(self.bn2(self.conv2(x))), 2, 2)
        return self.fc(x.transpose(0, 3, 1, 2).reshape(x.shape[0], -1))


class Basic(nnx.Module):
    def __init__(self, cin, width, stride):
        self.conv1, self.bn1 = convolution(cin, width, 3, stride), norm(width)
        self.conv2, self.bn2 = convolution(width, width, 3), norm(width)
        changes = stride != 1 or cin != width
        down = [convolution(cin, width, 1, stride), norm(width)] if changes else []
        self.down = nnx.List(down)

    def __call__(self, x):
        y = nnx.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return nnx.relu(y + (self.down[1](self.down[0](x)) if len(self.down) else x))


class Bottleneck(nnx.Module):
    def __init__(self, cin, width, stride):
        cout = 4 * width
        self.conv1, self.bn1 = convolution(cin, width, 1), norm(width)
        self.conv2, self.bn2 = convolution(width, width, 3, stride), norm(width)
        self.conv3, self.bn3 = convolution(width, cout, 1), norm(cout)
        changes = stride != 1 or cin != cout
        self.down = nnx.List([convolution(cin, cout, 1, stride), norm(cout)] if changes else [])

    def __call__(self, x):
        y = nnx.relu(self.bn1(self.conv1(x)))
        y = nnx.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        return nnx.relu(y + (self.down[1](self.down[0](x)) if len(self.down) else x))


class ResNet(nnx.Module):
    def __init__(self, counts, bottleneck, classes):
        self.conv, self.bn = convolution(3, 64, 7, 2), norm(64)
        block, grow = (Bottleneck, 4) if bottleneck else (Basic, 1)
        blocks, cin = [], 64
        for stage, count in enumerate(counts):
            width = 64 * 2**stage
            for i in range(count):
                blocks.append(block(cin, width, 2 if stage and not i else 1))
                cin = width * grow
        self.blocks = nnx.List(blocks)
        self.fc = dense(cin, classes)

    def __call__(self, x):
        x = pooled(nnx.relu(self.bn(self.conv(x))), 3, 2, 1)
        for block in self.blocks:
            x = block(x)
        return self.fc(x.mean((1, 2)))


class Attention(nnx.Module):
    def __init__(self, width, heads, causal):
        self.in_proj, self.out_proj = dense(width, 3 * width), dense(width, width)
        self.heads, self.causal = heads, causal

    def __call__(self, x):
        b, t, c = x.shape
        joint = self.in_proj(x).reshape(b, t, 3, self.heads, -1)
        q, k, v = (joint[:, :, i] for i in range(3))
        mixed = jax.nn.dot_product_attention(q, k, v, is_causal=self.causal)
        return self.out_proj(mixed.reshape(b, t, c))


class GPTBlock(nnx.Module):
    def __init__(self, width, heads, causal=True):
        self.norm1, self.norm2 = layer_norm(width), layer_norm(width)
        self.attention = Attention(width, heads, causal)
        self.up, self.down = dense(width, 4 * width), dense(4 * width, width)

    def __call__(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(nnx.gelu(self.up(self.norm2(x)), approximate=True))


class GPT(nnx.Module):
    def __init__(self, vocabulary, width, heads, layers, length):
        self.embed = nnx.Embed(vocabulary, width, rngs=KEYS)
        self.position = nnx.Param(jnp.zeros((length, width)))
        self.blocks = nnx.List([GPTBlock(width, heads) for _ in range(layers)])
        self.norm = layer_norm(width)

    def __call__(self, x):
        x = self.embed(x) + self.position[...]
        for block in self.blocks:
            x = block(x)
        return self.embed.attend(self.norm(x)).reshape(-1, self.embed.num_embeddings)


class ViT(nnx.Module):
    def __init__(self, size, patch, width, heads, layers, classes):
        stride, count = (patch, patch), (size // patch) ** 2 + 1
        self.patches = nnx.Conv(3, width, stride, stride, padding="VALID", rngs=KEYS)
        self.token = nnx.Param(jnp.zeros((1, 1, width)))
        self.position = nnx.Param(jnp.zeros((1, count, width)))
        self.blocks = nnx.List([GPTBlock(width, heads, False) for _ in range(layers)])
        self.norm, self.fc = layer_norm(width), dense(width, classes)

    def __call__(self, x):
        x = self.patches(x)
        x = x.reshape(x.shape[0], -1, x.shape[-1])
        token = jnp.broadcast_to(self.token[...], (x.shape[0], 1, x.shape[2]))
        x = jnp.concatenate((token, x), 1) + self.position[...]
        for block in self.blocks:
            x = block(x)
        return self.fc(self.norm(x[:, 0]))


# -------------------------------------------------------------------------------------- weights


def taken(part: Any, prefix: str, weights: dict[str, np.ndarray]) -> None:
    """Fill a module with the weights of torch's, by the names that both have."""

    def put(variable: Any, name: str, turn: Any = lambda w: w) -> None:
        variable[...] = jnp.asarray(turn(weights[name]))

    if isinstance(part, (nnx.Linear, nnx.Conv)):
        turn = (1, 0) if isinstance(part, nnx.Linear) else (2, 3, 1, 0)
        joined = "_" if prefix.endswith("in_proj") else "."
        put(part.kernel, f"{prefix}{joined}weight", lambda w: w.transpose(turn))
        if part.bias is not None:
            put(part.bias, f"{prefix}{joined}bias")
    elif isinstance(part, (nnx.BatchNorm, nnx.LayerNorm)):
        put(part.scale, f"{prefix}.weight")
        put(part.bias, f"{prefix}.bias")
        if isinstance(part, nnx.BatchNorm):
            put(part.mean, f"{prefix}.running_mean")
            put(part.var, f"{prefix}.running_var")
    elif isinstance(part, nnx.Embed):
        put(part.embedding, f"{prefix}.weight")
    elif isinstance(part, nnx.Param):
        put(part, prefix)
    elif isinstance(part, nnx.List):
        for i, child in enumerate(part):
            taken(child, f"{prefix}.{i}", weights)
    elif isinstance(part, nnx.Module):
        for name, child in vars(part).items():
            if isinstance(child, (nnx.Module, nnx.Param, nnx.List)):
                taken(child, f"{prefix}.{name}" if prefix else name, weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", help=".npz with weights and batches; results are put beside it")
    parser.add_argument("--network", required=True)
    parser.add_argument("--arguments", default="[]", help="of the network, as JSON")
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--momentum", type=float, required=True)
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # XLA takes a thread for each core that it may use
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    given = np.load(options.file)
    model = globals()[options.network](*json.loads(options.arguments))
    weights = {k[7:]: given[k] for k in given if k.startswith("weight ")}
    if options.network == "MLP":  # activations have numbers of their own there
        weights = {f"layers.{int(k[0]) // 2}{k[1:]}": w for k, w in weights.items()}
    taken(model, "", weights)
    batches = []
    while f"x {len(batches)}" in given:
        x, y = (given[f"{name} {len(batches)}"] for name in "xy")
        if x.ndim == 4:
            x = x.transpose(0, 2, 3, 1)
        batches.append((jnp.asarray(x), jnp.asarray(y)))
    optimizer = nnx.Optimizer(model, optax.sgd(options.rate, options.momentum), wrt=nnx.Param)
    model.train()
    definition, state = nnx.split((model, optimizer))

    def step(state: Any, x: jax.Array, y: jax.Array) -> Any:
        model, optimizer = nnx.merge(definition, state)

        def loss_of(model: Any) -> jax.Array:
            logits = model(x)
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

        loss, gradients = nnx.value_and_grad(loss_of)(model)
        optimizer.update(model, gradients)
        return nnx.state((model, optimizer)), loss

    compiled = jax.jit(step, donate_argnums=0)
    count = 0

    def calls(number: int) -> np.ndarray:
        nonlocal count, state
        loss = None
        for _ in range(number):
            state, loss = compiled(state, *batches[count % len(batches)])
            count += 1
        jax.block_until_ready((state, loss))
        return np.asarray(loss)

    def say(**what: Any) -> None:
        print(MARK + json.dumps(what), flush=True)

    start = time.perf_counter()
    results = [calls(1)]
    first = time.perf_counter() - start
    results += [calls(1) for _ in range(2)]
    np.savez(options.file.replace(".npz", ".out.npz"), *results)
    setting = f"flax {flax.__version__}, one compiled step"
    say(first=first, version=jax.__version__, setting=setting)
    for line in sys.stdin:
        start, own = time.perf_counter(), time.process_time()
        calls(int(line))
        say(seconds=time.perf_counter() - start, cpu=time.process_time() - own)


if __name__ == "__main__":
    main()
