"""
Calls of the functions that the page on SciPy lists, and what each does with Arrays.

Run as a program with SCIPY_ARRAY_API=1, it calls those named, or all of the page, with both settings of host_transfer.
"""

import re
import sys
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np

D = "sim:trn2"
X = np.float32([0.5, -1.0, 2.0, 0.25, -0.75, 1.5, 3.0, -2.0, 1.0])
Y = np.float32([1.0, 0.5, -2.0, 0.75, 1.25, -1.5, 2.0, 0.0, -0.5])
M = np.float32([[4, 1, 0, 2], [1, 5, 2, 0], [0, 2, 6, 1], [2, 0, 1, 7]])

PAGE = (Path(__file__).parents[2] / "docs" / "scipy.md").read_text()
ROWS = re.findall(r"^\| `(\w+)` \|(.*)\|(.*)\|$", PAGE, re.MULTILINE)
TAKEN, CONVERTED = ([f"{row[0]}.{name}" for row in ROWS for name in re.findall(r"`([\w.]+)`", row[column])] for column in (1, 2))

# What to give to a function besides Arrays, where f(x) is no call: x and y are vectors, p is x made positive, m is a matrix.
CALLS = {
    "cluster.vq.whiten": lambda f, a: f(a.m),
    "cluster.vq.vq": lambda f, a: f(a.m, a.m[:2]),
    "cluster.vq.kmeans": lambda f, a: f(a.m, a.m[:2]),
    "cluster.hierarchy.linkage": lambda f, a: f(a.m),
    "differentiate.derivative": lambda f, a: f(lambda z: z**3, a.x[:2]).df,
    "differentiate.jacobian": lambda f, a: f(lambda z: z**2, a.x[:2]).df,
    "integrate.cubature": lambda f, a: f(lambda z: z[:, 0], a.x[:1] * 0, a.x[:1] * 0 + 1).estimate,
    "integrate.tanhsinh": lambda f, a: f(lambda z: z**2, a.x[0] * 0, a.x[0] * 0 + 1).integral,
    "integrate.fixed_quad": lambda f, a: f(lambda z: z * a.x[1], 0.0, 1.0),
    "integrate.solve_ivp": lambda f, a: f(lambda _, z: -z, (0, 1), a.x[:2]).y,
    "interpolate.CubicSpline": lambda f, a: f(a.t, a.x)(1.5),
    "interpolate.make_interp_spline": lambda f, a: f(a.t, a.x)(1.5),
    "interpolate.interp1d": lambda f, a: f(a.t, a.x)(1.5),
    "interpolate.BarycentricInterpolator": lambda f, a: f(np.arange(5.0), a.x[:5])(1.5),
    "interpolate.AAA": lambda f, a: f(a.t, a.x)(1.5),
    **dict.fromkeys(("ndimage.gaussian_filter", "ndimage.zoom"), lambda f, a: f(a.m, 2)),
    **dict.fromkeys(("ndimage.uniform_filter", "ndimage.median_filter"), lambda f, a: f(a.m, 3)),
    "ndimage.rotate": lambda f, a: f(a.m, 30),
    "ndimage.label": lambda f, a: f(a.m > 1),
    "ndimage.map_coordinates": lambda f, a: f(a.m, a.m[:2] * 0 + 1),
    **dict.fromkeys(("ndimage.sobel", "ndimage.laplace", "ndimage.center_of_mass"), lambda f, a: f(a.m)),
    "optimize.elementwise.find_root": lambda f, a: f(lambda z: z**2 - 2, (a.x[:2] * 0, a.x[:2] * 0 + 2)).x,
    "optimize.minimize": lambda f, a: f(lambda z: float((z**2).sum()), a.x[:2]).x,
    "optimize.curve_fit": lambda f, a: f(lambda z, b: b * z, a.x, 2 * a.x)[0],
    "optimize.nnls": lambda f, a: f(a.m, a.m[0])[0],
    "optimize.linear_sum_assignment": lambda f, a: f(a.m),
    **{f"signal.{name}": lambda f, a: f(a.x, a.y) for name in ("fftconvolve", "oaconvolve", "convolve", "correlate")},
    "signal.resample": lambda f, a: f(a.x, 6),
    "signal.savgol_filter": lambda f, a: f(a.x, 5, 2),
    "signal.decimate": lambda f, a: f(a.t2, 2),
    "spatial.transform.Rotation": lambda f, a: f.from_rotvec(a.m[:, :3]).as_matrix(),
    "spatial.distance.cdist": lambda f, a: f(a.m, a.m),
    "spatial.distance.pdist": lambda f, a: f(a.m),
    "spatial.KDTree": lambda f, a: f(a.m).query(a.m),
    "spatial.ConvexHull": lambda f, a: f(a.m[:, :2]).volume,
    "special.comb": lambda f, a: f(a.p, 2),
    **{f"stats.{name}": lambda f, a: f(a.p) for name in ("variation", "gmean", "hmean", "entropy")},
    "stats.trim_mean": lambda f, a: f(a.x, 0.1),
    "stats.quantile": lambda f, a: f(a.x, 0.5),
    "stats.ttest_1samp": lambda f, a: f(a.x, 0.0),
    "stats.chisquare": lambda f, a: f(a.p, a.p),
    "stats.bootstrap": lambda f, a: f((a.x,), np.mean, n_resamples=3, rng=1).standard_error,
    "stats.norm.pdf": lambda f, a: f(a.x),
    "stats.Normal": lambda f, a: f().pdf(a.x),
    **{
        f"stats.{name}": lambda f, a: f(a.x, a.y)
        for name in (
            "zmap", "ttest_ind", "ttest_rel", "pearsonr", "spearmanr", "linregress", "theilslopes", "f_oneway", "kruskal", "mannwhitneyu",
            "wilcoxon", "bartlett", "levene", "kendalltau", "ks_2samp", "ranksums",
        )
    },
}  # fmt: skip


class Operands:
    """The same numbers, as ndarrays or as Arrays."""

    def __init__(self, make):
        self.x, self.y, self.p, self.m = make(X), make(Y), make(np.abs(X) + 1), make(M)
        self.t, self.t2 = make(np.arange(9, dtype=np.float32)), make(np.tile(X, 4))


def leaves(xp, result):
    """Find the arrays in a result."""
    if isinstance(result, xp.Array | np.ndarray | np.generic):
        return [result]
    if isinstance(result, dict):
        result = list(result.values())
    return [leaf for item in result for leaf in leaves(xp, item)] if isinstance(result, tuple | list) else []


def find(name):
    module, _, attribute = name.partition(".")
    found = import_module(f"scipy.{module}")
    for part in attribute.split("."):
        found = getattr(found, part) if hasattr(found, part) else import_module(f"{found.__name__}.{part}")
    return found


def outcome(name, setting):
    """Say what a function does with Arrays: gives Arrays on the device, or others, that are right or not, or is refused."""
    import trnarray as xp

    try:
        function = find(name)
    except ImportError:
        return "absent"
    call = CALLS.get(name, lambda f, a: f(a.x))
    expected = leaves(xp, call(function, Operands(np.array)))
    with xp.config(host_transfer=setting, fallback="allow"), xp.default_device(D):
        try:
            found = leaves(xp, call(function, Operands(xp.asarray)))
        except (TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
    device = bool(found) and all(isinstance(item, xp.Array) and str(item.device) == D for item in found)
    with xp.config(host_transfer="allow"):
        found = [np.asarray(item.to_device("cpu") if isinstance(item, xp.Array) else item) for item in found]
    right = all(np.allclose(mine, np.asarray(theirs), rtol=2e-5, atol=2e-6) for mine, theirs in zip(found, expected, strict=False))
    return ("on the device" if device else "elsewhere") if right else f"wrong: {found} for {expected}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or TAKEN + CONVERTED:
        print(name, *(outcome(name, setting).splitlines()[0] for setting in ("error", "allow")), sep="\t", flush=True)
