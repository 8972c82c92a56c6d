"""Constraints of the two cores of a logical core."""

from typing import Any, Final

from ...backends.simulator.engines import dma_engine, engine
from ...backends.simulator.tensor.storage import MemoryRegion
from .case import Call, Case, Operand, hbm, psum, sbuf

_BARRIER = Call("core_barrier", data=Operand((4, 4), "float32", MemoryRegion.shared_hbm), cores=(0, 1))
_SEND = Call("sendrecv", src=sbuf(128, 256), dst=sbuf(128, 256), send_to_rank=1, recv_from_rank=1, pipe_id=0)
_FAST = _SEND.but(dma_engine=dma_engine.gpsimd_dma)
_LONG: Final = {"src": sbuf(128, 257), "dst": sbuf(128, 257)}


def _on_two(rule: str, breaks: Call, holds: Call, cores: tuple[int, int] = (2, 2)) -> Case:
    return Case(rule, breaks, holds, cores=cores)


def _send(rule: str, *, but: Call = _SEND, **changes: Any) -> Case:
    return _on_two(f"sendrecv:{rule}", but.but(**changes), but)


CASES: Final = (
    _on_two("core_barrier:data in shared_hbm", _BARRIER.but(data=hbm(4, 4)), _BARRIER),
    _on_two("core_barrier:cores", _BARRIER.but(cores=(0,)), _BARRIER),
    _on_two("core_barrier:waits on an engine", _BARRIER.but(engine=engine.dma), _BARRIER.but(engine=engine.sync)),
    _on_two("core_barrier:logical core of two", _BARRIER, _BARRIER, (1, 2)),
    _send("src dst in sbuf", src=psum(128, 256)),
    _send("src dst equal dtypes", src=sbuf(128, 256, dtype="int32")),
    _send("same shape", src=sbuf(128, 2, 128)),
    _send("send_to_rank", send_to_rank=2),
    _send("recv_from_rank", recv_from_rank=-1),
    _send("GpSimd's DMA", but=_FAST, **_LONG),
    _on_two("sendrecv:logical core of two", _SEND, _SEND, (1, 2)),
)
