"""Suite ``trnsci``: kernels of trnfft and trnblas, unmodified on the simulator, beside our calls that do as much: predicted times.

trnfft launches one kernel for each stage of a transform: a row counts as many launches as it needs, and their predicted times alone,
without what is between them. Products of both add to zeros, which is undefined on trn1 and trn2; that is no matter of time.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from ... import Array, asarray, bfloat16, config, explain, fft, matmul, multiply
from ...backends import simulator
from ...backends.device import Device
from ...scipy.linalg import blas
from ..foreign_kernels.checkout import isolated, load, locate
from ..report import Report
from ..suite import SuiteError

__all__ = ["ROWS", "Row", "add_arguments", "run"]


class Row(NamedTuple):
    """
    A kernel of theirs, and a call of ours.

    Attributes
    ----------
    name : str
        What is computed.
    file : str
        Where the kernels are.
    kernels : tuple of str
        Variants, of which the fastest counts.
    arguments : tuple
        Shapes, and integers.
    launches : int
        Of the kernel, for what our call computes.
    shapes : tuple of tuple of int
        Of our operands.
    call : callable
        Our call.
    dtypes : tuple of numpy.dtype
        Of their operands and of ours.
    """

    name: str
    file: str
    kernels: tuple[str, ...]
    arguments: tuple[tuple[int, ...] | int, ...]
    launches: int
    shapes: tuple[tuple[int, ...], ...]
    call: Callable[..., Any]
    dtypes: tuple[Any, Any] = (np.float32, np.complex64)


def _transform(x: Array) -> Array:
    found: Array = fft.fft(x)
    return found


def _symmetric(a: Array) -> Array:
    found: Array = blas.syrk(1.0, a)
    return found


_STOCKHAM: Final = "trnfft/nki/stockham.py"
_BUTTERFLY: Final = "trnfft/nki/butterfly.py"
_FFT: Final = "trnfft/nki/dispatch.py"
_BLAS: Final = "trnblas/nki/dispatch.py"
_TILES: Final = tuple(f"_gemm_kernel_{rows}_128_{columns}" for rows in (64, 128) for columns in (128, 256, 512))
_FLOAT32: Final = (np.float32, np.float32)
_A512: Final = (128, 512)
_B512: Final = (512, 512)
_N1024: Final = (1024, 1024)
ROWS: Final = (
    Row("128 transforms of 1024, radix 4", _STOCKHAM, ("stockham_radix4_stage_kernel",), ((32768, 4),) * 4, 5, ((128, 1024),), _transform),
    Row(
        "128 transforms of 512, radix 8", _STOCKHAM, ("stockham_radix8_w8_kernel",),
        ((8192, 8),) * 2 + ((8, 8),) * 2, 3, (_A512,), _transform,
    ),
    Row(
        "128 transforms of 1024, the last of 10 stages alone", _BUTTERFLY, ("butterfly_stage_kernel",),
        ((128, 1024),) * 2 + (_A512,) * 2 + (1024, 9), 1, ((128, 1024),), _transform,
    ),
    Row("128 transforms of 512, a product", _FFT, ("_complex_gemm_kernel",), (_A512,) * 2 + (_B512,) * 2, 1, (_A512,), _transform),
    Row("128 complex rows by 512 × 512", _FFT, ("_complex_linear_kernel",), (_A512,) * 2 + (_B512,) * 2, 1, (_A512, _B512), matmul),
    Row("complex mask of 128 × 4096", _FFT, ("_complex_mul_kernel",), ((128, 4096),) * 4, 1, ((128, 4096),) * 2, multiply),
    *(
        Row(f"complex product of {n} × {n}", _FFT, ("_complex_gemm_kernel",), ((n, n),) * 4, 1, ((n, n),) * 2, matmul)
        for n in (128, 512, 1024)
    ),
    *(
        Row(f"gemm of {n} × {n}, {dtype.__name__}", _BLAS, _TILES, ((n, n),) * 2, 1, ((n, n),) * 2, matmul, (dtype, dtype))
        for n in (512, 1024) for dtype in (np.float32, bfloat16)
    ),
    Row(
        "32 products of 256 × 128 by 128 × 256", _BLAS, _TILES, ((256, 128), (128, 256)), 32,
        ((32, 256, 128), (32, 128, 256)), matmul, _FLOAT32,
    ),
    Row("syrk of 1024 × 1024", _BLAS, ("_syrk_kernel",), (_N1024,), 1, (_N1024,), _symmetric, _FLOAT32),
    Row("syrk of 1024 × 512", _BLAS, ("_syrk_kernel",), ((1024, 512),), 1, ((1024, 512),), _symmetric, _FLOAT32),
)  # fmt: skip
_NEEDED: Final = "a folder with checkouts of https://github.com/trnsci/trnfft and https://github.com/trnsci/trnblas"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--checkout", metavar="DIR", type=Path, required=True, help=_NEEDED)


def run(report: Report, device: Device, options: Namespace) -> None:
    """Predict both; ours passes where it takes no longer."""
    target = str(device).partition(":")[2]
    if target not in ("trn1", "trn2", "trn3"):
        raise SuiteError(f"times are predicted for simulated devices, not {device}; give --device sim:trn2")
    missing = [file for file in dict.fromkeys(row.file for row in ROWS) if locate(options.checkout, file) is None]
    if missing:
        raise SuiteError(f"{options.checkout} has no {missing[0]}; --checkout takes {_NEEDED}")
    for row in ROWS:
        theirs, ours = row.launches * _theirs(options.checkout, target, row), _ours(device, row)
        text = f"theirs {1e6 * theirs:.1f} us in {row.launches} launches, ours {1e6 * ours:.1f} us in 1"
        report.add(row.name, "passed" if ours <= theirs else "failed", "" if ours <= theirs else text)
        report.figures[row.name] = text


@contextmanager
def _without_torch() -> Iterator[None]:
    """Let modules import torch, of which their kernels need nothing."""
    names = [] if "torch" in sys.modules else ["torch", "torch.autograd", "torch.nn"]
    for name in names:
        sys.modules[name] = module = ModuleType(name)
        for attribute in ("Tensor", "Function", "Module", "bfloat16"):
            setattr(module, attribute, object)
        if name != "torch":
            setattr(sys.modules["torch"], name.partition(".")[2], module)
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]


def _theirs(checkout: Path, target: str, row: Row) -> float:
    """Predict one launch of the fastest kernel."""
    given: list[Any] = [each if isinstance(each, int) else np.zeros(each, row.dtypes[0]) for each in row.arguments]
    with isolated(), _without_torch(), simulator.as_nki(target=target, mode="cost"):
        module = load(locate(checkout, row.file) or checkout, row.file, ".")
        return min(simulator.simulate(getattr(module, kernel)).predict(*given).seconds for kernel in row.kernels)


def _ours(device: Device, row: Row) -> float:
    """Predict a call, which is one program."""
    with config(fallback="error"):
        found = explain(row.call(*[asarray(np.zeros(shape, row.dtypes[1]), device=device) for shape in row.shapes]))
    return float(found.seconds)
