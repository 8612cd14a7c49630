# ruff: noqa: RUF005
"""Random programs with Python state, containers, effects and draws.

A program is text made from a seed: cells, functions and objects over *places* (attributes,
globals, enclosed variables, class attributes, defaults, arguments, parts of objects), and a
schedule of calls with changes from outside in between.
"""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterator
from typing import Any

from graph.soundness.kinds import HEAD, KINDS

# -------------------------------------------------------------------------------- writing programs


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a value of a kind lies.

    Attributes:
        kind: a name in `KINDS`.
        inside: the expression for it in the code of a call.
        outside: the expression for it in the code around the calls.
        bound: whether it can be bound anew outside.
        name: a global or enclosed variable, if it is one.
    """

    kind: str
    inside: str
    outside: str
    bound: bool = True
    name: str = ""


_NUMBERS = ("0.5", "True", "1", "-0.0", "2.0", "-1.0", "3.0", "0.0", "1.0", "-0.5")
_VECTORS = ("1.0, -2.0, 3.0", "0.5, 0.25, -1.0", "2.0, 2.0, 2.0", "-1.0, 0.0, 1.0")
Block = list[Any]  # lines, and (header, block)


class Writer:
    """Writes one program.

    Args:
        seed: of the choices.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        chance = self.chance
        self.effects = chance(0.2)  # whether calls change what lies outside
        self.draws = chance(0.1)  # from Python's and numpy's generators
        self.noise = chance(0.25)  # agar's random operators
        self.reads = chance(0.35)  # of values of tensors
        self.prints = chance(0.15)
        self.raises = chance(0.2)
        self.in_place = chance(0.2)  # on arguments
        self.places: list[Place] = []
        self.setup: Block = []  # in program(), before the classes
        self.globals: list[str] = []
        self.init: list[str] = []
        self.fields: list[str] = []  # of the class
        self.parameters: list[str] = []  # of the call
        self.helpers: list[str] = []
        self.tensors: list[str] = []
        self.numbers: list[str] = []
        self.methods: Block = []
        self.known: list[Place] = []
        self.count = 0
        self.patches: list[str] = []
        self.deep = 0

    # ------------------------------------------------------------------------------- choices

    def chance(self, share: float) -> bool:
        """True in this share of cases."""
        return self.random.random() < share

    def one(self, values: Any) -> Any:
        """One of several."""
        return self.random.choice(list(values))

    def fresh(self, letter: str) -> str:
        """A new name."""
        self.count += 1
        return f"{letter}{self.count}"

    def fill(self, text: str, place: str = "") -> str:
        """A text with its parts chosen."""

        def part(found: Any) -> str:
            what = found.group(1)
            if what == "p":
                return place
            if what == "f":
                return self.one(_NUMBERS)
            if what == "i":
                return self.one("0123")
            if what == "b":
                return self.one(("True", "False"))
            if what == "k":
                return self.one(("'a'", "'b'", "'c'"))
            if what == "v":
                return self.one(_VECTORS)
            return self.tensor(2) if what == "t" else self.number(2)

        return re.sub(r"<([pfibkvts])>", part, text)

    # ------------------------------------------------------------------------------- places

    def add_places(self) -> None:
        """Choose what the program keeps, and where."""
        for _ in range(self.random.randint(2, 6)):
            kind = self.one(KINDS)
            value = self.fill(self.one(KINDS[kind].makes))
            home = self.one(
                ("attribute",) * 4
                + ("global", "enclosed", "class", "default", "object", "argument", "table", "child")
            )
            name = self.fresh(home[0])
            if home == "attribute":
                self.init.append(f"self.{name} = {value}")
                place = Place(kind, f"self.{name}", f"net.{name}")
            elif home == "global":
                name = name.upper()
                self.globals.append(f"{name} = {value}")
                place = Place(kind, name, name, name=name)
            elif home == "enclosed":
                self.setup.append(f"{name} = {value}")
                place = Place(kind, name, name, name=name)
            elif home == "class":
                self.fields.append(f"{name} = {value}")
                place = Place(kind, f"self.{name}", f"Net.{name}")
            elif home == "default":
                at = sum("=" in p for p in self.parameters)
                self.parameters.append(f"{name}={value}")
                outside = f"entry.__defaults__[{at}]"
                place = Place(kind, name, outside, bound=False)
            elif home == "object":
                field = self.one("uw")
                other = self.one(("0.5", "[1.0]"))
                parts = (value, other) if field == "u" else (other, value)
                text = f"{self.one(('Box', 'Point', 'Slotted'))}({parts[0]}, {parts[1]})"
                self.init.append(f"self.{name} = {text}")
                place = Place(kind, f"self.{name}.{field}", f"net.{name}.{field}")
            elif home == "argument":
                self.setup.append(f"{name} = {value}")
                self.parameters.insert(0, f"{name}a")
                place = Place(kind, f"{name}a", name)
            elif home == "table":
                self.init.append(f"self.{name} = {{'k': {value}, 'm': [1.0]}}")
                place = Place(kind, f"self.{name}['k']", f"net.{name}['k']")
            else:
                self.init.append(f"self.{name} = Inner(0.5)")
                self.init.append(f"self.{name}.held = {value}")
                place = Place(kind, f"self.{name}.held", f"net.{name}.held")
            self.places.append(place)
        self.known = list(self.places)

    def inside(self, place: Place) -> str:
        """The expression for a place in the code that is written now."""
        return place.inside

    def having(self, part: str) -> list[Place]:
        """The places whose kind has something."""
        return [p for p in self.known if getattr(KINDS[p.kind], part)]

    def about(self, part: str) -> str | None:
        """Something about a place."""
        places = self.having(part)
        if not places or self.deep > 4:
            return None
        place = self.one(places)
        self.deep += 1
        result = self.fill(self.one(getattr(KINDS[place.kind], part)), self.inside(place))
        self.deep -= 1
        return result

    # ---------------------------------------------------------------------------- expressions

    def number(self, depth: int = 0) -> str:
        """An expression for a number."""
        if depth < 3 and self.chance(0.65):
            result = self.about("numbers")
            if result is not None:
                return result
        if self.draws and self.chance(0.3):
            return self.one(
                ("random.random()", "np.random.rand()", "random.choice([1.0, 2.0])")
                + ("np.random.randint(0, 3)", "random.gauss(0, 1)")
            )
        if self.numbers and self.chance(0.5):
            return self.one(self.numbers)
        if depth < 3 and self.chance(0.4):
            a, b = self.number(depth + 1), self.number(depth + 1)
            return self.one((f"({a} + {b})", f"min({a}, {b})", f"({a} * {b})", f"abs({a})"))
        if self.tensors and self.chance(0.3):
            v = self.one(self.tensors)
            return self.one((f"{v}.shape[0]", f"{v}.ndim", f"len({v})"))
        if self.reads and self.tensors and self.chance(0.3):
            v = self.one(self.tensors)
            return self.one((f"{v}.sum().item()", f"float({v}.max())", f"int({v}.mean())"))
        return self.one(_NUMBERS)

    def tensor(self, depth: int = 0) -> str:
        """An expression for a tensor."""
        if depth < 3 and self.chance(0.4):
            result = self.about("tensors")
            if result is not None:
                return result
        if depth < 3 and self.chance(0.6):
            a = self.tensor(depth + 1)
            if self.noise and self.chance(0.3):
                return self.one(
                    (f"ops.dropout({a}, p=0.5)", f"({a} + mint.rand(3))", f"mint.rand_like({a})")
                    + (f"({a} * ops.standard_normal((3,)))", f"({a} + mint.randperm(3))")
                )
            if self.chance(0.12):
                return self.one(
                    (f"jitted({a})", f"functools.reduce(operator.add, [{a}, {a}])", f"{a}.view(-1)")
                    + (f"next(map(ops.tanh, [{a}]))", f"copy.copy({a})", f"ops.stop_gradient({a})")
                    + (
                        f"getattr({a}, 'a' + 'bs')()",
                        f"{a}[::2]",
                        f"{a}.T",
                        f"{a}.astype(ms.float16)",
                    )
                    + (
                        f"({a} if {self.test()} else {self.tensor(2)})",
                        f"ms.grad(lambda v: (v * v).sum())({a})",
                    )
                )
            kind = self.random.randrange(13)
            if kind < 3:
                return f"({a} * {self.number(depth + 1)})"
            if kind < 5:
                return f"({a} + {self.tensor(depth + 1)})"
            return (
                f"ops.tanh({a})",
                f"ops.relu({a})",
                f"({a} - {a}.mean())",
                f"ops.where({a} > 0, {a}, {self.number(2)})",
                f"{a}.reshape(-1)",
                f"{a}[0]",
                f"ops.stack([{a}, {a}]).sum(0)",
                f"{a}[{a} > 0]" if self.reads else f"{a}.clamp(-1.0, 1.0)",
            )[kind - 5]
        if self.helpers and depth < 2 and self.chance(0.3):
            return self.one(self.helpers).replace("<t>", self.tensor(depth + 1))
        return self.one(self.tensors)

    def test(self) -> str:
        """A condition."""
        choice = self.random.random()
        if choice < 0.5:
            result = self.about("tests")
            if result is not None:
                return self.one((result, result, f"not {result}"))
        if choice < 0.6:
            return "self.training"
        if choice < 0.75 and self.reads:
            v = self.one(self.tensors)
            return self.one(
                (f"{v}.sum() > {self.one(_NUMBERS)}", f"({v} > 0).any()", f"{v}.max() > 1")
            )
        if choice < 0.85:
            v = self.one(self.tensors)
            return self.one((f"{v}.shape[0] > 2", f"{v}.ndim == 1", f"{v} is x"))
        return f"{self.number()} > {self.number()}"

    # ----------------------------------------------------------------------------- statements

    def block(self, size: int, depth: int = 0, loop: bool = False) -> Block:
        """Some statements; what they define is known in them alone."""
        before = list(self.tensors), list(self.numbers)
        items: Block = []
        for _ in range(size):
            items += self.statement(depth, loop)
        if depth:
            self.tensors, self.numbers = before
        return items or ["pass"]

    def statement(self, depth: int, loop: bool) -> Block:
        """One statement."""
        choice = self.random.random()
        if depth < 2 and choice < 0.16:
            return self.branch(depth, loop)
        if depth < 2 and choice < 0.26:
            return self.repeated(depth)
        if choice < 0.34 and self.effects and not loop:
            return self.effect()
        if choice < 0.38 and self.prints:
            return [
                self.one(
                    (f"print('at', {self.one(self.tensors)})", f"print({self.number()}, sep='')")
                    + (f'print(f"{{{self.number(2)}}}!")', "print(*x.shape, end=';')")
                )
            ]
        if choice < 0.42 and self.raises:
            return self.raised(depth)
        if choice < 0.46 and self.in_place:
            v = self.one(self.tensors)
            return [
                self.one(
                    (f"{v} += 1", f"{v}.mul_({self.number()})", f"{v}[0] = {self.number()}")
                    + (
                        f"{v}[:2].add_(1.0)",
                        f"{v} *= {self.tensor(2)}",
                        f"{v}.reshape(-1)[0] = 2.0",
                    )
                )
            ]
        if choice < 0.48:
            return self.unusual()
        if choice < 0.56:
            name = self.fresh("k")
            items = [f"{name} = {self.number()}"]
            self.numbers.append(name)
            return items
        if choice < 0.62:
            return self.local_container()
        if choice < 0.65 and depth < 2:
            inner = self.block(2, depth + 1, loop)
            return [(f"with Keep({self.number(2)}):", inner)]
        if choice < 0.68 and depth < 1:
            return self.function()
        if depth and self.chance(0.7):
            return [f"{self.one(self.tensors[:2])} = {self.tensor()}"]
        name = self.fresh("v")
        items = [f"{name} = {self.tensor()}"]
        self.tensors.append(name)
        return items

    def unusual(self) -> Block:
        """What is seldom written."""
        v, n = self.one(self.tensors), self.number(1)
        place = self.one(self.known).inside
        return [
            self.one(
                (
                    f"{v} = {v} * len([k for k in vars(self) if k[0] != '_'])",
                    f"{v} = {v} * len(self._params)",
                )
                + (
                    f"{v} = {v} + len(copy.deepcopy([{n}]))",
                    f"{v} = {v} * (1 if callable({place}) else 2)",
                )
                + (f"{v} = {v} * (2 if {place} is {self.one(self.known).inside} else 3)",)
                + (f"{v} = {v} * len(repr({n}))", f"{v} = {v} + (k := {n})", "import math as m")
                + (f'{v} = {v} * len(f"{{{n}}}")', f"{v} = {v} * (type({place}) is list)")
                + (f"{v} = {v} * isinstance({place}, (int, float))", f"{v} = {v} * len(globals())")
                + (
                    f"{v} = {v} * getattr(self, 'coun' + 'ter', 2)",
                    f"{v} = {v} + hash(float({n})) % 7",
                )
                + (f"{v} = {v} * (2 if hasattr(x, 'tag') else 1)", f"{v} = {v} * bool({place})")
                + (f"{v} = {v} * sum(map(abs, [{n}, 2]))", f"{v}, = [{v}]", f"{v}.tag = {n}")
                + (
                    f"{v} = {v} * sorted([{n}, 2.0], key=lambda q: -q)[0]",
                    f"{v} = {v} * math.floor({n})",
                )
            )
        ]

    def branch(self, depth: int, loop: bool) -> Block:
        """A condition and what depends on it."""
        test = self.test()
        items: Block = [(f"if {test}:", self.block(self.random.randint(1, 2), depth + 1, loop))]
        if self.chance(0.4):
            items.append(("else:", self.block(1, depth + 1, loop)))
        return items

    def repeated(self, depth: int) -> Block:
        """A loop."""
        name = self.fresh("v")
        v = self.one(self.tensors)
        over = self.about("loops") or "range(2)"
        kind = self.random.randrange(5)
        if kind == 0:
            self.tensors.append(name)
            return [f"{name} = sum([{v} * i for i in {over}], x)"]
        inner: Block = [f"{v} = {v} * i + {self.number(2)}"]
        if kind == 1:
            inner.append((f"if i == {self.one(_NUMBERS)}:", [self.one(("break", "continue"))]))
            inner.append(f"{v} = {v} - 1")
        if kind == 2:
            return [(f"for n, i in enumerate({over}):", [*inner, f"{v} = {v} + n"])]
        if kind == 3:
            return [(f"for i, j in zip({over}, range(3)):", [*inner, f"{v} = {v} * j"])]
        return [(f"for i in {over}:", inner + self.block(1, depth + 1, True))]

    def effect(self) -> Block:
        """A change of what lies outside of the call."""
        part = self.one(("changes", "effects", "effects"))
        result = self.about(part)
        if result is None:
            return ["self.counter = getattr(self, 'counter', 0) + 1"]
        return [result]

    def raised(self, depth: int) -> Block:
        """An exception, perhaps caught."""
        kind = self.random.randrange(5)
        if kind == 0:
            return [(f"if {self.test()}:", [f"raise ValueError('given', {self.number(2)})"])]
        if kind == 1:
            return [f"assert {self.test()}, 'not so'"]
        v = self.one(self.tensors)
        if kind == 2:
            body: Block = [
                f"{v} = {v} * {self.number()}",
                f"{v} = {v} + {{'a': 1.0}}[{self.one(chr(39) + c + chr(39) for c in 'ab')}]",
            ]
            return [("try:", body), ("except KeyError:", [f"{v} = {v} - 1"])]
        if kind == 3:
            return [
                ("try:", self.block(1, depth + 1)),
                ("except (IndexError, TypeError, AttributeError):", [f"{v} = {v} * 3"]),
                ("finally:", self.block(1, depth + 1)),
            ]
        return [
            f"{v} = {v} / (1 if {self.test()} else 0)"
            if self.chance(0.3)
            else f"{v} = {v} + ops.ones((3,), ms.float32)"
        ]

    def local_container(self) -> Block:
        """A container that the call makes itself."""
        name = self.fresh("l")
        a, b = self.tensor(1), self.number(1)
        v = self.fresh("v")
        self.tensors.append(v)
        kind = self.random.randrange(5)
        if kind == 0:
            return [
                f"{name} = [{a}, {b}]",
                f"{name}.append({name}[0])",
                f"{v} = {name}[0] * {name}[1]",
            ]
        if kind == 1:
            return [
                f"{name} = {{'a': {a}}}",
                f"{name}['n'] = {b}",
                f"{v} = {name}['a'] * len({name})",
            ]
        if kind == 2:
            return [f"{name} = Box({b}, [{b}])", f"{name}.u += 1", f"{v} = {name}.scaled({a})"]
        if kind == 3:
            return [f"{name}, *rest = {a}, {b}, 2", f"{v} = {name} * len(rest)"]
        return [f"{v} = next(({self.one(self.tensors[:-1])} * i for i in range(1, 3) if i > 1), x)"]

    def function(self) -> Block:
        """A function inside the call."""
        name = self.fresh("f")
        before = list(self.tensors), list(self.numbers)
        self.tensors = [*self.tensors, "z"]
        body: Block = [f"z = {self.tensor()}", f"return z * {self.number(2)}"]
        self.tensors, self.numbers = before
        v = self.fresh("v")
        items: Block = [(f"def {name}(z):", body), f"{v} = {name}({self.one(self.tensors)})"]
        self.tensors.append(v)
        return items

    def result(self) -> Block:
        """What the call returns."""
        a = self.one([*self.tensors, self.tensors[-1], self.tensors[-1]])
        b, n = self.tensor(1), self.number(1)
        place = self.inside(self.one(self.known))
        return [
            "return "
            + self.one(
                (a,) * 6
                + (
                    f"[{a}, {b}]",
                    f"({a}, {b}, {n})",
                    f"{{'a': {a}, 'b': [{n}]}}",
                    f"Pair({a}, {b})",
                )
                + (f"({a}, {a})", f"{a}.reshape(-1)", f"{a}[:2]", "x", f"({a}, {place})", f"[{n}]")
                + (f"collections.OrderedDict(a={a}, b={n})", f"Box({a}, [])", f"{{{n}}}", place)
                + (f"({a}, [{b}, {{'a': {n}}}])", f"np.array([{n}])", f"str({n})", "None")
                + (f"Box({b}, Box({a}, {n}))", f"(Box({a}, {place}), [{a}])", f"[Box(x, {a})] * 2")
            )
        ]

    # ------------------------------------------------------------------------------ the program

    def add_helpers(self) -> None:
        """Functions and methods that the call may use."""
        everywhere = [p for p in self.places if p.name]
        for _ in range(self.random.randint(0, 2)):
            name = self.fresh("h")
            method = self.chance(0.4)
            self.known = [
                p for p in self.places if p in everywhere or (method and "self." in p.inside)
            ]
            self.tensors, self.numbers = ["x"], ["s"]
            training, self.reads = self.reads, False
            body: Block = []
            if self.known and self.effects and self.chance(0.5):
                body += self.effect_of_helper()
            body += [self.statement_plain()] if self.chance(0.5) else []
            body.append(f"return {self.tensor()}")
            self.reads = training
            if method:
                self.methods.append((f"def {name}(self, x, s={self.one(_NUMBERS)}):", body))
                self.helpers.append(f"self.{name}(<t>)")
                self.patches.append(
                    f"Net.{name} = lambda self, x, s=1.0: x * s + {self.one(_NUMBERS)}"
                )
                self.patches.append(f"net.{name} = lambda x: x - {self.one(_NUMBERS)}")
            else:
                self.setup.append((f"def {name}(x, s={self.one(_NUMBERS)}):", body))
                self.helpers.append(f"{name}(<t>, {self.one(_NUMBERS)})")
                self.patches.append(f"{name}.__defaults__ = ({self.one(_NUMBERS)},)")
        self.known = list(self.places)
        self.tensors, self.numbers = [], []

    def statement_plain(self) -> str:
        """An assignment."""
        return f"x = {self.tensor()}"

    def effect_of_helper(self) -> Block:
        """A change of what the helper can reach."""
        result = self.about("changes")
        return [result] if result else []

    def _declared(self, body: Block) -> list[str]:
        """Which names a body binds that are not its own."""
        text = "\n".join(lines(body))
        return [
            f"{'global' if p.name.isupper() else 'nonlocal'} {p.name}"
            for p in self.places
            if p.name and re.search(rf"^\s*{p.name} (\S?\S?=) ", text, re.M)
        ]

    def program(self) -> str:
        """The text."""
        self.add_places()
        shape = self.one(("cell", "cell", "cell", "function", "gradient", "inner", "step"))
        self.add_helpers()
        if shape == "step":
            self.init.append("self.dense = nn.Dense(3, 3)")
        extra = self.chance(0.3)
        self.tensors = ["x", "y"] if extra else ["x"]
        self.numbers = []
        key = self.chance(0.25)
        if key:
            self.numbers.append("n")
        body = self.block(self.random.randint(2, 6))
        body += self.result()
        signature = ["self", "x"] + (["y"] if extra else [])
        signature += [p for p in self.parameters if "=" not in p]
        signature += [p for p in self.parameters if "=" in p]
        signature += ["*", "n=1.0"] if key else []
        construct: Block = [
            (f"def construct({', '.join(signature)}):", self._declared(body) + body)
        ]
        cell: Block = [*self.fields]
        cell.append(("def __init__(self):", ["super().__init__()", *self.init]))
        for header, inner in self.methods:
            cell.append((header, self._declared(inner) + inner))
        cell += construct
        names = [p.name for p in self.places if p.name.isupper()]
        main: Block = [f"global {', '.join(names)}"] if names else []
        for line in self.setup:
            if isinstance(line, tuple):
                main.append((line[0], self._declared(line[1]) + line[1]))
            else:
                main.append(line)
        main += [("class Net(nn.Cell):", cell), "net = Net()", "entry = Net.construct"]
        call, shown = self.target(shape, signature)
        main += call
        places = [f"lambda: {p.outside}" for p in self.places]
        places += ["lambda: net.trainable_params()", "lambda: net.__dict__.get('counter')"]
        main.append(f"show = Show({shown}, {', '.join(places)})")
        main += self.schedule(extra, key)
        everything: Block = [*self.globals, ("def program(run):", main)]
        return HEAD + "\n" + "\n".join(lines(everything)) + "\n"

    def target(self, shape: str, signature: list[str]) -> tuple[Block, str]:
        """What is compiled: lines, and its expression."""
        if shape == "cell":
            return [], "run(net)"
        if shape == "function":
            rest = self.one(("", "", " * 1.0"))
            return [
                ("def fn(*args, **kwargs):", [f"r = net(*args, **kwargs){rest}", "return r"])
            ], "run(fn)"
        if shape == "gradient":
            weights = self.one(("None", "net.trainable_params()"))
            where = self.one(("0", "0", "None")) if weights != "None" else "0"
            return [
                ("def loss(*args, **kwargs):", ["return total(net(*args, **kwargs))"]),
            ], f"ms.value_and_grad(run(loss), {where}, {weights})"
        if shape == "inner":
            return [
                ("def loss(*args, **kwargs):", ["return total(net(*args, **kwargs))"]),
                ("def fn(*args, **kwargs):", ["return ms.grad(loss)(*args, **kwargs)"]),
            ], "run(fn)"
        kind = self.one(("nn.SGD", "nn.Momentum", "nn.Adam"))
        more = ", 0.9" if kind == "nn.Momentum" else ""
        return [
            (
                "def loss(*args, **kwargs):",
                ["r = total(net(*args, **kwargs))", "return r + total(net.dense(args[0]))"],
            ),
            f"opt = {kind}(net.trainable_params(), 0.1{more})",
            "solve = ms.value_and_grad(loss, None, opt.parameters)",
            (
                "def fn(*args, **kwargs):",
                ["value, grads = solve(*args, **kwargs)", "opt(grads)", "return value"],
            ),
        ], "run(fn)"

    def schedule(self, extra: bool, key: bool) -> Block:
        """Calls, and changes from outside in between."""
        items: Block = [f"x = t({self.one(_VECTORS)})", "i = 1"]
        if self.chance(0.3):
            items += self.another()
        held = [p.outside for p in self.places if p.inside.endswith("a") and p.inside[0] == "a"]
        held.reverse()  # each was put before the others
        other = len(items) > 2
        both = [self.arguments(extra, key, held) for _ in range(2)]
        patterns = [", ".join(parts) for parts in both]
        for _ in range(3):
            items.append(f"yield show({patterns[0]})")
        change = ""
        for _ in range(self.random.randint(4, 7)):
            choice = self.random.random()
            if choice < 0.6:
                change = change if change and self.chance(0.15) else self.change()
                items.append(("with contextlib.suppress(Exception):", [change]))
            if other and self.chance(0.4):
                items.append(f"yield other({patterns[0]})")
            if self.chance(0.05):
                items += self.sizes(both[0][1:])
            for _ in range(self.one((1, 2, 4, 5))):
                items.append(f"yield show({self.one((patterns[0], patterns[0], patterns[1]))})")
        return items

    def another(self) -> Block:
        """Something else that is compiled, of the same parts."""
        layers = [p.outside for p in self.places if p.kind == "layer"]
        if layers and self.chance(0.5):
            return [f"other = Show(run({self.one(layers)}))"]
        if self.chance(0.3):
            return ["first, net = net, Net()", "other = Show(run(first), *show.state)"]
        return [
            self.one(
                ("other = Show(run(lambda *a, **k: net(*a, **k) * 2), *show.state)",)
                + ("other = Show(ms.grad(run(lambda *a, **k: total(net(*a, **k)))), *show.state)",)
                + ("other = Show(run(copy.copy), *show.state)",)
            )
        ]

    def sizes(self, others: list[str]) -> Block:
        """Calls with many sizes."""
        size = self.one(("3 + i", "3 + i % 4", "12 - i"))
        loop: Block = [f"yield show({', '.join([f'ops.ones(({size},), ms.float32)', *others])})"]
        if self.chance(0.3):
            loop.append((f"if i == {self.random.randint(2, 11)}:", [self.change()]))
        return [(f"for i in range({self.random.randint(8, 14)}):", loop)]

    def arguments(self, extra: bool, key: bool, held: list[str]) -> list[str]:
        """The arguments of a call."""
        first = self.one(
            ("x", "x", f"t({self.one(_VECTORS)})", f"t({self.one(_VECTORS)}, 1.0)")
            + (f"ops.stack([x, t({self.one(_VECTORS)})])", f"t({self.one(_VECTORS)})[1:]")
            + ("Tensor([1, 2, 3], ms.int32)", "ops.stack([x, x]).T[:, 0]", "x.expand((2, 3))")
            + self.held_tensors()
        )
        parts = [first]
        if extra:
            parts.append(self.one(("x", f"t({self.one(_VECTORS)})", "x[:]", "x.reshape(-1)")))
        parts += held
        if key and self.chance(0.7):
            parts.append(
                f"n={self.one((*_NUMBERS, 'None', 'x', '[1.0]', 'np.float32(2)', 'i', '(1, x)'))}"
            )
        return parts

    def held_tensors(self) -> tuple[str, ...]:
        """Tensors that the program keeps, and its last result, as arguments."""
        items = [p.outside for p in self.places if p.kind == "tensor"]
        return (*items, *items, "(show.last if isinstance(show.last, Tensor) else x)")

    def change(self) -> str:
        """A change from outside."""
        self.tensors, self.numbers = ["t(1.0, 2.0, -1.0)"], ["2.0"]
        choice = self.random.random()
        if self.patches and choice < 0.12:
            return self.one(self.patches)
        if choice < 0.25:
            place = self.one(self.places).outside
            return self.one(
                (f"{place} = {self.one(self.places).outside}", f"{place} = copy.copy({place})")
                + (f"{place} = show.last", f"tamper({place})", "Lazy.table['a'] = 3.0", "x.tag = 3")
                + ("net.register_forward_hook(lambda c, i, o: total(o))", "Ring.unit = 2.0")
                + ("net.register_forward_pre_hook(lambda c, i: None)", "net.counter = None")
                + ("net.__class__ = type('Sub', (Net,), {})", "net.to_float(ms.float16)", "i = 2")
                + ("next(iter(net.trainable_params())).requires_grad = False", "del net.counter")
                + ("np.random.seed(3)",)
                + (
                    "net.__dict__['counter'] = 7",
                    "Net.construct = Net.construct",
                    "net.extra = Inner(0.5)",
                )
                + ("Scaled.bprop = lambda self, v, out, dout: (dout * 5,)", "memo.cache_clear()")
                + ("net.set_train(True)", "net.set_train(False)", "x = x + 1", "x.add_(1.0)")
                + ("net.other = 1", "tamper(show.last)", "ms.set_seed(3)", "Inner.unit = 0.5")
                + ("Box.unit = 3.0", "Box.scaled = lambda self, v: v - self.u", "random.seed(5)")
                + ("Slotted.twice = lambda self: 3.0", "Inner.construct = lambda self, v: v * 2")
                + ("x = Tensor([1, 2, 3], ms.int32)", "x.set_dtype(ms.float32)", "net.counter = 5")
            )
        place = self.one(self.places)
        changes = KINDS[place.kind].changes
        if changes and self.chance(0.7):
            result = self.fill(self.one(changes), place.outside)
            binds = re.match(r"^\S+ \S?\S?= ", result) and result.startswith(place.outside + " ")
            if place.bound or not binds:
                return result
        if place.bound:
            kind = place.kind if self.chance(0.8) else self.one(KINDS)
            return f"{place.outside} = {self.fill(self.one(KINDS[kind].makes))}"
        return "net.counter = 5"


def lines(block: Block, depth: int = 0) -> Iterator[str]:
    """The lines of a block."""
    for part in block:
        if isinstance(part, tuple):
            yield "    " * depth + part[0]
            yield from lines(part[1], depth + 1)
        else:
            yield "    " * depth + part
