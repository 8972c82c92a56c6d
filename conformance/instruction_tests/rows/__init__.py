"""The table of instructions: one module of rows per family."""

from typing import Final

from ..row import Row
from . import activation, dma, elementwise, gather, random, reduction, search, select, sequencer, several, tensor_engine

__all__ = ["ROWS"]

ROWS: Final[tuple[Row, ...]] = (
    *elementwise.ROWS,
    *activation.ROWS,
    *reduction.ROWS,
    *select.ROWS,
    *search.ROWS,
    *gather.ROWS,
    *tensor_engine.ROWS,
    *dma.ROWS,
    *random.ROWS,
    *sequencer.ROWS,
    *several.ROWS,
)
