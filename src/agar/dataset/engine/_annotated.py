"""Datasets of images with masks, boxes and captions: PASCAL VOC and Coco."""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar

import numpy as np

from agar._core.file_reading import checked_name, reading
from agar.dataset.engine._checks import Check, check_readable
from agar.dataset.engine._files import image_of
from agar.dataset.engine._images import COMMON, Images, refuse_decryption
from agar.dataset.engine._values import Row

__all__ = ["CocoDataset", "VOCDataset"]


class VOCDataset(Images):
    __doc__ = f"""Pictures with masks or boxes (PASCAL VOC).

    The columns are ``image`` and ``target``, or for detection ``image``, ``bbox`` (x, y, width,
    height), ``label``, ``difficult``, ``truncate``.

    Args:
        dataset_dir (str): the folder of ``JPEGImages``, ``ImageSets`` and the others.
        task (str, optional): Segmentation or Detection. Default: ``'Segmentation'``.
        usage (str, optional): the name of a list in ``ImageSets``. Default: ``'train'``.
        class_indexing (dict, optional): the numbers of the classes, for detection; pictures
            without one of these are left out. Default: ``None``, in the order of their names.
        decode (bool, optional): whether images are decoded. Default: ``False``.
        extra_metadata (bool, optional): whether the column ``_meta-filename`` follows, which a
            rename makes ``filename``; it does not appear otherwise. Default: ``False``.
        decrypt (Callable, optional): must be None. Default: ``None``.
        {COMMON.format(torch="``torchvision.datasets.VOCDetection``", how="observed in")}"""

    _owner = "VOCDataset"

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Segmentation",
        usage: str = "train",
        class_indexing: dict[str, int] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        extra_metadata: bool = False,
        decrypt: Any = None,
    ) -> None:
        check = Check(self._owner)
        self._folder = self._open_folder(dataset_dir)
        self.task = self._choose("task", task, ["Segmentation", "Detection"], "Segmentation")
        self.usage = "train" if usage is None else check.kind("usage", usage, str)
        if class_indexing is not None:
            check.kind("class_indexing", class_indexing, dict)
            if self.task == "Segmentation":
                raise ValueError(
                    "For 'VOCDataset', class_indexing is not supported in the Segmentation task."
                )
        self.class_indexing = dict(class_indexing or {})
        self.decode = self._decode(decode)
        self.extra_metadata = check.flag("extra_metadata", extra_metadata)
        refuse_decryption(self._owner, decrypt)
        kind = "Segmentation" if self.task == "Segmentation" else "Main"
        self._list = os.path.join(self._folder, "ImageSets", kind, f"{self.usage}.txt")
        check_readable(self._owner, "usage", self._list, folder=False)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _columns(self) -> list[str]:
        if self.task == "Segmentation":
            names = ["image", "target"]
        else:
            names = ["image", "bbox", "label", "difficult", "truncate"]
        return [*names, "_meta-filename"] if self.extra_metadata else names

    def _hidden(self) -> bool:
        return self.extra_metadata

    def _ids(self) -> list[str]:
        with reading(self._owner, self._list), open(self._list, encoding="utf-8") as stream:
            return [checked_name(line.split()[0]) for line in stream if line.strip()]

    def _boxes(self, name: str) -> list[tuple[str, list[float], int, int]]:
        from xml.etree import ElementTree

        path = os.path.join(self._folder, "Annotations", f"{name}.xml")
        if not os.path.isfile(path):
            raise RuntimeError(
                f"For '{self._owner}', {self._list} names {name!r}, but there is no file {path}."
            )
        entries = []
        try:
            for thing in ElementTree.parse(path).getroot().iter("object"):
                box = thing.find("bndbox")
                assert box is not None
                left, top, right, bottom = (
                    float(box.findtext(key) or "") for key in ("xmin", "ymin", "xmax", "ymax")
                )
                if min(left, top) <= 0 or right < left or bottom < top:
                    raise ValueError(f"the box {[left, top, right, bottom]} is none")
                label = thing.findtext("name") or ""
                flags = [int(thing.findtext(key) or 0) for key in ("difficult", "truncated")]
                entries.append((label, [left, top, right - left, bottom - top], *flags))
        except (
            ElementTree.ParseError, ValueError, LookupError, AssertionError, RecursionError
        ) as error:  # fmt: skip
            raise RuntimeError(f"For '{self._owner}', {path} cannot be read: {error}.") from error
        return entries

    def get_class_indexing(self) -> dict[str, Any]:
        """The indices of the classes by their names.

        Raises:
            NotImplementedError: the task is segmentation.
        """
        if self.task != "Detection":
            raise NotImplementedError("Only 'Detection' support get_class_indexing.")
        if not self.class_indexing:
            names = sorted({box[0] for name in self._ids() for box in self._boxes(name)})
            self.class_indexing = {name: number for number, name in enumerate(names)}
        return self.class_indexing

    def _scan(self) -> list[Any]:
        if self.task == "Segmentation":
            return [(name, None) for name in self._ids()]
        numbers = self.get_class_indexing()
        entries = []
        for name in self._ids():
            boxes = [box for box in self._boxes(name) if box[0] in numbers]
            if boxes:
                entries.append((name, [(numbers[box[0]], *box[1:]) for box in boxes]))
        return entries

    def _read(self, record: Any) -> Row:
        name, boxes = record
        image = image_of(os.path.join(self._folder, "JPEGImages", f"{name}.jpg"), self.decode)
        row: Row
        if boxes is None:
            path = os.path.join(self._folder, "SegmentationClass", f"{name}.png")
            row = (image, image_of(path, self.decode))
        else:
            row = (
                image,
                np.array([box[1] for box in boxes], np.float32),
                *(np.array([[box[i]] for box in boxes], np.uint32) for i in (0, 2, 3)),
            )
        return (*row, np.array(name)) if self.extra_metadata else row


class CocoDataset(Images):
    __doc__ = f"""Pictures with what is on them (COCO); columns depend on the task.

    Args:
        dataset_dir (str): the folder of the images.
        annotation_file (str): the JSON file of the annotations.
        task (str, optional): Detection (``bbox``, ``category_id``, ``iscrowd``), Stuff
            (``segmentation``, ``iscrowd``), Keypoint (``keypoints``, ``num_keypoints``), Panoptic
            (``bbox``, ``category_id``, ``iscrowd``, ``area``) or Captioning (``captions``), each
            after ``image``. Default: ``'Detection'``.
        decode (bool, optional): whether images are decoded. Default: ``False``.
        extra_metadata (bool, optional): whether the column ``_meta-filename`` follows, which a
            rename makes ``filename``; it does not appear otherwise. Default: ``False``.
        decrypt (Callable, optional): must be None. Default: ``None``.
        {COMMON.format(torch="``torchvision.datasets.CocoDetection``", how="observed in")}"""

    _owner = "CocoDataset"
    _tasks: ClassVar[dict[str, Any]] = {
        "Detection": ["bbox", "category_id", "iscrowd"],
        "Stuff": ["segmentation", "iscrowd"],
        "Keypoint": ["keypoints", "num_keypoints"],
        "Panoptic": ["bbox", "category_id", "iscrowd", "area"],
        "Captioning": ["captions"],
    }

    def __init__(
        self,
        dataset_dir: str,
        annotation_file: str,
        task: str = "Detection",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        extra_metadata: bool = False,
        decrypt: Any = None,
    ) -> None:
        check = Check(self._owner)
        self._folder = self._open_folder(dataset_dir)
        self.annotation_file = annotation_file
        self._file = check_readable(self._owner, "annotation_file", annotation_file, folder=False)
        self.task = self._choose("task", task, list(self._tasks), "Detection")
        self.decode = self._decode(decode)
        self.extra_metadata = check.flag("extra_metadata", extra_metadata)
        refuse_decryption(self._owner, decrypt)
        self._content: Any = None
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _columns(self) -> list[str]:
        names = ["image", *self._tasks[self.task]]
        return [*names, "_meta-filename"] if self.extra_metadata else names

    def _hidden(self) -> bool:
        return self.extra_metadata

    def _loaded(self) -> Any:
        if self._content is None:
            with reading(self._owner, self._file), open(self._file, encoding="utf-8") as stream:
                try:
                    content = json.load(stream)
                except ValueError as error:
                    raise RuntimeError(
                        f"For '{self._owner}', {self.annotation_file} is no JSON file: {error}."
                    ) from error
                if not isinstance(content, dict):
                    raise RuntimeError(
                        f"For '{self._owner}', {self.annotation_file} must hold a JSON object, but "
                        f"holds {type(content).__name__}."
                    )
                self._content = content
        return self._content

    def get_class_indexing(self) -> dict[str, Any]:
        """The indices of the classes by their names, as lists.

        Raises:
            NotImplementedError: the task is another than detection and panoptic.
        """
        if self.task not in ("Detection", "Panoptic"):
            raise NotImplementedError("Only 'Detection' and 'Panoptic' support get_class_indexing.")
        with reading(self._owner, self._file, advice="Check the list 'categories'."):
            kinds = self._loaded().get("categories", [])
            if self.task == "Panoptic":
                return {kind["name"]: [kind["id"], kind["isthing"]] for kind in kinds}
            return {kind["name"]: [kind["id"]] for kind in kinds}

    def _scan(self) -> list[Any]:
        content = self._loaded()
        try:
            names = {image["id"]: image["file_name"] for image in content["images"]}
            by_image: dict[Any, list[Any]] = {}
            for entry in content["annotations"]:
                entries = entry["segments_info"] if self.task == "Panoptic" else [entry]
                by_image.setdefault(entry["image_id"], []).extend(entries)
            return [
                (names[image], self._targets(entries))
                for image, entries in by_image.items()
                if entries
            ]
        except (KeyError, TypeError) as error:
            raise RuntimeError(
                f"For '{self._owner}', the annotation file {self.annotation_file} lacks "
                f"{error} for the task {self.task}."
            ) from error

    def _targets(self, entries: list[Any]) -> Row:
        def column(key: str, kind: Any = np.uint32) -> np.ndarray:
            return np.array([[entry[key]] for entry in entries], kind)

        if self.task == "Keypoint":
            points = np.array([entry["keypoints"] for entry in entries], np.float32)
            return points, column("num_keypoints")
        if self.task == "Captioning":
            return (np.array([[entry["caption"]] for entry in entries]),)
        if self.task == "Stuff":
            shapes = [self._outline(entry) for entry in entries]
            longest = max(len(shape) for shape in shapes)
            filled = np.full((len(shapes), longest), -1, np.float32)
            for row, shape in zip(filled, shapes, strict=True):
                row[: len(shape)] = shape
            return filled, column("iscrowd")
        boxes = np.array([entry["bbox"] for entry in entries], np.float32)
        row = (boxes, column("category_id"), column("iscrowd"))
        return (*row, column("area")) if self.task == "Panoptic" else row

    @staticmethod
    def _outline(entry: Any) -> list[float]:
        """The points of an outline, or the run lengths of a crowd."""
        result = entry["segmentation"]
        if entry["iscrowd"]:
            return list(result["counts"]) if isinstance(result, dict) else result["counts"]
        return [value for part in result for value in part]

    def _read(self, record: Any) -> Row:
        name, targets = record
        image = image_of(os.path.join(self._folder, name), self.decode)
        row = (image, *[np.array(target) for target in targets])
        stem = os.path.splitext(os.path.basename(name))[0]
        return (*row, np.array(stem)) if self.extra_metadata else row
