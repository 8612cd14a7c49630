"""The process that runs TorchInductor, so that compiling never disturbs the calls it is for.

It reads requests from its standard input and writes replies to its standard output: eight bytes of
length, then JSON. Both are plain data; a part of a graph travels as :func:`lowering.encode`'s text.
Results go into the cache folder, see :mod:`agar._core.graph.backends.inductor`.

NOTE Plain artifacts. Inductor's own artifacts cost their reader an import of Inductor (about a
second, with the interpreter's lock held) and a C++ compiler run wherever Inductor's own cache is
cold. What Inductor makes for a CPU is little, though: C++ kernels, and one Python function that
allocates and calls. So that function is taken out of the generated module and stored with its
compiled kernels, with every constant path (``torch.ops.aten.x.default``) replaced by a name that is
looked up once. What does not have this form (Triton kernels, constants) is stored as Inductor's own
artifact.

NOTE Outputs have memory of their own. In a graph they do, but Inductor may join two equal results,
or give one out as a slice of another. Such outputs are copied at the end of the plain function.
"""

from __future__ import annotations

import ast
import builtins
import math
import os
import queue
import re
import select
import signal
import sys
import tempfile
import threading
import time
import traceback
from typing import Any

import torch

from agar._core import files
from agar._core.graph.backends import inductor, kernel_errors, lowering
from agar._core.graph.ir.graph import mutates

__all__ = ["main"]

#: Seconds without a request after which the process ends; the next request starts another.
IDLE = 300.0


class Rejected(Exception):
    """A part that cannot be compiled as it is.

    Args:
        reason: for people.
        positions: the operations at fault; empty for the whole part.
        lasting: whether another try would end the same way.
    """

    def __init__(self, reason: str, positions: list[int], lasting: bool = True) -> None:
        super().__init__(reason)
        self.positions = positions
        self.lasting = lasting


class NotPlain(Exception):
    """The generated code has something that a plain artifact cannot hold."""


# ----------------------------------------------------------------------------------- compiling


class _Settings:
    """What the process has found out about its machine."""

    #: Whether Inductor may believe the processor's flags. Probing what the C++ compiler does with
    #: them takes a second in each process, so it is done only where believing has failed.
    trust_flags: bool | None = True


def compile_part(text: str, settings: dict[str, Any]) -> bytes:
    """The artifact of a part.

    Raises:
        Rejected: Inductor cannot compile it.
    """
    part, metas = lowering.decode(text)
    torch.set_num_threads(settings["threads"])
    torch.set_float32_matmul_precision(settings["matmul"])
    torch.use_deterministic_algorithms(settings["deterministic"], warn_only=True)
    kernel_errors.install()
    disagreement = lowering.disagreement(part, metas)
    if disagreement is not None:
        raise Rejected(disagreement[1], disagreement[0])
    if _on_cpu(metas) and not settings.get("own_format"):
        try:
            return _plain_artifact(part, metas, settings)
        except NotPlain as error:
            sys.stderr.write(f"not plain: {error}\n")
    return _own_artifact(part, metas, settings)


def _on_cpu(metas: Any) -> bool:
    return all(metas[v].device.type == "cpu" for v in metas)


def _patches(part: lowering.Part, settings: dict[str, Any], on_cpu: bool) -> dict[str, Any]:
    trains = any(op.func is torch.ops.aten.convolution_backward.default for op in part.ops)
    return {
        "fallback_random": True,
        # who rounds to a narrow type and back means it
        "emulate_precision_casts": True,
        # convolutions in channels_last: 1.8 times faster in a small network's inference, 2.5 times
        # slower in its train step
        "layout_optimization": settings.get("channels_last", not trains),
        # callers guarantee the metadata of inputs; each check costs 0.4 us
        "size_asserts": False,
        "alignment_asserts": False,
        "cpp.threads": settings["threads"],
        "cpp.vec_isa_ok": _Settings.trust_flags,
        # Triton compiles kernels in processes of their own: a train step has hundreds
        "compile_threads": 1 if on_cpu else max(1, min(8, (os.cpu_count() or 2) // 2)),
        "triton.cudagraphs": False,
    }


def _graph(part: lowering.Part, metas: Any, settings: dict[str, Any]) -> tuple[Any, list[Any]]:
    module = lowering.to_fx(part, metas, bf16=bool(settings.get("bf16")))
    fakes = [n.meta["val"] for n in module.graph.nodes if n.op == "placeholder"]
    return module, fakes


def _compiled(part: lowering.Part, metas: Any, settings: dict[str, Any], run: Any) -> Any:
    """``run(module, fakes, patches)``, once more where that may help.

    That is with probed flags if the C++ compiler fails, and without a library that is torn.
    """
    removed: set[str] = set()
    while True:
        module, fakes = _graph(part, metas, settings)
        try:
            with torch.no_grad():
                return run(module, fakes, _patches(part, settings, _on_cpu(metas)))
        except Exception as error:
            if _Settings.trust_flags and _is_compiler_error(error):
                _Settings.trust_flags = None
                continue
            torn = _torn_library(error)
            if torn is not None and torn not in removed and files.remove(torn):
                removed.add(torn)
                continue
            raise _blamed(part, error) from error


def _torn_library(error: BaseException) -> str | None:
    """The library in Inductor's folder that cannot be loaded: its compiler was ended halfway."""
    folder = os.environ.get("TORCHINDUCTOR_CACHE_DIR")
    for e in _causes(error) if folder else ():
        for path in re.findall(r"/[^\s:]+\.so\b", str(e)) if isinstance(e, ImportError) else ():
            if os.path.realpath(path).startswith(os.path.realpath(folder or "") + os.sep):
                return path
    return None


def _is_compiler_error(error: BaseException) -> bool:
    return any("CppCompileError" in type(e).__name__ for e in _causes(error))


def _causes(error: BaseException) -> list[BaseException]:
    results: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in results:
        results.append(current)
        current = current.__cause__ or current.__context__
    return results


def _blamed(part: lowering.Part, error: BaseException) -> Rejected:
    """Which operations of the part an exception of Inductor is about, by their names in it."""
    if isinstance(error, (MemoryError, OSError)):
        return Rejected(f"{type(error).__name__}: {error}", [], lasting=False)
    if any(isinstance(e, ImportError) for e in _causes(error)):  # a library that is not whole
        return Rejected(f"{type(error).__name__}: {error}"[:500], [], lasting=False)
    if any(isinstance(e, kernel_errors.MixedChange) for e in _causes(error)):
        changing = [n for n, op in enumerate(part.ops) if mutates(op)]
        return Rejected(f"MixedChange: {error}"[:500], changing)
    text = "\n".join(str(e) for e in _causes(error))
    reason = f"{type(error).__name__}: {text.strip()}"[:500]
    if _is_compiler_error(error):  # a full disk, say
        return Rejected(reason, [], lasting=False)
    for name in re.findall(r"(?:aten|prims)\.(\w+)(?:\.\w+)?", text):
        same = [n for n, op in enumerate(part.ops) if _short(op) == name]
        if same:
            return Rejected(reason, same)
    return Rejected(reason, [])


def _short(op: Any) -> str:
    return op.func._schema.name.split("::", 1)[1]


def _own_artifact(part: lowering.Part, metas: Any, settings: dict[str, Any]) -> bytes:
    """Inductor's own artifact."""
    import torch._inductor

    def run(module: Any, fakes: list[Any], patches: dict[str, Any]) -> Any:
        return torch._inductor.standalone_compile(
            module, fakes, dynamic_shapes="from_graph", options={"config_patches": patches}
        )

    result = _compiled(part, metas, settings, run)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "artifact")
        try:
            result.save(path=path, format="binary")
        except Exception as error:
            raise Rejected(f"cannot be saved: {error}", []) from error
        with open(path, "rb") as file:
            content = file.read()
    return inductor.pack({"kind": "own"}, [content])


# ------------------------------------------------------------------------------ plain artifacts


def _plain_artifact(part: lowering.Part, metas: Any, settings: dict[str, Any]) -> bytes:
    import torch._functorch.config
    import torch._inductor.config
    from torch._guards import TracingContext, tracing
    from torch._inductor.compile_fx import compile_fx, compile_fx_inner

    seen: list[tuple[Any, Any]] = []

    def inner(*args: Any, **kwargs: Any) -> Any:
        result = compile_fx_inner(*args, **kwargs)
        context = TracingContext.try_get()
        seen.append((result, None if context is None else context.fw_metadata))
        return result

    def run(module: Any, fakes: list[Any], patches: dict[str, Any]) -> None:
        seen.clear()
        mode = fakes[0].fake_mode if fakes else None
        with (
            tracing(TracingContext(mode)),
            torch._functorch.config.patch(enable_autograd_cache=False),
            torch._inductor.config.patch(fx_graph_cache=False),
        ):
            compile_fx(module, fakes, inner_compile=inner, config_patches=patches)

    _compiled(part, metas, settings, run)
    if len(seen) != 1:
        raise NotPlain(f"{len(seen)} graphs were compiled")
    result, info = seen[0]
    _check_calling(part, result, info)
    source, names, kernels = _plain_function(result.source_code, _globals_of(result))
    contents = []
    for path in kernels.values():
        with open(path, "rb") as file:
            contents.append(file.read())
    header = {
        "kind": "plain",
        "source": source,
        "names": names,
        "kernels": list(kernels),
        "operations": len(part.ops),
    }
    return inductor.pack(header, contents)


def _check_calling(part: lowering.Part, result: Any, info: Any) -> None:
    """That the compiled function alone does all there is to do, without what wraps it."""
    from torch._functorch._aot_autograd.schemas import OutputType

    if info is None:
        raise NotPlain("nothing is known about its outputs")
    alone = (OutputType.non_alias, OutputType.unsafe_view_alias)
    if any(o.output_type not in alone for o in info.output_info):
        raise NotPlain("an output is an alias")
    if info.num_mutated_inp_runtime_indices or any(i.mutates_metadata for i in info.input_info):
        raise NotPlain("an input is changed outside of the compiled function")
    if len(info.output_info) != len(part.outs) or getattr(result, "inputs_to_check", ()):
        raise NotPlain("it is called in another way")
    if result.constants or result.torchbind_constants:
        raise NotPlain("it has constants")


def _globals_of(result: Any) -> dict[str, Any]:
    call = result.current_callable
    function = getattr(call, "__func__", call)
    if getattr(function, "__name__", "") != "call":
        raise NotPlain(f"its function is {function!r}")
    return function.__globals__


#: Roots of constant paths in generated code, as seen from torch.
_ROOTS = {
    "torch": "torch",
    "aten": "torch.ops.aten",
    "_quantized": "torch.ops._quantized",
    "assert_size_stride": "torch._C._dynamo.guards.assert_size_stride",
    "assert_alignment": "torch._C._dynamo.guards.assert_alignment",
    "empty_strided_cpu": "torch._C._dynamo.guards._empty_strided_cpu",
    "reinterpret_tensor": "torch._C._dynamo.guards._reinterpret_tensor",
    "device": "torch.device",
    "inf": "math.inf",
    "nan": "math.nan",
}


def _plain_function(
    source: str, scope: dict[str, Any]
) -> tuple[str, dict[str, str], dict[str, str]]:
    """The call function of a generated module by itself.

    Returns:
        Its text; its global names with their paths from torch or math; its kernels with the paths
        of their shared libraries.
    """
    call = _find_call(ast.parse(source))
    # "a, b = args; args.clear()" at the top become parameters
    first, *rest = call.body
    params: list[str] = []
    if isinstance(first, ast.Assign) and _is_name(first.value, "args"):
        target = first.targets[0]
        elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        params = [e.id for e in elements if isinstance(e, ast.Name)]
        if len(params) != len(elements):
            raise NotPlain("its arguments have another form")
    else:
        rest = call.body
    body = [s for s in rest if not _is_argument_care(s, params)]
    rename = _Renamer(scope)
    body = [rename.visit(s) for s in _with_own_outputs(body, params)]
    function = ast.parse(f"def call({', '.join(params)}): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = body
    tree = ast.fix_missing_locations(ast.Module(body=[function], type_ignores=[]))
    text = ast.unparse(tree)
    known = {*params, *rename.names, *rename.kernels, "_own", *dir(builtins)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            known.add(node.id)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            raise NotPlain(f"it uses {node.id}")
    return text, rename.names, rename.kernels


def _find_call(tree: ast.Module) -> ast.FunctionDef:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "call":
            return node
    raise NotPlain("it has no function 'call'")


def _is_name(node: Any, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_argument_care(statement: ast.stmt, params: list[str]) -> bool:
    """``args.clear()`` and ``del arg0_1``: the caller owns the arguments."""
    if isinstance(statement, ast.Delete):
        return all(isinstance(t, ast.Name) and t.id in params for t in statement.targets)
    return isinstance(statement, ast.Expr) and ast.unparse(statement.value) == "args.clear()"


class _Renamer(ast.NodeTransformer):
    """Replaces constant paths by single names."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self.scope = scope
        self.names: dict[str, str] = {}  # new name -> path
        self.kernels: dict[str, str] = {}  # name -> library
        self._of_path: dict[str, str] = {}

    def _name(self, path: str) -> ast.Name:
        name = self._of_path.get(path)
        if name is None:
            name = f"g{len(self.names)}_{path.rsplit('.', 1)[-1].strip('_')}"
            self._of_path[path] = name
            self.names[name] = path
        return ast.Name(id=name, ctx=ast.Load())

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        path = _path(node)
        if path is None:
            return self.generic_visit(node)
        root, _, rest = path.partition(".")
        if root == "extern_kernels":
            return self._name(self._extern(rest))
        if root in _ROOTS:
            full = f"{_ROOTS[root]}.{rest}"
            if isinstance(_resolved(full), torch._ops.OpOverload):
                full += "._op"
            return self._name(full)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        if (_path(node.func) or "").startswith("extern_kernels."):
            keywords = [k for k in node.keywords if not _is_factor_one(k)]
            node = ast.Call(func=node.func, args=node.args, keywords=keywords)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load):
            return node
        if node.id in _ROOTS:
            return self._name(_ROOTS[node.id])
        value = self.scope.get(node.id)
        home = getattr(getattr(value, "__self__", None), "__file__", None)
        if callable(value) and home is not None:
            self.kernels[node.id] = home
        return node

    def _extern(self, name: str) -> str:
        value = getattr(self.scope["extern_kernels"], name, None)
        if value is None or getattr(torch, name, None) is not value:
            raise NotPlain(f"it calls extern_kernels.{name}")
        return f"torch.{name}"


def _is_factor_one(keyword: ast.keyword) -> bool:
    """``alpha=1`` or ``beta=1``, which is the default and costs time to parse."""
    value = keyword.value
    return keyword.arg in ("alpha", "beta") and isinstance(value, ast.Constant) and value.value == 1


def _path(node: ast.expr) -> str | None:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(names)])


def _resolved(path: str) -> Any:
    try:
        return inductor.resolve(path)
    except AttributeError:
        raise NotPlain(f"there is no {path}") from None


def _with_own_outputs(body: list[ast.stmt], params: list[str]) -> list[ast.stmt]:
    """The statements with outputs copied that are not whole buffers of their own."""
    last = body[-1] if body else None
    if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Tuple):
        raise NotPlain("it returns in another way")
    base: dict[str, str] = {p: p for p in params}  # the buffer that a name is all of, or part of
    sizes: dict[str, int] = {}
    whole: dict[str, bool] = {}
    for statement in body:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target, value = statement.targets[0], statement.value
        if not isinstance(target, ast.Name):
            continue
        name = target.id
        if isinstance(value, ast.Name):
            base[name] = base.get(value.id, value.id)
            whole[name] = whole.get(value.id, True)
            continue
        base[name], whole[name] = _buffer_of(value, base, whole, sizes)
        if not base[name]:
            base[name] = name
            size = _allocated(value)
            if size is not None:
                sizes[name] = size
    used: set[str] = set()
    elements: list[ast.expr] = []
    for element in last.value.elts:
        if isinstance(element, ast.Name):
            source, is_whole = base.get(element.id, ""), whole.get(element.id, True)
        else:
            source, is_whole = _buffer_of(element, base, whole, sizes)
        if not source:
            raise NotPlain(f"it returns {ast.unparse(element)}")
        if source in used or source in params or not is_whole:
            element = ast.Call(
                func=ast.Name(id="_own", ctx=ast.Load()), args=[element], keywords=[]
            )
        used.add(source)
        elements.append(element)
    returned = ast.Return(value=ast.Tuple(elts=elements, ctx=ast.Load()))
    return [*body[:-1], returned]


def _buffer_of(
    value: ast.expr, base: dict[str, str], whole: dict[str, bool], sizes: dict[str, int]
) -> tuple[str, bool]:
    """Of which buffer an expression is a view, "" for none, and whether it is all of it."""
    if not (isinstance(value, ast.Call) and _is_name(value.func, "reinterpret_tensor")):
        return "", True
    source, size, _, offset = value.args[:4]
    if not isinstance(source, ast.Name):
        return "", True
    result = base.get(source.id, source.id)
    count = math.prod(ast.literal_eval(size))
    same = whole.get(source.id, True) and sizes.get(result) == count
    return result, same and ast.literal_eval(offset) == 0


def _allocated(value: ast.expr) -> int | None:
    """How many elements an allocation has."""
    if isinstance(value, ast.Call) and _is_name(value.func, "empty_strided_cpu"):
        return math.prod(ast.literal_eval(value.args[0]))
    return None


# ------------------------------------------------------------------------------------ requests


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    started = time.perf_counter()
    path = request["path"]
    reply: dict[str, Any] = {"ok": False, "positions": [], "error": ""}
    try:
        artifact = compile_part(request["text"], request["settings"])
        inductor.write_file(path, artifact)
        reply["ok"] = True
    except Rejected as error:
        reply.update(error=str(error), positions=error.positions)
        if error.lasting:
            header = {"kind": "rejected", "error": str(error), "positions": error.positions}
            inductor.write_file(path, inductor.pack(header, []))
    except Exception as error:
        traceback.print_exc()
        reply["error"] = f"{type(error).__name__}: {error}"[:500]
    reply["seconds"] = time.perf_counter() - started
    return reply


class _Requests:
    """Requests from standard input, read beside the work, so that its end is seen at once."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._queue: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._parent = os.getppid()
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> dict[str, Any] | None:
        """The next request, or None if none has come for a long time."""
        try:
            return self._queue.get(timeout=IDLE)
        except queue.Empty:
            return None

    def _read(self) -> None:
        while True:
            if os.name == "posix":
                # a forked sibling of the parent may hold the pipe open after the parent's end
                while not select.select([self._source], [], [], 2.0)[0]:
                    if os.getppid() != self._parent:
                        _end_with_children()
            message = inductor.receive(self._source)
            if message is None:
                _end_with_children()
            else:
                self._queue.put(message)


def _end_with_children() -> None:
    """End at once, and with this process the C++ compilers that it has started."""
    if os.name == "posix" and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)


def main() -> None:
    """Serve requests until standard input ends."""
    source = os.fdopen(os.dup(0), "rb", buffering=0)
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what libraries print goes to the log
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    requests = _Requests(source)
    inductor.send(replies, {"ready": os.getpid()})
    inductor.prune()
    import torch._inductor.compile_fx  # noqa: F401  (now, while nothing waits)

    while True:
        request = requests.next()
        if request is None:
            return
        inductor.send(replies, _answer(request))


if __name__ == "__main__":
    main()
