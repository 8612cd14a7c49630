"""Source conversion: PyTorch code becomes Cell code that runs on agar and on MindSpore 2.10.

Names are resolved and types inferred from the text alone; nothing of the source is run. The rules
(`agar.migrate.rules`) say what a call becomes. What has no counterpart is marked in place, and
raises when it is reached.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from agar._core.files import replacing
from agar.migrate.conversion._result import Call, Conversion, ConvertedFile, Note, python_files
from agar.migrate.conversion._supports import SUPPORTS, support_text
from agar.migrate.parsing import unparsable, unreadable

__all__ = ["Call", "Conversion", "ConvertedFile", "Note", "convert", "convert_text"]

_TARGETS = ("mindspore", "agar")


def convert_text(
    code: str,
    filename: str | os.PathLike[str] = "<text>",
    *,
    target: str = "mindspore",
    init: str = "mindspore",
) -> ConvertedFile:
    r"""Convert one source text.

    Args:
        code (str): the text.
        filename (str, path): its file; relative imports are followed from there. The file need
            not exist. Default: ``"<text>"``.
        target (str): ``"mindspore"`` or ``"agar"``, the package that the result imports. Default:
            ``"mindspore"``.
        init (str): what new layers begin with: ``"mindspore"``, its own defaults, with a note
            where they differ, or ``"torch"``, PyTorch's distributions. Default: ``"mindspore"``.

    Returns:
        ConvertedFile, with the converted text in ``code``, the remarks in ``notes``, what needs a
        hand in ``by_hand``, and every use of PyTorch in ``calls``.

    Raises:
        SyntaxError: the text is no Python.
        ValueError: there is no such target or init.

    Examples:
        >>> from agar.migrate.conversion import convert_text
        >>> made = convert_text("import torch.nn as nn\nlayer = nn.Linear(3, 4)\n")
        >>> print(made.code)
        from mindspore import nn
        layer = nn.Dense(3, 4)
        <BLANKLINE>
    """
    from agar.migrate.conversion._file import convert_file
    from agar.migrate.conversion._project import Project

    _check_target(target, init)
    project = Project()
    path = Path(filename)
    project.add_text(path, code)
    return convert_file(code, path, project, target, init=init)


def convert(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    dry_run: bool = False,
    target: str = "mindspore",
    init: str = "mindspore",
    progress: Callable[[str], None] | None = None,
) -> Conversion:
    r"""Convert a Python file, or every Python file of a directory.

    Modules become Cells, calls their counterparts, comments and layout stay. What has no
    counterpart is marked by a comment ``# agar: by hand: ...`` and raises NotImplementedError when
    it is reached. Converting a converted file changes nothing. Files that are not Python are
    listed with the error, and the others are converted.

    Where ``ruff`` or ``black`` is installed and would leave a source as it is, the result is
    formatted in the same way; other sources keep their layout.

    What is written is compiled, and imported in another process before it is called done. A file
    that cannot be imported is listed with the error and says so in its first line. A script that
    would work when it is imported is compiled only, and `checked` says why.

    Args:
        source (str, path): a file or a directory.
        out (str, path, optional): where to write: a file for a file, a directory for either.
            Default: ``None``, nothing is written.
        dry_run (bool): write nothing. Default: ``False``.
        target (str): ``"mindspore"`` or ``"agar"``, the package that the result imports. Default:
            ``"mindspore"``.
        init (str): what new layers begin with: ``"mindspore"``, its own defaults, with a note
            where they differ, or ``"torch"``, PyTorch's distributions. Default: ``"mindspore"``.
        progress (callable, optional): called with each file's path. Default: ``None``.

    Returns:
        Conversion, with the files, their texts and remarks, the diff and the counts.

    Raises:
        FileNotFoundError: there is no `source`.
        ValueError: `source` is not a Python file, `out` lies over it, or there is no such target
            or init.

    Examples:
        >>> import agar, pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "net.py").write_text(
        ...     "import torch\ncat = lambda x: torch.cat(x, dim=1)\n"
        ... )
        >>> made = agar.migrate.convert(folder / "net.py", folder / "net_ms.py")
        >>> print((folder / "net_ms.py").read_text().splitlines()[-1])
        cat = lambda x: ops.cat(x, axis=1)
        >>> made.files[0].checked
        'imported'
    """
    from agar.migrate.conversion._file import convert_file
    from agar.migrate.conversion._format import Formatter
    from agar.migrate.conversion._project import Project

    _check_target(target, init)
    formatter = Formatter()
    root = Path(source)
    paths = python_files(root)
    project = Project()
    texts: dict[Path, str] = {}
    errors: dict[Path, str] = {}
    for path in paths:
        project.add_text(path, "")  # until it is known that its text can be parsed
        if reason := unreadable(path):
            errors[path] = f"not converted: {reason}"
            continue
        try:
            texts[path] = read_source(path)
        except (OSError, SyntaxError, ValueError) as error:
            errors[path] = f"It cannot be read: {error}"
    errors |= {path: f"not converted: {why}" for path, why in unparsable(texts).items()}
    for path, text in texts.items():
        if path not in errors:
            project.add_text(path, text)
    for path in texts:
        project.symbols(path)
    places = {} if out is None else _places(root, Path(out), paths)
    conversion = Conversion(target)
    supports: set[str] = set()
    for path in paths:
        if progress is not None:
            progress(str(path))
        if path in errors:
            conversion.files.append(ConvertedFile(str(path), error=errors[path]))
            continue
        try:
            file_result = convert_file(
                texts[path], path, project, target, _dots(root, path), init=init
            )
        except SyntaxError as error:
            text = texts[path]
            reason = f"It is no Python: {error.msg} (line {error.lineno})"
            file_result = ConvertedFile(str(path), text, text, error=reason)
        except RecursionError:
            text = texts[path]
            reason = "not converted: it is nested too deeply"
            file_result = ConvertedFile(str(path), text, text, error=reason)
        except Exception as failure:  # one file does not stop a package
            text = texts[path]
            told = " ".join(f"{type(failure).__name__}: {failure}".split())[:200]
            reason = f"not converted: the converter failed on it, a defect of agar ({told})"
            file_result = ConvertedFile(str(path), text, text, error=reason)
        if not file_result.error:
            file_result.code = formatter.formatted(file_result.original, file_result.code)
        supports.update(
            module
            for module in SUPPORTS.values()
            if module in file_result.code and module not in file_result.original
        )
        conversion.files.append(file_result)
    if places and not dry_run:
        folder = places[root].parent if root.is_file() else Path(out or ".")
        beside = {folder / f"{module}.py": support_text(module, target) for module in supports}
        unwritten = {id(file_result) for file_result in conversion.files if file_result.error}
        _check_imports(conversion, root, places, beside)
        for file_result in conversion.files:
            if id(file_result) not in unwritten:
                place = places[Path(file_result.path)]
                _write(place, file_result.code)
                file_result.out = str(place)
                conversion.written.append(str(place))
        for place, text in beside.items():
            _write(place, text)
            conversion.written.append(str(place))
    return conversion


def _check_imports(
    conversion: Conversion, root: Path, places: dict[Path, Path], supports: dict[Path, str]
) -> None:
    """Import what will be written, in another process, and mark the files that cannot be."""
    from agar.migrate.conversion._importing import check_imports, works_at_import

    folder = places[root].parent if root.is_file() else None
    first = root.resolve().name if (root / "__init__.py").exists() else ""

    def inside(path: Path) -> str:
        relative = Path(path.name) if root.is_file() else path.relative_to(root)
        return (Path(first) / relative).as_posix()

    texts: dict[str, str] = {}
    names: dict[str, str] = {}
    files: dict[str, ConvertedFile] = {}
    for file_result in conversion.files:
        if file_result.error:
            continue
        path = places[Path(file_result.path)] if root.is_file() else Path(file_result.path)
        place = inside(path)
        texts[place] = file_result.code
        if not file_result.changed:
            continue
        work = works_at_import(file_result.code)
        name = ".".join(Path(place).with_suffix("").parts).removesuffix(".__init__")
        if work:
            file_result.checked = f"compiled, not imported: it works when it is imported ({work})"
        elif not all(part.isidentifier() for part in name.split(".")):
            file_result.checked = "compiled, not imported: its name cannot be imported"
        else:
            names[place], files[place] = name, file_result
    for path, text in supports.items():
        texts[path.name if folder else (Path(first) / path.name).as_posix()] = text
    for place, (word, text) in check_imports(texts, names, conversion.target).items():
        file_result = files[place]
        if word == "imported":
            file_result.checked = "imported"
        elif word in ("marked", "missing"):
            file_result.checked = f"compiled, not imported: {text}"
        else:
            # the mark takes a line
            text = re.sub(r"\(line (\d+)\)$", lambda n: f"(line {int(n[1]) + 1})", text)
            file_result.error = f"The converted file cannot be imported: {text}"
            file_result.notes.insert(0, Note(1, "by hand", file_result.error))
            file_result.code = _marked(file_result.code, file_result.error)


def _marked(code: str, reason: str) -> str:
    """A text with a mark at its top, after what only the first lines may say."""
    lines = code.splitlines(keepends=True)
    at = 0
    while at < min(2, len(lines)) and (
        lines[at].startswith("#!") or re.match(r"[ \t]*#.*?coding[:=]", lines[at])
    ):
        at += 1
    return "".join([*lines[:at], f"# agar: by hand: {reason}\n", *lines[at:]])


def _check_target(target: str, init: str) -> None:
    if init not in ("mindspore", "torch"):
        raise ValueError(f"'init' must be 'mindspore' or 'torch', but got {init!r}.")
    if target not in _TARGETS:
        raise ValueError(f"'target' must be one of {', '.join(_TARGETS)}, but got {target!r}.")


def read_source(path: Path) -> str:
    """The text of a Python file, in the encoding that it declares."""
    import tokenize

    with tokenize.open(path) as file:
        return file.read()


def _places(root: Path, out: Path, paths: list[Path]) -> dict[Path, Path]:
    if root.is_file():
        place = out if out.suffix == ".py" else out / root.name
        places = {root: place}
    else:
        if out.is_file():
            raise ValueError(f"'out' must be a directory for the directory {str(root)!r}.")
        places = {p: out / p.relative_to(root) for p in paths}
    for path, place in places.items():
        if place.resolve() == path.resolve():
            raise ValueError(
                f"'out' would write the conversion over its source {str(path)!r}: name another "
                "place."
            )
    return places


def _dots(root: Path, path: Path) -> str:
    """How a file reaches the modules beside the converted files: relatively in a package."""
    if root.is_dir() and (path.parent / "__init__.py").exists():
        return "." * len(path.relative_to(root).parts)
    return ""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as name, open(name, "w", encoding="utf-8", newline="") as file:
        file.write(text)
