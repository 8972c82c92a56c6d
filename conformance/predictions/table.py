"""Published times of kernels that can be had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from ...backends.simulator import Abstract
from .published import Launch, Published
from .selective_scan import scan_with_operands_in_psum

__all__ = ["PUBLISHED"]

_FLOAT: Final = "float32"
_US: Final = 1e-6
_MS: Final = 1e-3
_STARTUP: Final = "start-up and tear-down of the NEFF: 17 + 5 us around the Vector Engine's work in the profile of the smallest case"


_BUFFERS: Final = (
    "the tutorial's compiler placed tiles itself: the profile of v2 has all banks of PSUM in use throughout and 3.1 us of Vector Engine "
    "per state, and five instructions with both operands in SBUF take 4.6 us; today's kernels name their buffers, all of them in SBUF"
)


def _scan_arguments(channels: int, length: int) -> Mapping[str, Abstract]:
    wide, states = Abstract((1, channels, length), _FLOAT), Abstract((1, 16, length), _FLOAT)
    return {"delta": wide, "u": wide, "A": Abstract((channels, 16), _FLOAT), "B": states, "C": states}


def _mamba(
    version: str,
    channels: int,
    length: int,
    seconds: float,
    where: str,
    busy: Mapping[str, float] | None = None,
    explanation: str = "",
    refused: str = "",
    same: bool = True,
) -> Published:
    """List a case of the tutorial: batch 1, 16 states, measured when it was about NeuronCore-v2 alone."""
    return Published(
        name=f"fused_mamba {version}, {channels} channels x {length}",
        family="selective scan",
        source=f"NKI documentation, Fused Mamba tutorial, {where}",
        target="trn1",
        seconds=seconds,
        file="nki/examples/fused_mamba/mamba_nki_kernels.py",
        kernel=f"mamba_{version}",
        arguments=_scan_arguments(min(channels, 1024), length),
        repeats=channels / min(channels, 1024),
        busy=busy or {},
        includes=_STARTUP,
        explanation=explanation,
        refused=refused,
        same=same,
    )


def _matmul(
    version: int,
    what: str,
    seconds: float,
    busy: Mapping[str, float],
    blocks: Mapping[str, int] | None = None,
    includes: str = "",
    explanation: str = "",
    refused: str = "",
) -> Published:
    """
    List a code block of the guide, numbered as its profiles are; DMA is the profile's packet time over 16 engines.

    Of the 4096 rows, which all versions multiply block by block, one block or two are predicted.
    """
    rows = 128 * max(2, (blocks or {}).get("TILES_IN_BLOCK_M", 2))
    return Published(
        name=f"matmul v{version}, {what}",
        family="tutorial product",
        source=f"NKI documentation, Introduction to NKI Kernel Optimization, profiles v{version}-full, v{version}-pe and v{version}-dma",
        target="trn2",
        seconds=seconds,
        file="nki/guides/tutorials/kernel-optimization.rst",
        kernel="matrix_multiply_kernel",
        occurrence=version - 1,
        arguments={"lhsT": Abstract((8192, rows), _FLOAT), "rhs": Abstract((8192, 8192), _FLOAT), **(blocks or {})},
        repeats=4096 / rows,
        busy=busy,
        includes=includes,
        explanation=explanation,
        refused=refused,
    )


def _turbulence(points: int, seconds: float, with_readback: str) -> Published:
    """List a Runge-Kutta step of the sample: three launches, the third with the viscous decay."""
    cube, square = Abstract((points,) * 3, _FLOAT), Abstract((points, points), _FLOAT)
    state = [f"{field}_{part}" for field in ("uh", "vh", "wh", "du", "dv", "dw") for part in ("re", "im")]
    constants = ("KX", "KY", "KZ", "IK2", "DEAL", "DECAY")
    return Published(
        name=f"spectral DNS step, {points}^3",
        family="turbulence step",
        source="aws-samples/sample-spectral-dns-on-aws-neuron, docs/results.md, section 4",
        target="trn1",
        seconds=seconds,
        file="kernels/tgv_stage_nki.py",
        kernel="tgv_stage",
        arguments={**dict.fromkeys(state, cube), **dict.fromkeys(("C", "S", "nS"), square), **dict.fromkeys(constants, cube)},
        launches=(Launch(2, {"STAGE_DECAY": False}), Launch(1, {"STAGE_DECAY": True})),
        includes=f"execution of three NEFFs; with the readback of six fields and the host's statistics, {with_readback}",
    )


def _rmsnorm(
    length: int,
    hidden: int,
    seconds: float,
    where: str = "Performance Targets",
    kind: Literal["measured", "target"] = "target",
    includes: str = "",
) -> Published:
    """List a length and a width of the design specification, whose figures have no kernel's start in them."""
    return Published(
        name=f"nkilib rmsnorm_quant, {length} x {hidden}",
        family="rmsnorm quantize",
        source=f"NKI library documentation, RMSNorm-Quant design specification, {where}",
        target="trn2",
        seconds=seconds,
        file="src/nkilib_src/nkilib/core/rmsnorm/rmsnorm_quant.py",
        kernel="rmsnorm_quant_kernel",
        root="src/nkilib_src",
        arguments={
            "hidden": Abstract((1, length, hidden), "bfloat16"),
            "ln_w": Abstract((1, hidden), "bfloat16"),
            "kargs": "module:RmsNormQuantKernelArgs",
        },
        lnc=2,
        kind=kind,
        includes=includes,
        starts=False,
    )


PUBLISHED: Final[Sequence[Published]] = (
    _matmul(2, "tiled", 39.89 * _MS, {"tensor": 0.8728, "dma": 519.58 / 16 / 39.89}),
    _matmul(3, "loads hoisted", 28.20 * _MS, {"tensor": 0.9985, "dma": 402.07 / 16 / 28.20}),
    _matmul(
        4,
        "free dimensions blocked",
        28.41 * _MS,
        {"tensor": 0.9952, "dma": 390.69 / 16 / 28.41},
        explanation=(
            "its two rows of 64 float32 tiles take 256 KiB per partition, more than SBUF has: AWS's compiler loaded them again "
            "(the profile's 42.55 % of 716 GB/s for 28.41 ms is 8.7 GB; the code asks for 4.6 GB), this simulator does not spill"
        ),
        refused="does not fit into sbuf",
    ),
    _matmul(
        5,
        "all dimensions blocked",
        28.30 * _MS,
        {"tensor": 0.9950, "dma": 81.73 / 16 / 28.30, "vector": 0.1055},
        blocks={"TILES_IN_BLOCK_M": 8},
        includes="blocks of 16 x 128 rows, which need 224 KiB per partition and made AWS's compiler spill; predicted with blocks of 8",
    ),
    _mamba("v1", 256, 512, 172.93 * _US, "Performance Check", {"vector": 148.99 / 172.93}),
    _mamba("v1", 4096, 512, 2.34 * _MS, "Increasing input channels size", {"vector": 2.12 / 2.34}),
    Published(
        name="fused_mamba v2, 4096 channels x 512, our kernel with operands in PSUM",
        family="selective scan",
        source="NKI documentation, Fused Mamba tutorial, Minimizing data reloading, and its profile",
        target="trn1",
        seconds=1.61 * _MS,
        kernel=scan_with_operands_in_psum,
        arguments=_scan_arguments(1024, 512),
        repeats=4,
        busy={"vector": 1.57 / 1.61},
        includes=_STARTUP,
    ),
    _mamba("v2", 4096, 512, 1.61 * _MS, "Minimizing data reloading", {"vector": 1.57 / 1.61}, _BUFFERS, same=False),
    _mamba("v2", 4096, 2048, 8.9 * _MS, "table of scaling", explanation=_BUFFERS, same=False),
    _mamba(
        "v2",
        4096,
        8192,
        53.33 * _MS,
        "Increasing input seq_len size",
        {"vector": 31.32 / 53.33},
        explanation="its seven tiles of 8192 float32 take 224 KiB per partition: AWS's compiler spilled, as the tutorial shows; "
        "this simulator does not",
        refused="does not fit into sbuf",
    ),
    _mamba("v3", 4096, 512, 1.6 * _MS, "table of scaling", explanation=_BUFFERS, same=False),
    _mamba("v3", 4096, 2048, 6.6 * _MS, "table of scaling", explanation=_BUFFERS, same=False),
    _mamba("v3", 4096, 8192, 27.8 * _MS, "Mitigate spilling by tiling seq_len", {"vector": 26.26 / 27.8}, _BUFFERS, same=False),
    _turbulence(64, 5.2 * _MS, "5.41 ms"),
    _turbulence(128, 20.4 * _MS, "21.43 ms"),
    _rmsnorm(160, 16384, 86 * _US, "Performance Analysis", "measured", "first DMA to last, read off the time axis to about 1 us"),
    _rmsnorm(2048, 8192, 458.2 * _US),
    _rmsnorm(2048, 16384, 866.81 * _US),
    _rmsnorm(32768, 8192, 6287.0 * _US),
    _rmsnorm(32768, 16384, 13214.4 * _US),
)
