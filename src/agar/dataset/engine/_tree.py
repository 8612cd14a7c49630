"""The tree of a pipeline at the names of MindSpore's private methods.

MindSpore makes a tree of C++ nodes of it before it runs; agar runs the datasets themselves.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agar.dataset.engine.datasets import Dataset

__all__ = ["DatasetNode", "PipelineTree"]


class DatasetNode:
    """A dataset as a node of a tree: ``to_json`` describes it and what is below it."""

    def __init__(self, dataset: Any, children: list[DatasetNode]) -> None:
        self.dataset = dataset
        self.children = children

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """The description of the pipeline, which is written to a file too if one is named."""
        return self.dataset.to_json(filename)


class PipelineTree:
    """A part of Dataset: how its pipeline becomes a tree, which a program may ask for."""

    # what MindSpore's objects keep of a pipeline that has run
    estimated_output_shapes: Any = None
    runtime_context: Any = None
    saved_output_shapes: Any = None
    saved_output_types: Any = None
    process_pool: Any = None

    children: list[Dataset]
    parent: list[Any]

    def create_ir_tree(self, getter_mode: bool = False) -> tuple[DatasetNode, Any]:
        """The tree of a copy of this pipeline, and the copy.

        Args:
            getter_mode (bool): whether only sizes are asked for, not rows. Default: False.
        """
        dataset = self.pre_process(copy.deepcopy(self))
        return dataset.parse_tree(getter_mode), dataset

    def parse_tree(self, getter_mode: bool = False) -> DatasetNode:
        """The node of this dataset above those of its children.

        Args:
            getter_mode (bool): whether only sizes are asked for, not rows. Default: False.

        Raises:
            ValueError: several datasets read this one.
        """
        readers = [reader for reader in self.parent if reader() is not None]
        if len(readers) > 1:
            raise ValueError(
                "The data pipeline is not a tree: several datasets read one "
                f"'{type(self).__name__}'. Make that dataset for each of them."
            )
        children = [child.parse_tree(getter_mode) for child in self.children]
        self.pre_parse(getter_mode)
        self.iterator_bootstrap()
        return self.post_parse(self.parse(children))

    def parse(self, children: list[DatasetNode] | None = None) -> DatasetNode:
        """The node of this dataset above some nodes.

        Args:
            children (list): the nodes. Default: ``None``, none.
        """
        return DatasetNode(self, list(children or ()))

    def pre_parse(self, getter_mode: bool) -> None:
        """What a subclass does before its node is made: nothing.

        Args:
            getter_mode (bool): whether only sizes are asked for, not rows.
        """

    def post_parse(self, ir_node: DatasetNode) -> DatasetNode:
        """What a subclass makes of its node: the node.

        Args:
            ir_node (DatasetNode): the node.
        """
        return ir_node

    def pre_process(self, dataset: Any) -> Any:
        """What a subclass makes of the copy of a pipeline: the copy.

        Args:
            dataset (Dataset): the copy.
        """
        return dataset

    def iterator_bootstrap(self) -> None:
        """What a subclass prepares before it is iterated: nothing."""
