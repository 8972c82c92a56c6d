"""What every Op means on the device: the lowerings of all chapters, by the names of the Ops."""

from __future__ import annotations

from typing import Final

from ..recording import recorded
from . import (
    Lowerings,
    array_conversion,
    bessel,
    bits,
    cardinal_sine,
    casting,
    comparisons,
    complex_parts,
    composite_elementwise,
    contraction,
    convolution,
    counting,
    covariance,
    creation,
    cumulative,
    derived_reductions,
    differences,
    division,
    elementwise,
    exponential_sums,
    floating_point,
    host_constants,
    image_filters,
    interpolation,
    joining,
    khatri_rao,
    linear_algebra,
    norms,
    padding,
    peaks,
    polynomial_fit,
    polynomials,
    powers,
    products,
    quantiles,
    ranges,
    recursive_filters,
    reductions,
    repeating,
    searching,
    selection,
    sets,
    short_time,
    signal_convolution,
    signal_filtering,
    sorting,
    special_compositions,
    special_functions,
    spectra,
    ufunc_methods,
    views,
)
from .fourier import hankel, hermitian, transforms, trigonometric
from .indexing import coordinates, items, put, take
from .random import compound, counts, distributions, orders
from .sparse import arithmetic as sparse_arithmetic
from .sparse import comparison as sparse_comparison
from .sparse import components as sparse_components
from .sparse import products as sparse_products
from .sparse import rearrangement as sparse_rearrangement
from .sparse import selection as sparse_selection
from .sparse import stencils as sparse_stencils

__all__ = ["LOWERINGS"]

_CHAPTERS: Final = (
    *(array_conversion, bessel, bits, cardinal_sine, casting, comparisons, complex_parts, composite_elementwise, contraction),
    *(convolution, coordinates, counting, covariance, creation, cumulative, derived_reductions, differences, division, elementwise),
    *(exponential_sums, floating_point, hankel, hermitian, host_constants, interpolation, items, joining, khatri_rao),
    *(linear_algebra, norms, image_filters, compound, counts, distributions, orders),
    *(padding, peaks, polynomial_fit, polynomials, powers, products, put, quantiles, ranges, recursive_filters, reductions),
    *(repeating, searching, selection, sets, short_time, signal_convolution, signal_filtering, sorting, special_compositions),
    *(special_functions, spectra, sparse_arithmetic, sparse_comparison, sparse_components, sparse_products, sparse_rearrangement),
    *(sparse_selection, sparse_stencils, take, transforms, trigonometric, ufunc_methods, views),
)
_ALL: Final[Lowerings] = {name: lowering for chapter in _CHAPTERS for name, lowering in chapter.LOWERINGS.items()}
_RECORDED: Final = (
    *("sort", "argsort", "partition", "argpartition", "topk", "lexsort", "sort_complex"),
    *(name for name in _ALL if name.startswith(("fft.", "numpy.fft."))),
    *(*quantiles.LOWERINGS, *exponential_sums.LOWERINGS, *interpolation.LOWERINGS, *covariance.LOWERINGS, *differences.LOWERINGS),
    *(*convolution.LOWERINGS, *signal_convolution.LOWERINGS, *signal_filtering.LOWERINGS, *recursive_filters.LOWERINGS),
)
"""Ops that make many nodes, which shapes, dtypes and attributes determine, and that warn of nothing."""
LOWERINGS: Final[Lowerings] = {**_ALL, **{name: recorded(_ALL[name]) for name in _RECORDED}}
