"""Recordings of what a program computes and how long it takes."""

# isort: off
from agar.profiler.constant import AicoreMetrics as AicoreMetrics
from agar.profiler.constant import ExportType as ExportType
from agar.profiler.constant import HostSystem as HostSystem
from agar.profiler.constant import ProfilerActivity as ProfilerActivity
from agar.profiler.constant import ProfilerLevel as ProfilerLevel
from agar.profiler.dynamic_profiler import DynamicProfilerMonitor as DynamicProfilerMonitor
from agar.profiler.envprofiler import EnvProfiler as EnvProfiler
from agar.profiler.experimental_config import _ExperimentalConfig as _ExperimentalConfig
from agar.profiler.profiler import Profile as profile
from agar.profiler.profiler import Profiler as Profiler
from agar.profiler.profiler import tensorboard_trace_handler as tensorboard_trace_handler

# these two are also names of modules, so they are bound after the modules were imported
from agar.profiler.mstx import Mstx as mstx
from agar.profiler.schedule import Schedule as schedule
# isort: on

__all__ = [
    "AicoreMetrics",
    "DynamicProfilerMonitor",
    "EnvProfiler",
    "ExportType",
    "HostSystem",
    "Profiler",
    "ProfilerActivity",
    "ProfilerLevel",
    "mstx",
    "profile",
    "schedule",
    "tensorboard_trace_handler",
]
