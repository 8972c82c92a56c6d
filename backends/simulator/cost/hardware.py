"""Figures of the machine that belong to no single instruction: DMA, HBM, semaphores, pipelines, sequencers."""

from __future__ import annotations

from typing import Final

from .figure import Figure, exact, fitted, guess

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
_STUBS = "docstrings of NKI 2.26"

Row = dict[str, Figure]


def _all(figure: Figure) -> Row:
    return {"trn1": figure, "trn2": figure, "trn3": figure}


def _later(first: Figure) -> Row:
    """Take later generations to be like NeuronCore-v2, the only one with a figure."""
    later = guess(first.value, 0.5 * first.value, first.value, first.unit, f"as on NeuronCore-v2: {first.source}", "derived")
    return {"trn1": first, "trn2": later, "trn3": later}


HARDWARE: Final[dict[str, Row]] = {
    # DMA: a piece takes its descriptor's time and that of its bytes; DMAs are issued one after the other
    "dma_rate": {
        "trn1": fitted(19.6, 19.6, 27.2, "B/ns", f"{_DMA}: per engine, nominal, and so that 4 KiB reach 17", "vector add"),
        "trn2": fitted(27.2, 23, 27.2, "B/ns", f"{_DMA}: per engine, achievable and nominal", "tutorial product", "silu", "adamw"),
        "trn3": guess(38.4, 33, 38.4, "B/ns", f"{_DMA}: per engine, achievable and nominal; as on trn2, nominal", "derived"),
    },
    "dma_descriptor": {
        "trn1": fitted(39, 4, 45, "ns", f"of one contiguous piece, beyond its bytes: so that 4 KiB reach 17 B/ns, {_DMA}", "vector add"),
        "trn2": fitted(15, 4, 35, "ns", f"of one contiguous piece, beyond its bytes; {_OVERVIEW} reads as 106 in all", "tutorial product"),
        "trn3": guess(9, 4, 35, "ns", "of one contiguous piece, beyond its bytes; so that 2 KiB come to the achievable rate"),
    },
    "dma_start": _all(guess(1300, 1300, 1300, "ns", f"{_DMA}: semaphore to start, across engines", "published")),
    "dma_finish": _all(guess(400, 0, 700, "ns", "last byte to semaphore seen; a dependent DMA is said to cost about 1.3 to 2 us")),
    "dma_trigger": {
        "trn1": fitted(318, 50, 400, "ns", f"{_NONE}: issuing a transfer whose descriptors exist", "vector add"),
        "trn2": guess(60, 20, 200, "ns", f"{_NONE}: issuing a transfer whose descriptors exist"),
        "trn3": guess(60, 20, 200, "ns", f"{_NONE}: issuing a transfer whose descriptors exist"),
    },
    "dge": {
        "trn1": exact(480, "ns", "not on NeuronCore-v2, whose descriptors exist", "derived"),
        "trn2": fitted(480, 300, 700, "ns", f"issuing a transfer by default; {_DGE}: about 600 in all", "vector add", "tiled copy"),
        "trn3": guess(480, 300, 700, "ns", f"issuing a transfer by default, as on NeuronCore-v3; {_DGE}: about 600 per instruction"),
    },
    "dge_descriptor": _all(fitted(1.1, 0, 3, "ns", f"{_NONE}: the same, for each descriptor", "vector add", "tutorial product")),
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
        "trn2": fitted(408, 362.5, 435, "B/ns", f"2.9 TB/s for 8 cores: {_ARCH3}; for one, what its DMA moves", "silu", "adamw"),
        "trn3": guess(614, 587.5, 614, "B/ns", f"4.7 to 4.9 TB/s for 8 cores: {_ARCH4}; for one alone as on NeuronCore-v3", "derived"),
    },
    # Between engines
    "semaphore": _all(guess(50, 20, 190, "ns", f"{_NONE}: end on one compute engine to start on another")),
    "core_barrier": _all(guess(1000, 300, 3000, "ns", f"{_NONE}: two cores through HBM semaphores")),
    "collective": _all(guess(15000, 5000, 40000, "ns", f"{_NONE}: latency of a collective among chips")),
    "collective_rate": _all(guess(50, 20, 160, "B/ns", f"a core's share of its chip's links at most: {_ARCH3}")),
    # Pipelines: what a dependent instruction waits for beyond the stream
    "tensor_latency": _all(guess(192, 64, 320, "cycles", f"64 cycles to start ({_ARCH2}) and the way through 128 rows")),
    "vector_latency": {
        "trn1": fitted(95, 60, 100, "cycles", f"{_ARCH2}: about 100 where instructions depend", "depthwise convolution"),
        "trn2": guess(100, 50, 100, "cycles", f"as on NeuronCore-v2: {_ARCH2}", "derived"),
        "trn3": guess(100, 50, 100, "cycles", f"as on NeuronCore-v2: {_ARCH2}", "derived"),
    },
    "scalar_latency": _later(exact(263, "cycles", f"{_PERF}: 264 cycles between dependent activations of one element")),
    "gpsimd_latency": _all(guess(150, 60, 300, "cycles", "the fixed part of iota and affine_select (NKI 2.26)")),
    # What an instruction keeps its engine for beyond the stream
    "vector_overhead": {
        "trn1": fitted(0, 0, 64, "cycles", f"{_PERF}: about 60 cycles to access SBUF; {_STUBS}: at least 64 in all", "selective scan"),
        "trn2": fitted(14, 0, 125, "cycles", f"{_PERF}: about 60 cycles to access SBUF, about 100 where N is small", "adamw"),
        "trn3": guess(14, 0, 125, "cycles", "as on NeuronCore-v3"),
    },
    "scalar_overhead": {
        "trn1": fitted(0, 0, 264, "cycles", f"{_PERF}: 264 cycles between dependent activations of one element", "selective scan"),
        "trn2": fitted(0, 0, 300, "cycles", f"{_PERF}: 264 cycles between dependent activations of one element", "adamw", "silu"),
        "trn3": guess(0, 0, 300, "cycles", "as on NeuronCore-v3"),
    },
    "gpsimd_overhead": _all(exact(0, "cycles", "within the rows of its instructions", "derived")),
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
    "kernel_start": _all(fitted(10e3, 5e3, 13e3, "ns", "start and end of a kernel", "vector add", "tiled copy")),
    "host_link": _all(guess(8, 2, 25, "B/ns", f"{_NONE}: one core's copies to and from the host, over PCIe")),
    # AWS's compiler
    "compile_start": _all(guess(5e9, 1e9, 60e9, "ns", f"{_NONE}: compiling the smallest program and loading it")),
    "compile_instruction": _all(
        guess(2e6, 2e5, 2e7, "ns", "aws-neuron-sdk issue 1374: hours for a kernel of about a million instructions, which is the slow end")
    ),
}
