"""Functions of older MindSpores, and methods that programs take for functions."""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "LlmBoostRegister",
    "LlmBoostType",
    "_is_role_pserver",
    "check_checkpoint_param",
    "create_dict_iterator",
    "save_dataset",
]


def create_dict_iterator(dataset: Any, *args: Any, **kwargs: Any) -> Any:
    """``dataset.create_dict_iterator`` as a function."""
    return dataset.create_dict_iterator(*args, **kwargs)


def save_dataset(dataset: Any, *args: Any, **kwargs: Any) -> None:
    """``dataset.save`` as a function."""
    dataset.save(*args, **kwargs)


def check_checkpoint_param(ckpt_file_name: str, filter_prefix: Any = None) -> None:
    """Check the arguments of `load_checkpoint`.

    Raises:
        TypeError: `ckpt_file_name` is not a str, or `filter_prefix` not a str or strings.
        ValueError: a prefix is empty, or the file's name does not end with ``.ckpt``.
    """
    if not isinstance(ckpt_file_name, str):
        raise TypeError(
            f"For 'load_checkpoint', 'ckpt_file_name' must be a str, but got {ckpt_file_name!r}."
        )
    if not ckpt_file_name.endswith(".ckpt"):
        raise ValueError(
            f"For 'load_checkpoint', the file must end with '.ckpt', but got '{ckpt_file_name}'."
        )
    prefixes = [filter_prefix] if isinstance(filter_prefix, str) else filter_prefix or []
    for prefix in prefixes:
        if not isinstance(prefix, str):
            raise TypeError(f"For 'load_checkpoint', a prefix must be a str, but got {prefix!r}.")
        if not prefix:
            raise ValueError("For 'load_checkpoint', a prefix must not be empty.")


def _is_role_pserver() -> bool:
    """Whether this process is a parameter server: agar has none."""
    return False


class LlmBoostType:
    """The kinds of accelerated networks of `LlmBoostRegister`."""

    BUILDIN = "BuildIn"
    ASCEND_NATIVE = "AscendNative"


class LlmBoostRegister:
    """Classes by kind and name."""

    registry: ClassVar[dict[str, dict[str, type]]] = {}

    @classmethod
    def register(cls, boost_type: str = LlmBoostType.BUILDIN, alias: str | None = None) -> Any:
        """Decorator that keeps a class under its name or `alias`."""

        def decorate(kind: type) -> type:
            cls.registry.setdefault(boost_type, {})[alias or kind.__name__] = kind
            return kind

        return decorate

    @classmethod
    def is_exist(cls, boost_type: str, class_name: str) -> bool:
        """Whether there is a class of a name."""
        return class_name in cls.registry.get(boost_type, {})

    @classmethod
    def get_cls(cls, boost_type: str, class_name: str) -> type:
        """The class of a name.

        Raises:
            ValueError: there is none.
        """
        if not cls.is_exist(boost_type, class_name):
            raise ValueError(f"No class '{class_name}' is registered for '{boost_type}'.")
        return cls.registry[boost_type][class_name]

    @classmethod
    def get_instance(cls, boost_type: str, class_name: str, **kwargs: Any) -> Any:
        """An object of the class of a name."""
        return cls.get_cls(boost_type, class_name)(**kwargs)
