"""Constraints of gathers, shuffles and reductions over partitions."""

from typing import Final

from ...backends.simulator import language as nl
from .case import Call, Case, psum, sbuf

_ROTATE = [*range(1, 32), 0]
_SHUFFLE = Call("nc_stream_shuffle", dst=sbuf(128, 64), src=sbuf(128, 64), shuffle_mask=_ROTATE)
_N = Call("nc_n_gather", dst=sbuf(128, 10), data=sbuf(128, 64), indices=sbuf(128, 10, dtype="uint32"))
_LOCAL = Call("local_gather", dst=sbuf(128, 64), src_buffer=sbuf(128, 512), index=sbuf(128, 4, dtype="uint16"))
_REDUCE = Call("tensor_partition_reduce", dst=sbuf(1, 64), op=nl.add, data=sbuf(128, 64))
_BITS = _REDUCE.but(op=nl.bitwise_or, dst=sbuf(1, 64, dtype="int32"), data=sbuf(128, 64, dtype="int32"))


def _many(indices: int) -> Call:
    return _LOCAL.but(dst=sbuf(16, indices), src_buffer=sbuf(16, 8), index=sbuf(16, indices // 16, dtype="uint16"))


CASES: Final = (
    Case("nc_stream_shuffle:dst src equal dtypes", _SHUFFLE.but(dst=sbuf(128, 64, dtype="bfloat16")), _SHUFFLE.but(dst=psum(128, 64))),
    Case("nc_stream_shuffle:elements", _SHUFFLE.but(dst=sbuf(128, 63)), _SHUFFLE.but(dst=sbuf(128, 8, 8))),
    Case("nc_stream_shuffle:mask", _SHUFFLE.but(shuffle_mask=[*_ROTATE[:31], 32]), _SHUFFLE.but(shuffle_mask=[*_ROTATE[:31], 255])),
    Case("nc_stream_shuffle:mask", _SHUFFLE.but(shuffle_mask=_ROTATE[:31]), _SHUFFLE.but(shuffle_mask=tuple(_ROTATE))),
    Case(
        "nc_stream_shuffle:sources",
        _SHUFFLE.but(src=sbuf(127, 64)),
        _SHUFFLE.but(src=sbuf(1, 64), dst=sbuf(32, 64), shuffle_mask=[0] * 32),
    ),
    Case("nc_n_gather:dst data equal dtypes", _N.but(dst=sbuf(128, 10, dtype="bfloat16")), _N),
    Case("nc_n_gather:indices dtype", _N.but(indices=sbuf(128, 10, dtype="int32")), _N),
    Case("nc_n_gather:dst indices same elements", _N.but(dst=sbuf(128, 9)), _N.but(dst=sbuf(128, 2, 5))),
    Case("nc_n_gather:partitions", _N.but(data=sbuf(64, 64)), _N),
    Case("local_gather:dst src_buffer equal dtypes", _LOCAL.but(dst=sbuf(128, 64, dtype="float16")), _LOCAL),
    Case("local_gather:index dtype", _LOCAL.but(index=sbuf(128, 4, dtype="uint32")), _LOCAL),
    Case(
        "local_gather:partitions",
        _LOCAL.but(dst=sbuf(24, 64), src_buffer=sbuf(24, 512), index=sbuf(24, 4, dtype="uint16")),
        _LOCAL.but(dst=sbuf(16, 64), src_buffer=sbuf(16, 512), index=sbuf(16, 4, dtype="uint16")),
    ),
    Case("local_gather:num_elem_per_idx", _LOCAL.but(num_elem_per_idx=3), _LOCAL.but(num_elem_per_idx=2, num_valid_indices=32)),
    Case(
        "local_gather:num_valid_indices",
        _LOCAL.but(dst=sbuf(128, 65), num_valid_indices=65),
        _LOCAL.but(dst=sbuf(128, 63), num_valid_indices=63),
    ),
    Case("local_gather:indices", _many(4112), _many(4096)),
    Case("local_gather:elements", _LOCAL.but(dst=sbuf(128, 4)), _LOCAL.but(dst=sbuf(128, 4, 16))),
    Case(
        "tensor_partition_reduce:op add, average, maximum, bitwise_or or bitwise_and",
        _REDUCE.but(op=nl.minimum),
        _REDUCE.but(op=nl.average),
    ),
    Case("tensor_partition_reduce:integers for bits", _REDUCE.but(op=nl.bitwise_or), _BITS),
    Case("tensor_partition_reduce:dst data equal dtypes", _BITS.but(dst=sbuf(1, 64, dtype="uint32")), _BITS.but(op=nl.bitwise_and)),
    Case("tensor_partition_reduce:dst shape", _REDUCE.but(dst=sbuf(128, 1)), _REDUCE.but(data=sbuf(3, 8, 8))),
)
