"""Mixture of experts: bringing tokens to their experts and back."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.errors import missing_feature
from agar.ops._checks import boolean, integer
from agar.ops.spec import op

__all__ = ["moe_distribute_combine", "moe_distribute_dispatch"]


def _places(
    op_name: str,
    name: str,
    index: Tensor,
    kinds: tuple[torch.dtype, ...] = (torch.int32, torch.int64),
) -> Tensor:
    if index.dtype not in kinds:
        expected = " or ".join(str(k)[6:] for k in kinds)
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be {expected}, but got "
            f"{str(index.dtype)[6:]}."
        )
    return index.long()


def _only_plain(op_name: str, padded_mode: Any) -> None:
    if boolean(op_name, "padded_mode", padded_mode):
        raise ValueError(
            f"For '{op_name}', 'padded_mode' must be False, but got True: MindSpore has no padded "
            "mode either."
        )


@op(
    primitive="MoeTokenPermute",
    samples=(
        "f(4, 3), i(4)",
        "f(4, 3), i(4, 2)",
        "f(4, 3), i(4, 2).int(), 5",
    ),
    errors=(
        ("f(4, 3), f(4)", TypeError, "indices"),
        ("f(4, 3), i(3)", ValueError, "indices"),
        ("f(4, 3), i(4), padded_mode=True", ValueError, "padded_mode"),
        ("f(4, 3), i(4), -1", ValueError, "num_out_tokens"),
    ),
)
def moe_token_permute(
    tokens: Tensor,
    indices: Tensor,
    num_out_tokens: int | None = None,
    padded_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    """Tokens in the order of the experts that they go to.

    Args:
        tokens (Tensor): shape :math:`(T, H)`.
        indices (Tensor): the expert of each token, or the k experts of each: int32 or int64, shape
            :math:`(T,)` or :math:`(T, K)`.
        num_out_tokens (int): how many rows to keep, from the first; None and 0 keep all.
            Default: None.
        padded_mode (bool): must be False. Default: False.

    Returns: tuple of the rows, shape :math:`(T K, H)` or fewer, and where each pair of token and
        expert went: int32, shape :math:`(T K,)`. Rows of one expert keep their order.
    Raises TypeError: `indices` are not integers, `num_out_tokens` is not an int.
    Raises ValueError: `padded_mode` is True, or the shapes do not fit.
    Difference from PyTorch: none (no counterpart).
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.Tensor([[1.0], [7.0], [2.0]])
    >>> rows, where = ms.ops.moe_token_permute(x, ms.Tensor([2, 0, 1]))
    >>> print(rows.asnumpy().ravel(), where)
    [7. 2. 1.] [2 0 1]
    """
    op_name = "moe_token_permute"
    _only_plain(op_name, padded_mode)
    experts = _places(op_name, "indices", indices)
    if tokens.ndim != 2 or experts.ndim not in (1, 2) or experts.shape[0] != tokens.shape[0]:
        raise ValueError(
            f"For '{op_name}', 'tokens' must be 2-D and 'indices' 1-D or 2-D, with one row for "
            f"each token, but got shapes {tuple(tokens.shape)} and {tuple(indices.shape)}."
        )
    each = experts.shape[1] if experts.ndim == 2 else 1
    order = experts.reshape(-1).argsort(stable=True)
    where = order.argsort().int()
    if num_out_tokens is not None and integer(op_name, "num_out_tokens", num_out_tokens, 0):
        order = order[:num_out_tokens]
    return tokens.index_select(0, order // each), where


@op(
    primitive="MoeTokenUnpermute",
    samples=(
        "f(4, 3), torch.tensor([2, 0, 3, 1]).int()",
        "f(4, 3), torch.tensor([2, 0, 3, 1]).int(), u(2, 2)",
        "f(3, 3), torch.tensor([2, 0, 3, 1]).int(), u(2, 2)",
    ),
    errors=(
        ("f(4, 3), f(4)", TypeError, "sorted_indices"),
        ("f(4, 3), torch.tensor([2, 0, 3]).int(), u(2, 2)", ValueError, "probs"),
        ("f(4, 3), torch.tensor([2, 0, 3, 1]).int(), None, True", ValueError, "padded_mode"),
    ),
)
def moe_token_unpermute(
    permuted_tokens: Tensor,
    sorted_indices: Tensor,
    probs: Tensor | None = None,
    padded_mode: bool = False,
    restore_shape: Any = None,
) -> Tensor:
    """Tokens back from their experts: each is the weighted sum of the outputs of its experts.

    Args:
        permuted_tokens (Tensor): the rows, in the order of :func:`ops.moe_token_permute`.
        sorted_indices (Tensor): where each pair of token and expert went, shape :math:`(T K,)`.
            Pairs that were left out count as zero.
        probs (Tensor): the weight of each pair, shape :math:`(T, K)`. Default None: one expert for
            each token, of weight 1.
        padded_mode (bool): must be False. Default: False.
        restore_shape (Union[tuple[int], list[int]]): not used without padding. Default: None.

    Returns: Tensor of shape :math:`(T, H)` and the type of `permuted_tokens`.
    Raises TypeError: `sorted_indices` are not integers.
    Raises ValueError: `padded_mode` is True, or the shapes do not fit.
    Difference from PyTorch: none (no counterpart).
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> rows, where = ms.Tensor([[7.0], [2.0], [1.0]]), ms.Tensor([2, 0, 1], ms.int32)
    >>> print(ms.ops.moe_token_unpermute(rows, where).asnumpy().ravel())
    [1. 7. 2.]
    """
    op_name = "moe_token_unpermute"
    _only_plain(op_name, padded_mode)
    where = _places(op_name, "sorted_indices", sorted_indices)
    fits = probs is None or (probs.ndim == 2 and probs.numel() == where.numel())
    if permuted_tokens.ndim != 2 or where.ndim != 1 or not fits:
        raise ValueError(
            f"For '{op_name}', 'permuted_tokens' must be 2-D, 'sorted_indices' 1-D and 'probs' 2-D "
            f"with as many elements, but got shapes {tuple(permuted_tokens.shape)}, "
            f"{tuple(where.shape)} and {None if probs is None else tuple(probs.shape)}."
        )
    count = permuted_tokens.shape[0]
    if count < where.numel():  # the pairs that were left out find a row of zeros
        permuted_tokens = torch.nn.functional.pad(permuted_tokens, (0, 0, 0, 1))
        where = where.clamp(max=count)
    rows = permuted_tokens.index_select(0, where)
    if probs is None:
        return rows
    weighted = rows.unflatten(0, probs.shape) * probs.unsqueeze(-1)
    return weighted.sum(1).to(rows.dtype)


@op(
    primitive="MoeInitRoutingV2",
    samples=(
        "f(3, 4), torch.tensor([[0, 1, 1], [2, 1, 1], [0, 0, 0]]).int(), 3, 2, 3, 1, 0, True",
        "f(3, 4), torch.tensor([[0, 1], [2, 1], [0, 3]]).int(), 0, 0, 4, 0, 1, False",
        "f(3, 4), torch.tensor([[0, 1], [2, 1], [0, 3]]).int(), 4, 0, 4, 0, 2, False",
    ),
    errors=(
        ("f(3, 4), i(3, 2).int(), 0, 0, 3, 2, 0, False", ValueError, "drop_pad_mode"),
        ("f(3, 4), i(3, 2).int(), 0, 0, 3, 0, 3, False", ValueError, "expert_tokens_count"),
        ("f(3, 4), i(3, 2).int(), 0, 0, 3, 1, 0, False", ValueError, "expert_capacity"),
        ("f(3, 4), i(2, 2).int(), 0, 0, 3, 0, 0, False", ValueError, "expert_idx"),
        ("f(3, 4), f(3, 2), 0, 0, 3, 0, 0, False", TypeError, "expert_idx"),
    ),
)
def moe_init_routing_v2(
    x: Tensor,
    expert_idx: Tensor,
    active_num: int,
    expert_capacity: int,
    expert_num: int,
    drop_pad_mode: int,
    expert_tokens_count_or_cumsum_flag: int,
    expert_tokens_before_capacity_flag: bool,
) -> Any:
    """Rows for experts: sorted by expert, or in the slots of each expert.

    Args:
        x (Tensor): the tokens, shape :math:`(T, H)`.
        expert_idx (Tensor): the k experts of each token, integers, shape :math:`(T, K)`.
        active_num (int): without places, how many rows to keep; 0 keeps all.
        expert_capacity (int): with places, how many each expert has, from 1 to T.
        expert_num (int): the number E of experts.
        drop_pad_mode (int): 1 for places: what does not fit is left out, what stays free is zero.
        expert_tokens_count_or_cumsum_flag (int): without places, 1 asks for the running sum of
            tokens over experts, 2 for the number of tokens of each expert, 0 for neither.
        expert_tokens_before_capacity_flag (bool): with places, whether to return the number of
            tokens of each expert before any is left out.

    Returns: tuple of the rows, shape :math:`(T K, H)` or :math:`(E, C, H)`, the place of each pair
        of token and expert, int32 of shape :math:`(T K,)`, -1 for those left out, and the numbers
        asked for, int32 of shape :math:`(E,)`.
    Raises TypeError: `expert_idx` are not integers, or a number is not an int.
    Raises ValueError: a number is out of range, or the shapes do not fit.
    Difference from PyTorch: none (no counterpart).
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.Tensor([[1.0], [2.0], [3.0]])
    >>> experts = ms.Tensor([[0, 1, 1], [2, 1, 1], [0, 0, 0]], ms.int32)
    >>> rows, where = ms.ops.moe_init_routing_v2(x, experts, 3, 2, 3, 1, 0, False)
    >>> print(rows.asnumpy()[:, :, 0])
    [[1. 3.]
     [1. 1.]
     [2. 0.]]
    >>> print(where)
    [ 0  2  3  4 -1 -1  1 -1 -1]
    """
    op_name = "moe_init_routing_v2"
    places = integer(op_name, "drop_pad_mode", drop_pad_mode, 0)
    flag = integer(
        op_name, "expert_tokens_count_or_cumsum_flag", expert_tokens_count_or_cumsum_flag, 0
    )
    for name, value, top in (
        ("drop_pad_mode", places, 1),
        ("expert_tokens_count_or_cumsum_flag", flag, 2),
    ):
        if value > top:
            raise ValueError(f"For '{op_name}', '{name}' must be 0 to {top}, but got {value}.")
    counted = places == 1 or flag > 0
    number = integer(op_name, "expert_num", expert_num, 1 if counted else 0)
    capacity = integer(op_name, "expert_capacity", expert_capacity, 1 if places else 0)
    keep = integer(op_name, "active_num", active_num, 0)
    boolean(op_name, "expert_tokens_before_capacity_flag", expert_tokens_before_capacity_flag)
    experts = _places(op_name, "expert_idx", expert_idx)
    if x.ndim != 2 or experts.ndim != 2 or experts.shape[0] != x.shape[0]:
        raise ValueError(
            f"For '{op_name}', 'x' and 'expert_idx' must be 2-D with the same number of rows, but "
            f"got shapes {tuple(x.shape)} and {tuple(expert_idx.shape)}."
        )
    if places and capacity > x.shape[0]:
        raise ValueError(
            f"For '{op_name}', 'expert_capacity' must be at most the number of rows {x.shape[0]}, "
            f"but got {capacity}."
        )
    flat = experts.reshape(-1)
    order = flat.argsort(stable=True)
    rank = order.argsort()  # the place of each pair among all in the experts' order
    tokens = order // experts.shape[1]
    numbers = (
        torch.zeros(number, dtype=torch.int64, device=x.device).scatter_add(
            0, flat, torch.ones_like(flat)
        )
        if counted
        else None
    )
    if not places:
        rows = x.index_select(0, tokens[:keep] if keep else tokens)
        if numbers is None:
            return rows, rank.int()
        return rows, rank.int(), (numbers.cumsum(0) if flag == 1 else numbers).int()
    assert numbers is not None
    first = numbers.cumsum(0) - numbers
    within = rank - first[flat]
    where = torch.where(within < capacity, flat * capacity + within, -1)
    # pairs that are left out write to one row more, which is cut off
    target = torch.where(where < 0, number * capacity, where)
    source = x.index_select(0, torch.arange(flat.numel(), device=x.device) // experts.shape[1])
    rows = x.new_zeros(number * capacity + 1, x.shape[1]).index_copy(0, target, source)
    rows = rows[:-1].unflatten(0, (number, capacity))
    if expert_tokens_before_capacity_flag:
        return rows, where.int(), numbers.int()
    return rows, where.int()


@op(
    samples=("torch.tensor([0, 0, 1, 2, 2]).int(), 3", "torch.tensor([1, 3]), 5"),
    errors=(
        ("f(3), 3", TypeError, "sorted_experts"),
        ("i(3), 0", ValueError, "num_expert"),
    ),
    primitive="MoeComputeExpertTokens",
)
def moe_compute_expert_tokens(sorted_experts: Tensor, num_expert: int) -> Tensor:
    """The end of each expert's rows among rows sorted by expert.

    Args:
        sorted_experts (Tensor): the expert of each row, ascending, int32 or int64, 1-D.
        num_expert (int): the number of experts.

    Returns: Tensor of shape ``(num_expert,)`` and the type of `sorted_experts`.
    Raises TypeError: `sorted_experts` are not integers, `num_expert` is not an int.
    Raises ValueError: `num_expert` is less than 1.
    Difference from PyTorch: ``torch.searchsorted(..., right=True)``.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> print(ms.ops.moe_compute_expert_tokens(ms.Tensor([0, 0, 1, 2, 2]), 3))
    [2 3 5]
    """
    op_name = "moe_compute_expert_tokens"
    rows = _places(op_name, "sorted_experts", sorted_experts).contiguous()
    number = integer(op_name, "num_expert", num_expert, 1)
    ends = torch.searchsorted(rows, torch.arange(number, device=rows.device), right=True)
    return ends.to(sorted_experts.dtype)


def moe_distribute_dispatch(*args: Any, **kwargs: Any) -> Any:
    """Not available: it sends tokens to experts on other Ascend devices.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.

    Raises:
        NotImplementedError: always; the message names what to use on one device.

    Difference from PyTorch: none (no counterpart).

    Source: MindSpore 2.10's interface.

    Examples:
        >>> import agar as ms
        >>> ms.ops.moe_distribute_dispatch()
        Traceback (most recent call last):
        NotImplementedError: ops.moe_distribute_dispatch is not available in agar: ...
    """
    raise missing_feature(
        "ops.moe_distribute_dispatch",
        "it exchanges tokens between eight or more Ascend devices",
        "on one device, ops.moe_token_permute(tokens, expert_ids)",
    )


def moe_distribute_combine(*args: Any, **kwargs: Any) -> Any:
    """Not available: it collects tokens from experts on other Ascend devices.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.

    Raises:
        NotImplementedError: always; the message names what to use on one device.

    Difference from PyTorch: none (no counterpart).

    Source: MindSpore 2.10's interface.

    Examples:
        >>> import agar as ms
        >>> ms.ops.moe_distribute_combine()
        Traceback (most recent call last):
        NotImplementedError: ops.moe_distribute_combine is not available in agar: ...
    """
    raise missing_feature(
        "ops.moe_distribute_combine",
        "it exchanges tokens between eight or more Ascend devices",
        "on one device, ops.moe_token_unpermute(tokens, sorted_indices, probs)",
    )
