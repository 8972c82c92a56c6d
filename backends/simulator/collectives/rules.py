"""Constraints that collectives share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..isa.rules import operator_is, requires, since
from ..operators import Operator
from ..program.instruction import Instruction
from ..program.opcode import Broken, Rule
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion

__all__ = ["COALESCED", "DOCUMENT", "HBM_ONLY", "ONE_MEMORY", "ONE_TENSOR", "OP", "PAIRS", "PRIORITY", "dims", "extents"]

DOCUMENT: Final = "nki.collectives API reference"


def _tensors(i: Instruction) -> list[NkiTensor]:
    return [*i.writes, *i.reads]


def _memories(i: Instruction) -> set[str]:
    return {"hbm" if not view._storage.on_chip else view.buffer.value for view in _tensors(i)}


def extents(text: str, check: Callable[[NkiTensor, NkiTensor, Instruction], bool]) -> Rule:
    """Rule about the shapes of each source and its destination."""

    def holds(i: Instruction) -> Broken | None:
        return next(
            (Broken(f"{s.shape} to {d.shape}", text) for s, d in zip(i["srcs"], i["dsts"], strict=True) if not check(s, d, i)), None
        )

    return Rule("extents", text, DOCUMENT, holds)


def dims(on_chip: tuple[int, ...]) -> Rule:
    """Rule about collective_dim: 0 in HBM."""

    def holds(i: Instruction) -> Broken | None:
        allowed = on_chip if "sbuf" in _memories(i) else (0,)
        return None if i["collective_dim"] in allowed else Broken(i["collective_dim"], " or ".join(map(str, allowed)))

    return Rule("collective_dim", "data is split and concatenated along axis 0, or where allowed in SBUF 1", DOCUMENT, holds)


def _pairs(i: Instruction) -> Broken | None:
    srcs, dsts = i["srcs"], i["dsts"]
    found = ([s.dtype for s in srcs], [d.dtype for d in dsts])
    return Broken(f"{found[0]} to {found[1]}", "as many, with equal dtypes") if found[0] != found[1] or not srcs else None


def _only(op: Operator) -> bool:
    return op.name in ("add", "minimum", "maximum")


PAIRS: Final = Rule("pairs", "each source has a destination of its dtype", DOCUMENT, _pairs)
ONE_MEMORY: Final = requires(
    "one memory",
    "tensors are all in HBM or all in SBUF",
    lambda i: _memories(i) in ({"hbm"}, {"sbuf"}),
    "hbm or sbuf",
    lambda i: ", ".join(sorted(_memories(i))),
    DOCUMENT,
)
HBM_ONLY: Final = requires(
    "in hbm",
    "tensors are in HBM",
    lambda i: all(view.buffer in (MemoryRegion.private_hbm, MemoryRegion.shared_hbm) for view in (*i["srcs"], *i["dsts"])),
    "hbm",
    lambda i: ", ".join(sorted(_memories(i))),
    DOCUMENT,
)
COALESCED: Final = requires(
    "coalesced",
    "several tensors at once are for HBM; in SBUF it is one 2-D tensor",
    lambda i: _memories(i) == {"hbm"} or (len(i["srcs"]) == 1 and i["srcs"][0].ndim == 2),
    "one 2-D tensor in SBUF",
    lambda i: [view.shape for view in i["srcs"]],
    DOCUMENT,
)
ONE_TENSOR: Final = requires(
    "one tensor", "each list has one tensor", lambda i: len(i["srcs"]) == len(i["dsts"]) == 1, 1, lambda i: len(i["srcs"]), DOCUMENT
)
OP: Final = operator_is("op", "add, minimum or maximum", _only, DOCUMENT)
PRIORITY: Final = (
    since(4, "DMA priority", lambda i: i["priority"] is not None, DOCUMENT),
    requires("priority", "priorities are 0 to 3", lambda i: i["priority"] in (None, 0, 1, 2, 3), "0..3", lambda i: i["priority"], DOCUMENT),
)
