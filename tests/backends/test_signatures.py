"""Signatures: arguments are read once, into calls that are arguments themselves; lowerings know none of NumPy's."""

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import numpy as np
import pytest
from scipy.signal import ShortTimeFFT

from trnarray.backends import ops
from trnarray.backends.counter_based.functions import FUNCTIONS
from trnarray.backends.counter_based.stream import Stream
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron import lowering
from trnarray.backends.neuron.value import Value
from trnarray.backends.op import get_op
from trnarray.backends.ops.ufuncs import ufunc_op
from trnarray.backends.signatures import SIGNATURES, NotNativeError

for module in pkgutil.iter_modules(ops.__path__):  # which register their Ops
    importlib.import_module(f"trnarray.backends.ops.{module.name}")
READER = engine_for(Device("sim:trn2")).builder
METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")
FORBIDDEN = {"out", "casting", "_NoValue", "normalize_axis_index", "normalize_axis_tuple", "checked_axis"}


def names(node):
    """List the names of a node of a syntax tree: variables, parameters, attributes, keywords, strings that are keys."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=name) | ast.Attribute(attr=name) | ast.Constant(value=str() as name):
            return [name]
    return []


def test_lowerings_read_no_arguments_of_numpys():
    folder = Path(lowering.__file__).parent
    found = {
        f"{path.relative_to(folder)}:{node.lineno}: {name}"
        for path in folder.rglob("*.py")
        if path.name != "table.py"  # which imports a module casting
        for node in ast.walk(ast.parse(path.read_text()))
        for name in names(node)
        if name in FORBIDDEN
    }
    assert found == set()


def value(*shape, dtype=np.float32):
    return READER.from_host(np.ones(shape, dtype), copy=True)


STFT = ShortTimeFFT(np.ones(4), 2, 1.0)
X, Y, V, N, W = value(2, 3), value(2, 3), value(4), value(4, dtype=np.int32), value(9)
S, V2 = value(2, 2), value(2)
SPARSE = ("coo", (2, 2), (V2, value(2, dtype=np.int32), value(2, dtype=np.int32)))
DRAWS = Stream(FUNCTIONS["Philox4x32"], (1, 2), 0)
CALLS = {
    "add": ((X, 1), {}),
    "clip": ((X, 0), {}),
    "sum": ((X, -1), {"keepdims": True}),
    "prod": ((X, None), {"dtype": np.float32}),
    "max": ((X, (1, 0)), {"initial": 3.0}),
    "maximum.reduce": ((X, -2), {}),
    "add.accumulate": ((X, -1), {}),
    "add.reduceat": ((V, [0, 2]), {}),
    "add.outer": ((V, V), {}),
    "nansum": ((X,), {"axis": -1}),
    "nanmax": ((X,), {"axis": None}),
    "mean": ((X, -1), {}),
    "numpy.var": ((X,), {"axis": -1, "ddof": 1}),
    "standard.var": ((X,), {"axis": -1, "correction": 1}),
    "argmax": ((X, -1), {}),
    "nanargmax": ((X,), {}),
    "count_nonzero": ((X,), {"axis": -1}),
    "ptp": ((X, -1), {}),
    "average": ((X, -1, Y), {"returned": True}),
    "median": ((X, -1), {}),
    "quantile": ((X, [0, 1], -1), {}),
    "nanpercentile": ((X, 30.0), {}),
    "cumsum": ((X, -1), {}),
    "nancumprod": ((X,), {}),
    "cumulative_sum": ((X,), {"axis": -1, "include_initial": True}),
    "diff": ((X, 1, -1, Y), {}),
    "ediff1d": ((V, None, 3.0), {}),
    "gradient": ((X, 0.5), {}),
    "trapezoid": ((X, value(3)), {"axis": -1}),
    "unwrap": ((X,), {}),
    "sort": ((X,), {"axis": -1, "descending": True}),
    "argsort": ((X,), {}),
    "partition": ((X, 1), {}),
    "argpartition": ((X, 1, None), {}),
    "lexsort": (((X, Y),), {}),
    "topk": ((X, 2), {}),
    "unique": ((V, True), {}),
    "fft.fft": ((X,), {}),
    "fft.rfft": ((X, 2, 0), {"norm": "ortho"}),
    "fft.irfft2": ((X,), {}),
    "numpy.fft.fftn": ((X, None, (-1, 0)), {}),
    "fft.dct": ((X, 3), {}),
    "fft.dctn": ((X,), {"axes": (-1,)}),
    "fft.fftshift": ((X, -1), {}),
    "concatenate": (((X, Y), -1), {}),
    "stack": (((X, Y), -1), {}),
    "vstack": (((X, Y),), {}),
    "hstack": (((V, V),), {}),
    "column_stack": (((V, V),), {}),
    "append": ((X, Y), {}),
    "getitem": ((value(2, 3, 4), (True, ..., [0, 1])), {}),
    "setitem": ((value(2, 3), ([[True] * 3] * 2, ...), 1.0), {}),
    "add.at": ((V, [1, 1], 3.0), {}),
    "take": ((X, [1], -1), {}),
    "take_along_axis": ((X, value(2, 3, dtype=np.int32), -1), {}),
    "compress": (([True, False], X, 0), {}),
    "choose": ((value(2, dtype=np.int32), [[1, 2], [3, 4]]), {"mode": "clip"}),
    "put": ((V, [1], 3.0), {}),
    "put_along_axis": ((value(2, 3), value(2, 3, dtype=np.int32), 1.0, -1), {}),
    "copyto": ((X, 3), {"where": True}),
    "putmask": ((V, [True] * 4, 2.0), {}),
    "unravel_index": ((N, (4, 5)), {}),
    "ravel_multi_index": (((N, N), (4, 5)), {"mode": "wrap"}),
    "isposinf": ((X,), {}),
    "round": ((X, 1), {}),
    "trace": ((X, 1), {}),
    "linalg.trace": ((X,), {"offset": 1}),
    "matmul": ((X, value(3)), {}),
    "vecdot": ((X, Y), {"axis": 0}),
    "dot": ((X, 3), {}),
    "tensordot": ((X, Y, ([0, 1], [0, -1])), {}),
    "kron": ((X, V), {}),
    "outer": ((V, V), {}),
    "linalg.outer": ((V, V), {}),
    "cross": ((X, value(3)), {}),
    "linalg.cross": ((X, Y), {"axis": -1}),
    "linalg.matrix_power": ((value(2, 2), 3), {}),
    "einsum": (("ij,kj", X, Y), {}),
    "linalg.norm": ((X, None, -1), {}),
    "linalg.vector_norm": ((X,), {"axis": -1}),
    "linalg.matrix_norm": ((X,), {"ord": 1}),
    "packbits": ((value(8, dtype=np.bool), -1), {}),
    "unpackbits": ((value(8, dtype=np.uint8),), {"count": -3}),
    "astype": ((X, "int32"), {}),
    "trim_zeros": ((V,), {"axis": -1}),
    "tile": ((X, 2), {}),
    "repeat": ((X, [1, 2], 0), {}),
    "roll": ((X, 1, -1), {}),
    "resize": ((X, 4), {}),
    "pad": ((X, 1), {}),
    "delete": ((V, 1, -1), {}),
    "insert": ((V, 1, 3.0), {}),
    "zeros": ((3, "float32"), {}),
    "full": ((3, 1.0, "float32"), {}),
    "scipy.signal.welch": ((W, 2), {"nperseg": np.int8(4), "detrend": "c"}),
    "scipy.signal.csd": ((W, [1.0] * 9), {"window": [1.0, 2.0, 1.0], "axis": -1}),
    "scipy.signal.coherence": ((W, W), {"nperseg": 300, "detrend": None}),
    "scipy.signal.periodogram": ((W,), {"window": None, "nfft": 4}),
    "scipy.signal.spectrogram": ((W,), {"nperseg": 8, "return_onesided": 0}),
    "scipy.signal.stft": ((W,), {"nperseg": 4, "boundary": None, "padded": 1}),
    "scipy.signal.istft": ((value(2, 3, 5),), {"noverlap": 1}),
    "where": (([True, False, True], X, 0), {}),
    "isclose": ((X, [1, 2, 3]), {"rtol": 0.1, "equal_nan": 1}),
    "fill_diagonal": ((S, 1.0), {"wrap": 1}),
    "fft.fftfreq": ((4,), {"d": 0.5, "dtype": "float32"}),
    "kaiser": ((4, 2.0), {}),
    "linalg.multi_dot": (([X, value(3, 2), V2],), {}),
    "linalg.inv": ((), {"a": S}),
    "linalg.svd": ((X, 0), {}),
    "scipy.linalg.solve": ((S, [1, 2], True, True), {"check_finite": 0}),
    "scipy.linalg.eigh": ((S,), {"b": S, "overwrite_b": True, "subset_by_index": [0, 1]}),
    "scipy.linalg.lu_solve": (((S, value(2, dtype=np.int32)), V2), {"trans": 1}),
    "scipy.linalg.cho_solve": ((([[1.0, 0], [0, 1]], True), V2), {}),
    "scipy.linalg.toeplitz": ((V,), {"r": [1.0, 2.0]}),
    "scipy.linalg.block_diag": ((X, [1.0]), {}),
    "scipy.signal.detrend": ((W,), {"bp": [4, 2]}),
    "scipy.signal.ShortTimeFFT.stft": ((W, STFT), {"p0": 1}),
    "scipy.signal.ShortTimeFFT.stft_detrend": ((W, STFT, "linear"), {"padding": "even"}),
    "scipy.signal.ShortTimeFFT.spectrogram": ((W, STFT, W), {"axis": 0}),
    "scipy.signal.ShortTimeFFT.istft": ((value(3, 6), STFT), {"k1": 7}),
    "scipy.signal.lfilter": (([1.0, 2.0], V, W), {"zi": value(3)}),
    "scipy.signal.filtfilt": (([1.0], [1.0, 0.5], W), {"padtype": "even"}),
    "scipy.signal.sosfilt": (([[1.0, 0, 0, 1, 0, 0]], X), {"axis": 0}),
    "scipy.signal.sosfiltfilt": (([[1.0, 0, 0, 1, 0, 0]], W), {"padlen": 3}),
    "scipy.signal.hilbert": ((X,), {"axis": 0}),
    "scipy.signal.resample": ((W, np.int8(5)), {}),
    "scipy.signal.resample_poly": ((X, 4, 6), {"padtype": "mean"}),
    "scipy.signal.find_peaks": ((W,), {"height": 1.0, "threshold": value(2)}),
    "scipy.signal.convolve": ((X, Y), {"mode": "same"}),
    "scipy.signal.fftconvolve": ((X, Y), {"axes": -1}),
    "scipy.signal.choose_conv_method": ((X, Y), {}),
    "random.normal": ((DRAWS, V), {"size": (3, 4)}),
    "random.poisson": ((DRAWS, [1.0, 2.0]), {}),
    "random.gamma": ((DRAWS, 2), {"size": (3,)}),
    "random.standard_normal": ((DRAWS,), {"size": (4,), "out": value(4), "method": "inv"}),
    "random.standard_gamma": ((DRAWS, V), {"dtype": "float16"}),
    "random.integers": ((DRAWS, 5), {"endpoint": 1}),
    "random.multinomial": ((DRAWS, 5, [0.5, 0.5]), {"size": (3,)}),
    "random.permutation": ((DRAWS, X), {"axis": -1}),
    "random.permuted": ((DRAWS, X), {"axis": -1, "out": Y}),
    "random.choice": ((DRAWS, np.int8(5), None), {"shuffle": 1}),
    "sparse.astype": ((SPARSE, "float64"), {"copy": 1}),
    "sparse.conjugate": ((SPARSE,), {"copy": 0}),
    "sparse.count_nonzero": ((SPARSE, -1), {}),
    "sparse.diagonal": ((SPARSE, np.int8(1)), {}),
    "sparse.diags_array": (([V2, value(1)],), {"offsets": [0, -1], "dtype": "float32"}),
    "sparse.hstack": (([SPARSE, SPARSE],), {"dtype": "float64"}),
    "sparse.kronsum": ((SPARSE, SPARSE), {}),
    "sparse.linalg.norm": ((SPARSE, "fro"), {}),
    "sparse.matmul": (([1.0, 2.0], SPARSE), {}),
    "sparse.max": ((SPARSE, -1), {}),
    "sparse.mean": ((SPARSE,), {"axis": np.int64(-2)}),
    "sparse.power": ((SPARSE, 2, "float64"), {}),
    "sparse.round": ((SPARSE, np.int8(1)), {}),
    "sparse.sum": ((SPARSE, -1), {}),
    "sparse.trace": ((SPARSE,), {}),
    "sparse.transpose": ((SPARSE, (1, 0)), {"copy": 0}),
    "scipy.ndimage.correlate": ((X,), {"weights": [[1, 2]], "mode": "wrap", "cval": 0.0, "origin": 0, "axes": (-1, 0)}),
    "scipy.ndimage.convolve1d": ((X,), {"weights": V2, "axis": -1, "mode": "reflect", "cval": 0.0, "origin": np.int8(-1)}),
    "scipy.ndimage.maximum_filter1d": ((X,), {"size": np.int8(3), "axis": -2, "mode": "reflect", "cval": 0.0, "origin": 0}),
    "scipy.ndimage.gaussian_filter": (
        (X, "float32"),
        {"sigma": [1, 0.0], "order": 0, "mode": ["wrap", "nearest"], "cval": 0.0, "truncate": 4.0, "radius": None},
    ),
    "scipy.ndimage.gaussian_laplace": ((X,), {"sigma": 2, "mode": "wrap", "cval": 0.0, "axes": -1, "radius": 3}),
    "scipy.ndimage.sobel": ((X,), {"axis": -1, "mode": "wrap", "cval": 0.0}),
    "scipy.ndimage.uniform_filter": ((X,), {"size": (0, 2.5), "mode": "wrap", "cval": 0.0, "origin": 0, "axes": None}),
    "scipy.ndimage.minimum_filter": ((X,), {"footprint": [[0, 1]], "mode": "wrap", "cval": 0.0, "origin": 0}),
    "scipy.ndimage.rank_filter": ((X,), {"rank": -1, "size": 3, "mode": ("wrap", "nearest"), "cval": 0.0, "origin": 0}),
    "scipy.ndimage.percentile_filter": ((X,), {"percentile": -5, "size": 3, "mode": "wrap", "cval": 0.0, "origin": 0}),
    "arange": ((0, 5, 1), {"dtype": "float32"}),
    "linspace": ((X, [1, 2, 3], 5), {"retstep": 1, "dtype": "float32", "axis": -1}),
    "logspace": ((V, 2.0), {"num": np.int8(5), "base": 2.0, "dtype": "float32", "axis": -2}),
    "geomspace": ((1.0, V, 5, 0), {"dtype": "float32"}),
    "ones_like": ((X,), {}),
    "full_like": ((X, 3), {}),
    "eye": ((3, None, 1, "float32"), {}),
    "triu": ((X, 1), {}),
    "diag": ((V, np.int64(1)), {}),
    "meshgrid": ((V, V), {"indexing": "ij"}),
    "bincount": ((N,), {"weights": V}),
    "histogram": ((V, 3), {}),
    "histogram2d": ((V, V, 3), {}),
    "histogramdd": ((X, 3), {}),
    "cov": ((X,), {"ddof": 0}),
    "corrcoef": ((X, Y), {}),
    "convolve": ((V, V, "same"), {}),
    "interp": ((X, V, V), {"period": -3}),
    "polyadd": ((V, 1), {}),
    "polyint": ((V, 2, 1), {}),
    "polyval": ((V, X), {}),
    "vander": ((V,), {}),
    "polyfit": ((V, V, 1), {"w": V}),
    "searchsorted": ((V, 1), {"side": "right"}),
    "numpy.isin": ((V, [1.0]), {}),
    "digitize": ((X, [1, 2]), {}),
    "reshape": ((X, -1), {}),
    "ravel": ((X, "A"), {}),
    "flip": ((X, -1), {}),
    "unstack": ((X,), {"axis": -1}),
    "select": (([value(2, 3, dtype=np.bool)], [X]), {}),
    "nan_to_num": ((X,), {"nan": 1.0}),
    "require": ((X, "float32", ["C_CONTIGUOUS", "W"]), {}),
    "block": (([[X, 1.0], [Y, 2.0]],), {}),
    "ix_": (([0, 1], [1]), {}),
    "array_equal": ((X, [1, 2, 3]), {}),
    "intersect1d": ((V, [1.0]), {"return_indices": True}),
    "isreal": ((X,), {}),
    "fft.hfft2": ((X,), {}),
    "ndarray.view": ((X, np.dtype(np.int32)), {}),
}


def op_named(name):
    """Look an Op up, or make that of a ufunc's method."""
    ufunc, _, method = name.partition(".")
    return ufunc_op(getattr(np, ufunc), method) if method in METHODS and ufunc != "linalg" else get_op(name)


def read(op, args, kwargs):
    return op.signature(READER, *args, **kwargs)


def is_canonical(name, item):
    """Tell whether an attribute has one form: no sentinel, and axes that are counted from the first one."""
    if item is np._NoValue:
        return name == "initial"
    if name in ("axis", "axes") and isinstance(item, (int, tuple)):
        flat = np.atleast_1d(np.asarray(item)).ravel()
        return bool((flat >= 0).all())
    return True


@pytest.mark.parametrize("name", CALLS)
def test_canonical_calls_are_arguments(name):
    """What is read reads the same again, and the host's function takes it."""
    op, (args, kwargs) = op_named(name), CALLS[name]
    call = read(op, args, kwargs)
    if "loop" in call.attributes:  # of a universal function, which is all that its rule and its lowering look at
        assert call.attributes.keys() == {"loop"}
        return
    again = read(op, call.operands, call.attributes)
    assert again.attributes.keys() == call.attributes.keys()
    for one, other in zip((*call.operands, *call.attributes.values()), (*again.operands, *again.attributes.values()), strict=True):
        assert same(one, other), (one, other)
    if name not in ("vecdot", "linalg.cross", "fft.hfft2"):  # whose axis is of two operands, or looked at by another transform
        assert all(is_canonical(key, item) for key, item in call.attributes.items())
    try:
        host = inspect.signature(op.host)
    except ValueError:  # a compiled function that does not tell
        return
    host.bind(*call.operands, **call.attributes)


def same(one, other):
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, Value):
        return one is other or (one.shape, one.dtype, one.cells[0].node) == (other.shape, other.dtype, other.cells[0].node)
    return one is other or one == other


REFUSED = {
    "an axis twice": (lambda: read(get_op("sum"), (X, (0, 0)), {}), ValueError),
    "an axis beyond": (lambda: read(get_op("sort"), (X,), {"axis": 2}), np.exceptions.AxisError),
    "a bool for an axis": (lambda: read(get_op("sum"), (X, True), {}), TypeError),
    "no identity under a mask": (lambda: read(get_op("max"), (X, None), {"where": X}), ValueError),
    "no element": (lambda: read(get_op("argmax"), (value(0),), {}), ValueError),
    "an unknown method": (lambda: read(get_op("quantile"), (X, 0.5), {"method": "x"}), ValueError),
    "a probability beyond 1": (lambda: read(get_op("quantile"), (X, 1.5), {}), ValueError),
    "an unknown norm": (lambda: read(get_op("fft.fft"), (X,), {"norm": "x"}), ValueError),
    "no norm of a matrix": (lambda: read(get_op("linalg.norm"), (X,), {"ord": 3}), ValueError),
    "no axis to halve": (lambda: read(get_op("fft.rfftn"), (X,), {"axes": ()}), np.exceptions.AxisError),
    "an overlap as long as a segment": (lambda: read(get_op("scipy.signal.welch"), (W,), {"nperseg": 4, "noverlap": 4}), ValueError),
    "a trend of another kind": (lambda: read(get_op("scipy.signal.stft"), (W,), {"detrend": "square"}), ValueError),
    "a flag that is none": (lambda: read(get_op("scipy.linalg.cholesky"), (S,), {"lower": "L"}), NotNativeError),
    "products of bools": (lambda: read(get_op("cross"), (value(0, 3, dtype=np.bool), value(3, dtype=np.bool)), {}), TypeError),
    "one choice": (lambda: read(get_op("where"), (X, X), {}), ValueError),
    "a diagonal of a vector": (lambda: read(get_op("fill_diagonal"), (V, 1), {}), ValueError),
    "a number of points in an array": (lambda: read(get_op("hanning"), (V,), {}), NotNativeError),
    "no operand": (lambda: read(get_op("linalg.inv"), (), {}), NotNativeError),
    "signals shorter than what continues them": (lambda: read(get_op("scipy.signal.filtfilt"), ([1], [1, 0.5], V), {}), ValueError),
    "coefficients in rows": (lambda: read(get_op("scipy.signal.lfilter"), (X, [1], W), {}), ValueError),
    "a state of other delays": (lambda: read(get_op("scipy.signal.lfilter"), ([1, 2], [1], W), {"zi": V}), ValueError),
    "sections of five": (lambda: read(get_op("scipy.signal.sosfilt"), (value(1, 5), W), {}), ValueError),
    "factors below 1": (lambda: read(get_op("scipy.signal.resample_poly"), (W, 0, 1), {}), ValueError),
    "limits of other samples": (lambda: read(get_op("scipy.signal.find_peaks"), (W, V), {}), ValueError),
    "another padding": (lambda: read(get_op("scipy.signal.ShortTimeFFT.stft"), (W, STFT), {"padding": "x"}), ValueError),
    "samples beyond": (lambda: read(get_op("scipy.signal.ShortTimeFFT.istft"), (value(3, 6), STFT), {"k1": 99}), ValueError),
    "no axes": (lambda: read(get_op("scipy.signal.fftconvolve"), (X, Y), {"axes": ()}), ValueError),
    "a breakpoint beyond": (lambda: read(get_op("scipy.signal.detrend"), (W,), {"bp": 10}), ValueError),
    "a size of other parameters": (lambda: read(get_op("random.normal"), (DRAWS, V), {"size": (3,)}), ValueError),
    "draws of integers": (lambda: read(get_op("random.random"), (DRAWS,), {"dtype": "int32"}), TypeError),
    "memory of another dtype": (lambda: read(get_op("random.random"), (DRAWS,), {"out": N}), NotNativeError),
    "an axis beyond an order's": (lambda: read(get_op("random.permutation"), (DRAWS, V), {"axis": 1}), NotNativeError),
    "a generator of NumPy's": (lambda: read(get_op("random.choice"), (np.random.default_rng(0), 3), {}), NotNativeError),
    "a matrix's axis beyond": (lambda: read(get_op("sparse.sum"), (SPARSE, 2), {}), NotNativeError),
    "a diagonal's number in an array": (lambda: read(get_op("sparse.trace"), (SPARSE, V), {}), NotNativeError),
    "a diagonal that is too long": (lambda: read(get_op("sparse.diags_array"), ([V],), {"offsets": [1], "shape": (3, 3)}), NotNativeError),
    "an image's axis twice": (lambda: read(get_op("scipy.ndimage.laplace"), (X,), {"mode": "wrap", "cval": 0, "axes": (0, 0)}), ValueError),
    "fewer than no samples": (lambda: read(get_op("linspace"), (X, 1, -1), {"dtype": "float32"}), ValueError),
    "an axis beyond a range's": (lambda: read(get_op("geomspace"), (1, 2), {"dtype": "float32", "axis": 1}), np.exceptions.AxisError),
    "no length": (lambda: read(get_op("fft.fft"), (X, 0), {}), ValueError),
    "an unsafe cast": (lambda: read(get_op("concatenate"), ((X,),), {"dtype": "int8"}), TypeError),
    "out and dtype": (lambda: read(get_op("concatenate"), ((X,),), {"out": X, "dtype": "int8"}), TypeError),
    "out that is none": (lambda: read(get_op("cumsum"), (X,), {"out": 3}), TypeError),
    "shapes that differ": (lambda: read(get_op("concatenate"), ((X, value(3, 3)), 1), {}), ValueError),
    "an unknown mode": (lambda: read(get_op("take"), (X, 0), {"mode": "x"}), ValueError),
    "a mask of more elements": (lambda: read(get_op("any"), (value(1), None), {"where": [True, True]}), ValueError),
    "no array to look at": (lambda: read(get_op("fill_diagonal"), ((1, 2), 3), {}), NotNativeError),
    "another layout": (lambda: read(get_op("zeros"), (3,), {"order": "X"}), NotNativeError),
    "products that do not fit": (lambda: read(get_op("matmul"), (X, X), {}), ValueError),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arguments_are_refused_where_they_are_read(name):
    call, error = REFUSED[name]
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("shape", [(0,), (0, 0), (0, 3), (3, 0)])
@pytest.mark.parametrize("initial", [np._NoValue, None, 1.0])
def test_reductions_of_no_elements(shape, initial):
    """NumPy refuses them where there is nothing to begin with."""
    for ufunc in (np.maximum, np.add):
        try:
            ufunc.reduce(np.zeros(shape, np.float32), 0, initial=initial)
        except ValueError:
            with pytest.raises(ValueError, match="has no identity"):
                read(op_named(f"{ufunc.__name__}.reduce"), (value(*shape), 0), {"initial": initial})
        else:
            read(op_named(f"{ufunc.__name__}.reduce"), (value(*shape), 0), {"initial": initial})


def test_signatures_are_of_ops():
    for name in SIGNATURES:
        assert op_named(name).signature is not None, name
