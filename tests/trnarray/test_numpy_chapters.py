"""The chapters of NumPy's namespace that the standard does not have, against NumPy: same results, containers and errors."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray
from trnarray import Array

from .numpy_reference import LOW, PLAIN, compare, data, layouts, operands, same

OF_BROADCAST = ("shape", "nd", "ndim", "size", "numiter", "index")
CASES = {
    # type testing and properties
    "iscomplex": lambda xp, x: xp.iscomplex(x),
    "isreal": lambda xp, x: xp.isreal(x),
    "iscomplexobj": lambda xp, x: (xp.iscomplexobj(x), xp.iscomplexobj([x, x]), xp.isrealobj(x), xp.isrealobj(1j)),
    "isneginf": lambda xp, x: xp.isneginf(x / 0),
    "isposinf": lambda xp, x: xp.isposinf(x / 0, out=xp.ones(x.shape, dtype=bool)),
    "isscalar": lambda xp, x: (xp.isscalar(x), xp.isscalar(x.sum()), xp.isscalar(3), xp.isscalar("a")),
    "ndim and shape": lambda xp, x: (xp.ndim(x), xp.shape(x), xp.ndim([x, x]), xp.shape([x, x]), xp.ndim(None), xp.shape("abc")),
    "size": lambda xp, x: (xp.size(x), xp.size(x, 0), xp.size([x, x], 0)),
    "size of a scalar": lambda xp, x: (xp.size(x), xp.size(7)),
    "shared memory": lambda xp, x: (xp.shares_memory(x, x[::2]), xp.may_share_memory(x, x[::2]), xp.shares_memory(x, x + 0)),
    "disjoint memory": lambda xp, x: (xp.shares_memory(x[::2], x[1::2]), xp.may_share_memory(x[:1], x[1:], max_work=None)),
    "isfortran": lambda xp, x: xp.isfortran(x),
    "iterable": lambda xp, x: xp.iterable(x),
    # bits
    "packbits": lambda xp, x: xp.packbits(x),
    "packbits along an axis": lambda xp, x: xp.packbits(x > 0, axis=-1, bitorder="little"),
    "unpackbits": lambda xp, x: xp.unpackbits(xp.asarray(x.real > 0, dtype=np.uint8), axis=0, count=-3),
    # functional programming
    "apply_along_axis": lambda xp, x: xp.apply_along_axis(lambda row: row.sum(), 0, x),
    "apply_along_axis to rows": lambda xp, x: xp.apply_along_axis(lambda row, n, k=0: row[::-1] * n + k, -1, x, 2, k=1),
    "apply_along_axis to matrices": lambda xp, x: xp.apply_along_axis(lambda row: xp.stack([row, row]), 1, x),
    "apply_over_axes": lambda xp, x: xp.apply_over_axes(xp.sum, x, (0, -1)),
    "apply_over_axes, one": lambda xp, x: xp.apply_over_axes(xp.cumsum, x, 0),
    "piecewise": lambda xp, x: xp.piecewise(x, [x < 0, x > 1], [lambda v, n: v * n, 1, 2], 3),
    "piecewise, one condition": lambda xp, x: xp.piecewise(x, x > 0, [5]),
    "piecewise, too many": lambda xp, x: xp.piecewise(x, [x > 0], [1, 2, 3]),
    "vectorize": lambda xp, x: xp.vectorize(lambda a, b: a + b)(x, [1]),
    "vectorize to several": lambda xp, x: xp.vectorize(lambda a: (a, a * 2), otypes=[float, complex])(x),
    "vectorize rows": lambda xp, x: xp.vectorize(lambda row: row.max(), signature="(n)->()")(x),
    # positions
    "diag_indices": lambda xp, x: xp.diag_indices(3, 3),
    "tril_indices": lambda xp, x: xp.tril_indices(4, -1, 3),
    "triu_indices": lambda xp, x: xp.triu_indices(3, 1),
    "mask_indices": lambda xp, x: xp.mask_indices(3, xp.tril, -1),
    "tril_indices_from": lambda xp, x: x[xp.tril_indices_from(x, 1)],
    "triu_indices_from": lambda xp, x: xp.triu_indices_from(x),
    # index tricks
    "r_": lambda xp, x: xp.r_[x, x],
    "r_ of ranges": lambda xp, x: xp.r_[1:4, 0, 4, 0:1:3j, -1.5],
    "r_ with weak scalars": lambda xp, x: xp.r_[x.reshape(-1), 1, True],
    "r_ along an axis": lambda xp, x: xp.r_["-1", x, x],
    "r_ of more dimensions": lambda xp, x: xp.r_["0,3,1", x, x],
    "r_ with ranges of more dimensions": lambda xp, x: xp.r_["1,2,0", 0:3, x.reshape(-1)[:3]],
    "c_": lambda xp, x: xp.c_[x, x],
    "c_ of ranges": lambda xp, x: xp.c_[0:3, xp.asarray([4, 5, 6]), [7.5, 8, 9]],
    "r_ as directed wrongly": lambda xp, x: xp.r_["a,b", x],
    "s_": lambda xp, x: (x[xp.s_[..., :1]], x[xp.index_exp[:1]]),
    # iteration
    "ndenumerate": lambda xp, x: list(xp.ndenumerate(x)),
    "ndindex": lambda xp, x: list(xp.ndindex(x.shape)),
    "broadcast": lambda xp, x: [tuple(xp.asarray(item) for item in items) for items in xp.broadcast(x, [[1]])],
    "broadcast's attributes": lambda xp, x: [getattr(xp.broadcast(x, [[1]]), name) for name in OF_BROADCAST],
    "nditer": lambda xp, x: [item + 0 for item in xp.nditer(x, flags=["zerosize_ok"])],
    "nditer of several": lambda xp, x: [a * b for a, b in xp.nditer([x, [2]], flags=["zerosize_ok"], order="C")],
    "nditer that allocates": lambda xp, x: xp.nditer([x, None], ["zerosize_ok"], [["readonly"], ["allocate"]]).operands[1].shape,
    "nested_iters": lambda xp, x: [[b + 0 for b in inner] for inner in [xp.nested_iters(x, [[0], [1]])[1]]],
    # polynomials
    "poly": lambda xp, x: xp.poly(x),
    "poly of a matrix": lambda xp, x: xp.poly(x[:, :3]),
    "polyval": lambda xp, x: xp.polyval([1, -2, 3], x),
    "polyval of many coefficients": lambda xp, x: xp.polyval(x, 2),
    "polyadd": lambda xp, x: xp.polyadd(x, [1, 2]),
    "polysub": lambda xp, x: xp.polysub([1, 2], x),
    "polymul": lambda xp, x: xp.polymul(x, x),
    "polydiv": lambda xp, x: xp.polydiv(x, [2.0, 1]),
    "polyder": lambda xp, x: xp.polyder(x, 2),
    "polyint": lambda xp, x: xp.polyint(x, 2, [1, 2]),
    "roots": lambda xp, x: xp.sort(xp.abs(xp.roots(x))),
    "polyfit": lambda xp, x: xp.polyfit(xp.arange(len(x)), x, 1),
    "polyfit, in full": lambda xp, x: xp.polyfit(xp.arange(7), x, 2, full=True, w=xp.ones(7)),
    "polyfit with covariance": lambda xp, x: xp.polyfit(xp.arange(7), x, 2, cov="unscaled"),
    # emath
    "emath.sqrt": lambda xp, x: xp.emath.sqrt(x),
    "emath.log": lambda xp, x: (xp.emath.log(x), xp.emath.log2(x), xp.emath.log10(x)),
    "emath.logn": lambda xp, x: xp.emath.logn(2, x),
    "emath.power": lambda xp, x: (xp.emath.power(x, 0.5), xp.emath.power(2, x), xp.emath.power(x, -1)),
    "emath.arccos": lambda xp, x: (xp.emath.arccos(x), xp.emath.arcsin(x), xp.emath.arctanh(x)),
    # lib
    "sliding_window_view": lambda xp, x: xp.lib.stride_tricks.sliding_window_view(x, 2, axis=-1),
    "writable windows": lambda xp, x: xp.lib.stride_tricks.sliding_window_view(x, x.shape, writeable=True),
    "as_strided": lambda xp, x: xp.lib.stride_tricks.as_strided(
        x, x.shape[:1] if x.size else (0,), x.strides[:1], writeable=False
    ),
    "byte_bounds": lambda xp, x: xp.lib.array_utils.byte_bounds(x),
    # windows
    "windows": lambda xp, x: [f(n) for f in (xp.bartlett, xp.blackman, xp.hamming, xp.hanning) for n in (-1, 0, 1, 2, 7, 8)],
    "kaiser": lambda xp, x: [xp.kaiser(n, beta) for n in (0, 1, 7) for beta in (0, 2.5)],
    # settings, dtypes and numbers, which are NumPy's own
    "numbers as text": lambda xp, x: (xp.base_repr(5, 2), xp.binary_repr(xp.asarray([-3])[0], width=4), xp.typename("d")),
    "mintypecode": lambda xp, x: xp.mintypecode([x, "f"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name):
    for x in operands(shapes=((), (0,), (1,), (7,), (3, 4), (2, 0, 3), (2, 3, 2))):
        compare(CASES[name], x)


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_low_precision_rounds_once(dtype):
    x = np.random.default_rng(1).uniform(0.5, 2, 40).astype(dtype)
    ours, wide = trnarray.asarray(x), x.astype(np.float32)
    for case in (
        lambda xp, x: xp.polyval(x, xp.asarray(0.5, dtype=x.dtype)),
        lambda xp, x: xp.polymul(x, x),
        lambda xp, x: xp.poly(x[:5]),
        lambda xp, x: xp.emath.sqrt(x),
        lambda xp, x: xp.emath.log(x),
    ):
        with np.errstate(all="ignore"):
            got, want = case(trnarray, ours), case(np, wide)
        assert got.dtype == dtype
        np.testing.assert_array_equal(np.asarray(got).astype(np.float32), want.astype(dtype).astype(np.float32))


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_functions_see_low_precision_as_it_is(dtype):
    x = trnarray.asarray(data((3, 4), dtype))
    seen = []
    for call in (
        lambda f: trnarray.apply_along_axis(f, 0, x),
        lambda f: trnarray.piecewise(x, [x > 0], [f]),
        lambda f: trnarray.vectorize(f, signature="(n)->(n)", otypes=[np.float32])(x),
    ):
        call(lambda v: (seen.append((type(v), v.dtype)), v)[1])
    assert set(seen) == {(Array, dtype)}


def test_writes_through_an_iterator_and_a_window_reach_the_array():
    for x in list(layouts(np.arange(6.0).reshape(2, 3))):
        if not x.flags.writeable:
            with pytest.raises(ValueError, match="read-only|not writeable|not writable"):
                trnarray.nditer(trnarray.asarray(x), op_flags=["readwrite"])
            continue
        for item in trnarray.nditer(trnarray.asarray(x), op_flags=["readwrite"]):
            assert type(item) is Array
            item[...] = 2 * item
        np.testing.assert_array_equal(x, 2 * np.arange(6.0).reshape(2, 3))
        trnarray.lib.stride_tricks.sliding_window_view(trnarray.asarray(x), (1, 1), writeable=True)[0, 0, 0, 0] = -1
        assert x[0, 0] == -1


def test_nditer_has_what_numpy_has():
    x = np.arange(6).reshape(2, 3)
    theirs = np.nditer(x, ["multi_index", "c_index"])
    ours = trnarray.nditer(trnarray.asarray(x), ["multi_index", "c_index"])
    while not theirs.finished:
        for name in ("multi_index", "index", "iterindex", "itersize", "nop", "ndim", "shape", "dtypes", "has_index", "finished"):
            assert getattr(ours, name) == getattr(theirs, name)
        same(ours.value, theirs.value)
        same(ours[0], theirs[0])
        same(ours.copy().operands, theirs.copy().operands)
        assert ours.iternext() == theirs.iternext()
    ours.reset()
    ours.multi_index = (1, 1)
    assert int(ours[0]) == 4
    assert len(ours) == len(theirs)


def test_broadcast_begins_again():
    pairs = trnarray.broadcast(trnarray.asarray([1, 2]), 3)
    first = [tuple(map(int, items)) for items in pairs]
    assert pairs.index == 2
    pairs.reset()
    assert [tuple(map(int, items)) for items in pairs] == first == [(1, 3), (2, 3)]
    assert list(trnarray.broadcast()) == []


def test_vectorize_is_numpys():
    def add(a, b=1):
        """Add."""
        return a + b

    for keywords in ({}, {"otypes": "f"}, {"excluded": {1}}, {"excluded": {"b"}}, {"cache": True}, {"doc": "Adds."}):
        ours, theirs = trnarray.vectorize(add, **keywords), np.vectorize(add, **keywords)
        assert (ours.__name__, ours.__doc__) == (theirs.__name__, theirs.__doc__)
        if keywords.get("excluded") != {"b"}:
            same(ours(trnarray.asarray([1, 2]), 5), theirs(np.asarray([1, 2]), 5))
        same(ours(trnarray.asarray([1, 2]), b=5), theirs(np.asarray([1, 2]), b=5))

    @trnarray.vectorize(otypes=[float])
    def double(a):
        return 2 * a

    same(double([1, 2]), np.asarray([2.0, 4.0]))
    inner = trnarray.vectorize(lambda a, b: a @ b, signature="(n),(n)->()")  # which gives Arrays
    same(inner(trnarray.ones((2, 3)), trnarray.ones(3)), np.asarray([3.0, 3.0]))
    with pytest.raises(TypeError, match="takes a function"):
        trnarray.vectorize(3)
    with pytest.raises(TypeError, match="not supported"):
        trnarray.vectorize(str)([1, 2])


@given(st.lists(st.integers(-9, 9), max_size=5), st.lists(st.integers(-9, 9), min_size=1, max_size=4), st.integers(0, 3))
def test_poly1d_computes_as_numpys(a, b, power):
    def case(xp):
        p, q = xp.poly1d(a), xp.poly1d(b, variable="t")
        results = [p + q, p - q, p * q, q**power, -p, +p, 2 * q, q / 2, 2 - q, p.deriv(), q.integ(2, 1), p(q)]
        if any(b):
            results += [*(p / q)]
        return (
            [xp.asarray(r.coeffs) for r in results], [(r.order, str(r), repr(r)) for r in (p, q)],
            xp.asarray(q(1.5)), xp.sort(xp.abs(q.roots)), [xp.asarray(q[i]) for i in (-1, 0, 9)], bool(p == q), bool(p != q), len(p),
            [xp.asarray(c) for c in q], q.variable,
        )  # fmt: skip

    ours, theirs = case(trnarray), case(np)
    same(list(ours), list(theirs))


def test_poly1d():
    p = trnarray.poly1d([1, -3, 2])
    assert isinstance(trnarray.polyadd(p, [1]), trnarray.poly1d)
    assert isinstance(trnarray.polyval([1, 2], p), trnarray.poly1d)
    assert all(isinstance(part, trnarray.poly1d) for part in trnarray.polydiv([1, 2, 3], p))
    assert trnarray.poly1d([2, 1], r=True) == p
    assert isinstance(trnarray.asarray([1, 2]) * p, trnarray.poly1d)
    assert isinstance(np.float64(2) * p, trnarray.poly1d)
    p[4] = 7
    assert [int(c) for c in p.c] == [7, 0, 1, -3, 2]
    same(trnarray.roots(trnarray.poly1d([1, -1])), np.asarray([1.0]))
    with pytest.raises(ValueError, match="no negative powers"):
        p[-1] = 1
    with pytest.raises(ValueError, match="1-d"):
        trnarray.poly1d([[1]])
    with pytest.raises(ValueError, match="whole power"):
        p**-1


def test_refusals_say_what_to_do():
    with pytest.raises(ValueError, match="axis names an axis twice|names an axis twice"):
        trnarray.size(trnarray.ones((2, 3)), (0, -2))
    with pytest.raises(np.exceptions.AxisError, match="axis=2"):
        trnarray.size(trnarray.ones((2, 3)), 2)
    with pytest.raises(ValueError, match="no row"):
        trnarray.apply_along_axis(trnarray.sum, 0, trnarray.ones((2, 0)))
    with pytest.raises(ValueError, match="there are no matrices here"):
        trnarray.r_["r", 1]
    with pytest.raises(ValueError, match="keep them, or drop"):
        trnarray.apply_over_axes(lambda a, axis: a.reshape(-1), trnarray.ones((2, 2, 2)), 0)
    with pytest.raises(ValueError, match="two dimensions"):
        trnarray.tril_indices_from(trnarray.ones(3))


def test_settings_of_numpy_hold():
    x = trnarray.asarray([1.0])
    with trnarray.errstate(divide="raise"), pytest.raises(FloatingPointError):
        x / 0
    with trnarray.printoptions(precision=2):
        assert str(x / 3) == "[0.33]"


SERIES = ("chebyshev", "hermite", "hermite_e", "laguerre", "legendre", "polynomial")


@pytest.mark.parametrize("name", SERIES)
def test_series(name):
    ours, theirs = getattr(trnarray.polynomial, name), getattr(np.polynomial, name)
    assert dir(ours) == sorted(theirs.__all__)
    short = {"chebyshev": "cheb", "hermite": "herm", "hermite_e": "herme", "laguerre": "lag", "legendre": "leg", "polynomial": "poly"}[name]
    x, c = np.linspace(-0.5, 0.75, 6), np.asarray([[1.0, 2.0, 0.5], [0.25, -1.0, 3.0]])
    calls = {
        "zero": None, "domain": None, "add": (c[0], c[1]), "sub": (c[0], c[1]), "mul": (c[0], c[1]), "div": (c[0], c[1]), "pow": (c[0], 3),
        "val": (x, c[0]), "val2d": (x, x, c), "grid2d": (x, x, c), "der": (c,), "int": (c, 2), "fromroots": (x,), "vander": (x, 3),
        "fit": (x, x**2, 2), "roots": (c[0],), "companion": (c[0],), "trim": (c[0],), "gauss": (4,), "weight": (abs(x),), "line": (1, 2),
    }  # fmt: skip
    missing = 0
    for suffix, args in calls.items():
        function = getattr(theirs, short + suffix, None)
        if function is None:
            missing += 1
        elif args is None:
            same(getattr(ours, short + suffix), function)
        else:
            converted = [trnarray.asarray(a) if isinstance(a, np.ndarray) else a for a in args]
            same(getattr(ours, short + suffix)(*converted), function(*args))
    assert missing <= 2  # powers have no Gauss quadrature
    for suffix in ("valnd",):
        if hasattr(theirs, short + suffix):  # from NumPy 2.5 on
            same(getattr(ours, short + suffix)([trnarray.asarray(x)] * 2, trnarray.asarray(c)), getattr(theirs, short + suffix)([x] * 2, c))
    with pytest.raises(AttributeError, match=f"trnarray.polynomial.{name}"):
        _ = ours.no_such_function


def test_series_as_objects_take_arrays():
    x = trnarray.linspace(0, 1, 5)
    theirs = np.polynomial.Polynomial.fit(np.linspace(0, 1, 5), np.linspace(0, 1, 5) ** 2, 2)
    with trnarray.config(host_transfer="error"):
        p = trnarray.polynomial.Polynomial.fit(x, y=x * x, deg=2)
        assert p.has_samecoef(theirs)
        results = [p(x), p.roots(), *p.linspace(3), p(0.5)]
        q = trnarray.polynomial.Chebyshev(trnarray.asarray([1, 2]), domain=trnarray.asarray([0, 1]))
        product = (q * q + 1)(x)
        assert type(p(q)) is type(q)
    same(results, [theirs(np.asarray(x)), theirs.roots(), *theirs.linspace(3), theirs(0.5)])
    same(product, (np.polynomial.Chebyshev([1, 2], [0, 1]) ** 2 + 1)(np.linspace(0, 1, 5)))
    assert pickle.loads(pickle.dumps(p)) == p
    assert trnarray.polynomial.Polynomial.fromroots(trnarray.asarray([1, 2])).degree() == 2


def test_assertions():
    x = trnarray.asarray([1.0, 2.0], dtype=trnarray.bfloat16)
    with trnarray.config(host_transfer="error"):
        trnarray.testing.assert_array_equal(x, [1, 2])
        trnarray.testing.assert_allclose(actual=x, desired=[1, 2.001], rtol=1e-3)
        trnarray.testing.assert_equal({"a": [x]}, {"a": [x]})
        for assertion in (trnarray.testing.assert_array_equal, trnarray.testing.assert_allclose, trnarray.testing.assert_array_less):
            with pytest.raises(AssertionError):
                assertion(x, trnarray.asarray([1.0, -2.0]))
        trnarray.testing.assert_raises(ValueError, x.reshape, 3)


@pytest.mark.parametrize("dtype", PLAIN, ids=str)
def test_ndarray_is_called_as_numpys(dtype):
    memory = np.arange(2, 50, dtype=np.int8).tobytes() if dtype.kind != "b" else bytes([0, 1] * 24)
    for args in (((2,), dtype, memory), ((2, 1), dtype, memory, dtype.itemsize), ((1,), dtype, memory, 0, (dtype.itemsize,))):
        same(trnarray.ndarray(*args), np.ndarray(*args))
    assert trnarray.ndarray((2, 3), dtype, order="F").flags.f_contiguous
    assert trnarray.ndarray(3).dtype == np.float64
    for wrong in ((-1,), "a"):
        with pytest.raises((TypeError, ValueError)):
            trnarray.ndarray(wrong)
