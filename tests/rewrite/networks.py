"""Networks whose source is rewritten: they must stand in a file of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import agar as ms
from agar import nn, ops

if TYPE_CHECKING:
    from nowhere import Unknown

SCALE = 2.0


class LeNet(nn.Cell):
    """As the examples of MindSpore's documentation have it."""

    def __init__(self, include_top=True):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.include_top = include_top
        if include_top:
            self.flatten = nn.Flatten()
            self.fc1 = nn.Dense(16 * 5 * 5, 120)
            self.fc2 = nn.Dense(120, 84)
            self.fc3 = nn.Dense(84, 10)

    def construct(self, x):
        x = self.conv1(x)
        x = self.relu(x)
        x = self.max_pool2d(x)
        x = self.conv2(x)
        x = self.relu(x)
        x = self.max_pool2d(x)
        if not self.include_top:
            return x
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        x = self.fc3(x)
        return x


def helper(a, b):
    c = a + b
    return ops.tanh(c)


def countdown(n):
    if n == 0:
        return 0
    return countdown(n - 1)


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2)
        self.relu = nn.ReLU()

    def construct(self, x, y=None):
        x = self.relu(self.fc(x))
        return x + x


class Base(nn.Cell):
    def __init__(self):
        super().__init__()
        self.__hidden = 3.0

    def construct(self, x):
        return x * self.__hidden + SCALE


class Derived(Base):
    def construct(self, x):
        return super().construct(x) - 1


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.seq = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
        self.fc = nn.Dense(2, 2)
        self.add = ops.Add()
        self.k = 3

    def inner(self, a):
        b = self.fc(a)
        return b * 2

    def construct(self, x, y):
        x = self.block(x)
        x = self.block(x, y=x)
        x = self.seq(x)
        x = helper(x, y)
        x = self.inner(x)
        z = self.add(x, y) + ops.sin(x) * 2 - self.k
        z = z.abs()
        a, b = ops.split(z, 1, 1)
        t = (a, b)
        w = t[0]
        for i in range(2):
            w = w + i
        if x.ndim == 2:
            w = self.fc(ops.concat((w, b), 1))
        elif x.ndim == 3:
            w = w - 1
        else:
            w = w * 2
        while w.sum() > 100:
            w = w / 2
        return ops.concat([w, w], axis=0), -w


class Syntax(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.many = nn.CellList([nn.ReLU(), nn.Tanh()])
        self.called = []

    def note(self, name, value):
        self.called.append(name)
        return value

    def construct(self, input, *args, scale: Unknown = 2, **kw):
        """Words."""
        output = self.relu(input=input)
        for c in self.many:
            output = c(output)
        output = output * scale
        output += 1
        assert output is not None
        parts = [output * i for i in range(3)]
        last = parts[-1] if scale > 1 else input
        f = lambda v: v + 1  # noqa: E731
        both = scale > 100 and self.missing(output)
        self.last = f(last)
        a = b = self.note("a", self.last) + self.note("b", input)
        result = self.note("c", [self.note(str(i), i) for i in range(2)])[0] + self.note("d", 0)
        total = self.note("e", *args) + self.note(name="f", value=0)
        if (n := countdown(3)) or both:
            total = total + n
        try:
            total = total + kw["more"]
        except KeyError:
            total = total - 1
        return {"a": a, "b": b, "sum": total + result, "text": f"{scale}"}


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = 1

    def more(self):
        self.count += 1
        return self.count

    def construct(self, x):
        return x * (self.count + self.more()) + max(self.count, self.more() - 1)


class Twice(nn.Cell):
    @ms.jit
    def construct(self, x):
        return x * SCALE


class Random(nn.Cell):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x):
        return self.drop(x) - self.drop(x) * self.drop(x)
