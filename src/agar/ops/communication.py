"""Collectives that write into their tensors, at MindSpore's path ``agar.ops.communication``."""

from agar.ops.collective.exchanges import all_to_all as all_to_all
from agar.ops.collective.exchanges import all_to_all_single as all_to_all_single
from agar.ops.collective.exchanges import all_to_all_v_c as all_to_all_v_c
from agar.ops.collective.exchanges import gather as gather
from agar.ops.collective.exchanges import gather_into_tensor as gather_into_tensor
from agar.ops.collective.exchanges import scatter as scatter
from agar.ops.collective.exchanges import scatter_tensor as scatter_tensor
from agar.ops.collective.groups import barrier as barrier
from agar.ops.collective.groups import destroy_process_group as destroy_process_group
from agar.ops.collective.groups import get_backend as get_backend
from agar.ops.collective.groups import get_global_rank as get_global_rank
from agar.ops.collective.groups import get_group_rank as get_group_rank
from agar.ops.collective.groups import get_process_group_ranks as get_process_group_ranks
from agar.ops.collective.groups import get_rank as get_rank
from agar.ops.collective.groups import get_world_size as get_world_size
from agar.ops.collective.groups import init_process_group as init_process_group
from agar.ops.collective.groups import is_available as is_available
from agar.ops.collective.groups import is_initialized as is_initialized
from agar.ops.collective.groups import new_group as new_group
from agar.ops.collective.groups import set_comm_ops_inplace as set_comm_ops_inplace
from agar.ops.collective.handles import CommHandle as CommHandle
from agar.ops.collective.handles import ReduceOp as ReduceOp
from agar.ops.collective.messages import P2POp as P2POp
from agar.ops.collective.messages import batch_isend_irecv as batch_isend_irecv
from agar.ops.collective.messages import irecv as irecv
from agar.ops.collective.messages import isend as isend
from agar.ops.collective.messages import recv as recv
from agar.ops.collective.messages import send as send
from agar.ops.collective.objects import all_gather_object as all_gather_object
from agar.ops.collective.objects import broadcast_object_list as broadcast_object_list
from agar.ops.collective.objects import gather_object as gather_object
from agar.ops.collective.objects import recv_object_list as recv_object_list
from agar.ops.collective.objects import scatter_object_list as scatter_object_list
from agar.ops.collective.objects import send_object_list as send_object_list
from agar.ops.collective.reductions import all_gather as all_gather
from agar.ops.collective.reductions import all_gather_into_tensor as all_gather_into_tensor
from agar.ops.collective.reductions import (
    all_gather_into_tensor_uneven as all_gather_into_tensor_uneven,
)
from agar.ops.collective.reductions import all_reduce as all_reduce
from agar.ops.collective.reductions import broadcast as broadcast
from agar.ops.collective.reductions import reduce as reduce
from agar.ops.collective.reductions import reduce_scatter as reduce_scatter
from agar.ops.collective.reductions import reduce_scatter_tensor as reduce_scatter_tensor
from agar.ops.collective.reductions import (
    reduce_scatter_tensor_uneven as reduce_scatter_tensor_uneven,
)
from agar.ops.collective.store import TCPStore as TCPStore

__all__ = [
    "CommHandle",
    "P2POp",
    "ReduceOp",
    "TCPStore",
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_gather_object",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "all_to_all_v_c",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_into_tensor",
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
    "scatter_tensor",
    "send",
    "send_object_list",
    "set_comm_ops_inplace",
]
