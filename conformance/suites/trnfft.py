"""Suite ``trnfft``: kernels of a checkout of trnfft, unmodified on the simulator, beside our calls that do as much: predicted times.

trnfft launches one kernel for each stage of a transform: a row counts as many launches as it needs, and their predicted times alone,
without what is between them. Its products add to zeros, which is undefined on trn1 and trn2; that is no matter of time.
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

from ... import Array, asarray, config, explain, fft
from ...backends import simulator
from ...backends.device import Device
from ..foreign_kernels.checkout import isolated, load
from ..report import Report
from ..suite import SuiteError

__all__ = ["ROWS", "Row", "add_arguments", "run"]


class Row(NamedTuple):
    """
    A kernel of trnfft's, and a call of ours.

    Attributes
    ----------
    name : str
        What is computed.
    file, kernel : str
        Where the kernel is, below ``trnfft/nki``.
    arguments : tuple
        Shapes of float32, and integers.
    launches : int
        Of the kernel, for what our call computes.
    shapes : tuple of tuple of int
        Of our complex operands.
    call : callable
        Our call.
    """

    name: str
    file: str
    kernel: str
    arguments: tuple[tuple[int, ...] | int, ...]
    launches: int
    shapes: tuple[tuple[int, ...], ...]
    call: Callable[..., Any]


def _transform(x: Array) -> Array:
    found: Array = fft.fft(x)
    return found


def _product(a: Array, b: Array) -> Array:
    found: Array = a @ b
    return found


_A512: Final = (128, 512)
_B512: Final = (512, 512)
ROWS: Final = (
    Row("128 transforms of 1024, radix 4", "stockham", "stockham_radix4_stage_kernel", ((32768, 4),) * 4, 5, ((128, 1024),), _transform),
    Row(
        "128 transforms of 512, radix 8", "stockham", "stockham_radix8_w8_kernel",
        ((8192, 8),) * 2 + ((8, 8),) * 2, 3, (_A512,), _transform,
    ),
    Row(
        "128 transforms of 1024, the last of 10 stages alone", "butterfly", "butterfly_stage_kernel",
        ((128, 1024),) * 2 + (_A512,) * 2 + (1024, 9), 1, ((128, 1024),), _transform,
    ),
    Row("128 transforms of 512, a product", "dispatch", "_complex_gemm_kernel", (_A512,) * 2 + (_B512,) * 2, 1, (_A512,), _transform),
    Row("product of 512 × 512", "dispatch", "_complex_gemm_kernel", (_B512,) * 4, 1, (_B512,) * 2, _product),
    Row("128 rows by 512 × 512", "dispatch", "_complex_linear_kernel", (_A512,) * 2 + (_B512,) * 2, 1, (_A512, _B512), _product),
    Row("mask of 128 × 4096", "dispatch", "_complex_mul_kernel", ((128, 4096),) * 4, 1, ((128, 4096),) * 2, lambda a, b: a * b),
)  # fmt: skip
_CLONE: Final = "git clone https://github.com/trnsci/trnfft"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--checkout", metavar="DIR", type=Path, required=True, help=f"a checkout of trnfft: `{_CLONE}`")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Predict both; ours passes where it takes no longer."""
    target = str(device).partition(":")[2]
    if target not in ("trn1", "trn2", "trn3"):
        raise SuiteError(f"times are predicted for simulated devices, not {device}; give --device sim:trn2")
    if not (options.checkout / "trnfft" / "nki").is_dir():
        raise SuiteError(f"{options.checkout} is no checkout of trnfft; make one with `{_CLONE}`")
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
    """Predict one launch of a kernel."""
    given: list[Any] = [each if isinstance(each, int) else np.zeros(each, np.float32) for each in row.arguments]
    with isolated(), _without_torch(), simulator.as_nki(target=target, mode="cost"):
        function = getattr(load(checkout, f"trnfft/nki/{row.file}.py", "."), row.kernel)
        return simulator.simulate(function).predict(*given).seconds


def _ours(device: Device, row: Row) -> float:
    """Predict a call, which is one program."""
    with config(fallback="error"):
        found = explain(row.call(*[asarray(np.zeros(shape, np.complex64), device=device) for shape in row.shapes]))
    return float(found.seconds)
