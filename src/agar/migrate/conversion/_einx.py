"""The support module for einx: its operations on MindSpore's tensors.

einx has no public way to support another library, so the text computes them itself: tensors are
brought to the axes of the result, where they are broadcast. What it does not know raises.
"""

from __future__ import annotations

__all__ = ["TEXT"]

TEXT = '''"""Operations of einx on tensors of {package}, over named axes."""

import re

from {package} import Tensor, ops

_TOKEN = re.compile(r"[A-Za-z_]\\w*|\\.\\.\\.|1|[()\\[\\]]")


def _tokens(text, rank=None):
    """What one part of a pattern consists of; an ellipsis is as many axes as the rank leaves."""
    if _TOKEN.sub("", text).strip():
        raise NotImplementedError(f"einx: {{text!r}} has a form that is not known here")
    tokens = _TOKEN.findall(text)
    if "..." in tokens and rank is not None:
        at = tokens.index("...")
        others = len([token for token in tokens if token not in "[]()"]) - 1
        tokens[at : at + 1] = [f"...{{i}}" for i in range(rank - others)]
    return tokens


def _axes(text, rank=None):
    """The axes of one part of a pattern: names, ``1``, and lists of what is joined into one."""
    out, group = [], None
    for token in _tokens(text, rank):
        if token == "(":
            group = []
        elif token == ")":
            out.append(group)
            group = None
        elif token not in "[]":
            (out if group is None else group).append(token)
    return out


def _marked(text, rank):
    """The axes in brackets."""
    out, inside = [], False
    for token in _tokens(text, rank):
        if token in "[]":
            inside = token == "["
        elif inside:
            out.append(token)
    return out


def _flat(axes):
    return [name for axis in axes for name in (axis if isinstance(axis, list) else [axis])]


def _parts(pattern, tensors):
    """The axes of the inputs, and of the result; None where the pattern has none."""
    left, arrow, right = pattern.partition("->")
    texts = left.split(",")
    if len(texts) != len(tensors):
        raise ValueError(f"einx: {{pattern!r}} has {{len(texts)}} inputs, not {{len(tensors)}}")
    ranks = [x.ndim if isinstance(x, Tensor) else 0 for x in tensors]
    inputs = [_axes(text, rank) for text, rank in zip(texts, ranks)]
    for axes, rank, text in zip(inputs, ranks, texts):
        if [axis for axis in axes if isinstance(axis, list)]:
            raise NotImplementedError(f"einx: {{text!r}} takes an axis apart; reshape it before")
        if len(axes) != rank:
            raise ValueError(f"einx: {{text!r}} does not fit a tensor of {{rank}} dimensions")
    if not arrow:
        return inputs, None
    rest = {{name for axes in inputs for name in axes if name.startswith("...")}}
    others = [token for token in _TOKEN.findall(right) if token not in "[]()"]
    return inputs, _axes(right, len(rest) + len(others) - 1)


def _largest(pattern, inputs):
    """The input that has the axes of all others, whose form the result has."""
    names = {{name for axes in inputs for name in axes if name != "1"}}
    whole = {{tuple(axes) for axes in inputs if names <= set(axes)}}
    if len(whole) != 1:
        raise ValueError(f"einx: which axes the result of {{pattern!r}} has is not clear")
    return list(whole.pop())


def _aligned(x, axes, names):
    """A tensor with an axis for each of the names, of size 1 where it has none."""
    if not isinstance(x, Tensor):
        return x
    kept = [i for i, name in enumerate(axes) if name != "1"]
    if len({{axes[i] for i in kept}}) != len(kept):
        raise NotImplementedError("einx: an axis that comes twice is not known here")
    sizes = {{axes[i]: x.shape[i] for i in kept}}
    order = [axes.index(name) for name in names if name in sizes]
    if len(order) != len(kept):
        left = sorted(set(sizes) - set(names))
        raise ValueError(f"einx: {{left}} are not among the result's axes")
    x = x.reshape(tuple(x.shape[i] for i in kept))
    x = x.permute(tuple(sorted(range(len(kept)), key=lambda i: names.index(axes[kept[i]]))))
    return x.reshape(tuple(sizes.get(name, 1) for name in names))


def _formed(x, names, axes):
    """The result, whose axes have these names, in its form."""
    sizes = dict(zip(names, x.shape))
    shape = []
    for axis in axes:
        size = 1
        for name in axis if isinstance(axis, list) else [axis]:
            size *= sizes.get(name, 1)
        shape.append(size)
    return x.reshape(tuple(shape))


def _elementwise(function):
    def compute(pattern, *tensors):
        if "[" in pattern:
            raise NotImplementedError(f"einx: brackets in {{pattern!r}} are not known here")
        inputs, result = _parts(pattern, tensors)
        result = _largest(pattern, inputs) if result is None else result
        names = [name for name in _flat(result) if name != "1"]
        given = [_aligned(x, axes, names) for x, axes in zip(tensors, inputs)]
        return _formed(function(*given), names, result)

    return compute


def _reduction(function):
    def compute(pattern, x):
        inputs, result = _parts(pattern, (x,))
        if result is None:
            marked = _marked(pattern, x.ndim)
            result = [name for name in inputs[0] if name not in marked]
        names = [name for name in _flat(result) if name != "1"]
        gone = [name for name in inputs[0] if name not in names and name != "1"]
        x = _aligned(x, inputs[0], names + gone)
        if gone:
            x = function(x, tuple(range(len(names), len(names) + len(gone))))
        return _formed(x, names, result)

    return compute


def _each_axis(function):
    """A reduction of {package} that takes one axis."""

    def reduce(x, axes):
        for axis in reversed(axes):
            x = function(x, axis)
        return x

    return reduce


def _folded(function):
    """An operation of two tensors for two or more."""

    def fold(x, *others):
        for other in others:
            x = function(x, other)
        return x

    return fold


add = _elementwise(_folded(lambda x, y: x + y))
multiply = _elementwise(_folded(lambda x, y: x * y))
subtract = _elementwise(lambda x, y: x - y)
divide = true_divide = _elementwise(lambda x, y: x / y)
floor_divide = _elementwise(lambda x, y: x // y)
less = _elementwise(lambda x, y: x < y)
less_equal = _elementwise(lambda x, y: x <= y)
greater = _elementwise(lambda x, y: x > y)
greater_equal = _elementwise(lambda x, y: x >= y)
equal = _elementwise(lambda x, y: x == y)
not_equal = _elementwise(lambda x, y: x != y)
logical_and = _elementwise(ops.logical_and)
logical_or = _elementwise(ops.logical_or)
maximum = _elementwise(ops.maximum)
minimum = _elementwise(ops.minimum)
where = _elementwise(ops.where)
sum = _reduction(lambda x, axes: ops.sum(x, axes))
mean = _reduction(lambda x, axes: ops.mean(x, axes))
prod = _reduction(_each_axis(ops.prod))
max = _reduction(lambda x, axes: ops.amax(x, axes))
min = _reduction(lambda x, axes: ops.amin(x, axes))
any = _reduction(_each_axis(ops.any))
all = _reduction(_each_axis(ops.all))
id = rearrange = _elementwise(lambda x: x)


def get_at(pattern, x, index):
    """Values at indices along the axis in brackets."""
    inputs, result = _parts(pattern, (x, index))
    marked = _marked(pattern.partition(",")[0], x.ndim)
    if len(marked) != 1 or result is None or index.ndim != len(inputs[1]):
        raise NotImplementedError(f"einx.get_at: {{pattern!r}} has a form that is not known here")
    names = [name for name in _flat(result) if name != "1"]
    x = _aligned(x, inputs[0], [*names, marked[0]])
    index = _aligned(index, inputs[1], names).expand_dims(-1)
    shape = tuple(n if m == 1 else m for n, m in zip(x.shape[:-1], index.shape[:-1]))
    x = x.broadcast_to((*shape, x.shape[-1]))
    index = index.broadcast_to((*shape, 1))
    return _formed(ops.gather_elements(x, x.ndim - 1, index).squeeze(-1), names, result)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise NotImplementedError(f"einx.{{name}} is not known here: write it with ops")
'''
