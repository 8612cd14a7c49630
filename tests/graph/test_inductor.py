"""Plan O1: parts of a graph compiled by TorchInductor in another process, and their cache."""

import functools
import json
import os
import signal
import subprocess
import sys
import time

import pytest
import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from agar._core.graph.backends import inductor, lowering, o0
from agar._core.graph.backends.lowering import Part, partition
from agar._core.graph.ir.graph import (
    Chunk,
    Host,
    Meta,
    Op,
    Ref,
    Subgraph,
    aliases_resolved,
    map_refs,
)

aten = torch.ops.aten
needs_compiler = pytest.mark.skipif(
    inductor._cxx() is None, reason="no C++ compiler, so plan O1 is not available"
)


class Recorder(TorchDispatchMode):
    """Just enough of a recorder: every call, every tensor kept alive."""

    @classmethod
    def _should_skip_dynamo(cls):
        return False

    def __init__(self):
        super().__init__()
        self.ops, self.metas, self.ins, self.kept = [], {}, [], []
        self.numbers, self.storages, self.marks = {}, {}, []

    def new(self, t):
        number = self.numbers[id(t)] = len(self.metas)
        self.kept.append((t, t.untyped_storage()))
        address = t.untyped_storage()._cdata
        self.metas[number] = Meta(t, self.storages.setdefault(address, len(self.storages) + 1))
        return number

    def ref(self, value):
        if isinstance(value, torch.Tensor):
            if id(value) not in self.numbers:
                self.ins.append((self.new(value), value))
            return Ref(self.numbers[id(value)])
        if isinstance(value, (tuple, list)):
            return type(value)(map(self.ref, value))
        return value

    def bind(self, func, args, kwargs, result):
        results = result if isinstance(result, (tuple, list)) else (result,)
        results = () if result is None else results
        outs = []
        for t in results:
            known = self.numbers.get(id(t))
            outs.append(None if t is None else self.new(t) if known is None else known)
        metas = tuple(None if o is None else self.metas[o] for o in outs)
        self.ops.append(Op(func, args, kwargs, tuple(outs), metas))

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.ops.prim.device.default:
            return func(*args, **kwargs)
        taken = tuple(map(self.ref, args))
        named = {k: self.ref(v) for k, v in kwargs.items()}
        result = func(*args, **kwargs)
        self.bind(func, taken, named, result)
        return result

    def host(self, fn, *args, gives="tensor"):
        """What the engine does for draws, numpy functions and print."""
        taken = tuple(map(self.ref, args))
        with torch._C._DisableTorchDispatch():
            result = fn(*args)
        self.bind(Host(fn, fn.__name__, gives), taken, {}, result)
        return result

    def mark(self):
        self.marks.append(self.ops[-1] if self.ops else None)

    def subgraph(self, outs):
        numbers = [self.numbers[id(t)] for t in outs]
        ops, stands = aliases_resolved(self.ops)
        items = [(op.outs, getattr(op.func, "_schema", None)) for op in ops]
        marks = [items.index((op.outs, getattr(op.func, "_schema", None))) + 1 for op in self.marks]
        return Subgraph(
            ops,
            [n for n, _ in self.ins],
            [stands.get(n, n) for n in numbers],
            self.metas,
            False,
            {},
            tuple(marks),
        )


def recorded(fn, *inputs):
    """The subgraph of one call, and the values of its inputs before it."""
    with torch.no_grad(), Recorder() as recorder:
        for t in inputs:
            recorder.ref(t)
        with torch._C._DisableTorchDispatch():
            before = {n: t.clone() for n, t in recorder.ins}
        outs = fn(recorder)
    for number, t in recorder.ins:  # what it met by itself, which no test changes
        before.setdefault(number, t.clone())
    return recorder.subgraph(outs), before


def run(ops, subgraph, before):
    """All values after running operations on copies of the inputs."""
    values = {n: t.clone() for n, t in before.items()}
    with torch.no_grad():
        for op in ops:
            args = map_refs(op.args, lambda r: values[r.i])
            kwargs = map_refs(op.kwargs, lambda r: values[r.i])
            func = op.func
            call = func.run if isinstance(func, Chunk) else getattr(func, "fn", func)
            result = call(*args, **kwargs)
            results = result if isinstance(result, (tuple, list)) else (result,)
            pairs = zip(op.outs, results, strict=False)
            values.update({o: t for o, t in pairs if o is not None})
    return values


def compiled(subgraph, **options):
    job = inductor.request(subgraph, **options)
    assert job.wait(300) == "ready", job.error
    return job


def check(subgraph, before, ops, tolerance=1e-5):
    """Outputs and changed inputs of a plan against the operations themselves, run twice."""
    expected = run(subgraph.ops, subgraph, before)
    for _ in range(2):
        result = run(ops, subgraph, before)
        for n in (*subgraph.outs, *subgraph.ins):
            torch.testing.assert_close(result[n], expected[n], rtol=tolerance, atol=tolerance)
            assert result[n].stride() == expected[n].stride()
    return result


def chunks(ops):
    return [op for op in ops if isinstance(op.func, Chunk)]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    """One cache folder and one worker for the module."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("AGAR_CACHE_DIR")
    os.environ["AGAR_CACHE_DIR"] = str(folder)
    inductor.shutdown()
    yield folder
    inductor.shutdown()
    if before is None:
        del os.environ["AGAR_CACHE_DIR"]
    else:
        os.environ["AGAR_CACHE_DIR"] = before


# ---------------------------------------------------------------------------------- networks


def tensor(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


def train_step(forward, parameters, state=(), momentum=0.9):
    """A recorded step: loss, gradients, momentum SGD in one kernel."""
    slots = [torch.zeros_like(p) for p in parameters]
    rate = torch.tensor(0.1)

    def step(recorder):
        with torch.enable_grad():
            flat = [p.detach().requires_grad_() for p in parameters]
            loss = forward(flat, recorder)
            recorder.mark()
            grads = torch.autograd.grad(loss, flat)
        recorder.mark()
        torch._fused_sgd_(
            parameters,
            grads,
            slots,
            weight_decay=0.0,
            momentum=momentum,
            lr=rate,
            dampening=0.0,
            nesterov=False,
            maximize=False,
            is_first_step=False,
        )
        return [loss.detach()]

    return recorded(step, *parameters, *state, *slots)


@functools.cache
def mlp():
    x, y = tensor(8, 6), torch.arange(8) % 3

    def forward(p, recorder):
        hidden = torch.relu(F.linear(x, p[0], p[1]))
        return F.cross_entropy(F.linear(hidden, p[2], p[3]), y)

    return train_step(forward, [tensor(5, 6), tensor(5), tensor(3, 5), tensor(3)])


def test_parts_of_a_train_step():
    subgraph, _ = mlp()
    whole = partition(subgraph)
    assert [type(i).__name__ for i in whole].count("Part") == 1
    assert whole[-1].func is aten._fused_sgd_.tensor_lr  # a kernel of its own stays last, and raw
    first, second = [p for p in partition(subgraph, split=True) if isinstance(p, Part)]
    assert {op.func for op in first.ops} >= {aten.addmm.default, aten.nll_loss_forward.default}
    assert aten.threshold_backward.default in {op.func for op in second.ops}
    assert aten.addmm.default not in {op.func for op in second.ops}


@pytest.mark.slow
@needs_compiler
def test_mlp_train_step():
    subgraph, before = mlp()
    job = compiled(subgraph)
    assert len(chunks(job.plan())) == 1
    check(subgraph, before, job.plan())
    generated = o0.generate(subgraph, job.plan())
    inputs = [before[n].clone() for n in subgraph.ins]
    with torch.no_grad():
        (loss,) = generated(*inputs)[1]
    torch.testing.assert_close(loss, run(subgraph.ops, subgraph, before)[subgraph.outs[0]])


@pytest.mark.slow
@needs_compiler
def test_cnn_train_step_updates_its_statistics():
    x, y = tensor(4, 3, 8, 8), torch.arange(4) % 3
    mean, var, count = torch.zeros(4), torch.ones(4), torch.zeros((), dtype=torch.int64)

    def forward(p, recorder):
        v = F.conv2d(x, p[0], p[1], padding=1)
        count.add_(1)
        v = F.batch_norm(v, mean, var, p[2], p[3], True, 0.1)
        v = F.max_pool2d(torch.relu(v), 2)
        return F.cross_entropy(F.linear(v.flatten(1), p[4], p[5]), y)

    parameters = [tensor(4, 3, 3, 3), tensor(4), tensor(4), tensor(4), tensor(3, 64), tensor(3)]
    subgraph, before = train_step(forward, parameters, (mean, var, count))
    job = compiled(subgraph, split=True)
    assert len(chunks(job.plan())) == 2
    result = check(subgraph, before, job.plan(), 1e-4)
    assert result[subgraph.ins[8]] == 1  # the counter
    assert not torch.equal(result[subgraph.ins[6]], before[subgraph.ins[6]])


# ------------------------------------------------------------------------- order and memory


def _chain(t):
    return torch.sin(t) * 2 + 1


def test_a_draw_cuts_nothing():
    x, w = tensor(4, 4), tensor(4, 4)
    draws = []

    def mask():
        draws.append(torch.ones(4, 4) * (len(draws) % 2))
        return draws[-1]

    def step(recorder):
        hidden = _chain(x @ w) * recorder.host(mask)
        return [_chain(hidden @ w)]

    subgraph, _ = recorded(step, x, w)
    items = partition(subgraph)
    assert [type(i).__name__ for i in items] == ["Op", "Part"]
    assert items[0].func.label == "mask"


def test_fresh_memory_for_a_draw_cuts_nothing():
    x = tensor(4, 4)

    def step(recorder):
        hidden = _chain(x)
        keep = torch.empty_like(hidden).bernoulli_(0.5)
        return [_chain(hidden * keep)]

    subgraph, _ = recorded(step, x)
    *raw, part = partition(subgraph)
    assert [op.func for op in raw] == [aten.empty_strided.default, aten.bernoulli_.float]
    assert len(part.ops) == 7


def test_draws_and_python_keep_their_order():
    x = tensor(3)
    seen = []

    def one(t):
        seen.append(1)
        return t + 1

    def two(t):
        seen.append(2)
        return t + 2

    def step(recorder):
        late = recorder.host(one, _chain(x))  # waits for a part
        early = recorder.host(two, x)  # could go first
        return [late, early.uniform_()]

    subgraph, _ = recorded(step, x)
    names = [op.name for op in partition(subgraph) if not isinstance(op, Part)]
    assert names == ["one", "two", "uniform_"]


@needs_compiler
def test_a_read_stays_last():
    x = tensor(3, 5)
    whole, _ = recorded(lambda r: [_chain(x).sum(), x.t()], x)
    total, turned = whole.outs
    read = Op(aten._local_scalar_dense.default, (Ref(total),), {}, (None,))
    subgraph = Subgraph([*whole.ops, read], whole.ins, [turned], whole.metas, True, {})
    items = partition(subgraph)
    assert [i.name for i in items[1:]] == ["t", "_local_scalar_dense"]
    value, (out,) = o0.generate(subgraph, compiled(subgraph).plan())(x)
    assert value == pytest.approx(float(_chain(x).sum()), rel=1e-5)
    assert out.data_ptr() == x.data_ptr()


def test_attention_without_dropout_is_no_draw():
    q = tensor(1, 2, 4, 8)
    for dropout, raw in ((0.0, False), (0.5, True)):
        ops = [Op(aten.sin.default, (Ref(0),), {}, (1,)), Op(aten.cos.default, (Ref(1),), {}, (2,))]
        attention = aten._scaled_dot_product_flash_attention_for_cpu.default
        ops.append(Op(attention, (Ref(2), Ref(1), Ref(0), dropout), {}, (3, 4)))
        metas = dict.fromkeys(range(5), Meta(q))
        items = partition(Subgraph(ops, [0], [3], metas, False, {}))
        assert any(isinstance(i, Op) and i.func is attention for i in items) is raw


@needs_compiler
def test_dropout_mask_and_print_in_the_middle():
    x, w = tensor(4, 4), tensor(4, 4)
    printed, calls = [], []

    def mask():
        calls.append(len(calls))
        return torch.full((4, 4), float(calls[-1]))

    def show(t):
        printed.append(float(t))

    def step(recorder):
        hidden = _chain(x @ w)
        recorder.host(show, hidden.sum(), gives="nothing")
        hidden = hidden * recorder.host(mask)
        out = _chain(hidden @ w)
        recorder.host(show, out.sum(), gives="nothing")
        return [out]

    subgraph, before = recorded(step, x, w)
    job = compiled(subgraph)
    expected = {}
    for name, ops in (("raw", subgraph.ops), ("compiled", job.plan())):
        printed.clear()
        calls.clear()
        values = [run(ops, subgraph, before)[subgraph.outs[0]] for _ in range(2)]
        expected[name] = (values, list(printed))
    torch.testing.assert_close(expected["compiled"][0], expected["raw"][0])
    assert expected["compiled"][1] == pytest.approx(expected["raw"][1], rel=1e-4)
    assert not torch.equal(*expected["compiled"][0])  # a new mask at each call


@needs_compiler
def test_changed_inputs_and_outputs_that_share_memory():
    """Views given out, an input changed through a view, equal results, a copy before a change."""
    state, x = tensor(4, 6), tensor(4, 6)

    def step(recorder):
        before = state.clone()
        row = state[1]
        row.mul_(2.0).add_(x[0])
        output = _chain(x)
        again = _chain(x)  # the compiler may find that it is the same
        turned = output.t()
        turned.add_(1.0)
        return [before, row, output, again, turned, output.view(-1), x.t(), state.t()]

    subgraph, before = recorded(step, state, x)
    job = compiled(subgraph)
    assert chunks(job.plan())
    result = check(subgraph, before, job.plan())
    old, row, output, again, turned, flat, xt, state_t = (result[n] for n in subgraph.outs)
    state_now, x_now = (result[n] for n in subgraph.ins[:2])
    address = {
        name: t.untyped_storage().data_ptr()
        for name, t in [("x", x_now), ("state", state_now), ("made", output)]
    }
    assert turned.untyped_storage().data_ptr() == address["made"]
    assert flat.untyped_storage().data_ptr() == address["made"]
    assert xt.untyped_storage().data_ptr() == address["x"]
    assert row.untyped_storage().data_ptr() == address["state"]
    assert state_t.untyped_storage().data_ptr() == address["state"]
    assert again.untyped_storage().data_ptr() not in address.values()
    assert old.untyped_storage().data_ptr() not in address.values()


def test_inputs_that_share_memory_are_changed_by_raw_code_only():
    whole = tensor(4, 4)
    half = whole[:2]

    def step(recorder):
        result = _chain(whole)
        half.add_(1.0)
        return [result, _chain(whole)]

    subgraph, _ = recorded(step, whole, half)
    items = partition(subgraph)
    assert [type(i).__name__ for i in items] == ["Part", "Op", "Part"]
    assert items[1].func is aten.add_.Tensor


def test_absolute_offsets_into_inputs_stay_raw():
    x = tensor(4, 4)[2:]
    subgraph, _ = recorded(lambda r: [_chain(x.as_strided((2, 4), (4, 1), 0))], x)
    items = partition(subgraph)
    assert [type(i).__name__ for i in items] == ["Op", "Part"]
    assert items[0].func is aten.as_strided.default


def test_operators_that_stay_raw():
    x = tensor(2, 3, 4)

    def step(recorder):
        complex_ = torch.fft.fft(_chain(x)).abs()
        noise = torch.rand_like(_chain(complex_))
        pairs = torch.view_as_real(torch.fft.fft(x))
        return [_chain(noise), _chain(pairs + 1), torch.nonzero(x)]

    subgraph, _ = recorded(step, x)
    items = partition(subgraph)
    raw = {op.name for op in items if not isinstance(op, Part)}
    assert {"_fft_r2c", "rand_like", "view_as_real", "nonzero"} <= raw
    parts = [p for p in items if isinstance(p, Part)]
    assert not any(subgraph.metas[v].dtype.is_complex for p in parts for v in p.ins)
    assert "sin" not in raw


def test_text_does_not_depend_on_numbers():
    texts = set()
    for extra in range(2):
        x, unused = tensor(3, 3), [tensor(2)] * extra
        subgraph, _ = recorded(lambda r, x=x: [_chain(x)], *unused, x)
        (part,) = partition(subgraph)
        texts.add(lowering.encode(part, subgraph.metas))
        again, metas = lowering.decode(next(iter(texts)))
        assert lowering.encode(again, metas) in texts
    assert len(texts) == 1


def test_looks_that_the_compiler_would_not_expect():
    x = tensor(4, 6)
    subgraph, _ = recorded(lambda r: [_chain(x.clone())], x)
    (part,) = partition(subgraph)
    metas = dict(subgraph.metas)
    assert lowering.disagreement(part, metas) is None
    sine = part.ops[1].outs[0]
    metas[sine] = Meta(tensor(6, 4).t())
    positions, reason = lowering.disagreement(part, metas)
    assert positions == [1, 2]
    assert "sin gave float32[4, 6]" in reason


# --------------------------------------------------------------------------------- bfloat16


@needs_compiler
def test_bf16_on_request():
    x, w, b = tensor(16, 16), tensor(16, 16), tensor(16)
    subgraph, before = recorded(lambda r: [torch.relu(torch.addmm(b, x, w)) + 1], x, w, b)
    (part,) = partition(subgraph)
    module = lowering.to_fx(part, subgraph.metas, bf16=True)
    casts = [n for n in module.graph.nodes if n.target is aten._to_copy.default]
    assert len(casts) == 4
    exact = run(subgraph.ops, subgraph, before)[subgraph.outs[0]]
    result = run(compiled(subgraph, options={"bf16": True}).plan(), subgraph, before)
    error = (result[subgraph.outs[0]] - exact).abs().max()
    assert result[subgraph.outs[0]].dtype == torch.float32
    assert 1e-4 < error < 0.5


def test_unknown_option():
    subgraph, _ = mlp()
    with pytest.raises(ValueError, match="Unknown options \\['speed'\\] of plan O1"):
        inductor.request(subgraph, options={"speed": True})


# ------------------------------------------------------------------------------ cache, worker


def _hand_made():
    """A subgraph without a recorder, for other processes."""
    metas = {n: Meta(torch.empty(3, 5)) for n in range(4)}
    ops = [
        Op(aten.sin.default, (Ref(0),), {}, (1,), (metas[1],)),
        Op(aten.mul.Tensor, (Ref(1), 3.0), {}, (2,), (metas[2],)),
        Op(aten.add.Tensor, (Ref(2), Ref(0)), {}, (3,), (metas[3],)),
    ]
    return Subgraph(ops, [0], [3], metas, False, {})


def child():
    """Runs in another process, and prints what it saw."""
    job = inductor.request(_hand_made())
    state = job.wait(100)
    fn = o0.generate(job.subgraph, job.plan())
    with torch.no_grad():
        (out,) = fn(torch.full((3, 5), 2.0))[1]
    imported = "torch._inductor" in sys.modules
    print(json.dumps([state, job.cached, out[0, 0].item(), imported]))


@needs_compiler
def test_a_second_process_finds_it_compiled():
    first = compiled(_hand_made())
    assert not first.cached
    assert compiled(_hand_made()).cached
    code = f"import runpy; runpy.run_path({__file__!r})['child']()"
    paths = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": paths, "CXX": "", "PATH": os.environ["PATH"]}
    environment.pop("CXX")
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    state, cached, value, imported = json.loads(done.stdout.splitlines()[-1])
    assert (state, cached, imported) == ("ready", True, False)
    assert value == pytest.approx(float(torch.sin(torch.tensor(2.0)) * 3 + 2))


def _file_of(job, cache):
    (part,) = [p for p in partition(job.subgraph) if isinstance(p, Part)]
    return inductor._path_of(job._key_of(part)[1])


@needs_compiler
@pytest.mark.parametrize("damage", ["torn", "garbled", "foreign"])
def test_bad_files_are_compiled_again(cache, damage):
    path = _file_of(compiled(_hand_made()), cache)
    good = path.read_bytes()
    if damage == "torn":
        path.write_bytes(good[: len(good) // 2])
    elif damage == "garbled":
        path.write_bytes(good[:-20] + b"x" * 20)
    else:
        path.chmod(0o666)  # anybody could have put code there
    job = compiled(_hand_made())
    assert not job.cached
    assert inductor.read_file(path) is not None
    check(job.subgraph, {0: tensor(3, 5)}, job.plan())


def _entry(folder, number, age, data=None):
    """A file that has the name of a cache entry."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{number:062x}.o1"
    file.write_bytes(inductor.pack({}, [b"x" * 1000]) if data is None else data)
    os.utime(file, (time.time() - age, time.time() - age))
    return file


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder full of somebody's files, that is named for the cache; all older than a month."""
    monkeypatch.setenv("AGAR_CACHE_DIR", str(tmp_path / "home"))
    own = inductor.cache_folder()
    assert own == tmp_path / "home" / "agar" / "graph"
    outside = tmp_path / "outside"
    month = 31 * 86400
    _entry(outside / "ab", 7, month)
    (outside / f"c{'a' * 51}.so").write_bytes(b"library")
    for place in ("src/net.py", "data.bin", "ab/old.o1", "agar/notes.txt", "agar/graph/thesis.tex"):
        file = tmp_path / "home" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("mine")
    _entry(tmp_path / "home" / "ab", 1, month)  # named like an entry, beside the cache's own folder
    _entry(own / "ab", 2, month, b"somebody else's")
    _entry(own / "photos", 3, month)
    (own / "ab" / "notes.o1").write_text("mine")
    (own / "loading" / "mine").mkdir(parents=True)
    (own / "loading" / "mine" / "x.so").write_bytes(b"mine")
    (own / "inductor").mkdir()
    (own / "inductor" / "recipe.txt").write_text("mine")
    (own / "inductor" / "link").symlink_to(outside)
    (own / "cd").symlink_to(outside / "ab")
    (own / "ab" / f"{9:062x}.o1").symlink_to(outside / "ab" / f"{7:062x}.o1")
    for path in tmp_path.rglob("*"):
        os.utime(path, (time.time() - month, time.time() - month), follow_symlinks=False)
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="symbolic links")
def test_only_what_the_cache_wrote_is_deleted(home):
    own = inductor.cache_folder()
    before = {p: p.is_symlink() or p.is_dir() or p.read_bytes() for p in home.rglob("*")}
    entry = _entry(own / "ab", 4, 1000)
    library = own / "inductor" / "xy" / f"c{'b' * 51}.so"
    library.parent.mkdir()
    library.write_bytes(b"of Inductor")
    os.utime(library, (1000, 1000))
    inductor.prune(0)
    assert not entry.exists()
    assert not library.exists()
    left = {p: p.is_symlink() or p.is_dir() or p.read_bytes() for p in home.rglob("*")}
    assert {p: left.get(p) for p in before} == before


def test_the_cache_keeps_its_bound(tmp_path, monkeypatch):
    monkeypatch.setenv("AGAR_CACHE_DIR", str(tmp_path))
    files = [_entry(inductor.cache_folder() / "ab", i, 100 * i) for i in range(4)]
    size = files[0].stat().st_size
    inductor.prune(2 * size)
    assert [f.exists() for f in files] == [True, True, False, False]


def test_loading_leaves_what_is_not_its_own(tmp_path):
    with inductor.files.scratch_folder(tmp_path, inductor._LOADED) as inner:
        for name in ("0123456789abcdef.so", "mine.txt"):
            (tmp_path / inner / name).write_text("")
    assert os.listdir(inner) == ["mine.txt"]


@needs_compiler
def test_a_part_that_cannot_be_compiled_stays_raw():
    """What the recording saw and the compiler would not expect is left out, the rest compiled."""
    x, w = tensor(4, 4), tensor(4, 4)
    subgraph, before = recorded(lambda r: [_chain(torch.cos(_chain(x)) @ w)], x, w)
    cosine = next(op for op in subgraph.ops if op.func is aten.cos.default)
    number = cosine.outs[0]
    subgraph.metas[number] = Meta(torch.empty(4, 4).t())  # as if its kernel gave another layout
    cosine.metas = (subgraph.metas[number],)
    job = compiled(subgraph)
    assert "cos gave float32[4, 4] with strides (1, 4)" in job.error
    assert [type(op.func) for op in job.plan()] == [Chunk, type(aten.cos.default), Chunk]
    assert compiled(subgraph).cached  # the refusal was remembered
    result, expected = run(job.plan(), subgraph, before), run(subgraph.ops, subgraph, before)
    torch.testing.assert_close(result[subgraph.outs[0]], expected[subgraph.outs[0]])


@needs_compiler
def test_nothing_to_compile():
    x = tensor(2)
    subgraph, _ = recorded(lambda r: [torch.sin(x)], x)
    job = inductor.request(subgraph)
    assert job.wait(60) == "failed"
    assert job.error == "nothing in it is for the compiler"
    with pytest.raises(RuntimeError, match="nothing in it"):
        job.plan()


@pytest.mark.slow
@needs_compiler
@pytest.mark.filterwarnings("ignore:`torch.jit.script:DeprecationWarning")  # imports of Inductor
def test_own_artifacts_of_inductor(cache, monkeypatch):
    """The form for what is no plain function, such as code for GPUs."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(cache / "inductor"))
    subgraph = _hand_made()
    (part,) = partition(subgraph)
    settings = {**inductor._settings({}), "own_format": True}
    path = cache / "own.o1"
    reply = inductor._state.compile(lowering.encode(part, subgraph.metas), path, settings)
    assert reply["ok"], reply["error"]
    header, contents = inductor.read_file(path)
    assert header["kind"] == "own"
    chunk = Op(Chunk(inductor.load(header, contents), "own"), (Ref(0),), {}, (3,))
    check(subgraph, {0: tensor(3, 5)}, [chunk])


@pytest.mark.slow
@needs_compiler
def test_a_killed_worker_is_replaced():
    y, x = tensor(6, 7), tensor(7, 7)
    compiled(recorded(lambda r: [_chain(_chain(y))], y)[0])
    subgraph, before = recorded(lambda r: [_chain(_chain(x))], x)
    os.kill(inductor.stats()["worker"], signal.SIGKILL)
    job = compiled(subgraph)
    check(subgraph, before, job.plan())


@pytest.mark.slow
@needs_compiler
def test_a_library_that_was_left_torn_is_compiled_again(cache):
    """A process that ends ends its compilers, and Inductor believes the empty file they leave."""
    x = tensor(5, 11)
    subgraph, before = recorded(lambda r: [_chain(_chain(x))], x)
    compiled(subgraph)
    inductor.shutdown()
    home = cache / "agar" / "graph"
    libraries = [p for p in (home / "inductor").rglob("*.main.so") if p.stat().st_size]
    assert libraries
    for path in libraries:
        path.write_bytes(b"")
    for path in home.glob("??/*.o1"):
        path.unlink()
    job = compiled(subgraph)
    check(subgraph, before, job.plan())


def test_a_worker_that_cannot_start(monkeypatch):
    inductor.shutdown()
    monkeypatch.setattr(inductor, "_START", "import sys; sys.exit('no torch here')")
    x = tensor(9, 9)
    job = inductor.request(recorded(lambda r: [_chain(x)], x)[0])
    assert job.wait(60) in ("failed",)
    assert "no torch here" in job.error or "no C++ compiler" in job.error
    inductor.shutdown()


def test_a_compilation_that_takes_too_long(monkeypatch):
    inductor.shutdown()
    monkeypatch.setattr(inductor, "TIMEOUT", 0.2)
    monkeypatch.setattr(inductor, "_START", "import time; time.sleep(60)")
    x = tensor(9, 8)
    started = time.monotonic()
    job = inductor.request(recorded(lambda r: [_chain(x)], x)[0])
    assert job.wait(60) == "failed"
    assert "took more than 0.2 s" in job.error or "no C++ compiler" in job.error
    assert time.monotonic() - started < 20
    assert inductor.stats()["worker"] is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_does_not_wait_for_its_parents_compiler(monkeypatch):
    job = inductor.Job(_hand_made(), False, {})
    worker = inductor._state
    pid = os.fork()
    if pid == 0:
        fine = job.state == "failed" and "forked" in job.error and inductor._state is not worker
        os._exit(0 if fine else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert job.state == "waiting"


# ------------------------------------------------------------------------------ availability


def test_available_names_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("AGAR_COMPILE", "0")
    assert "AGAR_COMPILE" in inductor.available()
    monkeypatch.delenv("AGAR_COMPILE")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert "no C++ compiler was found" in inductor.available()
    job = inductor.request(_hand_made())
    assert job.state == "failed"
    assert "g++" in job.error
    monkeypatch.setenv("CXX", sys.executable)  # any program will do for this question
    reason = inductor.available()
    assert reason is None or "Python.h" in reason


@needs_compiler
def test_the_worker_starts_none_itself(monkeypatch):
    monkeypatch.setenv("AGAR_COMPILE", "0")
    job = inductor.request(_hand_made())
    assert job.state == "failed"
    assert inductor.stats()["jobs failed"] > 0


# ------------------------------------------------------------------- the plain form of artifacts

GENERATED = """
import torch
aten = torch.ops.aten
class Runner:
    def call(self, args):
        arg0_1, arg1_1 = args
        args.clear()
        buf0 = empty_strided_cpu((4, 2), (2, 1), torch.float32)
        aten.sin.out(arg0_1, out=buf0)
        del arg0_1
        buf1 = reinterpret_tensor(buf0, (2, 2), (2, 1), 4)
        buf2 = reinterpret_tensor(buf0, (8, ), (1, ), 0); del buf0  # reuse
        buf3 = empty_strided_cpu((2, ), (1, ), torch.float32)
        extern_kernels.addmm(arg1_1, arg1_1, arg1_1, alpha=1, beta=2, out=buf3)
        return (RETURNED)
"""


def plain(returned, third="arg1_1"):
    from agar._core.graph.backends import worker

    source = GENERATED.replace("RETURNED", returned).replace("arg1_1, alpha", f"{third}, alpha")
    return worker._plain_function(source, {"extern_kernels": torch})


def test_outputs_get_memory_of_their_own():
    text, names, kernels = plain("buf2, buf1, buf3, buf3, arg1_1, ")
    assert text.startswith("def call(arg0_1, arg1_1):")
    assert text.endswith("return (buf2, _own(buf1), buf3, _own(buf3), _own(arg1_1))")
    assert "args" not in text
    assert "del arg0_1" not in text
    assert "beta=2" in text
    assert "alpha" not in text  # 1 is the default
    paths = set(names.values())
    assert {"torch.float32", "torch.ops.aten.sin.out._op", "torch.addmm"} <= paths
    assert kernels == {}


def test_code_that_has_no_plain_form():
    from agar._core.graph.backends import worker

    with pytest.raises(worker.NotPlain, match="it uses constant0"):
        plain("buf2, ", "constant0")
    with pytest.raises(worker.NotPlain, match="it returns in another way"):
        plain("buf2")


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: torch.remainder(x, 3.0),
        lambda x: x // 0.1,
        lambda x: torch.div(x, 0.1, rounding_mode="floor"),
        lambda x: x.clone().remainder_(3.0),
        torch.acosh,
        torch.cosh,
        torch.sinh,
    ],
)
def test_operators_whose_formulas_fail_for_large_numbers_are_left_to_torch(fn):
    x = torch.tensor([1e4, 1e10, 1e20, 88.8])
    subgraph, _ = recorded(lambda recorder: [torch.relu(fn(torch.abs(x) * 2.0) + 1.0) * 2.0], x)
    coarse = {"remainder", "floor_divide", "div", "acosh", "cosh", "sinh"}
    compiled_there, left = set(), set()
    for item in partition(subgraph):
        inside = isinstance(item, Part)
        names = {op.func._schema.name[6:].rstrip("_") for op in (item.ops if inside else [item])}
        (compiled_there if inside else left).update(names)
    assert {"add", "relu"} <= compiled_there
    assert len(coarse & left) == 1
    assert not coarse & compiled_there
