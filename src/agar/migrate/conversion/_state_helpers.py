"""Texts that a converted training script may need: checkpoints, frozen parameters, losses."""

from __future__ import annotations

__all__ = ["STATE_HELPERS"]

STATE_HELPERS = {
    "_CrossEntropyLoss": '''
class _CrossEntropyLoss(nn.CrossEntropyLoss):
    """Takes classes as int64, as PyTorch's does; MindSpore's own takes int32 only."""

    def construct(self, logits, labels):
        if labels.dtype == ms.int64:
            labels = labels.astype(ms.int32)
        return super().construct(logits, labels)
''',
    "_with_batch": '''
def _with_batch(function, rank, x, *args, **kwargs):
    """Call a function of batches, which PyTorch gives single samples too."""
    if x.ndim == rank:
        return function(x, *args, **kwargs)
    out = function(x.expand_dims(0), *args, **kwargs)
    return tuple(part.squeeze(0) for part in out) if isinstance(out, tuple) else out.squeeze(0)
''',
    "_unpacked": '''
def _unpacked(output, lengths, batch_first=False, total_length=None):
    """What a recurrent layer gave, in the steps of the longest sequence, and the lengths."""
    axis, steps = int(batch_first), int(lengths.max()) if total_length is None else total_length
    output = output[:, :steps] if batch_first else output[:steps]
    missing = steps - output.shape[axis]
    if missing > 0:
        shape = tuple(missing if i == axis else n for i, n in enumerate(output.shape))
        output = ops.cat((output, ops.zeros(shape, output.dtype)), axis)
    return output, lengths.astype(ms.int64)
''',
    "_requires_grad": '''
def _requires_grad(cell, value=True):
    """Train the parameters of a cell, or freeze them."""
    for parameter in _parameters(cell):
        parameter.requires_grad = value
    return cell
''',
    "_buffers": '''
def _buffers(cell):
    """What PyTorch calls the buffers of a cell, by name: running statistics belong to them."""
    yield from cell.named_buffers()
    for name, parameter in cell.parameters_and_names():
        if name.rpartition(".")[2] in ("moving_mean", "moving_variance"):
            yield name, parameter
''',
    "_Categorical": '''
class _Categorical:
    """A distribution over classes, by probabilities or by logits in the last dimension."""

    def __init__(self, probs=None, logits=None):
        if (probs is None) == (logits is None):
            raise ValueError("give either probs or logits")
        if logits is None:
            self.probs = probs / probs.sum(-1, keepdims=True)
            self.logits = ops.log(ops.clamp(self.probs, 1.1920929e-07, 1 - 1.1920929e-07))
        else:
            self.probs = ops.softmax(logits, -1)
            self.logits = ops.log_softmax(logits, -1)

    def sample(self, sample_shape=()):
        batch, count = self.probs.shape[:-1], int(np.prod(sample_shape))
        rows = ops.stop_gradient(self.probs).reshape(-1, self.probs.shape[-1])
        drawn = ops.multinomial(rows, count, replacement=True).astype(ms.int64)
        return drawn.swapaxes(0, 1).reshape((*sample_shape, *batch))

    def log_prob(self, value):
        shape = (*value.shape, self.logits.shape[-1])
        index = value.astype(ms.int64).expand_dims(-1)
        logits = self.logits.broadcast_to(shape)
        return ops.gather_elements(logits, len(shape) - 1, index).squeeze(-1)

    def entropy(self):
        return -(self.logits * self.probs).sum(-1)
''',
    "_mixed_precision": '''
def _mixed_precision(cell, enabled=True, dtype=ms.float16):
    """A cell that computes as in an autocast: in half precision where that is safe."""
    if not enabled or getattr(cell, "is_mixed", False):
        return cell
    cell = ms.amp.auto_mixed_precision(cell, "O1", dtype)
    cell.is_mixed = True
    return cell
''',
    "_kept_statistics": '''
@contextlib.contextmanager
def _kept_statistics(*cells):
    """Running statistics stay as they are: what runs inside runs again for its gradients."""
    names = ("moving_mean", "moving_variance")
    parameters = [pair for cell in cells for pair in cell.parameters_and_names()]
    kept = [(p, p.asnumpy().copy()) for name, p in parameters if name.rpartition(".")[2] in names]
    try:
        yield
    finally:
        for parameter, value in kept:
            parameter.set_data(Tensor(value))
''',
    "_save": '''
def _save(parts, file):
    """Write what a checkpoint holds, such as {"epoch": 3, "model": state}, into one file."""
    tensors = []

    def described(part, path):
        if isinstance(part, Tensor):
            tensors.append({"name": path, "data": part})
            return {"parameter" if isinstance(part, ms.Parameter) else "tensor": path}
        if isinstance(part, dict):
            pairs = part.items()
            return {"dict": [[key, described(value, f"{path}/{key}")] for key, value in pairs]}
        if isinstance(part, (list, tuple)):
            kind = "list" if isinstance(part, list) else "tuple"
            return {kind: [described(value, f"{path}/{i}") for i, value in enumerate(part)]}
        return part

    file = os.fspath(file)
    structure = json.dumps(described(parts, "checkpoint"))
    ms.save_checkpoint(tensors, f"{file}.ckpt", append_dict={"structure": structure})
    os.replace(f"{file}.ckpt", file)
''',
    "_load": '''
def _load(file):
    """Read what _save wrote, or a checkpoint of MindSpore."""
    with tempfile.TemporaryDirectory() as folder:
        tensors = ms.load_checkpoint(shutil.copy(file, os.path.join(folder, "copy.ckpt")))

    def restored(part):
        if not isinstance(part, dict):
            return part
        ((kind, value),) = part.items()
        if kind == "dict":
            return {key: restored(inner) for key, inner in value}
        if kind in ("list", "tuple"):
            return {"list": list, "tuple": tuple}[kind](restored(inner) for inner in value)
        return tensors[value] if kind == "parameter" else Tensor(tensors[value].asnumpy())

    return restored(json.loads(tensors["structure"])) if "structure" in tensors else tensors
''',
    "_optimizer_state": '''
def _optimizer_state(optimizer):
    """What an optimizer keeps between steps, and the learning rates of its groups."""
    weights = {id(parameter) for parameter in optimizer.parameters}
    own = optimizer.parameters_dict().items()
    return {
        "state": {name: value for name, value in own if id(value) not in weights},
        "lr": [float(group["lr"]) for group in optimizer.param_groups],
    }
''',
    "_load_optimizer_state": '''
def _load_optimizer_state(optimizer, state):
    """Give an optimizer what _optimizer_state gave of another."""
    own = _optimizer_state(optimizer)
    if own["state"].keys() != state["state"].keys() or len(own["lr"]) != len(state["lr"]):
        raise ValueError("the state is that of an optimizer with other parameters")
    for name, value in own["state"].items():
        value.set_data(state["state"][name].copy())
    for group, rate in zip(optimizer.param_groups, state["lr"]):
        group["lr"].set_data(Tensor(rate, ms.float32))
''',
    "_counters": '''
def _counters(schedule):
    """The numbers with which a schedule of learning rates, or a scale of the loss, counts."""
    if hasattr(schedule, "_schedulers"):
        raise NotImplementedError("a schedule of several schedules: save each of them")
    parameters = vars(schedule).items()
    return {name: p.asnumpy().item() for name, p in parameters if isinstance(p, ms.Parameter)}
''',
    "_load_counters": '''
def _load_counters(schedule, state):
    """Give a schedule of learning rates, or a scale of the loss, what _counters gave."""
    for name, value in state.items():
        old = getattr(schedule, name)
        old.set_data(Tensor(value, old.dtype))
''',
}
