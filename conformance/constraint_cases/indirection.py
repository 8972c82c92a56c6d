"""Cases: columns at run-time offsets."""

from collections.abc import Callable

from ...backends.simulator import isa, language
from ...backends.simulator.engines import engine
from ...backends.simulator.tensor.nkitensor import NkiTensor
from ...backends.simulator.tensor.storage import MemoryRegion
from .case import Call, Case, psum, sbuf

__all__ = ["CASES"]


def _by(offsets: int, count: int, dtype: str = "uint16", first: int = 0) -> Callable[[NkiTensor], NkiTensor]:
    """View a tile by `count` offsets from an index of that many columns, which begins at partition `first` of its tensor."""

    def view(tile: NkiTensor) -> NkiTensor:
        index = language.ndarray((tile.shape[0] + first, offsets), dtype)
        return tile.indirect(index[first : first + tile.shape[0]], num_elem=count)

    return view


_COPY = Call("tensor_copy", dst=sbuf(128, 8), src=sbuf(128, 64, view=_by(1, 8)))
_SCALAR = Call("tensor_scalar", dst=sbuf(128, 8), data=sbuf(128, 64, view=_by(1, 8)), op0=language.add, operand0=1)
_ACT = Call("activation", dst=sbuf(128, 64, view=_by(1, 8)), op=language.exp, data=sbuf(128, 8))
_MATMUL = Call(
    "nc_matmul", dst=psum(128, 16), stationary=sbuf(128, 128, dtype="bfloat16"), moving=sbuf(128, 64, dtype="bfloat16", view=_by(1, 16))
)


def _addressed(partition: int) -> Callable[[], None]:
    """Gather from partition 32 with offsets from another."""

    def body() -> None:
        tile = language.ndarray((32, 64), "float32", MemoryRegion.sbuf, address=(32, 0))
        index = language.ndarray((32, 1), "uint16", MemoryRegion.sbuf, address=(partition, 1024))
        isa.tensor_copy(dst=language.ndarray((32, 8), "float32"), src=tile.indirect(index, num_elem=8))

    return body


def _scattered(partition: int) -> Callable[[], None]:
    """Scatter what begins at partition 32 by offsets from another."""

    def body() -> None:
        tile = language.ndarray((32, 64), "float32")
        index = language.ndarray((32, 1), "uint16", MemoryRegion.sbuf, address=(partition, 1024))
        isa.tensor_copy(dst=tile.indirect(index, num_elem=8), src=language.ndarray((32, 8), "float32", MemoryRegion.sbuf, address=(32, 0)))

    return body


def _scaled(one_index: bool) -> Callable[[], None]:
    """Multiply microscaled matrices, of which one is gathered together with its scales."""

    def body() -> None:
        moving, scale = language.ndarray((128, 64), "float8_e4m3fn_x4"), language.ndarray((128, 64), "uint8")
        index, other = language.ndarray((128, 1), "uint16"), language.ndarray((128, 1), "uint16")
        isa.nc_matmul_mx(
            dst=language.ndarray((128, 16), "float32", MemoryRegion.psum),
            stationary=language.ndarray((128, 128), "float8_e4m3fn_x4"),
            moving=moving.indirect(index, num_elem=16),
            stationary_scale=language.ndarray((128, 128), "uint8"),
            moving_scale=scale.indirect(index if one_index else other, num_elem=16),
        )

    return body


CASES = (
    Case("*:indirect operands", _COPY, _COPY, target="trn2", holds_on="trn3"),
    Case("*:indirect operands", _COPY.but(engine=engine.gpsimd), _COPY.but(engine=engine.scalar), target="trn3"),
    Case(
        "*:indirect operands",
        Call("tensor_tensor", dst=sbuf(128, 8), data1=sbuf(128, 8), data2=sbuf(128, 64, view=_by(1, 8)), op=language.add),
        Call("tensor_tensor", dst=sbuf(128, 8), data1=sbuf(128, 64, view=_by(1, 8)), data2=sbuf(128, 8), op=language.add),
        target="trn3",
    ),
    Case(
        "*:indirect operands",
        Call("reciprocal", dst=sbuf(128, 8), data=sbuf(128, 64, view=_by(1, 8))),
        Call("exponential", dst=sbuf(128, 8), src=sbuf(128, 64, view=_by(1, 8))),
        target="trn3",
    ),
    Case(
        "*:indirect operands",
        _SCALAR.but(data=sbuf(128, 64, dtype="int32", view=_by(1, 8))),
        _SCALAR.but(data=sbuf(128, 64, dtype="int16", view=_by(1, 8))),
        target="trn3",
    ),
    Case("*:indirect operands", _ACT.but(dst=psum(128, 64, view=_by(1, 8))), _ACT, target="trn3"),
    Case(
        "*:indirect offsets",
        _COPY.but(dst=sbuf(128, 17), src=sbuf(128, 64, view=_by(1, 17))),
        _COPY.but(dst=sbuf(128, 16), src=sbuf(128, 64, view=_by(1, 16))),
        target="trn3",
    ),
    Case(
        "*:indirect offsets",
        _MATMUL.but(dst=psum(128, 33), moving=sbuf(128, 64, dtype="bfloat16", view=_by(1, 33))),
        _MATMUL.but(dst=psum(128, 32), moving=sbuf(128, 64, dtype="bfloat16", view=_by(1, 32))),
        target="trn3",
    ),
    Case(
        "*:indirect offsets",
        _COPY.but(dst=sbuf(24, 9), src=sbuf(24, 64, view=_by(1, 9))),
        _COPY.but(dst=sbuf(24, 8), src=sbuf(24, 64, view=_by(1, 8))),
        target="trn3",
    ),
    Case(
        "*:indirect offsets",
        _COPY.but(src=sbuf(128, 64, view=_by(1, 8, dtype="float32"))),
        _COPY.but(src=sbuf(128, 64, view=_by(1, 8, dtype="uint32"))),
        target="trn3",
    ),
    Case(
        "*:indirect start",
        _COPY.but(dst=sbuf(32, 8), src=sbuf(32, 64, view=_by(1, 8, first=16))),
        _COPY.but(dst=sbuf(32, 8), src=sbuf(32, 64, view=_by(1, 8, first=32))),
        target="trn3",
    ),
    Case("*:indirect partitions", _addressed(64), _addressed(32), target="trn3"),
    Case("*:indirect partitions", _scattered(64), _scattered(32), target="trn3"),
    Case(
        "*:indirect matmul",
        _MATMUL.but(stationary=sbuf(128, 128), moving=sbuf(128, 64, view=_by(1, 16))),
        _MATMUL,
        target="trn3",
    ),
    Case(
        "*:indirect matmul",
        _MATMUL.but(
            dst=psum(64, 16),
            stationary=sbuf(64, 64, dtype="bfloat16"),
            moving=sbuf(64, 64, dtype="bfloat16", view=_by(1, 16)),
            tile_size=(64, 64),
            tile_position=(0, 64),
        ),
        _MATMUL.but(
            dst=psum(64, 16),
            stationary=sbuf(64, 64, dtype="bfloat16"),
            moving=sbuf(64, 64, dtype="bfloat16", view=_by(1, 16)),
            tile_size=(64, 64),
            tile_position=(0, 0),
        ),
        target="trn3",
    ),
    Case(
        "*:indirect matmul",
        _MATMUL.but(dst=psum(128, 16, dtype="bfloat16"), is_transpose=True),
        _MATMUL.but(
            dst=psum(16, 64, dtype="bfloat16"),
            stationary=sbuf(128, 64, dtype="bfloat16", view=_by(1, 16)),
            moving=sbuf(128, 64, dtype="bfloat16"),
            is_transpose=True,
        ),
        target="trn3",
    ),
    Case("*:indirect matmul", _scaled(False), _scaled(True), target="trn3"),
)
