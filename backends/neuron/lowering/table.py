"""What every Op means on the device: the lowerings of all chapters, by the names of the Ops."""

from __future__ import annotations

from typing import Final

from . import (
    Lowerings,
    bessel,
    bits,
    cardinal_sine,
    casting,
    comparisons,
    composite_elementwise,
    constants,
    contraction,
    conversions,
    convolution,
    coordinates,
    counting,
    covariance,
    creation,
    cumulative,
    differences,
    division,
    elementwise,
    exponential_sums,
    floating_point,
    fourier,
    hermitian_transforms,
    indexing,
    interpolation,
    joining,
    khatri_rao,
    norms,
    parts,
    peaks,
    polynomial_fit,
    polynomials,
    powers,
    products,
    putting,
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
    special_functions,
    spectra,
    statistics,
    taking,
    trigonometric_transforms,
    ufunc_methods,
    views,
)

__all__ = ["LOWERINGS"]

_CHAPTERS: Final = (
    *(bessel, bits, cardinal_sine, casting, comparisons, composite_elementwise, constants, contraction, conversions, convolution),
    *(coordinates, counting, covariance, creation, cumulative, differences, division, elementwise, exponential_sums, floating_point),
    *(fourier, hermitian_transforms, indexing, interpolation, joining, khatri_rao, norms, parts, peaks, polynomial_fit, polynomials),
    *(powers, products, putting, quantiles, ranges, recursive_filters, reductions, repeating, searching, selection, sets, short_time),
    *(signal_convolution, signal_filtering, sorting, special_functions, spectra, statistics, taking, trigonometric_transforms),
    *(ufunc_methods, views),
)
LOWERINGS: Final[Lowerings] = {name: lowering for chapter in _CHAPTERS for name, lowering in chapter.LOWERINGS.items()}
