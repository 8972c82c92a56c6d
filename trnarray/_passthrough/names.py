"""Names of SciPy that came, went, or are not to be taken over, and what to use instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["ADDED", "MATRICES", "REMOVED"]

_ADDED: Final = {
    ("differentiate", "1.15"): "derivative hessian jacobian",
    ("fft", "1.14"): "prev_fast_len",
    ("integrate", "1.15"): "cubature lebedev_rule nsum tanhsinh",
    ("interpolate", "1.15"): "AAA FloaterHormannInterpolator generate_knots make_splprep make_splrep",
    ("ndimage", "1.16"): "vectorized_filter",
    ("optimize.elementwise", "1.15"): "bracket_minimum bracket_root find_minimum find_root",
    ("signal", "1.15"): "envelope freqz_sos",
    ("signal", "1.16"): "closest_STFT_dual_window firwin_2d",
    ("signal", "1.18"): "whittaker_henderson",
    ("sparse", "1.17"): "expand_dims permute_dims swapaxes",
    ("sparse", "1.18"): "matrix_transpose",
    ("sparse.csgraph", "1.14"): "yen",
    ("sparse.linalg", "1.15"): "is_sptriangular spbandwidth",
    ("sparse.linalg", "1.17"): "funm_multiply_krylov",
    ("spatial.transform", "1.16"): "RigidTransform",
    ("special", "1.14"): "log_wright_bessel",
    ("special", "1.15"): "assoc_legendre_p assoc_legendre_p_all legendre_p legendre_p_all softplus sph_harm_y sph_harm_y_all "
    "sph_legendre_p sph_legendre_p_all",
    ("stats", "1.14"): "irwinhall power",
    ("stats", "1.15"): "Mixture Normal Uniform abs chatterjeexi dpareto_lognorm exp landau lmoment log make_distribution "
    "normal_inverse_gamma order_statistic poisson_binom truncate",
    ("stats", "1.16"): "Binomial quantile",
    ("stats", "1.17"): "Logistic matrix_t spearmanrho",
    ("stats", "1.18"): "estimated_cdf",
    ("stats.distributions", "1.14"): "irwinhall",
    ("stats.distributions", "1.15"): "dpareto_lognorm landau poisson_binom",
}
ADDED: Final[Mapping[str, Mapping[str, str]]] = {
    module: {name: version for (other, version), names in _ADDED.items() if other == module for name in names.split()}
    for module, _ in _ADDED
}
"""The version of SciPy that a name came with, by module: those since the oldest that trnarray works with."""

REMOVED: Final[Mapping[str, str]] = {
    "integrate.cumtrapz": "use cumulative_trapezoid",
    "integrate.quadrature": "use quad",
    "integrate.romberg": "use quad",
    "integrate.simps": "use simpson",
    "integrate.trapz": "use trapezoid",
    "linalg.kron": "use trnarray.kron",
    "signal.cwt": "use PyWavelets",
    **dict.fromkeys(("signal.daub", "signal.morlet", "signal.morlet2", "signal.qmf", "signal.ricker"), "use PyWavelets"),
    "spatial.distance.kulczynski1": "use jaccard or another metric of booleans",
    "spatial.distance.sokalmichener": "use rogerstanimoto, which is the same",
    "special.btdtr": "use betainc",
    "special.btdtri": "use betaincinv",
    "special.sph_harm": "use sph_harm_y",
    "special.clpmn": "use assoc_legendre_p_all",
    "special.lpmn": "use assoc_legendre_p_all",
    "special.lpn": "use legendre_p_all",
    "stats.find_repeats": "use trnarray.unique_counts",
    "stats.rvs_ratio_uniforms": "use stats.sampling.RatioUniforms",
    "stats.trapz": "use trapezoid",
}
"""What to use instead of names that SciPy had."""

_AS_ARRAY: Final = "use {}_array; `*` multiplies elements there, and `@` is the product"
_BUILD: Final = "build it with scipy.sparse.{0}, and make csr_array(x) of it here"
MATRICES: Final[Mapping[str, str]] = {
    **{f"{name}_matrix": _AS_ARRAY.format(name) for name in ("bsr", "coo", "csc", "csr", "dia")},
    **{name: _AS_ARRAY.format(name) for name in ("diags", "eye", "random")},
    **{name: _BUILD.format(name) for name in ("dok_array", "dok_matrix", "lil_array", "lil_matrix")},
    "rand": _AS_ARRAY.format("random"),
    "spdiags": _AS_ARRAY.format("diags"),
    "bmat": _AS_ARRAY.format("block"),
}
"""What makes matrices of sparse elements, in which `*` is the product, and what to use: no array is silently one of them."""
