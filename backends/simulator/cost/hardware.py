"""Figures of the machine that belong to no single instruction: DMA, HBM, semaphores, pipelines, sequencers."""

from __future__ import annotations

from typing import Final

from .figure import Figure, exact, guess

__all__ = ["DMA_ENGINES", "HARDWARE"]

DMA_ENGINES: Final = 16  # serving a core, on every generation

_ARCH2 = "trainium_inferentia2 architecture guide"
_ARCH3 = "trainium2 architecture guide"
_ARCH4 = "trainium3 architecture guide"
_DMA = "NKI DMA bandwidth guide"
_OVERVIEW = "NKI DMA overview"
_DGE = "NKI DGE reference"
_PERF = "NKI performance guide"
_FIELD = "field rules of the spectral-DNS sample"
_NONE = "not documented"

Row = dict[str, Figure]


def _all(figure: Figure) -> Row:
    return {"trn1": figure, "trn2": figure, "trn3": figure}


def _later(first: Figure) -> Row:
    """Take later generations to be like NeuronCore-v2, the only one with a figure."""
    later = guess(first.value, 0.5 * first.value, first.value, first.unit, f"as on NeuronCore-v2: {first.source}", "derived")
    return {"trn1": first, "trn2": later, "trn3": later}


HARDWARE: Final[dict[str, Row]] = {
    # DMA
    "dma_rate": {
        "trn1": exact(17, "B/ns", f"{_DMA}: per engine"),
        "trn2": exact(23, "B/ns", f"{_DMA}: per engine"),
        "trn3": exact(33, "B/ns", f"{_DMA}: per engine"),
    },
    "dma_descriptor": {
        "trn1": guess(106, 80, 144, "ns", f"least time of one contiguous piece; as on trn2, or in proportion to the rate: {_OVERVIEW}"),
        "trn2": guess(106, 100, 110, "ns", f"least time of one contiguous piece, read off the throughput plot: {_OVERVIEW}", "derived"),
        "trn3": guess(90, 74, 106, "ns", f"least time of one contiguous piece; as on trn2, or in proportion to the rate: {_OVERVIEW}"),
    },
    "dma_rows_apart": _all(
        guess(
            1,
            0,
            1,
            "x",
            f"whether rows that follow each other in HBM take the least time each, as the plot over bytes per partition and {_DMA} say, "
            f"or once per engine, as one read of 2 KiB in the second profile of {_OVERVIEW} may mean",
        )
    ),
    "dma_start": _all(guess(1300, 1300, 1300, "ns", f"{_DMA}: semaphore to start, across engines", "published")),
    "dma_finish": _all(guess(400, 0, 700, "ns", "last byte to semaphore seen; a dependent DMA is said to cost about 1.3 to 2 us")),
    "dma_trigger": _all(guess(50, 20, 100, "ns", f"{_NONE}: sequencer time to start a transfer whose descriptors exist")),
    "hwdge": {
        "trn1": exact(600, "ns", "not on NeuronCore-v2"),
        "trn2": exact(600, "ns", f"{_DGE}: per instruction of one of two descriptor generators"),
        "trn3": guess(600, 300, 600, "ns", f"as on NeuronCore-v3: {_DGE}", "derived"),
    },
    "swdge": _all(
        guess(
            220,
            100,
            1000,
            "ns",
            "GpSimd time to make a transfer's descriptors, whatever their number: what is left, less 5 ns for each of 128, of the 860 ns "
            "that a transfer of 128 short rows has in the throughput plot, on a page whose profile shows GpSimd start its transfers: "
            f"{_OVERVIEW}",
            "derived",
        )
    ),
    "swdge_descriptor": _all(guess(5, 1, 20, "ns", f"{_NONE}: GpSimd time per descriptor")),
    "dma_compute": {
        "trn1": exact(2, "x", f"{_ARCH4}: DMA arithmetic at half rate before NeuronCore-v4", "derived"),
        "trn2": exact(2, "x", f"{_ARCH4}: DMA arithmetic at half rate before NeuronCore-v4", "derived"),
        "trn3": exact(1, "x", f"{_ARCH4}: near-memory accumulation", "derived"),
    },
    "dma_transpose_hbm": {
        "trn1": guess(10, 2, 20, "x", f"{_PERF}: 'much lower DMA bandwidth'"),
        "trn2": guess(1 / 0.9, 1 / 0.9, 1.5, "x", f"{_ARCH3}: up to 90 % of a copy", "published"),
        "trn3": guess(1 / 0.9, 1, 1.5, "x", f"as on NeuronCore-v3: {_ARCH3}", "derived"),
    },
    "dma_transpose_sbuf": {
        "trn1": guess(10, 2, 20, "x", f"{_PERF}: 'much lower DMA bandwidth'"),
        "trn2": guess(2, 2, 3, "x", f"{_ARCH3}: up to 50 % of a copy", "published"),
        "trn3": guess(2, 1, 3, "x", f"as on NeuronCore-v3: {_ARCH3}", "derived"),
    },
    "dma_transpose_ragged": _all(guess(4, 1, 8, "x", f"{_ARCH3}: sizes that are no multiples of (128, 16) cost throughput, not how much")),
    "hbm_rate": {
        "trn1": exact(410, "B/ns", f"820 GB/s for 2 cores: {_ARCH2}", "derived"),
        "trn2": guess(375, 362.5, 375, "B/ns", f"2.9 to 3 TB/s for 8 cores: {_ARCH3}", "derived"),
        "trn3": guess(587.5, 587.5, 612.5, "B/ns", f"4.7 to 4.9 TB/s for 8 cores: {_ARCH4}", "derived"),
    },
    # Between engines
    "semaphore": _all(guess(50, 20, 190, "ns", f"{_NONE}: end on one compute engine to start on another")),
    "core_barrier": _all(guess(1000, 300, 3000, "ns", f"{_NONE}: two cores through HBM semaphores")),
    "collective": _all(guess(15000, 5000, 40000, "ns", f"{_NONE}: latency of a collective among chips")),
    "collective_rate": _all(guess(50, 20, 160, "B/ns", f"a core's share of its chip's links at most: {_ARCH3}")),
    # Pipelines: what a dependent instruction waits for beyond the stream
    "tensor_latency": _all(guess(192, 64, 320, "cycles", f"64 cycles to start ({_ARCH2}) and the way through 128 rows")),
    "vector_latency": _later(exact(100, "cycles", f"{_ARCH2}: overhead of dependent instructions")),
    "scalar_latency": _later(exact(263, "cycles", f"{_PERF}: 264 cycles between dependent activations of one element")),
    "gpsimd_latency": _all(guess(150, 60, 300, "cycles", "the fixed part of iota and affine_select (NKI 2.26)")),
    # Tensor Engine
    "weights": _all(guess(0.25, 0.25, 1, "cycles/element", f"{_ARCH2}: LoadStationary up to 4x faster than MultiplyMoving", "published")),
    "weights_float32": _all(guess(4, 1, 4, "x", "LoadStationary of float32, as MultiplyMoving")),
    "tile_issue": _all(exact(64, "cycles", f"{_ARCH2}: MM_INIT_LATENCY, taken between matmuls on different tiles of the array", "derived")),
    # Memory
    "stride": _all(exact(2, "x", f"{_ARCH2}: innermost stride above 16 bytes halves the bandwidth")),
    # AWS's compiler, in time
    "in_order": _all(
        guess(
            0,
            0,
            1,
            "x",
            "whether queues keep the order of the program: 'the compiler may reorder operations that have no data dependencies', and "
            "no_reorder and with_schedule restrict it (NKI language guide, guide to the scheduling APIs)",
            "published",
        )
    ),
    "dead_fills": _all(
        guess(
            1,
            0,
            1,
            "x",
            "whether a fill runs whose bytes are overwritten before they are read: 'if you write a nki.isa function, then the hardware "
            "will execute that operation at that point' (NKI language guide)",
            "published",
        )
    ),
    # Sequencers
    "register": _all(guess(30, 10, 100, "ns", f"{_NONE}: a register operation")),
    "register_sbuf": _all(guess(200, 60, 600, "ns", f"{_NONE}: a register from or to SBUF")),
    "register_hbm": _all(guess(2000, 1300, 3000, "ns", f"{_NONE}: a register from or to HBM, as a DMA")),
    "register_address": _all(guess(16, 0, 64, "cycles", f"{_NONE}: an instruction whose address has a register in it")),
    "dynamic_address": _all(
        guess(600, 600, 600, "cycles", "NKI 2.26: least time of a tensor_copy whose address comes from SBUF", "published")
    ),
    "loop": _all(guess(100, 30, 300, "ns", f"{_NONE}: an iteration's branch on every sequencer")),
    "loop_drains": _all(guess(1, 0, 1, "x", f"{_FIELD}: each iteration of a device loop waits for its DMA")),
    # Launches
    "launch": _all(
        guess(1e6, 1.5e4, 2e6, "ns", "0.67 ms (trnsci) to 1.9 ms for small kernels from Python on trn1; the runtime alone is not published")
    ),
    "kernel_start": _all(guess(11e3, 9e3, 13e3, "ns", "start and end of a kernel: published times of small additions", "derived")),
    # AWS's compiler
    "compile_start": _all(guess(5e9, 1e9, 60e9, "ns", f"{_NONE}: compiling the smallest program and loading it")),
    "compile_instruction": _all(
        guess(2e6, 2e5, 2e7, "ns", "aws-neuron-sdk issue 1374: hours for a kernel of about a million instructions, which is the slow end")
    ),
}
