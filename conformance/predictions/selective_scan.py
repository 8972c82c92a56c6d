"""A kernel of ours for a published time whose kernel is not to be had: the selective scan of Mamba, with operands in PSUM."""

from __future__ import annotations

from ...backends import simulator
from ...backends.simulator import isa as nisa
from ...backends.simulator import language as nl
from ...backends.simulator.tensor.nkitensor import NkiTensor
from ...backends.simulator.tensor.storage import MemoryRegion

__all__ = ["scan_with_operands_in_psum"]


def _tile(rows: int, columns: int, buffer: MemoryRegion = nl.sbuf) -> NkiTensor:
    return nl.ndarray((rows, columns), nl.float32, buffer)


@simulator.jit
def scan_with_operands_in_psum(delta: NkiTensor, u: NkiTensor, A: NkiTensor, B: NkiTensor, C: NkiTensor) -> NkiTensor:
    """
    Compute what the tutorial's second version does, with its loops and its instructions of the Vector Engine.

    The products with ones that spread B and C over the partitions stay in PSUM, where the profile of the measured kernel has tiles at all
    times, and so does what is added to the sum: an instruction that reads one operand there and one in SBUF streams both at once.
    """
    _, channels, length = delta.shape
    output = nl.ndarray(delta.shape, nl.float32, nl.shared_hbm)
    ones = _tile(1, 128)
    nisa.memset(ones, 1.0)
    for start in range(0, channels, 128):
        rows = nl.ds(start, 128)
        total, steps, inputs = _tile(128, length), _tile(128, length), _tile(128, length)
        nisa.memset(total, 0.0)
        nisa.dma_copy(steps, delta[0, rows])
        nisa.dma_copy(inputs, u[0, rows])
        for state in range(A.shape[1]):
            here = nl.ds(state, 1)
            rate, b, c = _tile(128, 1), _tile(1, length), _tile(1, length)
            nisa.dma_copy(rate, A[rows, here])
            nisa.dma_copy(b, B[0, here])
            nisa.dma_copy(c, C[0, here])
            b_rows, c_rows, term = (_tile(128, length, nl.psum) for _ in range(3))
            nisa.nc_matmul(b_rows, ones, b)
            nisa.nc_matmul(c_rows, ones, c)
            decay, driven, states = _tile(128, length), _tile(128, length), _tile(128, length)
            nisa.activation(decay, nl.exp, steps, scale=rate)
            nisa.tensor_tensor(driven, steps, inputs, nl.multiply)
            nisa.tensor_tensor(driven, driven, b_rows, nl.multiply)
            nisa.tensor_tensor_scan(states, decay, driven, 0.0, nl.multiply, nl.add)
            nisa.tensor_tensor(term, states, c_rows, nl.multiply)
            nisa.tensor_tensor(total, total, term, nl.add)
        nisa.dma_copy(output[0, rows], total)
    return output
