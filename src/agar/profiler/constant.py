"""Choices of the profiler. Those about Ascend chips are accepted and have no effect."""

import enum

__all__ = ["AicoreMetrics", "ExportType", "HostSystem", "ProfilerActivity", "ProfilerLevel"]


class ProfilerLevel(enum.Enum):
    """How much of an Ascend chip is recorded."""

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class ProfilerActivity(enum.Enum):
    """What is recorded: NPU and GPU stand for the program's device."""

    NPU = "NPU"
    GPU = "GPU"
    CPU = "CPU"


class AicoreMetrics(enum.Enum):
    """What is measured in the cores of an Ascend chip."""

    PipeUtilization = 0
    ArithmeticUtilization = 1
    Memory = 2
    MemoryL0 = 3
    MemoryUB = 4
    ResourceConflictRatio = 5
    L2Cache = 6
    MemoryAccess = 7
    AiCoreNone = -1


class ExportType(enum.Enum):
    """How a recording is written; agar writes traces as JSON."""

    Db = "db"
    Text = "text"


class HostSystem(enum.Enum):
    """What is measured of the machine."""

    CPU = "cpu"
    MEM = "mem"
    DISK = "disk"
    NETWORK = "network"
    OSRT = "osrt"
