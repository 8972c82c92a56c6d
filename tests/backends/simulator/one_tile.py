"""A kernel of one tile of 4 by 4 numbers."""

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl


def run(body, *arrays):
    def kernel(*arrays):
        out = nl.ndarray((4, 4), nl.float32, buffer=nl.shared_hbm)
        tile = nl.ndarray((4, 4), nl.float32, name="tile")
        body(tile, *arrays)
        nisa.dma_copy(out, tile)
        return out

    return simulator.jit(kernel)(*arrays)
