"""Settings of recordings on Ascend chips, held."""

from __future__ import annotations

from typing import Any

from agar.profiler.constant import AicoreMetrics, ProfilerLevel

__all__ = ["_ExperimentalConfig"]


class _ExperimentalConfig:
    """Settings of a recording that belong to Ascend chips; they are held and have no effect.

    Args:
        profiler_level (ProfilerLevel): how much is recorded. Default: ``ProfilerLevel.Level0``.
        aic_metrics (AicoreMetrics): what is measured. Default: ``AicoreMetrics.AiCoreNone``.
        l2_cache (bool): whether misses of the L2 cache are recorded. Default: ``False``.
        mstx (bool): whether the marks of :mod:`agar.profiler.mstx` are. Default: ``False``.
        data_simplification (bool): whether raw data is removed at the end. Default: ``True``.
        export_type (list): the formats of the results. Default: ``None``.
        mstx_domain_include (list): the domains of marks to record. Default: ``None``, all.
        mstx_domain_exclude (list): the domains of marks to leave out. Default: ``None``.
        sys_io (bool): whether network traffic is recorded. Default: ``False``.
        sys_interconnection (bool): whether traffic between chips is. Default: ``False``.
        host_sys (list): what is recorded of the host, such as memory. Default: ``None``.

    Difference from PyTorch: ``torch._C._profiler._ExperimentalConfig``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.profiler._ExperimentalConfig(mstx=True).mstx
        True
    """

    def __init__(
        self,
        profiler_level: ProfilerLevel = ProfilerLevel.Level0,
        aic_metrics: AicoreMetrics = AicoreMetrics.AiCoreNone,
        l2_cache: bool = False,
        mstx: bool = False,
        data_simplification: bool = True,
        export_type: list[Any] | None = None,
        mstx_domain_include: list[str] | None = None,
        mstx_domain_exclude: list[str] | None = None,
        sys_io: bool = False,
        sys_interconnection: bool = False,
        host_sys: list[Any] | None = None,
    ) -> None:
        self.profiler_level, self.aic_metrics = profiler_level, aic_metrics
        self.l2_cache, self.mstx = l2_cache, mstx
        self.data_simplification, self.export_type = data_simplification, export_type
        self.mstx_domain_include = mstx_domain_include
        self.mstx_domain_exclude = mstx_domain_exclude
        self.sys_io, self.sys_interconnection, self.host_sys = sys_io, sys_interconnection, host_sys
