"""Exchanges between processes with PyTorch's names and arguments."""

from agar.ops.communication import P2POp as P2POp
from agar.ops.communication import TCPStore as TCPStore
from agar.ops.communication import all_gather as all_gather
from agar.ops.communication import all_gather_into_tensor as all_gather_into_tensor
from agar.ops.communication import all_gather_into_tensor_uneven as all_gather_into_tensor_uneven
from agar.ops.communication import all_gather_object as all_gather_object
from agar.ops.communication import all_reduce as all_reduce
from agar.ops.communication import all_to_all as all_to_all
from agar.ops.communication import all_to_all_single as all_to_all_single
from agar.ops.communication import barrier as barrier
from agar.ops.communication import batch_isend_irecv as batch_isend_irecv
from agar.ops.communication import broadcast as broadcast
from agar.ops.communication import broadcast_object_list as broadcast_object_list
from agar.ops.communication import destroy_process_group as destroy_process_group
from agar.ops.communication import gather as gather
from agar.ops.communication import gather_object as gather_object
from agar.ops.communication import get_backend as get_backend
from agar.ops.communication import get_global_rank as get_global_rank
from agar.ops.communication import get_group_rank as get_group_rank
from agar.ops.communication import get_process_group_ranks as get_process_group_ranks
from agar.ops.communication import get_rank as get_rank
from agar.ops.communication import get_world_size as get_world_size
from agar.ops.communication import init_process_group as init_process_group
from agar.ops.communication import irecv as irecv
from agar.ops.communication import is_available as is_available
from agar.ops.communication import is_initialized as is_initialized
from agar.ops.communication import isend as isend
from agar.ops.communication import new_group as new_group
from agar.ops.communication import recv as recv
from agar.ops.communication import recv_object_list as recv_object_list
from agar.ops.communication import reduce as reduce
from agar.ops.communication import reduce_scatter as reduce_scatter
from agar.ops.communication import reduce_scatter_tensor as reduce_scatter_tensor
from agar.ops.communication import reduce_scatter_tensor_uneven as reduce_scatter_tensor_uneven
from agar.ops.communication import scatter as scatter
from agar.ops.communication import scatter_object_list as scatter_object_list
from agar.ops.communication import send as send
from agar.ops.communication import send_object_list as send_object_list

__all__ = [
    "P2POp",
    "TCPStore",
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_gather_object",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_object",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "irecv",
    "is_available",
    "is_initialized",
    "isend",
    "new_group",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_uneven",
    "scatter",
    "scatter_object_list",
    "send",
    "send_object_list",
]
