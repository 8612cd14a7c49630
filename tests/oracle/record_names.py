"""Record data/oracle/names.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_names``.

Public names of MindSpore's modules and classes, and the signatures of layers, functions and methods.
Overloaded operators, which Python sees as builtins, give the signatures that their documentation
heads list.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from typing import Any

from .recording import DATA, framework

MODULES = """ nn ops mint mint.nn mint.nn.functional mint.optim mint.special mint.linalg ops.operations
ops.functional ops.composite ops.function ops.primitive amp train train.callback train.serialization train.model
train.loss_scale_manager train.metrics numpy scipy scipy.linalg common common.initializer common.dtype
common.parameter common.tensor common.api common.seed common.generator common.mutable nn.optim nn.loss nn.wrap
nn.layer nn.learning_rate_schedule nn.dynamic_lr nn.cell nn.utils context experimental.optim
experimental.optim.lr_scheduler nn.probability.distribution nn.probability.bijector communication
communication.management log profiler runtime dataset dataset.vision dataset.transforms parallel boost"""


def public(owner: Any) -> list[str]:
    return sorted(name for name in dir(owner) if not name.startswith("_"))


def clean(text: str) -> str:
    """A signature without machine dependent or private parts."""
    text = re.sub(r"<[^<>]*(<[^<>]*>)?[^<>]*>", "...", text)
    return text.replace("(self, ", "(").replace("(self)", "()")


def headings(owner: Any) -> list[str]:
    """Signatures that a documentation text gives: its first line, and its ``.. method::`` lines."""
    items = []
    for line in (inspect.getdoc(owner) or "").splitlines():
        match = re.match(
            r"^(?:\.\. method:: )?(?:Tensor\.)?\w+(\(.*?\))(?:\s*->.*)?$", line.strip()
        )
        if match and (not items or line.strip().startswith(".. method::")):
            items.append(match.group(1))
    return items


def signatures(owner: Any) -> list[str]:
    """The signatures of a callable, one for each overload; empty when Python cannot tell."""
    try:
        text = clean(str(inspect.signature(owner)))
    except (TypeError, ValueError):
        return headings(owner)
    if text.startswith("(*args, **kwargs)"):
        for cell in getattr(owner, "__closure__", None) or ():  # decorators that hide the function
            if inspect.isfunction(cell.cell_contents):
                hidden = signatures(cell.cell_contents)
                if hidden and not hidden[0].startswith("(*args, **kwargs)"):
                    return hidden
        return headings(owner) or [text]
    return [text]


def main() -> None:
    ms = framework()
    names: dict[str, Any] = {}
    for path in ("", *MODULES.split()):
        full = "mindspore" + ("." + path if path else "")
        try:
            module = importlib.import_module(full)
        except ImportError as error:
            print(f"{full}: {error}", file=sys.stderr)
            continue
        members = [n for n in public(module) if not inspect.ismodule(getattr(module, n, None))]
        names[full] = {"names": members}
        if hasattr(module, "__all__"):
            names[full]["all"] = sorted(set(module.__all__))
    classes = {"Tensor": ms.Tensor, "Parameter": ms.Parameter, "Cell": ms.nn.Cell}
    for label, owner in classes.items():
        names[label] = {"names": public(owner)}
        names[label]["special"] = sorted(n for n in dir(owner) if re.fullmatch(r"__\w+__", n))
    names["Tensor"]["properties"] = sorted(
        n
        for n in public(ms.Tensor)
        if not callable(getattr(ms.Tensor, n))
        or isinstance(inspect.getattr_static(ms.Tensor, n), property)
    )

    calls: dict[str, dict[str, list[str]]] = {}
    for label, owner in (
        ("nn", ms.nn), ("ops", ms.ops), ("mint", ms.mint), ("mint.nn", ms.mint.nn), ("mint.nn.functional", ms.mint.nn.functional),
        ("mindspore", ms), ("common.initializer", ms.common.initializer), ("amp", ms.amp), ("train", ms.train), ("numpy", ms.numpy),
    ):  # fmt: skip
        calls[label] = {}
        listed = getattr(owner, "__all__", public(owner))
        for name in sorted(set(listed)):
            member = getattr(owner, name, None)
            if inspect.isclass(member):
                result = signatures(member.__init__)
                calls[label][name] = [text for text in result if "_c_expression" not in text]
            elif callable(member):
                calls[label][name] = signatures(member)
    for label, owner in classes.items():
        members = {n: inspect.getattr_static(owner, n) for n in public(owner)}
        calls[label] = {
            n: signatures(getattr(owner, n))
            for n, member in members.items()
            if callable(getattr(owner, n)) and not isinstance(member, property)
        }
    calls = {label: {n: s for n, s in group.items() if s} for label, group in calls.items()}
    text = json.dumps(
        {"mindspore": ms.__version__, "names": names, "signatures": calls},
        indent=0,
        separators=(",", ":"),
        sort_keys=True,
    )
    (DATA / "names.json").write_text(text + "\n")
    print(f"names: {len(text)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
