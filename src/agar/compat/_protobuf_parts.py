"""The protobuf messages of MindSpore's files, at its paths ``train.*_pb2``."""

from __future__ import annotations

from agar.train._protobuf_files import lookup as lookup

__all__ = ["lookup"]
