"""The tree of a network: its nodes, changes to them, and the code that comes of it."""

from __future__ import annotations
import __future__

import ast
import builtins
import inspect
import itertools
import linecache
from collections.abc import Iterator
from typing import Any, NamedTuple

from agar._core.errors import missing_feature
from agar.nn.cell import _NOT_COPIED, Cell
from agar.rewrite._nodes import Block, Statement
from agar.rewrite._parse import Parser, _Outside, source_of
from agar.rewrite._values import Namer, to_expression
from agar.rewrite.api.node_type import NodeType
from agar.rewrite.api.scoped_value import ScopedValue

__all__ = ["Position", "Tree", "adopt"]

_serial = itertools.count()
_OWN_STATE = ("_create_time", "_serial", *_NOT_COPIED)


def adopt(new: Cell, old: Cell) -> None:
    """Make a cell that has the parameters, children and attributes of another."""
    Cell.__init__(new)
    for name, value in vars(old).items():
        if name in _OWN_STATE:
            continue
        is_table = name in ("_params", "_cells", "_buffers", "_flags")
        new.__dict__[name] = value.copy() if is_table else value
    new._route()


class Position(NamedTuple):
    """A place in a tree: before or behind a node."""

    node: Statement
    before: bool


class _Chunk(NamedTuple):
    """A definition of generated code, and the names that it sees."""

    name: str
    text: str
    space: dict[str, Any]


class Tree:
    """A network as nodes.

    Attributes:
        network: the network.
        names: names of nodes.
        variables: names of variables and functions.
        added: objects that the generated network has beside those of `network`, by name.
        functions: functions of inserted nodes, by the name that the code calls them by.
        outer: the block that calls the network, in the tree that this is a part of.
        changed: whether anything was changed.
        file_name: where `save` writes.
    """

    def __init__(self, network: Cell) -> None:
        self.network = network
        self.names = Namer()
        self.variables = Namer()
        self.added: dict[str, Any] = {}
        self.functions: dict[str, Any] = {}
        self.outer: Block | None = None
        self.changed = False
        self.file_name = "./network_define.py"
        construct = inspect.unwrap(type(network).construct)
        head = source_of(construct)
        if head is None or not head.args.args:
            raise RuntimeError(
                f"For 'SymbolTree', the source of {type(network).__name__}.construct cannot be "
                "read. Define the network in a file, as a class with a method construct(self, ...)."
            )
        self.self_name = head.args.args[0].arg
        self.owner = self.outside(head, construct, self.self_name)
        self.block = Block(self, head, construct)
        self.block.method = True
        Parser(self, self.block, self.self_name, ()).parse()

    def outside(self, head: ast.FunctionDef, function: Any, self_name: str) -> type:
        """Make the code of a method fit another class; gives the class that defines it."""
        for owner in type(self.network).__mro__:
            if inspect.unwrap(vars(owner).get(head.name, None) or function) is function:
                break
        else:
            owner = type(self.network)
        _Outside(owner, self_name).visit(head)
        return owner

    @staticmethod
    def space_of(function: Any) -> dict[str, Any]:
        """The names that a function sees."""
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        space = dict(function.__globals__)
        for name, cell in cells:
            if name != "__class__":
                space[name] = cell.cell_contents
        return space

    def touch(self) -> None:
        """Note a change, here and in the trees that this is a part of."""
        self.changed = True
        if self.outer is not None:
            self.outer.touch()

    # ----------------------------------------------------------------------- nodes

    def all_nodes(self, subtrees: bool = True) -> Iterator[Statement]:
        """All nodes, and behind them those of subtrees."""
        result = list(self.block.walk())
        yield from result
        for node in result if subtrees else ():
            if node.subtree is not None:
                yield from node.subtree.all_nodes()

    def find(self, name: str) -> Statement | None:
        """The node of a name; those of functions, branches and loops count as well."""
        for nodes in (self.block.nodes, self.block.walk()):
            for node in nodes:
                if node.name == name:
                    return node
        return None

    def own(self, node: Statement | str) -> Statement:
        """A node of this tree, given as itself or by name."""
        result = self.find(node) if isinstance(node, str) else node
        if result is None or result.block is None or result.block.tree is not self:
            name = node if isinstance(node, str) else node.name
            raise RuntimeError(
                f"For 'SymbolTree', the node '{name}' does not belong to the tree of "
                f"{type(self.network).__name__}; get_node(name) gives those that do."
            )
        return result

    # --------------------------------------------------------------------- changes

    def expression(self, value: ScopedValue) -> ast.expr:
        """A value as code; an object without text becomes an attribute of the network."""
        return to_expression(value, self._holder)

    def _holder(self, content: Any) -> ast.expr:
        name = next((n for n, v in self.added.items() if v is content), None)
        if name is None:
            name = self._attribute(f"arg_{type(content).__name__}")
            self.added[name] = content
        return ast.Attribute(ast.Name(self.self_name, ast.Load()), name, ast.Load())

    def _attribute(self, base: str) -> str:
        """A name that is free among nodes and attributes of the network."""
        name = self.names.free(base)
        while hasattr(self.network, name):
            name = self.names.free(base)
        return name

    def insert(self, node: Statement, position: Position) -> Statement:
        """Put a new node in its place."""
        if node.block is not None or (node.code is not None and node.places):
            raise ValueError(
                f"For 'SymbolTree', the node '{node.name}' was inserted before; create a new one."
            )
        beside = position.node
        block = beside.block
        if block is None or block.tree is not self:
            raise ValueError(
                f"For 'SymbolTree', the position beside '{beside.name}' is not in the tree of "
                f"{type(self.network).__name__}."
            )
        if beside.kind is NodeType.Input and position.before:
            raise RuntimeError(
                f"For 'SymbolTree', no node can stand before the input '{beside.name}'."
            )
        if beside.code is None and beside.kind is not NodeType.Input:
            raise missing_feature(
                "SymbolTree.insert",
                f"'{beside.name}' is a part of another statement",
                "choose a position beside that statement, or one of the nodes in it",
            )
        if node.kind is NodeType.Input:
            self._insert_input(node, block)
        else:
            self._insert_call(node, block)
        place = block.nodes.index(beside)
        if not position.before:
            place += 1
            if beside.other is not None:
                place += 1
            while place < len(block.nodes) and block.nodes[place].kind is NodeType.Input:
                place += 1  # inputs are assigned before anything runs
        if node.kind is NodeType.Input:
            place = sum(n.kind is NodeType.Input for n in block.nodes)
        block.nodes.insert(place, node)
        node.block = block
        for index in range(len(node.places)):
            node.write(index)
        block.touch()
        return node

    def _insert_input(self, node: Statement, block: Block) -> None:
        if block.head is None:
            raise missing_feature(
                "SymbolTree.insert",
                "a branch or loop has no inputs",
                "insert the input behind an input of the function",
            )
        if block is not self.block:
            raise missing_feature(
                "SymbolTree.insert",
                "the calls of a function would lack the new input",
                "give the function another argument where it is defined",
            )
        name = node.targets[0].value
        if any(name == n.targets[0].value for n in block.nodes if n.kind is NodeType.Input):
            raise ValueError(f"For 'SymbolTree', there is an input '{name}' already.")
        node.name = self.names.free(node.name)
        self.variables.take(name)
        arguments = block.head.args
        default = node.default or ScopedValue.create_variable_value(None)
        arguments.args.append(ast.arg(name))
        arguments.defaults.append(self.expression(default))

    def _insert_call(self, node: Statement, block: Block) -> None:
        inside = block
        while inside.head is None and inside.outer is not None:
            inside = inside.outer
        if node.kind is NodeType.CallFunction:
            node.name = self.names.free(node.name)
            func: ast.expr = ast.Name(self._function_name(node.instance), ast.Load())
        else:
            if not inside.method:
                raise missing_feature(
                    "SymbolTree.insert",
                    f"the function '{inside.name}' does not know the network, which has the cell",
                    "insert a function, or insert the cell before or behind the call",
                )
            assert inside.head is not None
            me = inside.head.args.args[0].arg
            node.name = self._attribute(node.name or type(node.instance).__name__)
            func = ast.Attribute(ast.Name(me, ast.Load()), node.name, ast.Load())
            if node.kind is NodeType.Tree:
                node.subtree.outer = block
            self.added[node.name] = node.instance
        call = ast.Call(func, [ast.Constant(None) for _ in node.args], [])
        node.places = [(call, "args", i) for i in range(len(node.args))]
        for name in node.kwargs:
            keyword = ast.keyword(name, ast.Constant(None))
            call.keywords.append(keyword)
            node.places.append((keyword, "value", None))
        code = ast.Assign([self._target(node.targets)], call)
        node.code = code

    def _target(self, targets: list[ScopedValue]) -> ast.expr:
        parts: list[Any] = []
        for target in targets:
            part: Any = self.expression(target)
            part.ctx = ast.Store()
            self.variables.take(str(target.value))
            parts.append(part)
        return parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Store())

    def _function_name(self, function: Any) -> str:
        """What an inserted function is called: its name, unless that means something else."""
        for name, known in self.functions.items():
            if known is function:
                return name
        base = getattr(function, "__name__", "function")
        base = base if base.isidentifier() else "function"
        space = self.space_of(self.block.function)
        usual = space.get(base, getattr(builtins, base, None))
        # the name may be used in any function of the tree, so it is not taken from them
        name = base if usual is function else self.variables.free(base)
        if usual is not None and usual is not function and name == base:
            name = self.variables.free(base)
        self.functions[name] = function
        return name

    def erase(self, node: Statement) -> Statement:
        """Take a node out."""
        node = self.own(node)
        block = node.block
        assert block is not None
        if node.code is None:
            raise RuntimeError(
                f"For 'SymbolTree', the node '{node.name}' cannot be erased: it is an input of the "
                "function, or a part of another statement."
            )
        block.nodes.remove(node)
        node.block = None
        if node.other is not None:
            block.nodes.remove(node.other)
            node.other.block = None
        if node.name in self.added and self.added[node.name] is node.instance:
            del self.added[node.name]
        block.touch()
        return node

    def replace(self, old: Statement, new: list[Statement]) -> Statement:
        """Put nodes in the place of another; gives the last of them."""
        if not new:
            raise ValueError(
                "For 'SymbolTree', 'new_nodes' must not be empty; erase(node) takes a node out."
            )
        self.own(old)
        at = Position(old, True)
        for node in new:
            at = Position(self.insert(node, at), False)
        self.erase(old)
        return new[-1]

    # ------------------------------------------------------------------------ code

    def chunks(self, classes: Namer) -> list[_Chunk]:
        """Definitions in the order in which they are needed; the last is the network's class."""
        result: list[_Chunk] = []
        extra: dict[str, Any] = dict(self.functions)
        methods: list[ast.stmt] = []
        self._functions(self.block, result, extra, methods)
        children = self._children(classes, result, extra)
        name = classes.free(f"{type(self.network).__name__}Opt")
        body: list[ast.stmt] = [self._init(children), *methods, self._definition(self.block)]
        base = type(self.network).__name__
        definition = ast.ClassDef(name, [ast.Name(base, ast.Load())], [], body, [])
        definition.type_params = []  # type: ignore[attr-defined]
        space = self.space_of(self.block.function)
        own = {base: type(self.network), self.owner.__name__: self.owner, "adopt": adopt}
        result.append(_Chunk(name, _text(definition), {**space, **extra, **own}))
        return result

    def _functions(
        self,
        block: Block,
        result: list[_Chunk],
        extra: dict[str, Any],
        methods: list[ast.stmt],
    ) -> None:
        """Define the functions that were changed; their calls get the new names."""
        for node in block.nodes:
            inner = node.body
            if inner is None:
                continue
            self._functions(inner, result, extra, methods)
            if inner.head is None or not inner.changed:
                continue
            if inner.name == inner.head.name:
                inner.name = self.variables.free(f"{inner.head.name}_1")
            call: Any = node.code.value  # type: ignore[union-attr]
            if inner.method:
                call.func = ast.Attribute(call.func.value, inner.name, ast.Load())
                methods.append(self._definition(inner))
            else:
                call.func = ast.Name(inner.name, ast.Load())
                text = _text(self._definition(inner))
                result.append(_Chunk(inner.name, text, {**self.space_of(inner.function), **extra}))

    def _definition(self, block: Block) -> ast.FunctionDef:
        head = block.head
        assert head is not None
        defined = ast.FunctionDef(
            block.name, head.args, block.emitted(), head.decorator_list, head.returns
        )
        defined.type_params = []  # type: ignore[attr-defined]
        return defined

    def _children(
        self, classes: Namer, result: list[_Chunk], extra: dict[str, Any]
    ) -> list[tuple[str, str, str]]:
        """The networks inside: attribute, attribute of the original, and class."""
        children = []
        for node in self.block.walk():
            tree = node.subtree
            if tree is None or node.block is None or not self._needed(node):
                continue
            chunks = tree.chunks(classes)
            result += chunks
            call: Any = node.code.value  # type: ignore[union-attr]
            if node.name not in self.added:
                call.func = ast.Attribute(call.func.value, node.name, ast.Load())
            children.append((node.name, node.origin, chunks[-1].name))
        return children

    def _needed(self, node: Statement) -> bool:
        """Whether a network inside is generated: it was changed, or stands where one was."""
        return node.subtree.changed or any(
            other.subtree is not None
            and other.subtree.changed
            and other.instance is node.instance
            and other.block is not None
            for other in self.block.walk()
        )

    def _init(self, children: list[tuple[str, str, str]]) -> ast.stmt:
        lines = ["def __init__(self, obj, new):", "    adopt(self, obj)"]
        defined = {name for name, _, _ in children}
        lines += [f"    self.{name} = new[{name!r}]" for name in self.added if name not in defined]
        for name, original, cls in children:
            if name in self.added:
                lines.append(f"    self.{name} = {cls}(new[{name!r}], new['{name}.new'])")
            else:
                expression = f"{cls}(obj.{original}, new['{name}.new'])"
                lines.append(f"    self.insert_child_to_cell({name!r}, {expression})")
        return ast.parse("\n".join(lines)).body[0]

    def new_objects(self) -> dict[str, Any]:
        """What the generated network takes beside the original: `new` of its ``__init__``."""
        result = dict(self.added)
        for node in self.block.walk():
            if node.subtree is not None and node.block is not None and self._needed(node):
                result[f"{node.name}.new"] = node.subtree.new_objects()
        return result

    def code(self) -> str:
        """The generated source."""
        chunks = self.chunks(Namer())
        imports = sorted(filter(None, map(_import_of, self.functions.items())))
        own = type(self.network)
        head = ["from agar.rewrite._tree import adopt", _import_of((own.__name__, own)), *imports]
        return "\n".join(filter(None, head)) + "\n\n\n" + "\n\n".join(c.text for c in chunks)

    def built(self) -> Cell:
        """The generated network."""
        defined: dict[str, Any] = {}
        cls: Any = None
        for chunk in self.chunks(Namer()):
            file = f"<rewritten {chunk.name} {next(_serial)}>"
            linecache.cache[file] = (
                len(chunk.text),
                None,
                chunk.text.splitlines(keepends=True),
                file,
            )
            space = {**chunk.space, **defined}
            flags = __future__.annotations.compiler_flag  # annotations are not evaluated
            exec(compile(chunk.text, file, "exec", flags, dont_inherit=True), space)
            cls = defined[chunk.name] = space[chunk.name]
        return cls(self.network, self.new_objects())


def _text(definition: ast.stmt) -> str:
    return ast.unparse(ast.fix_missing_locations(definition)) + "\n"


def _import_of(named: tuple[str, Any]) -> str:
    name, value = named
    module, qualified = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if not module or module == "builtins" or not qualified.isidentifier():
        return ""
    return f"from {module} import {qualified}" + ("" if qualified == name else f" as {name}")
