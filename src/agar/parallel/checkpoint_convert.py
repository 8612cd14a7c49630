"""The transforms of checkpoints under their newer names."""

from __future__ import annotations

from agar.train._sharded import (
    rank_list_for_transform,
    transform_checkpoint_by_rank,
    transform_checkpoints,
)

__all__ = ["convert_checkpoint_by_rank", "convert_checkpoints", "rank_list_for_convert"]


def rank_list_for_convert(
    rank_id: int, src_strategy_file: str | None = None, dst_strategy_file: str | None = None
) -> list[int]:
    """Say which ranks' checkpoints are needed: :func:`rank_list_for_transform` by another name.

    Args:
        rank_id (int): the rank of the target.
        src_strategy_file (str): how the checkpoints are split. Default: ``None``.
        dst_strategy_file (str): how they are to be split. Default: ``None``.

    Returns:
        list of int, the ranks of the source, the last one first.

    Raises:
        TypeError: as :func:`rank_list_for_transform` raises it.
        ValueError: as :func:`rank_list_for_transform` raises it.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.parallel import rank_list_for_convert
        >>> rank_list_for_convert(0)
        [0]
    """
    return rank_list_for_transform(rank_id, src_strategy_file, dst_strategy_file)


def convert_checkpoint_by_rank(
    rank_id: int,
    checkpoint_files_map: dict[int, str],
    save_checkpoint_file_name: str,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
) -> None:
    """Make one rank's checkpoint: :func:`transform_checkpoint_by_rank` by another name.

    Args:
        rank_id (int): the rank of the target.
        checkpoint_files_map (dict): the files of the source by rank.
        save_checkpoint_file_name (str): the file to write, which ends with ``.ckpt``.
        src_strategy_file (str): how the checkpoints are split. Default: ``None``.
        dst_strategy_file (str): how they are to be split. Default: ``None``.

    Raises:
        TypeError: as :func:`transform_checkpoint_by_rank` raises it.
        ValueError: as :func:`transform_checkpoint_by_rank` raises it.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.
    """
    transform_checkpoint_by_rank(
        rank_id,
        checkpoint_files_map,
        save_checkpoint_file_name,
        src_strategy_file,
        dst_strategy_file,
    )


def convert_checkpoints(
    src_checkpoints_dir: str,
    dst_checkpoints_dir: str,
    ckpt_prefix: str,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
    process_num: int = 1,
    output_format: str = "ckpt",
) -> None:
    """Rewrite checkpoints for another layout: :func:`transform_checkpoints` by another name.

    Args:
        src_checkpoints_dir (str): the folder of the source.
        dst_checkpoints_dir (str): the folder for the target.
        ckpt_prefix (str): the beginning of the names of the new files.
        src_strategy_file (str): how the checkpoints are split. Default: ``None``.
        dst_strategy_file (str): how they are to be split. Default: ``None``.
        process_num (int): how many ranks are written at the same time. Default: 1.
        output_format (str): ``"ckpt"`` or ``"safetensors"``. Default: ``"ckpt"``.

    Raises:
        TypeError: as :func:`transform_checkpoints` raises it.
        ValueError: as :func:`transform_checkpoints` raises it.
        NotADirectoryError: a folder is a file.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.
    """
    transform_checkpoints(
        src_checkpoints_dir,
        dst_checkpoints_dir,
        ckpt_prefix,
        src_strategy_file,
        dst_strategy_file,
        process_num,
        output_format,
    )
