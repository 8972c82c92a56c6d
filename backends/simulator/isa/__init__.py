"""
The instructions, by NKI's names: stands in for ``nki.isa``.

One module per family; in each, an instruction is an `Opcode` with its constraints and its executor, beside the public function.
"""

from .. import engines as constants
from ..engines import dge_mode, dma_engine, engine, matmul_perf_mode, nc_version, oob_mode, reduce_cmd
from ..errors import NkiValidationError
from ..program.instruction import NkiInstruction
from ..registers import NkiScalar, VirtualRegister
from .activation import activate2, activation, activation_reduce
from .cores import core_barrier, sendrecv
from .dma import dma_copy
from .dma_compute import dma_compute
from .dma_transpose import dma_transpose
from .elementwise import tensor_scalar, tensor_tensor
from .gather import local_gather, nc_n_gather, nc_stream_shuffle
from .indirection import INDIRECTION_RULES as INDIRECTION_RULES  # these constrain every instruction
from .move import memset, tensor_copy
from .mx import nc_matmul_mx, quantize_mx
from .partition import tensor_partition_reduce
from .pattern import iota
from .random import rand2, rand_get_state, rand_set_state, rng, set_rng_seed
from .reduction import exponential, tensor_reduce, tensor_scalar_reduce
from .scan import tensor_scalar_cumulative, tensor_tensor_scan
from .search import max8, nc_find_index8, nc_match_replace8, nonzero_with_count, sequence_bounds, topk
from .select import affine_select, range_select, select_reduce, tensor_copy_predicated
from .sequencer import register_alloc, register_load, register_move, register_store, scalar_load, scalar_store
from .statistics import bn_aggr, bn_stats, dropout
from .target_queries import get_nc_sub_version, get_nc_version
from .tensor_engine import nc_matmul, nc_transpose
from .two_operators import reciprocal, scalar_tensor_tensor

tensor_engine, vector_engine, scalar_engine = engine.tensor, engine.vector, engine.scalar
gpsimd_engine, unknown_engine = engine.gpsimd, engine.unknown

__all__ = [
    "NkiInstruction",
    "NkiScalar",
    "NkiValidationError",
    "VirtualRegister",
    "activate2",
    "activation",
    "activation_reduce",
    "affine_select",
    "bn_aggr",
    "bn_stats",
    "constants",
    "core_barrier",
    "dge_mode",
    "dma_compute",
    "dma_copy",
    "dma_engine",
    "dma_transpose",
    "dropout",
    "engine",
    "exponential",
    "get_nc_sub_version",
    "get_nc_version",
    "gpsimd_engine",
    "iota",
    "local_gather",
    "matmul_perf_mode",
    "max8",
    "memset",
    "nc_find_index8",
    "nc_match_replace8",
    "nc_matmul",
    "nc_matmul_mx",
    "nc_n_gather",
    "nc_stream_shuffle",
    "nc_transpose",
    "nc_version",
    "nonzero_with_count",
    "oob_mode",
    "quantize_mx",
    "rand2",
    "rand_get_state",
    "rand_set_state",
    "range_select",
    "reciprocal",
    "reduce_cmd",
    "register_alloc",
    "register_load",
    "register_move",
    "register_store",
    "rng",
    "scalar_engine",
    "scalar_load",
    "scalar_store",
    "scalar_tensor_tensor",
    "select_reduce",
    "sendrecv",
    "sequence_bounds",
    "set_rng_seed",
    "tensor_copy",
    "tensor_copy_predicated",
    "tensor_engine",
    "tensor_partition_reduce",
    "tensor_reduce",
    "tensor_scalar",
    "tensor_scalar_cumulative",
    "tensor_scalar_reduce",
    "tensor_tensor",
    "tensor_tensor_scan",
    "topk",
    "unknown_engine",
    "vector_engine",
]
