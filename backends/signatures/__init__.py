"""Signatures: the arguments of NumPy, SciPy and the standard, read once, before an Op's rule and its lowering.

What enters is what the caller of an Op gave. What leaves is a canonical `Call`: operands that are arrays or numbers; attributes in one form
(axes are tuples of int from 0 on, dtypes canonical or None, flags bool, no argument that means the default is left in the form of a
sentinel); and an `Output`, where results are written to memory of the caller's, or by a mask. The engine of a device applies outputs
around the lowering, which knows none of them. Errors in arguments are NumPy's, raised here.

One module per kind, a function per signature: ``kind(reader, *args, **kwargs)``, with the parameters and defaults of the host function.
`SIGNATURES` names those of Ops; what has the rule of a universal function has its signature. The host engine does not read arguments:
NumPy gets what was passed. These modules import dtypes, shapes, promotion and rules, and no Op.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..rules import UfuncRule
from ..rules.ufunc_methods import Outer
from . import (
    bits,
    conversion,
    counting,
    covariance,
    creation,
    cumulative,
    einsum,
    elementwise,
    exponential,
    filters,
    fourier,
    images,
    indexing,
    joining,
    matrices,
    norms,
    products,
    quantile,
    random,
    reduction,
    repeating,
    searching,
    selection,
    sequences,
    short_time,
    signal_convolution,
    sorting,
    sparse,
    spectra,
    views,
)
from .call import Call, NotNativeError, Output, Reader, SignatureKind

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["SIGNATURES", "Call", "NotNativeError", "Output", "Reader", "SignatureKind", "signature_kind"]

_ALONG_ONE: Final = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
_ALONG_MANY: Final = ("fftn", "ifftn", "rfftn", "irfftn")
_OF_REAL: Final = ("dct", "idct", "dst", "idst")
_ALONG_AXES: Final = ("gaussian_filter", "maximum_filter", "minimum_filter", "uniform_filter")
_OF_PARAMETERS: Final = (
    "standard_cauchy", "chisquare", "weibull", "pareto", "power", "standard_t", "beta", "f", "noncentral_chisquare", "noncentral_f", "wald",
    "vonmises", "triangular", "poisson", "binomial", "negative_binomial", "geometric", "hypergeometric", "logseries", "zipf",
)  # fmt: skip
_LAST_TWO: Final = (-2, -1)
SIGNATURES: Final[Mapping[str, SignatureKind]] = {
    "clip": elementwise.clip,
    "power": elementwise.power,
    **dict.fromkeys(("special.polygamma", "special.zeta"), elementwise.of_optional),
    "sum": reduction.reduction("add"),
    "prod": reduction.reduction("multiply"),
    "max": reduction.reduction("maximum"),
    "min": reduction.reduction("minimum"),
    "any": reduction.reduction("logical_or"),
    "all": reduction.reduction("logical_and"),
    "nansum": reduction.skipping_reduction("add"),
    "nanprod": reduction.skipping_reduction("multiply"),
    "nanmax": reduction.skipping_extreme("maximum"),
    "nanmin": reduction.skipping_extreme("minimum"),
    **{name: reduction.argument(name) for name in ("argmax", "argmin", "nanargmax", "nanargmin")},
    **dict.fromkeys(("count_nonzero", "numpy.count_nonzero"), reduction.counted),
    "mean": reduction.mean(),
    "nanmean": reduction.mean(skipping=True),
    **dict.fromkeys(("var", "std", "numpy.var", "numpy.std"), reduction.variance()),
    **dict.fromkeys(("nanvar", "nanstd"), reduction.variance(skipping=True)),
    **dict.fromkeys(("standard.var", "standard.std"), reduction.standard_variance),
    "ptp": reduction.extreme_range,
    "average": reduction.weighted,
    **dict.fromkeys(("cumsum", "cumprod", "nancumsum", "nancumprod"), cumulative.accumulation),
    **dict.fromkeys(("cumulative_sum", "cumulative_prod"), cumulative.standard_accumulation),
    "diff": cumulative.differences,
    "ediff1d": cumulative.ends,
    "trapezoid": cumulative.areas,
    "unwrap": cumulative.phases,
    **dict.fromkeys(("sort", "argsort"), sorting.sort),
    "sort_in_place": sorting.in_place_sort,
    **dict.fromkeys(("partition", "partition_in_place"), sorting.partition(flat=False)),
    "argpartition": sorting.partition(flat=True),
    "lexsort": sorting.keys,
    "topk": sorting.largest,
    "quantile": quantile.quantile(1),
    "percentile": quantile.quantile(100),
    "nanquantile": quantile.quantile(1, skipping=True),
    "nanpercentile": quantile.quantile(100, skipping=True),
    **dict.fromkeys(("median", "nanmedian"), quantile.median),
    **{f"{library}.{kind}": fourier.one_axis(kind) for library in ("fft", "numpy.fft") for kind in _ALONG_ONE},
    **{f"fft.{kind}": fourier.many_axes(kind, None) for kind in _ALONG_MANY},
    **{f"fft.{kind[:-1]}2": fourier.many_axes(kind, _LAST_TWO) for kind in _ALONG_MANY},
    **{f"numpy.fft.{kind}": fourier.many_axes(kind, None, of_numpy=True) for kind in _ALONG_MANY},
    **{f"numpy.fft.{kind[:-1]}2": fourier.many_axes(kind, _LAST_TWO, of_numpy=True) for kind in _ALONG_MANY},
    **dict.fromkeys(("fft.hfftn", "fft.ihfftn"), fourier.hermitian(None)),
    **dict.fromkeys(("fft.hfft2", "fft.ihfft2"), fourier.hermitian(_LAST_TWO)),
    **{f"fft.{kind}": fourier.real_one_axis for kind in _OF_REAL},
    **{f"fft.{kind}n": fourier.real_many_axes for kind in _OF_REAL},
    "concatenate": joining.concatenate,
    "append": joining.append,
    "block": joining.block,
    "stack": joining.stack,
    "vstack": joining.lifted(np.atleast_2d, 0),
    "hstack": joining.lifted(np.atleast_1d, None),
    "dstack": joining.lifted(np.atleast_3d, 2),
    "column_stack": joining.columns,
    "getitem": indexing.get_item,
    "setitem": indexing.set_item,
    "take": indexing.take,
    "take_along_axis": indexing.take_along_axis,
    "compress": indexing.compress,
    "choose": indexing.choose,
    "put": indexing.put,
    "put_along_axis": indexing.put_along_axis,
    "copyto": indexing.copy,
    **dict.fromkeys(("place", "putmask"), indexing.where_mask),
    **dict.fromkeys(("isposinf", "isneginf"), elementwise.infinity),
    **dict.fromkeys(("empty", "ones"), creation.of_shape),
    **dict.fromkeys(("empty_like", "ones_like"), creation.shape_like(creation.of_shape)),
    "zeros": creation.zeros,
    "zeros_like": creation.shape_like(creation.zeros),
    "arange": creation.numbers,
    "linspace": creation.range_between,
    "logspace": creation.logarithmic_range,
    "geomspace": creation.geometric_range,
    "full": creation.constant,
    "full_like": creation.constant_like,
    "eye": creation.identity,
    "tri": creation.triangle_of_ones,
    **dict.fromkeys(("tril", "triu"), creation.triangle),
    "diag": creation.diagonal,
    "diagflat": creation.flat_diagonal,
    "diag_indices": creation.diagonal_indices,
    "indices": creation.grids,
    "meshgrid": creation.mesh,
    "bincount": counting.counts,
    "histogram_bin_edges": counting.edges,
    "histogram": counting.histogram,
    **{f"random.{name}": random.numbers(0.0, 1.0) for name in ("normal", "laplace", "logistic", "gumbel", "lognormal", "uniform")},
    **{f"random.{name}": random.numbers(1.0) for name in ("exponential", "rayleigh")},
    "random.gamma": random.numbers(1.0, 1.0),
    **{f"random.{name}": random.numbers() for name in _OF_PARAMETERS},
    **{f"random.{name}": random.in_dtype for name in ("random", "standard_normal", "standard_exponential", "standard_gamma")},
    "random.integers": random.integers,
    **dict.fromkeys(("random.dirichlet", "random.multinomial"), random.vectors),
    **dict.fromkeys(("random.permutation", "random.shuffle"), random.order),
    "random.permuted": random.permuted,
    "random.choice": random.choice,
    "sparse.astype": sparse.converted,
    **{f"sparse.{kind}": sparse.extremum for kind in ("max", "min", "nanmax", "nanmin")},
    "sparse.sum": sparse.summed,
    "sparse.toarray": sparse.dense,
    "histogram2d": counting.of_plane,
    "histogramdd": counting.of_sample,
    "cov": covariance.covariance,
    "corrcoef": covariance.correlation,
    "convolve": sequences.convolve,
    "correlate": sequences.correlate,
    "interp": sequences.interpolation,
    **dict.fromkeys(("polyadd", "polysub", "polymul", "polydiv"), sequences.two_polynomials),
    "polyder": sequences.derivative,
    "polyint": sequences.integral,
    "polyval": sequences.values,
    "poly": sequences.roots,
    "vander": sequences.powers,
    "polyfit": sequences.fit,
    "searchsorted": searching.sorted_search(numpy=False),
    "numpy.searchsorted": searching.sorted_search(numpy=True),
    **dict.fromkeys(("isin", "standard.isin"), searching.membership(numpy=False)),
    "numpy.isin": searching.membership(numpy=True),
    "digitize": searching.bins,
    "ix_": indexing.open_mesh,
    "unravel_index": indexing.unravel,
    "ravel_multi_index": indexing.ravel_coordinates,
    **dict.fromkeys((*views.VIEWS, "real", "imag", "as_strided", "einsum_view", "diag_indices_from"), views.of_array),
    **dict.fromkeys(("atleast_1d", "atleast_2d", "atleast_3d"), views.at_least),
    "unstack": views.slices,
    "broadcast_arrays": views.broadcast_together,
    "reshape": views.reshape,
    **dict.fromkeys(("ravel", "flatten"), views.ravel),
    "ndarray.copy": views.copy,
    "ndarray.view": views.reinterpretation,
    **dict.fromkeys(("sinc", "sort_complex", "isreal", "iscomplex", "angle", "real_if_close"), selection.one_array),
    **dict.fromkeys(("unique_all", "unique_counts", "unique_inverse", "unique_values"), selection.one_array),
    **dict.fromkeys(("array_equal", "array_equiv", "union1d", "intersect1d", "setdiff1d", "setxor1d"), selection.two_arrays),
    "i0": selection.one_real_array,
    "select": selection.select,
    "where": selection.where,
    "isclose": selection.close,
    "fill_diagonal": selection.diagonal,
    **dict.fromkeys(("bartlett", "blackman", "hamming", "hanning", "kaiser"), creation.of_numbers),
    **dict.fromkeys(("tril_indices", "triu_indices", "fft.fftfreq", "fft.rfftfreq"), creation.of_numbers),
    **dict.fromkeys(("scipy.linalg.dft", "scipy.linalg.helmert", "scipy.linalg.hilbert"), creation.of_numbers),
    "nan_to_num": selection.replaced,
    "require": selection.required,
    "matmul": products.matmul,
    "vecdot": products.of_vectors(True, True),
    "matvec": products.of_vectors(False, True),
    "vecmat": products.of_vectors(True, False),
    "dot": products.dot,
    "tensordot": products.tensordot,
    **dict.fromkeys(("inner", "vdot", "kron"), products.kron),
    "outer": products.outer,
    "linalg.outer": products.outer_of_vectors,
    "cross": products.cross,
    "linalg.cross": products.cross_of_vectors,
    "linalg.matrix_power": products.matrix_power,
    "linalg.multi_dot": products.chain,
    "einsum": einsum.einsum,
    "linalg.norm": norms.norm,
    **dict.fromkeys(("linalg.vector_norm", "standard.linalg.vector_norm"), norms.vector_norm),
    **dict.fromkeys(("linalg.matrix_norm", "standard.linalg.matrix_norm"), norms.matrix_norm),
    "packbits": bits.pack,
    "unpackbits": bits.unpack,
    "astype": conversion.astype,
    "ndarray.astype": conversion.method_astype,
    "trim_zeros": conversion.trim_zeros,
    "gradient": cumulative.gradient,
    "trace": reduction.trace,
    "linalg.trace": reduction.trace_of_matrices,
    "round": reduction.rounding,
    "tile": repeating.tile,
    "repeat": repeating.repeat(numpy=True),
    "standard.repeat": repeating.repeat(numpy=False),
    "roll": repeating.roll,
    **dict.fromkeys(("fft.fftshift", "fft.ifftshift"), repeating.shift_to_centre),
    "resize": repeating.resize,
    "pad": repeating.pad,
    "delete": repeating.delete,
    "insert": repeating.insert,
    "unique": sorting.distinct,
    **dict.fromkeys(("special.softmax", "special.log_softmax"), exponential.softmax),
    "special.logsumexp": exponential.log_of_sum,
    "scipy.signal.csd": spectra.cross_spectrum,
    "scipy.signal.welch": spectra.power_spectrum,
    "scipy.signal.coherence": spectra.coherence,
    "scipy.signal.periodogram": spectra.one_segment,
    "scipy.signal.spectrogram": spectra.spectrogram,
    "scipy.signal.stft": spectra.transform,
    "scipy.signal.istft": spectra.inverse_transform,
    "scipy.signal.detrend": spectra.detrend,
    "scipy.signal.ShortTimeFFT.stft": short_time.transform,
    "scipy.signal.ShortTimeFFT.stft_detrend": short_time.transform_of_detrended,
    "scipy.signal.ShortTimeFFT.spectrogram": short_time.spectrogram,
    "scipy.signal.ShortTimeFFT.istft": short_time.inverse,
    "scipy.signal.lfilter": filters.transfer,
    "scipy.signal.filtfilt": filters.both_ways,
    "scipy.signal.sosfilt": filters.sections,
    "scipy.signal.sosfiltfilt": filters.sections_both_ways,
    "scipy.signal.hilbert": filters.analytic,
    "scipy.signal.resample": filters.resampling,
    "scipy.signal.resample_poly": filters.rational_resampling,
    "scipy.signal.find_peaks": filters.peaks,
    "scipy.ndimage.convolve": images.weighted(turned=True),
    "scipy.ndimage.correlate": images.weighted(turned=False),
    "scipy.ndimage.convolve1d": images.along_one(turned=True),
    **{f"scipy.ndimage.{kind}1d": images.along_one() for kind in ("correlate", *_ALONG_AXES)},
    **dict.fromkeys(("scipy.ndimage.laplace", "scipy.ndimage.gaussian_filter", "scipy.ndimage.uniform_filter"), images.each_axis),
    "scipy.ndimage.gaussian_laplace": images.gaussian_parts(of_all=False),
    "scipy.ndimage.gaussian_gradient_magnitude": images.gaussian_parts(of_all=True),
    **dict.fromkeys(("scipy.ndimage.sobel", "scipy.ndimage.prewitt"), images.slopes),
    **dict.fromkeys(("scipy.ndimage.maximum_filter", "scipy.ndimage.minimum_filter"), images.extreme),
    **{f"scipy.ndimage.{kind}_filter": images.rank for kind in ("median", "percentile", "rank")},
    **dict.fromkeys(("scipy.signal.convolve", "scipy.signal.correlate"), signal_convolution.convolution),
    **dict.fromkeys(("scipy.signal.fftconvolve", "scipy.signal.oaconvolve"), signal_convolution.transformed),
    "scipy.signal.choose_conv_method": signal_convolution.choice,
}
"""How arguments are read, by the name of the Op."""


_OF_METHODS: Final[Mapping[str, Callable[[str], SignatureKind]]] = {
    "reduce": reduction.reduction,
    "accumulate": cumulative.ufunc_accumulation,
    "reduceat": cumulative.ufunc_segments,
    "at": lambda _: indexing.at,
}
"""How those of a universal function's methods are read, by its name."""


_OF_MATRICES: Final = ("linalg.", "scipy.linalg.", "standard.linalg.")
"""What is read by the parameters of the host's function, where the table above does not say otherwise."""


def signature_kind(name: str, rule: Rule | None, host: Callable[..., Any]) -> SignatureKind | None:
    """Find out how an Op's arguments are read."""
    if name in SIGNATURES:
        return SIGNATURES[name]
    if isinstance(rule, UfuncRule):
        return elementwise.elementwise(rule)
    if name.startswith(_OF_MATRICES):
        return matrices.of_function(host)
    ufunc, _, method = name.rpartition(".")
    if isinstance(rule, Outer):
        return elementwise.outer(signature_kind(ufunc, rule.loops, host))
    return _OF_METHODS[method](ufunc.rpartition(".")[2]) if method in _OF_METHODS else None
