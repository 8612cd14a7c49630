"""Primitives at private paths of MindSpore, which programs import but which are not public names.

A `Register` holds the primitives of one module. Those over tensors are entries as in the operator
table, with bindings made when first asked for; those over Python values are plain classes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from agar._core.errors import missing_feature
from agar._core.optable import Op, Primitive, primitive_class

__all__ = ["NEEDED", "Register"]

#: The default of a constructor's argument that must be given.
NEEDED = inspect.Parameter.empty

# The annotation for each mark behind the name of an input, see `Register.declare`.
_MARKS = {"!": "Any", "?": "Tensor | None", "~": "Tensor | None", "+": "Sequence[Tensor]"}


def _input(text: str) -> inspect.Parameter:
    name, has_default, default = text.partition("=")
    kind, value = _MARKS.get(name[-1], "Tensor"), NEEDED
    if has_default:
        kind, value = "Any", eval(default)
    elif name.endswith("?"):
        value = None
    return inspect.Parameter(
        name.rstrip("!?~+"),
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=value,
        annotation=kind,
    )


class Register:
    """The primitives of a private module.

    Args:
        module: the module's path.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        self._entries: dict[str, Op] = {}
        self._instances: dict[str, type[Primitive]] = {}

    def declare(
        self,
        name: str,
        inputs: str,
        compute: Callable[..., Any],
        *,
        words: str = "",
        setup: Callable[[Primitive], Any] | None = None,
        **attributes: Any,
    ) -> None:
        """Declare a primitive over tensors.

        Args:
            name: the name of the class.
            inputs: what a call takes, by name: tensors; with ``!`` behind it any value, with ``?``
                a tensor or None, which is the default, with ``~`` one that must be given, with
                ``+`` several tensors; with ``=``, a default for any value.
            compute: takes the inputs in order and the attributes by name; with `setup`,
                ``_state``.
            words: what it computes; for gradients the name says it.
            setup: as for `agar.ops.spec.op`.
            attributes: the constructor's arguments with their defaults, `NEEDED` for none.
        """
        params = [_input(text) for text in inputs.split()]
        taken = ", ".join(p.name for p in params)
        options = dict(attributes) if setup is None else {**attributes, "_state": NEEDED}
        params += [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=value, annotation="Any")
            for key, value in options.items()
        ]

        def impl(*args: Any, **kwargs: Any) -> Any:
            return compute(*args, **kwargs)

        impl.__name__ = name
        impl.__signature__ = inspect.Signature(params)
        what = words or f"Gradient of {name.partition('Grad')[0]}"
        impl.__doc__ = (
            f"{what}; takes {taken or 'nothing'}.\n\n"
            "Difference from PyTorch: no class; for gradients autograd.\n\n"
            "Source: behavior observed in MindSpore 2.10.\n"
        )
        entry = Op(name, impl)
        entry.primitives = (name,)
        entry.setup = setup
        self._entries[name] = entry

    def value(self, name: str, call: Callable[..., Any], words: str) -> None:
        """Declare a primitive without constructor arguments over Python values.

        Args:
            name: the name of the class.
            call: what a call computes.
            words: what that is.
        """

        def init(self: Primitive) -> None:
            Primitive.__init__(self, name)

        self._instances[name] = type(
            name,
            (Primitive,),
            {
                "__init__": init,
                "__call__": lambda self, *args, **kwargs: call(*args, **kwargs),
                "__doc__": f"{words}\n\nDifference from PyTorch: plain Python (no counterpart).\n\n"
                "Source: behavior observed in MindSpore 2.10.\n",
                "__module__": self.module,
            },
        )

    def refuse(self, name: str, why: str, instead: str) -> None:
        """Declare a primitive that cannot be made here.

        Args:
            name: the name of the class.
            why: the reason, for the error.
            instead: what to do instead, for the error.
        """
        path = f"{self.module.removeprefix('agar.')}.{name}"

        def init(self: Primitive, *args: Any, **kwargs: Any) -> None:
            raise missing_feature(path, why, instead)

        self._instances[name] = type(
            name,
            (Primitive,),
            {
                "__init__": init,
                "__doc__": f"Not available: {why}.\n\nRaises:\n    NotImplementedError: always; "
                f"instead: {instead}.\n\nDifference from PyTorch: no counterpart.\n\n"
                "Source: the name exists in MindSpore 2.10.\n",
                "__module__": self.module,
            },
        )

    def names(self) -> list[str]:
        """The names of the primitives, sorted."""
        return sorted({*self._entries, *self._instances})

    def find(self, name: str) -> type[Primitive]:
        """The class of a primitive.

        Raises:
            KeyError: there is none of that name.
        """
        if name not in self._instances:
            self._instances[name] = primitive_class(self._entries[name], name, module=self.module)
        return self._instances[name]
