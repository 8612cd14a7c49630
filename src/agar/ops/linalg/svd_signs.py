"""Singular vectors of small matrices with the signs that MindSpore gives them.

NOTE Signs. A pair of singular vectors may be multiplied by -1. MindSpore's kernel for the CPU finds
the vectors of small matrices by Jacobi's rotations after a QR decomposition with exchanged columns,
and programs print what comes out. The same steps are done here, for matrices of fewer than `SMALL`
singular values; there are few enough of them for Python.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from agar._core.runtime import host_node

__all__ = ["singular_vectors", "worth_it"]

#: Larger matrices are decomposed by another method there.
SMALL = 16
_WORK = 256  # pairs of columns of all matrices, some tenths of a millisecond each
_SWEEPS = 60
_EPSILON = float(np.finfo(np.float64).eps)
_TINY = float(np.finfo(np.float64).tiny)

Rotation = tuple[float, float]


def worth_it(matrix: Tensor) -> bool:
    """Whether the signs are those of MindSpore's kernel, and few matrices are given."""
    count = min(matrix.shape[-2:])
    return (
        matrix.device.type == "cpu"
        and matrix.is_floating_point()
        and count < SMALL
        and 0 < matrix.shape[:-2].numel() * count * count <= _WORK
    )


def _reflect(column: np.ndarray) -> tuple[np.ndarray, float, float]:
    """The reflection that turns a column to the first axis: its vector, its factor, the length."""
    head, rest = float(column[0]), float(np.sum(column[1:] ** 2))
    vector = np.zeros_like(column)
    vector[0] = 1
    if rest <= _TINY:
        return vector, 0.0, head
    length = -np.copysign(np.sqrt(head * head + rest), head)
    vector[1:] = column[1:] / (head - length)
    return vector, (length - head) / length, length


def _triangle(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """QR decomposition, the longest remaining column first: Q, R and the order of the columns."""
    work = matrix.copy()
    rows, columns = work.shape
    order = np.arange(columns)
    exact = np.linalg.norm(work, axis=0)
    length = exact.copy()
    steps: list[tuple[int, np.ndarray, float]] = []
    for k in range(min(rows, columns)):
        best = k + int(np.argmax(length[k:]))
        if best != k:
            work[:, [k, best]] = work[:, [best, k]]
            for values in (order, exact, length):
                values[[k, best]] = values[[best, k]]
        vector, factor, head = _reflect(work[k:, k])
        work[k:, k] = 0
        work[k, k] = head
        work[k:, k + 1 :] -= factor * np.outer(vector, vector @ work[k:, k + 1 :])
        steps.append((k, vector, factor))
        for c in range(k + 1, columns):
            if length[c]:
                share = abs(work[k, c]) / length[c]
                share = max((1 + share) * (1 - share), 0.0)
                if share * (length[c] / exact[c]) ** 2 <= np.sqrt(_EPSILON):
                    exact[c] = length[c] = np.linalg.norm(work[k + 1 :, c])
                else:
                    length[c] *= np.sqrt(share)
    turned = np.eye(rows)
    for k, vector, factor in reversed(steps):
        turned[k:] -= factor * np.outer(vector, vector @ turned[k:])
    return turned, np.triu(work), order


def _turn_rows(matrix: np.ndarray, p: int, q: int, rotation: Rotation) -> None:
    c, s = rotation
    first, second = matrix[p].copy(), matrix[q].copy()
    matrix[p], matrix[q] = c * first + s * second, c * second - s * first


def _turn_columns(matrix: np.ndarray, p: int, q: int, rotation: Rotation) -> None:
    c, s = rotation
    _turn_rows(matrix.T, p, q, (c, -s))


def _rotations(matrix: np.ndarray, p: int, q: int) -> tuple[Rotation, Rotation]:
    """The rotations from left and right that make the part (p, q) of a matrix diagonal."""
    part = matrix[np.ix_([p, q], [p, q])].copy()
    total, gap = part[0, 0] + part[1, 1], part[1, 0] - part[0, 1]
    first = (1.0, 0.0)
    if abs(gap) >= _TINY:
        ratio = total / gap
        s = 1 / np.sqrt(1 + ratio * ratio)
        first = (ratio * s, s)
    _turn_rows(part, 0, 1, first)  # now it is symmetric
    beside = part[0, 1]
    right = (1.0, 0.0)
    if 2 * abs(beside) >= _TINY:
        tau = (part[0, 0] - part[1, 1]) / (2 * abs(beside))
        slope = 1 / (tau + np.copysign(np.sqrt(tau * tau + 1), tau if tau > 0 else -1.0))
        c = 1 / np.sqrt(slope * slope + 1)
        right = (c, -slope * np.sign(beside) * c)
    c, s = right
    left = (first[0] * c + first[1] * s, first[1] * c - first[0] * s)
    return left, right


def _of_one(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All left and right singular vectors of a matrix, by falling singular value."""
    rows, columns = matrix.shape
    count = min(rows, columns)
    scaled = matrix / (np.abs(matrix).max() or 1.0)
    u, v = np.eye(rows), np.eye(columns)
    if rows > columns:
        u, triangle, order = _triangle(scaled)
        work, v = triangle[:count].copy(), v[:, order]
    elif columns > rows:
        v, triangle, order = _triangle(scaled.T)
        work, u = triangle[:count].T.copy(), u[:, order]
    else:
        work = scaled.copy()
    largest = np.abs(np.diag(work)).max()
    for _ in range(_SWEEPS):
        turned = False
        for p in range(1, count):
            for q in range(p):
                bound = max(_TINY, 2 * _EPSILON * largest)
                if abs(work[p, q]) <= bound and abs(work[q, p]) <= bound:
                    continue
                turned = True
                left, right = _rotations(work, p, q)
                _turn_rows(work, p, q, left)
                _turn_columns(u, p, q, (left[0], -left[1]))
                _turn_columns(work, p, q, right)
                _turn_columns(v, p, q, right)
                largest = max(largest, abs(work[p, p]), abs(work[q, q]))
        if not turned:
            break
    diagonal = np.diag(work)
    u[:, :count] *= np.where(diagonal < 0, -1.0, 1.0)
    values = np.abs(diagonal)
    for k in range(count):
        best = k + int(np.argmax(values[k:]))
        values[[k, best]] = values[[best, k]]
        u[:, [k, best]] = u[:, [best, k]]
        v[:, [k, best]] = v[:, [best, k]]
    return u, v


def _vectors_of(matrices: Tensor) -> tuple[Tensor, Tensor]:
    flat = matrices.double().reshape(-1, *matrices.shape[-2:]).numpy()
    finite = np.nan_to_num(flat, posinf=0.0, neginf=0.0)
    items = [np.stack(parts) for parts in zip(*map(_of_one, finite), strict=True)]
    u, v = (torch.from_numpy(part).to(matrices.dtype) for part in items)
    lead = matrices.shape[:-2]
    return u.reshape(*lead, *u.shape[1:]), v.reshape(*lead, *v.shape[1:])


_vectors = host_node(_vectors_of, "tensors")  # Python over all values: one node of a graph


def singular_vectors(matrices: Tensor, u: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """Singular vectors with the signs of the note above.

    Args:
        matrices: the matrices, on the CPU.
        u: their left singular vectors; those beyond the singular values are replaced.
        v: their right singular vectors, likewise.
    """
    count = min(matrices.shape[-2:])
    left, right = _vectors(matrices.detach())
    agree = (u.detach() * left[..., : u.shape[-1]]).sum(-2)[..., :count]
    agree = agree + (v.detach() * right[..., : v.shape[-1]]).sum(-2)[..., :count]
    sign = torch.where(agree < 0, -1.0, 1.0).to(u.dtype).unsqueeze(-2)
    items = []
    for own, theirs in ((u, left), (v, right)):
        rest = theirs[..., count : own.shape[-1]]
        items.append(torch.cat((own[..., :count] * sign, rest), -1))
    return items[0], items[1]
