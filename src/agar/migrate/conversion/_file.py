"""One file: the tree is read, its training steps are rewritten, then names, then imports."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import libcst as cst

from agar.migrate.conversion._imports import Needs, rewrite_imports
from agar.migrate.conversion._libraries import LIBRARIES
from agar.migrate.conversion._names import Names
from agar.migrate.conversion._packing import HELPER, plain_batches
from agar.migrate.conversion._printing import plain_numbers
from agar.migrate.conversion._project import Project
from agar.migrate.conversion._result import ConvertedFile, Note
from agar.migrate.conversion._supports import SUPPORTS
from agar.migrate.conversion._training import Training, rewrite_training
from agar.migrate.conversion._transform import Transformer
from agar.migrate.conversion._types import Types
from agar.migrate.conversion._walk import forgets_parts, parents_of, rewritten

__all__ = ["convert_file"]


@forgets_parts
def convert_file(
    code: str,
    path: Path,
    project: Project,
    target: str,
    dots: str = "",
    training: bool = True,
    init: str = "mindspore",
    written: bool = True,
) -> ConvertedFile:
    """Convert one text.

    Args:
        code: the text.
        path: its place.
        project: the files around it.
        target: the package that the result imports.
        dots: how it reaches the modules of SUPPORTS: relatively, or by their names.
        training: rewrite training steps; without, lines keep their numbers.
        init: what new layers begin with, ``mindspore`` or ``torch``.
        written: write the result; without, only its calls and notes are found.

    Raises:
        SyntaxError: the text is no Python.
    """
    converted = ConvertedFile(str(path), code, code)
    try:
        tree = cst.parse_module(code)
    except cst.ParserSyntaxError as error:
        raise SyntaxError(
            error.message, (str(path), error.raw_line, error.raw_column, "")
        ) from None
    if project.symbols(path) is None:
        try:
            compile(code, str(path), "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        except ValueError as error:  # null bytes, which libcst takes
            raise SyntaxError(str(error), (str(path), 1, 0, "")) from None
    if not _concerns(path, project, target):
        return converted
    steps, padded = Training(), False
    if training:
        plain, padded = plain_batches(plain_numbers(tree, path, project))
        if plain is not tree:
            tree = plain.deep_clone()
        tree, steps = rewrite_training(tree)
        if steps.uses:  # a rewrite may put one node in two places, which have two scopes
            tree = tree.deep_clone()
    names = Names(tree, path, project)
    types = Types(tree, names)
    transformer = Transformer(names, types, parents_of(tree), str(path), target, init)
    transformer.used |= steps.uses
    transformer.helpers |= steps.helpers | ({HELPER} if padded else set())
    transformer.scaled = steps.scaled
    changed = rewritten(tree, transformer)
    if written and not _write(converted, changed, transformer, dots):
        return converted
    converted.calls = transformer.calls
    notes = [Note(_line_of(code, about), "by hand", text) for text, about in steps.notes]
    notes += [
        Note(_line_of_import(code, text), "by hand", text)
        for text in dict.fromkeys(transformer.libraries)
    ]
    converted.notes = sorted([*notes, *transformer.notes], key=lambda n: n.line)
    return converted


def _write(converted: ConvertedFile, tree: cst.Module, transformer: Transformer, dots: str) -> bool:
    """Write the converted tree; False where the result does not compile."""
    code = converted.code
    needs = Needs(
        transformer.target,
        transformer.used,
        transformer.aliases,
        transformer.helpers,
        transformer.adapters,
        transformer.foreign,
        transformer.no_grad,
        transformer.gone,
        transformer._unconverted,
        transformer.names.module.partition(".")[0],
        transformer.libraries,
        transformer.passed_on,
        dots,
    )
    converted.code = rewrite_imports(tree, needs).code
    try:
        compile(converted.code, converted.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        converted.error = f"The conversion does not compile: {error}; the text stays as it was."
        converted.code = code
        return False
    return True


def _concerns(path: Path, project: Project, target: str) -> bool:
    """Whether a file has to do with PyTorch: it imports of it, or derives from what does."""
    symbols = project.symbols(path)
    if symbols is None:
        return False
    imported = [*symbols.imported, *symbols.stars]
    heads = {name.partition(".")[0] for name in imported}
    if not heads.isdisjoint(("torch", "torchvision", *SUPPORTS)):
        return True
    libraries = LIBRARIES - {symbols.name.partition(".")[0]}
    if target == "mindspore" and not heads.isdisjoint(libraries):
        return True
    if any(project.follow(name).startswith("torch.") for name in symbols.imports.values()):
        return True
    if any(project.gives_torch(star) for star in symbols.stars):
        return True
    return any(project.is_cell(f"{symbols.name}.{c}") for c in symbols.classes)


def _line_of_import(code: str, text: str) -> int:
    """The line that imports the library which a sentence begins with."""
    match = re.search(rf"^(?:from|import) {text.partition(' ')[0]}\b", code, re.MULTILINE)
    return code.count("\n", 0, match.start()) + 1 if match else 1


def _line_of(code: str, part: str) -> int:
    at = code.find(part.strip())
    return code.count("\n", 0, at) + 1 if at >= 0 else 1
