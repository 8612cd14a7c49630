"""Images with what was found on them."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from agar._core.files import replacing

__all__ = ["imshow_det_bbox"]


def _need(condition: bool, what: str) -> None:
    if not condition:
        raise AssertionError(f"For 'imshow_det_bbox', {what}.")


def _is_color(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 3


def imshow_det_bbox(
    image: np.ndarray,
    bboxes: np.ndarray | None,
    labels: np.ndarray | None,
    segm: np.ndarray | None = None,
    class_names: Any = None,
    score_threshold: float = 0,
    bbox_color: tuple[int, int, int] = (0, 255, 0),
    text_color: tuple[int, int, int] = (203, 192, 255),
    mask_color: tuple[int, int, int] = (128, 0, 128),
    thickness: int = 2,
    font_size: float = 0.8,
    show: bool = True,
    win_name: str = "win",
    wait_time: int = 2000,
    out_file: str | None = None,
) -> np.ndarray:
    """Draw boxes with labels, and masks, on an image.

    Args:
        image (numpy.ndarray): an RGB image of shape (H, W, 3) or (3, H, W).
        bboxes (numpy.ndarray): boxes (x, y, w, h) or (x, y, w, h, score), one a row.
        labels (numpy.ndarray): their classes, of shape (N, 1).
        segm (numpy.ndarray, optional): masks of shape (M, H, W). Default: ``None``.
        class_names (Union[list, tuple, dict], optional): the names of the classes.
            Default: ``None``, their numbers.
        score_threshold (float, optional): boxes of lower score are left out. Default: ``0``.
        bbox_color (tuple, optional): blue, green, red. Default: ``(0, 255, 0)``.
        text_color (tuple, optional): blue, green, red. Default: ``(203, 192, 255)``.
        mask_color (tuple, optional): blue, green, red. Default: ``(128, 0, 128)``.
        thickness (int, optional): of lines. Default: ``2``.
        font_size (float, optional): in units of 20 pixels. Default: ``0.8``.
        show (bool, optional): whether the system's viewer shows the image. Default: ``True``.
        win_name (str, optional): the title. Default: ``'win'``.
        wait_time (int, optional): accepted. Default: ``2000``.
        out_file (str, optional): a file for the image. Default: ``None``.

    Returns:
        numpy.ndarray, the image with blue, green, red as its last dimension.

    Raises:
        AssertionError: an argument has the wrong type or shape.

    Difference from PyTorch: ``torchvision.utils.draw_bounding_boxes``.

    Source: behavior described for MindSpore 2.10, which draws with OpenCV.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> from agar.dataset.utils import imshow_det_bbox
        >>> image = np.zeros((8, 8, 3), np.uint8)
        >>> box, label = np.array([[1.0, 1.0, 4.0, 4.0]]), np.array([[0]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     drawn = imshow_det_bbox(
        ...         image, box, label, class_names=["cat"], show=False, out_file=folder + "/out.png"
        ...     )
        >>> drawn[1, 1].tolist()
        [0, 255, 0]
    """
    from PIL import Image, ImageDraw, ImageFont

    _need(
        isinstance(image, np.ndarray) and image.ndim == 3 and 3 in (image.shape[0], image.shape[2]),
        "image must be an array of shape (H, W, 3) or (3, H, W)",
    )
    picture = image if image.shape[2] == 3 else image.transpose(1, 2, 0)
    if bboxes is not None:
        _need(
            isinstance(bboxes, np.ndarray) and bboxes.ndim == 2 and bboxes.shape[1] in (4, 5),
            "bboxes must be an array of shape (N, 4) or (N, 5)",
        )
        _need(
            isinstance(labels, np.ndarray) and labels.shape == (len(bboxes), 1),
            "labels must be an array of shape (N, 1) with as many rows as bboxes",
        )
    if segm is not None:
        _need(
            isinstance(segm, np.ndarray) and segm.ndim == 3 and segm.shape[1:] == picture.shape[:2],
            "segm must be an array of shape (M, H, W) of the image's height and width",
        )
        _need(bboxes is None or len(bboxes) <= len(segm), "segm must have a mask for each box")
    _need(
        class_names is None or isinstance(class_names, (tuple, list, dict)),
        "class_names must be a list, tuple or dict",
    )
    for name, color in (("bbox", bbox_color), ("text", text_color), ("mask", mask_color)):
        _need(_is_color(color), f"{name}_color must be a tuple (blue, green, red)")
    _need(isinstance(thickness, int) and thickness >= 0, "thickness must be an int from 0 on")
    _need(isinstance(font_size, (int, float)) and font_size >= 0, "font_size must be a number")
    _need(isinstance(wait_time, int) and wait_time >= 0, "wait_time must be an int from 0 on")
    _need(show or out_file is not None, "out_file must be given where the image is not shown")
    _need(
        not score_threshold or (bboxes is not None and bboxes.shape[1] == 5),
        "bboxes must have scores where there is a score_threshold",
    )

    pixels = np.array(picture, np.uint8)
    chosen = range(len(segm)) if segm is not None else range(0)
    boxes = []
    if bboxes is not None:
        assert labels is not None
        retained = [i for i, box in enumerate(bboxes) if len(box) == 4 or box[4] >= score_threshold]
        boxes = [(bboxes[i], labels[i][0]) for i in retained]
        chosen = retained if segm is not None else range(0)
    for i in chosen:
        assert segm is not None
        mask = segm[i].astype(bool)
        pixels[mask] = pixels[mask] * 0.5 + np.array(mask_color[::-1]) * 0.5
    drawn = Image.fromarray(pixels)
    pen = ImageDraw.Draw(drawn)
    font = ImageFont.load_default(max(font_size * 20, 1))
    for box, label in boxes:
        left, top, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
        try:
            text = f"class {label}" if class_names is None else str(class_names[label])
        except (IndexError, KeyError):
            text = f"class {label}"
        if len(box) == 5:
            text += f"|{box[4]:.02f}"
        edges = [int(left), int(top), int(right), int(bottom)]
        pen.rectangle(edges, outline=tuple(bbox_color[::-1]), width=thickness)
        pen.text(
            (int(left), int(bottom)), text, fill=tuple(text_color[::-1]), font=font, anchor="ls"
        )
    if show:
        drawn.show(title=win_name)
    if out_file is not None:
        ending = os.path.splitext(out_file)[1].lower()
        kind = Image.registered_extensions().get(ending)
        if kind is None:
            raise ValueError(f"unknown file extension: {ending}")
        with replacing(out_file) as unfinished:
            drawn.save(unfinished, format=kind)
    return np.asarray(drawn)[:, :, ::-1]
