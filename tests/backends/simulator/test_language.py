"""Helpers of nki.language against NumPy."""

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

RNG = np.random.default_rng(5)
U = 2.0**-24
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def call(body, *arrays, target="trn2"):
    """Run a body on loaded tiles; it returns one tile."""

    def kernel(*inputs):
        tile = body(*[nl.load(source) for source in inputs])
        if tile.buffer is nl.psum:
            tile = nl.copy(tile)
        out = nl.ndarray(tile.shape, tile.dtype, nl.shared_hbm)
        nl.store(out, tile)
        return out

    with simulator.options(target):
        return simulator.jit(kernel)(*arrays)


def floats(*shape):
    return RNG.uniform(-9, 9, shape).astype(np.float32)


X, Y = floats(128, 33), floats(128, 33)
SPECIAL = np.array([[0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 2**22 + 0.5, -(2**23) - 1, 3e9, -1e30, 7.0, -7.0, np.inf, -np.inf]], np.float32)


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc"])
def test_integral(name):
    for x in (X, SPECIAL):
        with np.errstate(invalid="ignore"):  # NumPy's sets it beyond int32 where it has no vector instructions
            expected = getattr(np, name)(x)
        np.testing.assert_array_equal(call(getattr(nl, name), x), expected)
    assert np.isnan(call(getattr(nl, name), np.full((1, 1), np.nan, np.float32)))
    assert call(lambda x: getattr(nl, name)(x, nl.int32), X).dtype == np.int32


def test_division():
    # The rounding of the reciprocal, and that of the product.
    np.testing.assert_allclose(call(nl.divide, X, Y), X.astype(float) / Y, rtol=2.01 * U)
    np.testing.assert_allclose(call(lambda x: nl.divide(1.0, x), X), 1 / X.astype(float), rtol=U)
    np.testing.assert_allclose(call(lambda x: nl.divide(x, 3.0), X), X.astype(float) / 3, rtol=2.01 * U)


@pytest.mark.parametrize("name", ["fmod", "mod"])
def test_remainders(name):
    reference = getattr(np, name)
    found, want = call(getattr(nl, name), X, Y), reference(X.astype(float), Y.astype(float))
    distance = np.abs(found - want)
    # A remainder next to 0 may be next to the divisor.
    assert (np.minimum(distance, np.abs(distance - np.abs(Y))) <= 4 * U * (np.abs(X) + np.abs(Y))).all()
    whole = RNG.integers(-99, 100, (128, 9)).astype(np.float32)
    np.testing.assert_array_equal(call(lambda x: getattr(nl, name)(x, 7.0), whole), reference(whole, 7))
    np.testing.assert_array_equal(call(lambda x: getattr(nl, name)(x, -7.0), whole), reference(whole, -7))


@pytest.mark.parametrize("target", ["trn1", "trn2"])
def test_angles(target):
    x = np.concatenate([X, 100 * Y, np.array([[3.1415927, -3.1415927, 0.0, 1.5707964, 6000.0]] * 128, np.float32)], 1)
    # Roundings of an angle within a turn, and of a function whose derivative is at most 1.
    np.testing.assert_allclose(call(nl.sin, x, target=target), np.sin(x.astype(float)), rtol=0, atol=8 * U)
    np.testing.assert_allclose(call(nl.cos, x, target=target), np.cos(x.astype(float)), rtol=0, atol=8 * U)
    small = X[np.abs(np.cos(X)).min(1) > 0.05]
    np.testing.assert_allclose(call(nl.tan, small, target=target), np.tan(small.astype(float)), rtol=2e-5, atol=8 * U)


def test_negative_not_and_where():
    np.testing.assert_array_equal(call(nl.negative, X), -X)
    bits = (X > 0).astype(np.float32)
    np.testing.assert_array_equal(call(nl.logical_not, bits), 1 - bits)
    np.testing.assert_array_equal(call(nl.where, bits, X, Y), np.where(bits, X, Y))
    np.testing.assert_array_equal(call(lambda c, x: nl.where(c, x, 0.0, nl.float16), bits, X), np.where(bits, X, 0).astype(np.float16))
    np.testing.assert_array_equal(call(lambda c, y: nl.where(c, 1.0, y), bits, np.full_like(Y, np.inf)), np.where(bits, 1, np.inf))


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_operators_as_functions(target):
    for name in ("add", "subtract", "multiply", "maximum", "minimum", "less", "equal"):
        op, reference = getattr(nl, name), getattr(np, name)
        np.testing.assert_array_equal(call(op, X, Y, target=target), reference(X, Y))
        np.testing.assert_array_equal(call(lambda x, op=op: op(2.0, x), X, target=target), reference(np.float32(2), X))
    np.testing.assert_allclose(call(lambda x: nl.power(x, 2.0), X, target=target), X.astype(float) ** 2, rtol=4 * U)
    np.testing.assert_allclose(call(lambda x: nl.power(2.0, x), X, target=target), 2 ** X.astype(float), rtol=16 * U)
    words = RNG.integers(-(2**31), 2**31, (128, 9)).astype(np.int32)
    np.testing.assert_array_equal(call(nl.copy, words, target=target), words)
    np.testing.assert_array_equal(call(lambda x: nl.bitwise_and(x, 255), words, target=target), words & 255)
    np.testing.assert_array_equal(call(nl.invert, words, target=target), ~words)


def test_larger_and_smaller_magnitudes():
    a, b = RNG.integers(-4, 5, (2, 128, 9)).astype(np.float32)
    np.testing.assert_array_equal(call(nl.abs_max, a, b, target="trn3"), np.where(abs(a) > abs(b), a, b))
    np.testing.assert_array_equal(call(nl.abs_min, a, b, target="trn3"), np.where(abs(a) < abs(b), a, b))
    column = b[:, :1].copy()  # one value per partition, as the API reference has it; of equal magnitudes the second operand
    for second in (column, column.astype(BFLOAT16)):
        np.testing.assert_array_equal(call(nl.abs_max, a, second, target="trn3"), np.where(abs(a) > abs(column), a, column))
        smaller = call(nl.abs_min, second, a, target="trn3").astype(np.float32)
        np.testing.assert_array_equal(smaller, np.where(abs(column) < abs(a), column, a))


def test_matmul_and_transpose():
    x, y = floats(64, 32), floats(32, 100)
    bound = 33 * U * (abs(x).astype(float) @ abs(y))
    want = x.astype(float) @ y
    assert (abs(call(nl.matmul, x, y) - want) <= bound).all()
    assert (abs(call(lambda a, b: nl.matmul(a, b, transpose_x=True), x.T.copy(), y) - want) <= bound).all()
    np.testing.assert_array_equal(call(nl.transpose, x), x.T)
    low = call(lambda t: nl.copy(t, nl.bfloat16), x)
    np.testing.assert_array_equal(call(lambda t: nl.transpose(t, nl.bfloat16), x).view(np.uint16), low.T.view(np.uint16))


def test_views_and_broadcasts():
    row, column = floats(1, 33), floats(128, 1)
    np.testing.assert_array_equal(call(lambda x: nl.broadcast_to(x, (128, 33)), row), np.broadcast_to(row, (128, 33)))
    np.testing.assert_array_equal(call(lambda x: nl.broadcast_to(x, (128, 33)), column), np.broadcast_to(column, (128, 33)))
    wide = floats(1, 3, 700)  # more columns than one product has
    np.testing.assert_array_equal(call(lambda x: nl.broadcast_to(x, (96, 3, 700)), wide), np.broadcast_to(wide, (96, 3, 700)))
    integers = np.arange(2**31 - 40, 2**31 - 7, dtype=np.int32)[None]
    np.testing.assert_array_equal(call(lambda x: nl.broadcast_to(x, (128, 33)), integers), np.broadcast_to(integers, (128, 33)))
    np.testing.assert_array_equal(call(lambda x: nl.copy(nl.expand_dims(x, 1)), X), X[:, None])
    np.testing.assert_array_equal(call(lambda x: nl.copy(nl.expand_dims(x, -1)), X), X[..., None])
    with pytest.raises(ValueError, match="does not broadcast"):
        call(lambda x: nl.broadcast_to(x, (128, 34)), X)


def test_loads():
    def kernel(x):
        tile = nl.load_transpose2d(x)
        out = nl.ndarray(tile.shape, tile.dtype, nl.shared_hbm)
        nisa.dma_copy(out, tile)
        return out

    x = floats(64, 32).astype(np.float16)
    with simulator.options("trn2"):
        np.testing.assert_array_equal(simulator.jit(kernel)(x), x.T)


CUBE = floats(64, 5, 7)
AXES = [(1, X), (-1, CUBE), ([1, 2], CUBE), ((2,), CUBE)]


def numpy_axes(axis):
    return tuple(axis) if not isinstance(axis, int) else axis


@pytest.mark.parametrize(("axis", "x"), AXES)
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(axis, x, keepdims):
    axes, wide = numpy_axes(axis), x.astype(float)
    count = wide.size // wide.max(axes).size
    for name in ("sum", "max", "min", "mean", "prod"):
        want = getattr(np, name)(wide, axes, keepdims=keepdims)
        found = call(lambda t, name=name: getattr(nl, name)(t, axis, nl.float32, keepdims), x)
        want = want[:, None] if want.ndim == 1 else want
        assert found.shape == want.shape
        size = np.abs(wide).sum(axes).reshape(want.shape) / (count if name == "mean" else 1) if name in ("sum", "mean") else np.abs(want)
        # One rounding per element and one for the quotient; maxima are exact.
        assert (np.abs(found - want) <= (0 if name in ("max", "min") else count + 1) * U * size).all()
    found, want = call(lambda t: nl.var(t, axis), x), np.var(wide, axes, keepdims=True)
    assert found.shape == want.shape
    np.testing.assert_allclose(found, want, rtol=(2 * count + 6) * U)


def test_all():
    bits = RNG.integers(0, 6, (128, 8)).astype(np.float32)
    bits[:3] = 1
    np.testing.assert_array_equal(call(lambda t: nl.all(t, 1), bits)[:, 0], bits.all(1))


@pytest.mark.parametrize(("axis", "x"), AXES)
def test_softmax(axis, x):
    axes, wide = numpy_axes(axis), x.astype(float)
    powers = np.exp(wide - wide.max(axes, keepdims=True))
    want = powers / powers.sum(axes, keepdims=True)
    # The difference (up to 18) rounds once, and the exponential magnifies that; NumPy's exponential, sums, reciprocal and product.
    np.testing.assert_allclose(call(lambda t: nl.softmax(t, axis), x), want, rtol=80 * U)
    assert (call(lambda t: nl.softmax(t, axis), x * 64).max(axes) > 0.1).all()  # neither overflows nor vanishes


def test_rms_norm():
    weights = floats(1, 33)
    wide = X.astype(float)
    want = wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-6) * weights
    np.testing.assert_allclose(call(lambda x, w: nl.rms_norm(x, w, 1, 33), X, weights), want, rtol=45 * U)
    full = np.broadcast_to(weights, X.shape).copy()
    np.testing.assert_allclose(call(lambda x, w: nl.rms_norm(x, w, axis=1, n=33), X, full), want, rtol=45 * U)


def test_random():
    def draws(seed):
        def body(word):
            nl.random_seed(word)
            first = nl.rand((128, 64), nl.float32)
            nl.random_seed(word)
            again = nl.rand((128, 64), nl.float32)
            return nl.subtract(first, nl.equal(first, again))

        return call(body, np.array([[seed]], np.int32)) + 1

    found = draws(3)
    assert ((found >= 0) & (found < 1)).all()
    # Ten standard deviations of the mean of 8192 uniform numbers.
    assert abs(found.mean() - 0.5) < 10 * np.sqrt(1 / 12 / 8192)
    assert (found != draws(4)).any()
    dropped = call(lambda t: nl.dropout(t, 0.25), np.ones((128, 64), np.float32))
    assert set(np.unique(dropped)) == {0, 1}
    assert abs(dropped.mean() - 0.75) < 10 * np.sqrt(3 / 16 / 8192)


def test_gather_flattened():
    positions = RNG.integers(0, 35, (64, 4, 6)).astype(np.int32)
    found = call(nl.gather_flattened, CUBE, positions)
    np.testing.assert_array_equal(found, np.take_along_axis(CUBE.reshape(64, 35), positions.reshape(64, 24), 1).reshape(64, 4, 6))


def test_assignment_to_elements_of_tensors():
    def kernel(x):
        tile = nl.ndarray((128, 33), nl.float32, nl.sbuf)
        tile[...] = nl.load(x)
        tile[0:64, 3:5] = 7.0
        tile[:, 0:1] = tile[:, 8:9]
        psum = nl.ndarray((128, 2), nl.float32, nl.psum)
        psum[:, :] = tile[:, 9:11]
        tile[:, 5:7] = psum
        out = nl.ndarray((128, 34), nl.float32, nl.shared_hbm)
        out[:, 0:33] = tile
        out[:, 33] = tile[:, 32]
        return out

    with simulator.options("trn2"):
        found = simulator.jit(kernel)(X)
        want = np.concatenate([X, X[:, 32:]], 1)
        want[:64, 3:5] = 7
        want[:, 0] = want[:, 8]
        want[:, 5:7] = want[:, 9:11]
        np.testing.assert_array_equal(found, want)


def test_assignment_wants_the_shape_of_the_elements():
    def kernel(x):
        tile = nl.ndarray((128, 33), nl.float32, nl.sbuf)
        tile[:, 0:2] = nl.load(x)

    with simulator.options("trn2"), pytest.raises(simulator.NkiConstraintError, match="tensor_copy"):
        simulator.jit(kernel)(X)


def test_inputs_are_private_to_a_core_and_shared_by_two():
    """The guide of NKI's simulator says so; kernels compare ``x.buffer`` with ``nl.hbm``."""

    def kernel(x):
        assert x.buffer is (nl.hbm if nl.num_programs() == 1 else nl.shared_hbm)

    with simulator.options("trn2"):
        simulator.jit(kernel)(X)
        simulator.jit(kernel)[2](X)


@pytest.mark.parametrize("name", ["subtract", "power", "divide", "mod", "less"])
def test_binary_operations_do_not_broadcast(name):
    with pytest.raises(simulator.NkiConstraintError, match=rf"nl.{name}: binary operations of tiles do not broadcast"):
        call(getattr(nl, name), X, X[:, :1].copy())
    assert call(lambda x, y: getattr(nl, name)(x, nl.broadcast_to(y, x.shape)), X, X[:, :1].copy()).shape == X.shape
