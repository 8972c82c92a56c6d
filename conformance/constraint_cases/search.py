"""Constraints of searches."""

from typing import Final

from .case import Call, Case, psum, sbuf

_MAX8 = Call("max8", dst=sbuf(128, 8), src=sbuf(128, 64))
_FIND = Call("nc_find_index8", dst=sbuf(128, 8, dtype="uint32"), data=sbuf(128, 64), vals=sbuf(128, 8))
_REPLACE = Call("nc_match_replace8", dst=sbuf(128, 64), data=sbuf(128, 64), vals=sbuf(128, 8), imm=0.0)
_NONZERO = Call("nonzero_with_count", dst=sbuf(128, 65, dtype="int32"), src=sbuf(128, 64))
_BF16 = "bfloat16"
_TOPK = Call("topk", val_dst=sbuf(32, 8, dtype=_BF16), idx_dst=sbuf(32, 8, dtype="uint32"), src=sbuf(32, 3, dtype=_BF16), n=48)
_BOUNDS = Call("sequence_bounds", dst=sbuf(1, 2, 64), segment_ids=sbuf(1, 64))


def _results(partitions: int, count: int) -> Call:
    return _TOPK.but(val_dst=sbuf(partitions, count, dtype=_BF16), idx_dst=sbuf(partitions, count, dtype="uint32"))


CASES: Final = (
    Case("max8:searched elements", _MAX8.but(src=sbuf(128, 7)), _MAX8.but(src=sbuf(128, 8))),
    Case("max8:searched elements", _MAX8.but(src=sbuf(8, 16385), dst=sbuf(8, 8)), _MAX8.but(src=sbuf(8, 16384), dst=sbuf(8, 8))),
    Case("max8:src dims", _MAX8.but(src=sbuf(128, 2, 2, 4)), _MAX8.but(src=sbuf(128, 2, 8))),
    Case("max8:dst eight", _MAX8.but(dst=sbuf(128, 2, 4)), _MAX8.but(dst=psum(128, 8))),
    Case("nc_find_index8:searched elements", _FIND.but(data=sbuf(128, 7)), _FIND.but(data=sbuf(128, 8))),
    Case("nc_find_index8:data dims", _FIND.but(data=sbuf(128, 2, 2, 4)), _FIND.but(data=sbuf(128, 2, 8))),
    Case("nc_find_index8:dst vals eight", _FIND.but(vals=sbuf(128, 7)), _FIND.but(vals=sbuf(128, 2, 4))),
    Case("nc_find_index8:dst dtype", _FIND.but(dst=sbuf(128, 8, dtype="int32")), _FIND.but(dst=sbuf(128, 8, dtype="uint16"))),
    Case("nc_match_replace8:dst data same elements", _REPLACE.but(dst=sbuf(128, 63)), _REPLACE.but(dst=sbuf(128, 8, 8))),
    Case("nc_match_replace8:vals dst_idx eight", _REPLACE.but(vals=sbuf(64, 8)), _REPLACE.but(vals=psum(128, 8))),
    Case("nc_match_replace8:dst_idx dtype", _REPLACE.but(dst_idx=sbuf(128, 8)), _REPLACE.but(dst_idx=sbuf(128, 8, dtype="uint16"))),
    Case("*:available", _NONZERO, _NONZERO, "trn1", "trn2"),
    Case("nonzero_with_count:src dtype", _NONZERO.but(src=sbuf(128, 64, dtype=_BF16)), _NONZERO.but(src=sbuf(128, 64, dtype="int32"))),
    Case("nonzero_with_count:dst dtype", _NONZERO.but(dst=sbuf(128, 65, dtype="uint32")), _NONZERO),
    Case("nonzero_with_count:elements", _NONZERO.but(dst=sbuf(128, 64, dtype="int32")), _NONZERO),
    Case("nonzero_with_count:int32", _NONZERO.but(padding_val=2**31), _NONZERO.but(padding_val=2**31 - 1)),
    Case("topk:val_dst src dtype", _TOPK.but(src=sbuf(32, 3, dtype="float16")), _TOPK),
    Case("topk:idx_dst dtype", _TOPK.but(idx_dst=sbuf(32, 8, dtype="int32")), _TOPK),
    Case("topk:shapes", _results(24, 8).but(src=sbuf(24, 3, dtype=_BF16)), _results(16, 8).but(src=sbuf(16, 3, dtype=_BF16))),
    Case("topk:n", _results(32, 1).but(n=7), _results(32, 1).but(n=8)),
    Case("topk:k", _results(32, 9).but(n=8), _results(32, 8).but(n=8)),
    Case("topk:snake", _TOPK.but(n=49), _TOPK),
    Case(
        "sequence_bounds:dst segment_ids dtype",
        _BOUNDS.but(segment_ids=sbuf(1, 64, dtype="uint32")),
        _BOUNDS.but(segment_ids=sbuf(1, 64, dtype="int32")),
    ),
    Case("sequence_bounds:shapes", _BOUNDS.but(dst=sbuf(1, 64, 2)), _BOUNDS),
)
