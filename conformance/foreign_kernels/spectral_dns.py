"""Kernels of sample-spectral-dns-on-aws-neuron: Fourier transforms of a cube, and a stage of a Navier-Stokes step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .draw import Array, double
from .sample import Arguments, Sample, Tolerance

__all__ = ["SAMPLES"]

_N: Final = 16
_ALL: Final = ("trn1", "trn2", "trn3")
_TRANSFORM: Final = Tolerance(16, "float32", "three passes of sums of up to 32 products with rounded sines; roundings have either sign")
_STAGE: Final = Tolerance(32, "float32", "transforms there and back, with products between, projected; roundings have either sign")


def _tables() -> Arguments:
    angles = 2 * np.pi * np.outer(np.arange(_N), np.arange(_N)) / _N
    sines = np.sin(angles).astype(np.float32)
    return {"C": np.cos(angles).astype(np.float32), "S": sines, "nS": -sines}


def _cubes(rng: np.random.Generator, *names: str) -> Arguments:
    return {name: rng.standard_normal((_N, _N, _N)).astype(np.float32) for name in names}


def _forward(field: Array) -> Array:
    """Transform a field; the spectrum has its last two axes exchanged."""
    return np.fft.fftn(field).transpose(0, 2, 1)


def _inverse(spectrum: Array) -> Array:
    return np.fft.ifftn(spectrum.transpose(0, 2, 1)).real


def _transform(f: Array, **_: Array) -> tuple[Array, Array]:
    spectrum = _forward(double(f))
    return spectrum.real, spectrum.imag


_VECTORS: Final = [f"{name}_{part}" for name in ("uh", "vh", "wh", "du", "dv", "dw") for part in ("re", "im")]


def _stage_inputs(rng: np.random.Generator) -> Arguments:
    numbers = np.fft.fftfreq(_N, 1 / _N)
    kx, kz, ky = np.meshgrid(numbers, numbers, numbers, indexing="ij")
    squares = kx**2 + ky**2 + kz**2
    inverse = np.divide(1, squares, out=np.zeros_like(squares), where=squares > 0)
    kept = (abs(kx) <= _N / 3) & (abs(ky) <= _N / 3) & (abs(kz) <= _N / 3)
    grids = {"KX": kx, "KY": ky, "KZ": kz, "IK2": inverse, "DEAL": kept, "DECAY": np.ones_like(kx)}
    return _cubes(rng, *_VECTORS) | _tables() | {name: grid.astype(np.float32) for name, grid in grids.items()}


def _stage(KX: Array, KY: Array, KZ: Array, IK2: Array, DEAL: Array, **given: Any) -> tuple[Array, ...]:
    """Rotational form: the cross product of velocity and vorticity, dealiased and projected; a third of a step of 0.05."""
    wave = np.stack([double(KX), double(KY), double(KZ)])
    velocity, before = (
        np.stack([given[f"{name}_re"] + 1j * double(given[f"{name}_im"]) for name in names])
        for names in (("uh", "vh", "wh"), ("du", "dv", "dw"))
    )
    vorticity = 1j * np.cross(wave, velocity, axis=0)
    physical = np.cross(np.stack(list(map(_inverse, velocity))), np.stack(list(map(_inverse, vorticity))), axis=0)
    force = np.stack(list(map(_forward, physical))) * DEAL
    force -= wave * ((wave * force).sum(0) * IK2)
    change = 0 * before + 0.05 * force
    return tuple(part for vector in (velocity + change / 3, change) for component in vector for part in (component.real, component.imag))


SAMPLES: Final[Sequence[Sample]] = (
    Sample(
        file="kernels/dft3d_perm_nki.py",
        kernel="dft3d_fwd_real",
        inputs=lambda rng: _cubes(rng, "f") | _tables(),
        reference=_transform,
        tolerance=_TRANSFORM,
        targets=_ALL,
    ),
    Sample(
        file="kernels/dft3d_perm_nki.py",
        kernel="dft3d_inv_real",
        inputs=lambda rng: _cubes(rng, "F_re", "F_im") | _tables(),
        reference=lambda F_re, F_im, **_: _inverse(F_re + 1j * double(F_im)),
        tolerance=_TRANSFORM,
        targets=_ALL,
    ),
    Sample(file="kernels/tgv_stage_nki.py", kernel="tgv_stage", inputs=_stage_inputs, reference=_stage, tolerance=_STAGE, targets=_ALL),
)
