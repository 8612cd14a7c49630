"""Texts that a converted file may need, and what is said about PyTorch that rules cannot say."""

from __future__ import annotations

from agar.migrate.conversion._state_helpers import STATE_HELPERS

__all__ = ["HELPERS", "INITIALIZERS", "JOINING", "REASONS", "reason_for"]

#: Definitions that a converted file carries itself, by the name it uses.
HELPERS = {
    **STATE_HELPERS,
    "_by_hand": '''
def _by_hand(reason):
    """Stands for a use of PyTorch without a counterpart, which the comment above shows."""
    raise NotImplementedError(reason)
''',
    "_Unconverted": '''
class _Unconverted:
    """Stands for a name of PyTorch without a counterpart: what uses it raises."""

    def __init__(self, reason):
        self.__dict__["reason"] = reason

    def _raise(self, *args, **kwargs):
        raise NotImplementedError(self.__dict__["reason"])

    __call__ = __bool__ = __iter__ = __len__ = __getitem__ = __setitem__ = _raise
    __enter__ = __exit__ = __setattr__ = __delattr__ = __contains__ = _raise
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __str__ = _raise
    __int__ = __float__ = __index__ = __neg__ = _raise
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __matmul__ = _raise
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = _raise
    __rmatmul__ = __mod__ = __pow__ = _raise

    def __hash__(self):
        return id(self)

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __mro_entries__(self, bases):
        return (type("_UnconvertedBase", (), {"__init__": self._raise}),)

    def over(self, definition):
        """As a decorator: what it stands above raises when it is called."""
        return self
''',
    "_float_tensor": '''
def _float_tensor(*values):
    """PyTorch's Tensor(...): of a list its numbers, of sizes a tensor that is not filled."""
    if values and all(isinstance(size, int) for size in values):
        return ops.zeros(values, ms.float32)
    return ms.Tensor(values[0], ms.float32)
''',
    "_fans": '''
def _fans(tensor):
    """How many numbers go into each output of a layer with this weight, and out of each input."""
    if tensor.ndim < 2:
        raise ValueError("fan in and fan out need a weight of two dimensions or more")
    field = 1
    for size in tensor.shape[2:]:
        field *= size
    return tensor.shape[1] * field, tensor.shape[0] * field
''',
    "_OptionalCells": '''
class _OptionalCells(nn.CellList):
    """A list of cells in which None may stand for one that is left out."""

    def __init__(self, cells=()):
        super().__init__()
        self.count = 0
        self.extend(cells)

    def append(self, cell):
        if cell is not None:
            setattr(self, str(self.count), cell)
        self.count += 1

    def extend(self, cells):
        for cell in cells:
            self.append(cell)
        return self

    def insert(self, index, cell):
        raise NotImplementedError("cells join a list with None in it at its end")

    __setitem__ = __delitem__ = insert

    def __len__(self):
        return self.count

    def __iter__(self):
        return (self._cells.get(str(i)) for i in range(self.count))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return _OptionalCells(list(self)[index])
        return list(self)[index]
''',
    "_torch_home": '''
def _torch_home(*parts):
    """The folder in which PyTorch keeps what it downloads."""
    import os

    cache = os.environ.get("XDG_CACHE_HOME", os.path.join("~", ".cache"))
    home = os.environ.get("TORCH_HOME", os.path.join(cache, "torch"))
    return os.path.join(os.path.expanduser(home), *parts)
''',
    "_no_library": '''
def _no_library(path):
    """A library of PyTorch's operators cannot be loaded without PyTorch."""
    raise OSError(f"{path} has operators of PyTorch, which are not available here")
''',
    "_pair": '''
def _pair(out):
    """PyTorch's attention gives a pair always, MindSpore's a tuple of one without weights."""
    return (out[0], None) if isinstance(out, tuple) and len(out) == 1 else out
''',
    "_parameters": '''
def _parameters(cell):
    """What PyTorch calls the parameters of a cell: frozen ones too, no running statistics."""
    statistics = ("moving_mean", "moving_variance")
    for name, parameter in cell.parameters_and_names():
        if name.rpartition(".")[2] not in statistics:
            yield parameter
''',
    "_set_weight": '''
def _set_weight(cell, weight, *names):
    """Give a layer whose class is not known a weight, under the first of the names that it has."""
    setattr(cell, next((name for name in names if hasattr(cell, name)), names[0]), weight)
''',
    "_set_layer": '''
def _set_layer(layer, **settings):
    """Change what PyTorch's layers read at every call, and MindSpore's are built with."""
    if isinstance(layer, nn.Conv2d):
        kind, names = nn.Conv2d, ["in_channels", "out_channels", "kernel_size", "stride"]
        names += ["pad_mode", "padding", "dilation", "group", "has_bias"]
    elif isinstance(layer, (nn.BatchNorm1d, nn.BatchNorm2d)):
        kind = nn.BatchNorm2d if isinstance(layer, nn.BatchNorm2d) else nn.BatchNorm1d
        names = ["num_features", "eps", "momentum"]
    elif isinstance(layer, nn.Dropout):
        kind, names = nn.Dropout, ["p"]
    else:
        kind, names = None, []
    if not set(settings) <= set(names):
        if any(base.__module__.startswith(nn.__name__ + ".layer") for base in type(layer).__mro__):
            raise NotImplementedError(
                f"{type(layer).__name__} is built with {', '.join(settings)} and reads no later "
                "value, as PyTorch's does: make another layer"
            )
        for name, value in settings.items():
            setattr(layer, name, value)
        return
    given = {name: getattr(layer, name) for name in names} | settings
    if "momentum" in given:  # of the layer's argument it is the other share
        given["momentum"] = 1 - given["momentum"]
    if "padding" in settings:
        both = settings["padding"]
        if isinstance(both, str):
            given.update(pad_mode=both, padding=0)
        else:
            height, width = (both, both) if isinstance(both, int) else both
            given.update(pad_mode="pad", padding=(height, height, width, width))
    other, own = kind(**given), vars(nn.Cell())
    for name, value in vars(other).items():
        if name not in own and not isinstance(value, ms.Parameter) and value is not None:
            setattr(layer, name, value)
''',
    "_weight_of": '''
def _weight_of(cell, *names):
    """A weight of a layer whose class is not known: the first of the names that it has."""
    for name in names:
        if hasattr(cell, name):
            return getattr(cell, name)
    raise AttributeError(f"{type(cell).__name__} has none of {', '.join(names)}")
''',
    "_add_cell": '''
def _add_cell(parent, name, cell):
    """Put a cell under a name into another; a SequentialCell keeps a list of what it runs."""
    setattr(parent, name, cell)
    if "cell_list" in vars(parent):
        parent.cell_list = list(parent._cells.values())
''',
    "_check_clipped": '''
def _check_clipped(cell, optimizer):
    """Gradients of the optimizer's parameters are clipped; in PyTorch it was those of a cell."""
    if {id(p) for p in cell.trainable_params()} != {id(p) for p in optimizer.parameters}:
        raise ValueError("the optimizer trains other parameters than those that are clipped")
''',
    "_global_norm": '''
def _global_norm(grads):
    """The norm of all gradients together."""
    return ops.sqrt(sum(ops.reduce_sum(ops.square(g)) for g in grads))
''',
    "_NamedCells": '''
class _NamedCells(nn.Cell):
    """Cells by name, which may be containers themselves."""

    def __init__(self, cells):
        super().__init__()
        self.update(cells)

    def update(self, cells):
        for name, cell in dict(cells).items():
            self[name] = cell

    def __setitem__(self, name, cell):
        setattr(self, name, cell)

    def __getitem__(self, name):
        return self._cells[name]

    def __contains__(self, name):
        return name in self._cells

    def __iter__(self):
        return iter(self._cells)

    def __len__(self):
        return len(self._cells)

    def keys(self):
        return self._cells.keys()

    def values(self):
        return self._cells.values()

    def items(self):
        return self._cells.items()
''',
    "_zero_biases": '''
def _zero_biases(cell):
    """Attention begins as PyTorch's: the bias of its last layer with zeros."""
    for _, part in cell.cells_and_names():
        if isinstance(part, nn.MultiheadAttention) and part.out_proj.bias is not None:
            part.out_proj.bias.set_data(part.out_proj.bias * 0)
    return cell
''',
    "_TensorDataset": '''
class _TensorDataset:
    """Rows of tensors that belong together, as NumPy's arrays, which MindSpore's pipelines take."""

    def __init__(self, *tensors):
        self.tensors = tensors
        self.columns = [tensor.asnumpy() for tensor in tensors]

    def __len__(self):
        return len(self.columns[0])

    def __getitem__(self, index):
        return tuple(column[index] for column in self.columns)
''',
    "_Subset": '''
class _Subset:
    """Some rows of a dataset."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, index):
        return self.dataset[int(self.indices[index])]
''',
    "_random_split": '''
def _random_split(dataset, lengths, rng=np.random):
    """Parts of a dataset that have no row in common, of given lengths or fractions."""
    if abs(sum(lengths) - 1) < 1e-9:
        lengths = [int(len(dataset) * part) for part in lengths]
        for i in range(len(dataset) - sum(lengths)):
            lengths[i % len(lengths)] += 1
    if sum(lengths) != len(dataset):
        raise ValueError("the lengths of the parts do not add up to the length of the dataset")
    order = rng.permutation(len(dataset)).tolist()
    ends = np.cumsum(lengths).tolist()
    return [_Subset(dataset, order[end - n : end]) for n, end in zip(lengths, ends)]
''',
    "_dataset_of": '''
def _dataset_of(loader):
    """The dataset whose rows a loader gives."""
    while getattr(loader, "children", None):
        loader = loader.children[0]
    return loader.source if hasattr(loader, "source") else loader.dataset
''',
    "_collate": '''
def _collate(rows):
    """One batch of rows: tensors and numbers are stacked, tuples and dicts by their parts."""
    first = rows[0]
    if isinstance(first, dict):
        return {key: _collate([row[key] for row in rows]) for key in first}
    if isinstance(first, (tuple, list)):
        return [_collate(list(column)) for column in zip(*rows)]
    if isinstance(first, str):
        return rows
    if isinstance(first, Tensor):
        rows = [row.asnumpy() for row in rows]
    return Tensor(np.stack(rows))
''',
    "_DataLoader": '''
class _DataLoader:
    """Batches of a dataset whose rows a pipeline of mindspore.dataset cannot hold."""

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=False,
        sampler=None,
        batch_sampler=None,
        collate_fn=_collate,
        drop_last=False,
        rng=np.random,
    ):
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.collate_fn = collate_fn
        self.drop_last = drop_last
        self.rng = rng

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count = len(self.dataset if self.sampler is None else self.sampler)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)

    def __iter__(self):
        if self.batch_size is None:
            for index in self._order():
                yield self.dataset[index]
            return
        for batch in self._batches():
            yield self.collate_fn([self.dataset[index] for index in batch])

    def _batches(self):
        if self.batch_sampler is not None:
            yield from self.batch_sampler
            return
        batch = []
        for index in self._order():
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def _order(self):
        if self.sampler is not None:
            return list(self.sampler)
        if self.shuffle:
            return self.rng.permutation(len(self.dataset)).tolist()
        return range(len(self.dataset))
''',
    "_NamedSequentialCell": '''
class _NamedSequentialCell(nn.SequentialCell):
    """Cells in order, which may also join by name: ``setattr(cells, name, cell)``."""

    def construct(self, *args):
        for cell in self._cells.values():
            args = (cell(*args),)
        return args[0]
''',
}

#: Methods by which a part joins a module under a name.
JOINING = frozenset(["add_module", "register_module", "register_parameter"])

#: In-place fillings of ``tensor.data`` and the function of torch.nn.init that does the same.
INITIALIZERS = {
    "normal_": "torch.nn.init.normal_",
    "uniform_": "torch.nn.init.uniform_",
    "zero_": "torch.nn.init.zeros_",
    "fill_": "torch.nn.init.constant_",
}

#: Why parts of PyTorch have no rule, and what to do, by the beginning of the name.
REASONS = {
    "torch.utils.data": "read data with mindspore.dataset: GeneratorDataset(dataset, "
    "column_names).shuffle(n).batch(n), and iterate over create_tuple_iterator()",
    "torch.hub": "download the weights and convert them: agar migrate weights",
    "torch.utils.model_zoo": "download the weights and convert them: agar migrate weights",
    "torch.load": "read it with agar.migrate.read_torch_file(file), or convert the file once "
    "(agar migrate weights) and use mindspore.load_checkpoint(file)",
    "torch.cuda.amp": "use mindspore.amp.auto_mixed_precision(cell, level) and DynamicLossScaler",
    "torch.amp": "use mindspore.amp.auto_mixed_precision(cell, level) and DynamicLossScaler",
    "torch.cuda": "use mindspore.set_context(device_target=...)",
    "torch.backends": "a switch of PyTorch's kernels, which has no counterpart",
    "torch.autograd": "use mindspore.grad or value_and_grad on a function",
    "torch.distributed": "use mindspore.communication and set_auto_parallel_context",
    "torch.nn.parallel": "use mindspore.communication and set_auto_parallel_context",
    "torch.nn.DataParallel": "use mindspore.communication and set_auto_parallel_context",
    "torch.jit": "use mindspore.jit",
    "torch.compile": "use mindspore.jit",
    "torch.fx": "it has no counterpart; see mindspore.rewrite",
    "torch.onnx": "use mindspore.export(cell, inputs, file_name=..., file_format='ONNX')",
    "torch.utils.checkpoint": "call cell.recompute() instead",
    "torch.set_grad_enabled": "nothing is recorded outside of mindspore.grad; use "
    "ops.stop_gradient inside",
    "torchvision": "use mindspore.dataset.vision, or convert the model too",
}


def reason_for(name: str) -> str:
    """Why a name without a rule has no counterpart, and what to do."""
    best = max((k for k in REASONS if name.startswith(k)), key=len, default=None)
    return REASONS[best] if best else "agar's rules do not know it"
