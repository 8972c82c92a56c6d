"""Constraints of collectives."""

from collections.abc import Callable
from typing import Any, Final

from ...backends.simulator import collectives
from ...backends.simulator import language as nl
from .case import Case, Operand, hbm, psum, sbuf

GROUP: Final = collectives.ReplicaGroup([[0, 1]])


def _make(value: Any) -> Any:
    return value.make() if isinstance(value, Operand) else [_make(item) for item in value] if isinstance(value, list) else value


def _call(name: str, **arguments: Any) -> Callable[..., Callable[[], None]]:
    """Make a function that changes arguments and returns a body."""

    def but(**changes: Any) -> Callable[[], None]:
        def body() -> None:
            getattr(collectives, name)(**{key: _make(value) for key, value in {**arguments, **changes}.items()})

        return body

    return but


_EXCHANGES: Final[dict[str, tuple[dict[str, Any], Operand, Operand]]] = {
    "all_reduce": ({"op": nl.add}, hbm(4, 8), hbm(4, 8)),
    "all_gather": ({"collective_dim": 0}, hbm(4, 8), hbm(8, 8)),
    "reduce_scatter": ({"collective_dim": 0, "op": nl.maximum}, hbm(4, 8), hbm(2, 8)),
    "all_to_all": ({"collective_dim": 0}, hbm(4, 8), hbm(4, 8)),
    "collective_permute": ({"source_target_pairs": [(0, 1), (1, 0)]}, hbm(4, 8), hbm(4, 8)),
}


def _exchange(name: str) -> Callable[..., Callable[[], None]]:
    arguments, src, dst = _EXCHANGES[name]
    group = {} if name == "collective_permute" else {"replica_group": GROUP}
    return _call(name, srcs=[src], dsts=[dst], **group, **arguments)


def _of_each(name: str) -> list[Case]:
    but, (arguments, src, dst) = _exchange(name), _EXCHANGES[name]
    priority = (
        Case(f"{name}:DMA priority since v4", but(priority=0), but(priority=0), "trn2", "trn3"),
        Case(f"{name}:priority", but(priority=4), but(priority=3), "trn3"),
    )
    cases = [*priority, Case(f"{name}:pairs", but(dsts=[hbm(*dst.shape, dtype="int32")]), but())]
    cases.append(Case(f"{name}:extents", but(dsts=[hbm(3, 8)]), but()))
    in_sbuf = {"srcs": [sbuf(*src.shape)], "dsts": [sbuf(*dst.shape)]}
    if name in ("all_to_all", "collective_permute"):
        cases.append(Case(f"{name}:in hbm", but(**in_sbuf), but()))
    else:
        several = {"srcs": [sbuf(*src.shape)] * 2, "dsts": [sbuf(*dst.shape)] * 2}
        in_hbm = {"srcs": [src] * 2, "dsts": [dst] * 2}
        cases += [
            Case(f"{name}:one memory", but(srcs=[sbuf(*src.shape)]), but(**in_sbuf)),
            Case(f"{name}:one memory", but(srcs=[psum(*src.shape)], dsts=[psum(*dst.shape)]), but(**in_sbuf)),
            Case(f"{name}:coalesced", but(**several), but(**in_hbm)),
        ]
    if "op" in arguments:
        cases.append(Case(f"{name}:op add, minimum or maximum", but(op=nl.multiply), but(op=nl.minimum)))
    if name == "all_gather":
        along_free = {"srcs": [sbuf(4, 8)], "dsts": [sbuf(4, 16)], "collective_dim": 1}
        cases.append(Case(f"{name}:collective_dim", but(dsts=[hbm(4, 16)], collective_dim=1), but(**along_free)))
    elif "collective_dim" in arguments:
        cases.append(Case(f"{name}:collective_dim", but(collective_dim=1), but()))
    return cases


_TENSOR: Final = hbm(4, 8)
_RING: Final = _call("collective_permute_implicit", srcs_by_channel=[[_TENSOR]], dsts_by_channel=[[_TENSOR]], replica_group=GROUP)
_RING_REDUCE: Final = _call(
    "collective_permute_implicit_reduce",
    srcs0_by_channel=[[_TENSOR]],
    srcs1_by_channel=[[_TENSOR]],
    dsts_by_channel=[[_TENSOR]],
    replica_group=GROUP,
    op=nl.add,
)
_CURRENT: Final = _call("collective_permute_implicit_current_processing_rank_id", iteration_id=0, replica_group=GROUP)


def _priorities(name: str, but: Callable[..., Callable[[], None]]) -> list[Case]:
    return [
        Case(f"{name}:DMA priority since v4", but(priority=0), but(priority=0), "trn2", "trn3"),
        Case(f"{name}:priority", but(priority=4), but(priority=3), "trn3"),
    ]


def _of_rings(name: str, but: Callable[..., Callable[[], None]], src: str) -> list[Case]:
    five = {key: [[_TENSOR]] * 5 for key in (src, "dsts_by_channel")}
    return [
        *_priorities(name, but),
        Case(f"{name}:channels", but(channel_ids=[1]), but(channel_ids=[0])),
        Case(f"{name}:channels", but(**{src: [[_TENSOR] * 2]}), but()),
        Case(f"{name}:channels", but(**five, channel_ids=[0, 1, 2, 3, 4]), but()),
        Case(f"{name}:pairs", but(dsts_by_channel=[[hbm(4, 8, dtype="int32")]]), but()),
        Case(f"{name}:one memory", but(dsts_by_channel=[[sbuf(4, 8)]]), but()),
        Case(f"{name}:extents", but(dsts_by_channel=[[hbm(8, 4)]]), but()),
    ]


def _of_variable(name: str) -> list[Case]:
    table = hbm(3, 2, dtype="uint32")
    but = _call(name, srcs=[_TENSOR], dsts=[hbm(2, 2)], replica_group=GROUP, metadata_tensor=table)
    with_places = {"metadata_tensor": hbm(4, 2, dtype="uint32"), "has_rdispls": True}
    return [
        *_priorities(name, but),
        Case(f"{name}:one tensor", but(srcs=[_TENSOR] * 2, dsts=[_TENSOR] * 2), but()),
        Case(f"{name}:pairs", but(dsts=[hbm(4, 8, dtype="int32")]), but()),
        Case(f"{name}:in hbm", but(dsts=[sbuf(4, 8)]), but()),
        Case(f"{name}:metadata_tensor dtype", but(metadata_tensor=hbm(3, 2, dtype="int32")), but()),
        Case(f"{name}:metadata shape", but(metadata_tensor=hbm(4, 2, dtype="uint32")), but(metadata_tensor=sbuf(1, 3, 2, dtype="uint32"))),
        Case(f"{name}:has_rdispls since v4", but(**with_places), but(**with_places), "trn2", "trn3"),
    ]


_PERMUTE: Final = _exchange("collective_permute")

CASES: Final = (
    *[case for name in _EXCHANGES for case in _of_each(name)],
    Case("collective_permute:one tensor", _PERMUTE(srcs=[hbm(4, 8)] * 2, dsts=[hbm(4, 8)] * 2), _PERMUTE()),
    Case("collective_permute:permutation", _PERMUTE(source_target_pairs=[(0, 1), (1, 1)]), _PERMUTE(source_target_pairs=[(0, 1), (1, 2)])),
    *_of_rings("collective_permute_implicit", _RING, "srcs_by_channel"),
    *_of_rings("collective_permute_implicit_reduce", _RING_REDUCE, "srcs0_by_channel"),
    Case("collective_permute_implicit_reduce:op add, minimum or maximum", _RING_REDUCE(op=nl.multiply), _RING_REDUCE(op=nl.maximum)),
    Case("collective_permute_implicit_reduce:operands", _RING_REDUCE(srcs1_by_channel=[[hbm(8, 4)]]), _RING_REDUCE()),
    Case("collective_permute_implicit_current_processing_rank_id:channel", _CURRENT(channel_id=4), _CURRENT(channel_id=3)),
    *_of_variable("all_gather_v"),
    *_of_variable("all_to_all_v"),
)
