"""Constraints of registers and scalars."""

from collections.abc import Callable
from typing import Final

from ...backends.simulator import isa
from ...backends.simulator import language as nl
from .case import Case


def _load(*shape: int, buffer: nl.MemoryRegion = nl.sbuf) -> Callable[[], None]:
    def body() -> None:
        isa.register_load(isa.register_alloc(), nl.ndarray(shape, nl.int32, buffer))

    return body


def _store(*shape: int, buffer: nl.MemoryRegion = nl.sbuf) -> Callable[[], None]:
    def body() -> None:
        isa.register_store(nl.ndarray(shape, nl.int32, buffer), isa.register_alloc(1))

    return body


def _scalar(dtype: str, *shape: int, buffer: nl.MemoryRegion = nl.sbuf, to: str | None = None) -> Callable[[], None]:
    def body() -> None:
        scalar = isa.scalar_load(nl.ndarray(shape, dtype, buffer))
        if to is not None:
            isa.scalar_store(nl.ndarray((1, 1), to), scalar)

    return body


def _put(buffer: nl.MemoryRegion, *shape: int) -> Callable[[], None]:
    def body() -> None:
        isa.scalar_store(nl.ndarray(shape, nl.int32, buffer), isa.scalar_load(nl.ndarray((1, 1), nl.int32)))

    return body


CASES: Final = (
    Case("register_load:one element", _load(1, 2), _load(1)),
    Case("register_load:src in sbuf or private_hbm or shared_hbm", _load(1, 1, buffer=nl.psum), _load(1, buffer=nl.hbm)),
    Case("register_store:one element", _store(1, 2), _store(1)),
    Case("register_store:dst in sbuf or private_hbm or shared_hbm", _store(1, 1, buffer=nl.psum), _store(1, buffer=nl.hbm)),
    Case("scalar_load:one element", _scalar("int32", 2, 1), _scalar("int32", 1, 1)),
    Case(
        "scalar_load:src in sbuf or private_hbm or shared_hbm", _scalar("int32", 1, 1, buffer=nl.psum), _scalar("int32", 1, buffer=nl.hbm)
    ),
    Case("scalar_load:src dtype", _scalar("uint32", 1, 1), _scalar("int64", 1, 1)),
    Case("scalar_store:dtype", _scalar("int64", 1, 1, to="int32"), _scalar("int64", 1, 1, to="int64")),
    Case("scalar_store:one element", _put(nl.sbuf, 1, 2), _put(nl.sbuf, 1, 1)),
    Case("scalar_store:dst in sbuf or private_hbm or shared_hbm", _put(nl.psum, 1, 1), _put(nl.hbm, 1)),
)
