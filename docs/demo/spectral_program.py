"""A spectral solver in plain array-API code: it uses the namespace that its array brings along, and nothing else."""

import math
from collections.abc import Iterator
from typing import Any


def shear_layers(xp: Any, size: int, *, dtype: Any, device: Any) -> Any:
    """Give the vorticity of two opposite shear layers on a periodic square, slightly bent so that they roll up."""
    along = xp.arange(size, dtype=dtype, device=device) * (2 * math.pi / size)
    x, y = along[None, :], along[:, None]
    width = math.pi / 15
    upper, lower = xp.cosh((y - math.pi / 2) / width), xp.cosh((y - 3 * math.pi / 2) / width)
    return 0.3 * xp.cos(x) + (1 / (lower * lower) - 1 / (upper * upper)) / width


def vorticity(start: Any, viscosity: float, step: float, steps: int) -> Iterator[Any]:
    """
    Solve the two-dimensional Navier-Stokes equations on a periodic square, and give the vorticity after each step.

    Derivatives are products with wave numbers. The product of velocity and gradient is made on the grid, and what would alias is cut
    by the rule of two thirds. Diffusion is integrated exactly, the rest by Heun's method of second order.
    """
    xp = start.__array_namespace__()
    size = start.shape[0]
    rows = xp.arange(size, dtype=start.dtype, device=start.device)
    ky = xp.where(rows < size / 2, rows, rows - size)[:, None]
    kx = rows[None, : size // 2 + 1]
    squared = kx * kx + ky * ky
    inverse = xp.where(squared == 0, squared, 1 / xp.where(squared == 0, squared + 1, squared))
    kept = xp.where((kx < size / 3) & (xp.abs(ky) < size / 3), 1 + 0 * squared, 0 * squared)
    decay = xp.exp(-viscosity * step * squared)

    def on_grid(spectrum: Any) -> Any:
        return xp.fft.irfftn(spectrum, s=(size, size), axes=(0, 1))

    def change(spectrum: Any) -> Any:
        stream = spectrum * inverse
        advection = on_grid(1j * ky * stream) * on_grid(1j * kx * spectrum) - on_grid(1j * kx * stream) * on_grid(1j * ky * spectrum)
        return xp.fft.rfftn(advection, axes=(0, 1)) * (-step * kept)

    spectrum = xp.fft.rfftn(start, axes=(0, 1))
    for _ in range(steps):
        first = change(spectrum)
        second = change((spectrum + first) * decay)
        spectrum = (spectrum + 0.5 * first) * decay + 0.5 * second
        yield on_grid(spectrum)
