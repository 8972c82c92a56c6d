"""What single instructions and transfers take, for estimates of programs that nobody traces; of the same figures as predictions."""

from __future__ import annotations

import hashlib

from ..options import current_calibration
from ..target import PARTITIONS, find_target
from .calibration import Calibration
from .conditions import STRIDE_BYTES
from .hardware import DMA_ENGINES
from .profile import QUEUES
from .rates import Rates
from .table import Row, rows_of

__all__ = ["Costs", "current_costs"]

_LATENCIES = dict(zip(QUEUES, ("tensor_latency", "vector_latency", "scalar_latency", "gpsimd_latency"), strict=False))


class Costs:
    """
    The figures of a target as times, each at its likeliest value.

    Parameters
    ----------
    target : str
        The generation.
    calibration : Calibration, optional
        Measured figures, which replace those of the tables.

    Attributes
    ----------
    partitions : int
        Of SBUF and PSUM.
    apart_bytes : int
        From one element of a partition to the next, above which an engine has half the bandwidth.
    measured : str
        A digest of the measured figures; empty if there are none.

    Examples
    --------
    >>> costs = Costs("trn1")
    >>> round(costs.instruction("tensor_tensor", 1120)), round(costs.instruction("iota", 1250, "gpsimd"))
    (2000, 1000)
    """

    def __init__(self, target: str, calibration: Calibration | None = None) -> None:
        self.target, self.partitions, self.apart_bytes = find_target(target), PARTITIONS, STRIDE_BYTES
        figures = {} if calibration is None else calibration.figures
        self.measured = hashlib.sha256(repr(sorted(figures.items())).encode()).hexdigest()[:16] if figures else ""
        self._rates = Rates(self.target, figures)
        self._rows: dict[tuple[str, str, str], Row] = {}

    def cycles(self, opcode: str, elements: float, engine: str = "vector", when: str = "", *, apart: bool = False) -> float:
        """
        Count the cycles until an engine can begin the next instruction.

        Parameters
        ----------
        opcode : str
            The instruction.
        elements : float
            What it streams of a partition, as its row of the table counts them.
        engine : str, optional
            Which one runs it.
        when : str, optional
            The condition of its row of the cost table.
        apart : bool, optional
            Whether elements lie further apart than `apart_bytes`.

        Returns
        -------
        float
            Cycles of that engine.
        """
        key = opcode, engine, when
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = self._row(*key)
        stream, _, extra, _ = self._rates.row(row)
        if row.kind == "compute":
            extra += self._rates[f"{engine}_overhead"]
        return max(stream * elements * (self._rates["stride"] if apart else 1.0), row.least) + extra

    def _row(self, opcode: str, engine: str, when: str) -> Row:
        """Look a row of the cost table up; where the target has none for the condition, the one without."""
        for wanted in (when, ""):
            for row in rows_of(opcode):
                if row.engine in ("", engine) and self.target.name in row.targets and row.when == wanted:
                    return row
        raise KeyError(f"the cost table has no row for {opcode} on {engine} of {self.target.name}")

    def instruction(self, opcode: str, elements: float, engine: str = "vector", when: str = "", *, apart: bool = False) -> float:
        """
        Tell how long an instruction keeps its engine busy; the parameters are those of `cycles`.

        Returns
        -------
        float
            In ns.
        """
        return self.cycles(opcode, elements, engine, when, apart=apart) / self.clock(engine)

    def clock(self, engine: str) -> float:
        """Look up an engine's clock, in GHz."""
        return self._rates.clock[QUEUES.index(engine)]

    def waits(self, engine: str) -> float:
        """
        Tell how long another engine's instruction waits for a result, after the stream.

        Parameters
        ----------
        engine : str
            Which one makes it.

        Returns
        -------
        float
            In ns: the way through the pipeline and the semaphore.
        """
        return self._rates[_LATENCIES[engine]] / self.clock(engine) + self._rates["semaphore"]

    def moves(self, pieces: float, piece_bytes: float, hbm_bytes: float) -> float:
        """
        Tell how long transfers of 128 rows keep the DMA engines busy, all of which take part.

        Parameters
        ----------
        pieces : float
            Contiguous pieces, in all.
        piece_bytes : float
            Bytes of a piece.
        hbm_bytes : float
            Bytes that are read from HBM and written to it.

        Returns
        -------
        float
            In ns: that of the issue, of the engines or of HBM, whichever is longest.
        """
        each = self._rates["dma_descriptor"] + piece_bytes / self._rates["dma_rate"]
        issue = self._issue * pieces / self.partitions
        return max(issue, each * pieces / DMA_ENGINES, hbm_bytes / self._rates["hbm_rate"])

    @property
    def _issue(self) -> float:
        """What issuing a transfer of a row per partition takes."""
        if self.target.generation < 3:
            return self._rates["dma_trigger"]
        return self._rates["dge"] + self._rates["dge_descriptor"] * self.partitions

    @property
    def piece_bytes(self) -> float:
        """Bytes of a contiguous piece from which on moving them takes longer than its descriptor, and than its share of the issue."""
        descriptor, rows = self._rates["dma_descriptor"], self.partitions // DMA_ENGINES
        return max(descriptor, self._issue / rows - descriptor) * self._rates["dma_rate"]

    def describes(self, rows: float, transfers: float = 1) -> float:
        """
        Tell how long GpSimd makes descriptors of transfers whose rows indices choose.

        Parameters
        ----------
        rows : float
            In all.
        transfers : float, optional
            Instructions.

        Returns
        -------
        float
            In ns.
        """
        return transfers * self._rates["swdge"] + rows * self._rates["swdge_descriptor"]

    @property
    def transfer_waits(self) -> float:
        """Time from the start of a transfer to the use of its result, beyond that of moving, in ns."""
        return self._rates["dma_start"] + self._rates["dma_finish"]

    @property
    def turn(self) -> float:
        """What an iteration of a device loop costs beyond its body, in ns."""
        return self._rates["loop"] + (self.transfer_waits if self._rates["loop_drains"] else 0.0)


_KNOWN: dict[str, tuple[Calibration | None, Costs]] = {}


def current_costs(target: str) -> Costs:
    """
    Find the costs in force.

    Parameters
    ----------
    target : str
        The generation.

    Returns
    -------
    Costs
        With the figures of the calibration of the options in force, if that is one of the target; the same object as long as they are.
    """
    calibration = current_calibration()
    if calibration is not None and calibration.target != target:
        calibration = None
    found = _KNOWN.get(target)
    if found is None or found[0] is not calibration:
        found = _KNOWN[target] = calibration, Costs(target, calibration)
    return found[1]
