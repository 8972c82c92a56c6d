"""What is imported when it is first asked for, to keep ``import trnarray`` fast: modules, and the names that they define.

NumPy's own names are about no array, or take ours as they are.
"""

from __future__ import annotations

from typing import Final

__all__ = ["MODULES", "SUBMODULES"]

SUBMODULES: Final = frozenset({
    "chemistry", "emath", "fft", "kernel", "lib", "linalg", "polynomial", "random", "scipy", "special", "tensor", "testing",
})  # fmt: skip
_DEFINES: Final = {
    ".cumulative_functions": "cumprod cumsum cumulative_prod cumulative_sum nancumprod nancumsum",
    ".indexing_functions": (
        "choose compress diag_indices_from diagonal extract fill_diagonal ix_ place put put_along_axis putmask "
        "ravel_multi_index select take take_along_axis unravel_index"
    ),
    ".linear_algebra_functions": "cross dot einsum einsum_path inner kron matrix_transpose outer tensordot trace vdot",
    ".mathematical_functions": (
        "allclose angle around array_equal array_equiv clip fix i0 imag isclose nan_to_num real real_if_close round "
        "sinc"
    ),
    ".rearrangement_functions": "append copyto delete flip fliplr flipud insert pad repeat roll rot90 tile trim_zeros",
    ".sorting_functions": "argpartition argsort lexsort partition sort sort_complex topk",
    ".calculus_functions": "convolve correlate gradient interp trapezoid unwrap",
    ".histogram_functions": "bincount corrcoef cov digitize histogram histogram2d histogram_bin_edges histogramdd",
    ".nan_functions": "nanmax nanmean nanmin nanprod nanstd nansum nanvar",
    ".quantile_functions": "average median nanmedian nanpercentile nanquantile percentile quantile",
    ".set_functions": (
        "ediff1d intersect1d isin setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse "
        "unique_values"
    ),
    ".contraction": "ContractExpression contract_expression",
    ".explanation": "explain memory plan_cache warm",
    ".buffers_and_text": "frombuffer fromfile fromiter fromstring",
    ".matrices": "diag diagflat tri vander",
    ".array_properties": "may_share_memory ndim shape shares_memory size",
    ".binary_operations": "packbits unpackbits",
    ".file_io": "load save savez savez_compressed",
    ".functional_programming": "apply_along_axis apply_over_axes piecewise vectorize",
    ".triangle_indices": "diag_indices mask_indices tril_indices tril_indices_from triu_indices triu_indices_from",
    ".index_expressions": "c_ r_",
    ".loops": "fori_loop while_loop",
    ".iteration": "broadcast flatiter ndenumerate nditer nested_iters",
    ".polynomials": "poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
    ".printing_functions": "array2string array_repr array_str format_float_positional format_float_scientific",
    ".text_io": "genfromtxt loadtxt savetxt",
    ".type_testing": "iscomplex iscomplexobj isneginf isposinf isreal isrealobj isscalar",
    ".window_functions": "bartlett blackman hamming hanning kaiser",
    "numpy": (
        "ScalarType base_repr binary_repr dtypes errstate exceptions frompyfunc get_printoptions getbufsize geterr "
        "geterrcall index_exp isfortran iterable mintypecode ndindex printoptions s_ sctypeDict set_printoptions "
        "setbufsize seterr seterrcall typename typing"
    ),
}
MODULES: Final = {name: module for module, names in _DEFINES.items() for name in names.split()}
