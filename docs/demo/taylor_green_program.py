"""A three-dimensional spectral solver in plain array-API code: the Taylor-Green vortex, by 27 transforms a step."""

import math
from collections.abc import Iterator
from typing import Any


def taylor_green(xp: Any, size: int, *, dtype: Any, device: Any) -> Any:
    """Give the velocity of the vortex on a periodic cube."""
    along = xp.arange(size, dtype=dtype, device=device) * (2 * math.pi / size)
    x, y, z = along[:, None, None], along[None, :, None], along[None, None, :]
    return xp.sin(x) * xp.cos(y) * xp.cos(z), -xp.cos(x) * xp.sin(y) * xp.cos(z), 0 * (x + y + z)


def _cross(a: Any, b: Any) -> Any:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def energies(start: Any, viscosity: float, step: float, steps: int) -> Iterator[Any]:
    """
    Solve the incompressible Navier-Stokes equations, and give the kinetic energy after each step.

    Products of velocity and vorticity are made on the grid, what would alias is cut by the rule of two thirds, and pressure is taken out by
    a projection. Time goes by the third-order Runge-Kutta method of Shu and Osher, of three stages with nine transforms each.
    """
    xp = start[0].__array_namespace__()
    size = start[0].shape[0]
    indices = xp.arange(size, dtype=start[0].dtype, device=start[0].device)
    wave = xp.where(indices < size / 2, indices, indices - size)
    waves = (wave[:, None, None], wave[None, :, None], wave[None, None, :])
    squared = waves[0] * waves[0] + waves[1] * waves[1] + waves[2] * waves[2]
    inverse = 1 / xp.where(squared == 0, squared + 1, squared)
    low = [xp.abs(k) < size / 3 for k in waves]
    kept = xp.where(low[0] & low[1] & low[2], 1 + 0 * squared, 0 * squared)

    def change(velocity: Any) -> Any:
        vorticity = _cross(waves, tuple(1j * part for part in velocity))
        on_grid = [tuple(xp.real(xp.fft.ifftn(part)) for part in field) for field in (velocity, vorticity)]
        force = [xp.fft.fftn(part) * kept for part in _cross(*on_grid)]
        pressure = (waves[0] * force[0] + waves[1] * force[1] + waves[2] * force[2]) * inverse
        return tuple(one - k * pressure - viscosity * squared * u for one, k, u in zip(force, waves, velocity, strict=True))

    velocity = tuple(xp.fft.fftn(part) for part in start)
    for _ in range(steps):
        first = tuple(u + step * du for u, du in zip(velocity, change(velocity), strict=True))
        second = tuple(0.75 * u + 0.25 * (one + step * du) for u, one, du in zip(velocity, first, change(first), strict=True))
        velocity = tuple(u / 3 + (2 / 3) * (two + step * du) for u, two, du in zip(velocity, second, change(second), strict=True))
        yield sum(xp.sum(xp.abs(part) ** 2) for part in velocity) * (0.5 / size**6)
