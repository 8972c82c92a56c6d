"""A program with twelve modules of SciPy's, as a user writes it with types: mypy checks it, in strict mode, with the package."""

from __future__ import annotations

import trnarray as xp
from trnarray.scipy import fft, integrate, interpolate, linalg, ndimage, optimize, signal, sparse, special, stats
from trnarray.scipy.cluster import vq
from trnarray.scipy.spatial import distance

__all__ = ["measure"]


def measure(count: int = 64) -> dict[str, float]:
    """Measure a noisy sine in many ways."""
    times = xp.linspace(0.0, 4.0, count)
    clean = xp.sin(2.0 * times)
    noisy = clean + xp.asarray(0.1) * xp.cos(50.0 * times)
    b, a = signal.butter(2, 0.25)
    smooth: xp.Array = signal.filtfilt(b, a, noisy)
    blurred = ndimage.gaussian_filter(noisy, 1.5)

    def model(t: xp.Array, amplitude: float, frequency: float) -> xp.Array:
        curve: xp.Array = amplitude * xp.sin(frequency * t)
        return curve

    parameters, _ = optimize.curve_fit(model, times, noisy, p0=[0.9, 1.9])
    spline = interpolate.CubicSpline(times, smooth)
    points = xp.stack([times, noisy], axis=1)
    centers, _ = vq.kmeans(vq.whiten(points), 2)
    matrix = sparse.csr_array(xp.eye(3) * 2.0)
    test = stats.ttest_1samp(noisy - clean, 0.0)
    return {
        "blur": float(xp.max(blurred)),
        "frequency": float(parameters[1]),
        "area": float(integrate.trapezoid(clean, times)),
        "middle": float(spline(2.0)),
        "pairs": float(xp.sum(distance.pdist(points))),
        "power": float(xp.max(xp.abs(fft.rfft(noisy)))),
        "error function": float(special.erf(xp.asarray(0.5))),
        "solution": float(linalg.solve(xp.eye(2) * 4.0, xp.ones(2))[0]),
        "product": float((matrix @ xp.ones(3))[0]),
        "columns": float(centers.shape[1]),
        "probability": float(test.pvalue),
    }
