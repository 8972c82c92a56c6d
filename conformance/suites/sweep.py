"""Sweeps over every float32, in pieces that can be run one by one, on several days and machines.

Functions with a stated error are compared with the same function of float64. Square roots and quotients have to be NumPy's bit for bit;
every float32 is divided by one drawn for it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["PIECES", "SWEPT", "Result", "Sweep", "summary"]

Array = NDArray[Any]
PIECES: Final = 1024
"""Of which a sweep consists; each is 2**22 consecutive bit patterns."""
SWEPT: Final = ("exp", "log", "sin", "cos", "sqrt", "divide")
_SIZE: Final = 2**32 // PIECES
_BLOCK: Final = 2**14  # inputs whose distances are taken at once: what is in between stays in a cache


class Result(NamedTuple):
    """
    What pieces of a function's sweep have shown.

    Attributes
    ----------
    most : float
        The largest distance, in units in the last place.
    total : float
        The sum of all.
    worst : tuple of float
        Inputs of the largest.
    pieces : tuple of int
        Which are done.
    """

    most: float = 0.0
    total: float = 0.0
    worst: tuple[float, ...] = ()
    pieces: tuple[int, ...] = ()

    @property
    def inputs(self) -> int:
        """Count the inputs."""
        return _SIZE * len(self.pieces)

    def with_piece(self, piece: int, distances: Array, operands: tuple[Array, ...]) -> Result:
        """Add a piece."""
        place = int(np.argmax(distances))
        most = float(distances[place])
        worst = tuple(float(operand[place]) for operand in operands) if most > self.most or not self.worst else self.worst
        return Result(max(most, self.most), self.total + float(distances.sum()), worst, (*self.pieces, piece))


class Sweep:
    """
    Runs pieces, and keeps what they have shown.

    Parameters
    ----------
    compute : callable
        Takes a function's name and operands, and gives the device's results.
    distance : callable
        Takes a function's name, results and operands, and gives distances in units in the last place.
    kept : Path, optional
        A JSON file: pieces that it has are not run again, and it is written anew after each piece.
    """

    def __init__(
        self, compute: Callable[[str, tuple[Array, ...]], Array], distance: Callable[[str, Array, tuple[Array, ...]], Array],
        kept: Path | None = None,
    ) -> None:  # fmt: skip
        self._compute, self._distance, self._kept = compute, distance, kept
        self.results: dict[str, Result] = {}
        if kept is not None and kept.exists():
            for name, (most, total, worst, pieces) in json.loads(kept.read_text(encoding="utf-8")).items():
                self.results[name] = Result(most, total, tuple(worst), tuple(pieces))

    def run(self, name: str, pieces: range) -> Result:
        """Run the pieces of a function that are not done, and tell how far it is on the standard error."""
        result = self.results.get(name, Result())
        left = sorted(set(pieces) - set(result.pieces))
        start = time.monotonic()
        for number, piece in enumerate(left, 1):
            operands = _operands(name, piece)
            found = self._compute(name, operands)
            blocks = [slice(first, first + _BLOCK) for first in range(0, _SIZE, _BLOCK)]
            distances = [self._distance(name, found[block], tuple(operand[block] for operand in operands)) for block in blocks]
            result = self.results[name] = result.with_piece(piece, np.concatenate(distances), operands)
            if self._kept is not None:
                self._kept.write_text(json.dumps(self.results), encoding="utf-8")
            each = (time.monotonic() - start) / number
            rest = each * (len(left) - number)
            print(f"{name}: {number} of {len(left)} pieces, most {result.most:.3f}, {rest / 60:.0f} min left", file=sys.stderr)
        return result


def _operands(name: str, piece: int) -> tuple[Array, ...]:
    numbers = (np.arange(_SIZE, dtype=np.uint32) + np.uint32(piece * _SIZE)).view(np.float32)
    if name != "divide":
        return (numbers,)
    return numbers, np.random.default_rng(piece).integers(0, 2**32, _SIZE, dtype=np.uint32).view(np.float32)


def summary(result: Result) -> Mapping[str, Any]:
    """Summarize for a report."""
    return {
        "max ulp": round(result.most, 3),
        "mean ulp": round(result.total / max(1, result.inputs), 3),
        "worst input": result.worst,
        "inputs": result.inputs,
        "pieces": f"{len(result.pieces)} of {PIECES}",
    }
