"""Which processes work together, and what they exchange."""

from agar.communication import comm_func as comm_func
from agar.communication import management as management
from agar.communication.management import HCCL_WORLD_COMM_GROUP as HCCL_WORLD_COMM_GROUP
from agar.communication.management import MCCL_WORLD_COMM_GROUP as MCCL_WORLD_COMM_GROUP
from agar.communication.management import NCCL_WORLD_COMM_GROUP as NCCL_WORLD_COMM_GROUP
from agar.communication.management import GlobalComm as GlobalComm
from agar.communication.management import create_group as create_group
from agar.communication.management import destroy_group as destroy_group
from agar.communication.management import get_comm_name as get_comm_name
from agar.communication.management import (
    get_group_rank_from_world_rank as get_group_rank_from_world_rank,
)
from agar.communication.management import get_group_size as get_group_size
from agar.communication.management import get_local_rank as get_local_rank
from agar.communication.management import get_local_rank_size as get_local_rank_size
from agar.communication.management import get_process_group_ranks as get_process_group_ranks
from agar.communication.management import get_rank as get_rank
from agar.communication.management import (
    get_world_rank_from_group_rank as get_world_rank_from_group_rank,
)
from agar.communication.management import init as init
from agar.communication.management import release as release

__all__ = [
    "HCCL_WORLD_COMM_GROUP",
    "MCCL_WORLD_COMM_GROUP",
    "NCCL_WORLD_COMM_GROUP",
    "GlobalComm",
    "create_group",
    "destroy_group",
    "get_comm_name",
    "get_group_rank_from_world_rank",
    "get_group_size",
    "get_local_rank",
    "get_local_rank_size",
    "get_process_group_ranks",
    "get_rank",
    "get_world_rank_from_group_rank",
    "init",
    "release",
]
