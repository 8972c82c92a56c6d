"""Functions of the Scalar Engine against SciPy in float64, their ranges, and what their instructions do around them."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import Knobs
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

special = pytest.importorskip("scipy.special")
RNG = np.random.default_rng(11)
U = 2.0**-24
CUBIC = np.float64(np.sqrt(2 / np.pi))


def sigmoid(x):
    return special.expit(x)


def normal(x):
    return np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


# Reference in float64, and the relative error in units of roundoff: one rounding, or NumPy's float32 functions, which are within 4 ulp.
FUNCTIONS = {
    "copy": (lambda x: x, 0),
    "square": (np.square, 1),
    "abs": (np.abs, 0),
    "relu": (lambda x: np.maximum(x, 0), 0),
    "sign": (np.sign, 0),
    "exp": (np.exp, 8),
    "tanh": (np.tanh, 8),
    "sigmoid": (sigmoid, 1.01),
    "sin": (np.sin, 1.01),
    "arctan": (np.arctan, 1.01),
    "log": (np.log, 8),
    "sqrt": (np.sqrt, 1),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 3),
    "reciprocal": (lambda x: 1 / x, 1),
    "erf": (special.erf, 1.01),
    "erf_dx": (lambda x: 2 / np.sqrt(np.pi) * np.exp(-(x**2)), 1.01),
    "gelu": (lambda x: x * special.ndtr(x), 1.01),
    "gelu_dx": (lambda x: special.ndtr(x) + x * normal(x), 1.01),
    "gelu_apprx_tanh": (lambda x: x * sigmoid(2 * CUBIC * (x + 0.044715 * x**3)), 1.01),
    "gelu_apprx_sigmoid": (lambda x: x * sigmoid(1.702 * x), 1.01),
    "gelu_apprx_sigmoid_dx": (lambda x: sigmoid(1.702 * x) + 1.702 * x * sigmoid(1.702 * x) * sigmoid(-1.702 * x), 1.01),
    "silu": (lambda x: x * sigmoid(x), 1.01),
    "silu_dx": (lambda x: sigmoid(x) + x * sigmoid(x) * sigmoid(-x), 1.01),
    "softplus": (lambda x: np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0), 1.01),
    "mish": (lambda x: x * np.tanh(np.logaddexp(0, x)), 1.01),
    "prelu": (lambda x: np.maximum(x, 0), 0),
}
LIMITS = {"sin": np.pi, "arctan": np.pi / 2}
POSITIVE = ("log", "sqrt", "rsqrt", "reciprocal")


def run(body, *arrays, target="trn2", **options):
    """Run a body on tiles that hold arrays; it returns tiles."""

    def kernel(*inputs):
        tiles = []
        for source in inputs:
            tiles.append(nl.ndarray(source.shape, source.dtype))
            nisa.dma_copy(tiles[-1], source)
        outputs = []
        for tile in body(*tiles):
            outputs.append(nl.ndarray(tile.shape, tile.dtype, nl.shared_hbm))
            nisa.dma_copy(outputs[-1], tile)
        return tuple(outputs)

    with simulator.options(target, **options):
        result = simulator.jit(kernel)(*arrays)
    return result if isinstance(result, tuple) else (result,)


def activated(op, x, **options):
    def body(tile):
        out = nl.ndarray(tile.shape, nl.float32)
        nisa.activation(out, op, tile)
        return (out,)

    return run(body, x, **options)[0]


def test_signs_of_zeros_and_nan():
    x = np.array([[0.0, -0.0, np.nan, -np.nan, 1e-45, -1e-45, np.inf, -np.inf]], np.float32)
    found = activated(nl.sign, x)
    np.testing.assert_array_equal(found, [[0, 0, np.nan, np.nan, 1, -1, 1, -1]])
    assert not np.signbit(found[0, :2]).any()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    reference, units = FUNCTIONS[name]
    limit = np.float32(LIMITS.get(name, 8))
    x = RNG.uniform(2.0**-40 if name in POSITIVE else -limit, limit, (128, 40)).astype(np.float32)
    x[0, :3] = [limit * 0.999, 2.0**-30, 1]
    want = reference(x.astype(np.float64))
    # The derivatives have zeros, near which their two terms cancel: float64's error of the terms.
    assert (np.abs(activated(getattr(nl, name), x) - want) <= units * U * np.abs(want) + 2.0**-50).all()


@pytest.mark.parametrize("name", ["gelu", "erf_dx", "silu", "gelu_apprx_tanh", "softplus", "mish"])
def test_tails(name):
    x = np.array([[-12.0, -9.0, -5.0, 9.0, 12.0, -np.inf, np.nan]], np.float32)
    want = FUNCTIONS[name][0](x[:, :5].astype(np.float64))
    found = activated(getattr(nl, name), x)
    # Half a denormal where the result is one.
    assert (np.abs(found[:, :5] - want) <= 1.01 * U * np.abs(want) + 2.0**-150).all()
    assert found[0, 5] == 0
    assert np.isnan(found[0, 6])


def test_outside_the_valid_range():
    x = np.array([[9.0, -9.0, 3.5]], np.float32)
    wide = x.astype(np.float64)
    d = wide - np.copysign(np.pi, wide)
    np.testing.assert_allclose(activated(nl.sin, x), d**3 / 6 - d, rtol=1.01 * U)
    assert activated(nl.sin, x)[0, 0] == pytest.approx(27.65, abs=0.01)
    for name, good, bad in (
        ("sqrt", 2.0**118, 2.0**119),
        ("sqrt", 2.0**-116, 0.0),
        ("rsqrt", 2.0**97, 2.0**98),
        ("rsqrt", 2.0**-87, 2.0**-88),
        ("log", 2.0**64, 2.0**65),
        ("reciprocal", -(2.0**42), -(2.0**43)),
        ("arctan", 1.57, 1.58),
    ):
        values = np.array([[good, bad]], np.float32)
        found, exact = activated(getattr(nl, name), values), activated(getattr(nl, name), values, knobs=Knobs(act_out_of_range="exact"))
        np.testing.assert_array_equal(np.isnan(found), [[False, True]])
        assert np.isfinite(exact).all()


def test_activation_reduce():
    x = RNG.standard_normal((128, 50)).astype(np.float32)

    def body(tile):
        out, total = nl.ndarray(tile.shape, nl.float32), nl.ndarray((128, 1), nl.float32)
        nisa.activation_reduce(out, nl.square, tile, nl.add, None)
        nisa.activation_reduce(out, nl.square, tile, nl.add, total, bias=1.0, scale=2.0)
        return out, total

    out, total = run(body, x)
    want = np.square(2 * x.astype(np.float64) + 1)
    # Two roundings before the square, doubled by it, and its own; near the zero of 2 x + 1 relative to the terms.
    assert (np.abs(out - want) <= 5 * U * np.square(2 * np.abs(x) + 1)).all()
    assert (np.abs(total[:, 0] - out.astype(np.float64).sum(1)) <= 50 * U * out.sum(1)).all()


@pytest.mark.parametrize(
    ("stages", "reverse", "want"),
    [
        (("multiply", "add"), (False, False), lambda x, a, b: x * a + b),
        (("multiply", "subtract"), (False, True), lambda x, a, b: b - x * a),
        (("subtract", "bypass"), (True, False), lambda x, a, b: a - x),
        (("add", "bypass"), (False, False), lambda x, a, b: x + a),
        (("multiply", "bypass"), (False, False), lambda x, a, b: x * a),
        (("bypass", "bypass"), (False, False), lambda x, a, b: x),
    ],
)
def test_activate2_stages(stages, reverse, want):
    x, a, b = (RNG.integers(-50, 50, shape).astype(np.float32) for shape in ((128, 20), (128, 1), (128, 1)))
    slope = RNG.integers(-4, 4, (128, 1)).astype(np.float32)

    def body(tile, first, second, slope):
        out = nl.ndarray(tile.shape, nl.float32)
        ops = [getattr(nl, name) for name in stages]
        nisa.activate2(out, nl.prelu, tile, first, second, *ops, relu_param=slope, reverse0=reverse[0], reverse1=reverse[1])
        return (out,)

    before = want(x, a, b)  # integers: exact
    np.testing.assert_array_equal(run(body, x, a, b, slope, target="trn3")[0], np.where(before < 0, before * slope, before))


@pytest.mark.parametrize("op", ["add", "maximum", "minimum", "abs_max", "abs_min"])
def test_activate2_reduces(op):
    x, y = RNG.integers(-3, 4, (2, 128, 9)).astype(np.float32)

    def body(*tiles):
        out, result = nl.ndarray((128, 9), nl.float32), nl.ndarray((128, 1), nl.float32)
        for command, res, tile in (("reset_reduce", None, tiles[0]), ("reduce", result, tiles[1])):
            nisa.activate2(
                out, nl.copy, tile, 0.0, 0.0, nl.bypass, nl.bypass, reduce_op=getattr(nl, op), reduce_res=res,
                reduce_cmd=nisa.reduce_cmd[command],
            )  # fmt: skip
        return (result,)

    want = []
    for row in np.concatenate([x, y], 1).astype(int).tolist():
        total = row[0]
        for value in row[1:]:
            larger, smaller = abs(total) > abs(value), abs(total) < abs(value)
            total = {
                "add": total + value,
                "maximum": max(total, value),
                "minimum": min(total, value),
                "abs_max": total if larger else value,
                "abs_min": total if smaller else value,
            }[op]
        want.append(total)
    np.testing.assert_array_equal(run(body, x, y, target="trn3")[0][:, 0], want)


def test_functions_on_gpsimd():
    """NeuronCore-v4 applies the same functions there; denormals are that engine's."""
    x = RNG.uniform(-4, 4, (128, 40)).astype(np.float32)
    x[0, 0] = 1e-40

    def body(tile):
        out, other = nl.ndarray(tile.shape, nl.float32), nl.ndarray(tile.shape, nl.float32)
        nisa.activation(out, nl.copy, tile, bias=0.0, scale=2.0, engine=nisa.engine.gpsimd)
        nisa.activate2(other, nl.prelu, tile, 2.0, 1.0, nl.multiply, nl.add, 0.25, engine=nisa.engine.gpsimd)
        return out, other

    scaled, sloped = run(body, x, target="trn3")
    np.testing.assert_array_equal(scaled, 2 * x)
    stage = 2 * x + np.float32(1)
    np.testing.assert_array_equal(sloped, np.where(stage > 0, stage, stage * np.float32(0.25)))
    flushing = simulator.Knobs(denormals_act="flush"), simulator.Knobs(denormals_pool="flush")
    assert [run(body, x, target="trn3", knobs=knobs)[0][0, 0] != 0 for knobs in flushing] == [True, False]


@pytest.mark.parametrize("engine", ["scalar", "vector"])
def test_registers_that_nobody_reset_are_unknown(engine):
    """A kernel finds in the reduce registers what another one left there."""
    x = RNG.uniform(-4, 4, (128, 40)).astype(np.float32)

    def body(tile):
        out, sums = nl.ndarray(tile.shape, nl.float32), nl.ndarray((128, 1), nl.float32)
        if engine == "scalar":
            nisa.activation(out, nl.copy, tile, reduce_op=nl.add, reduce_res=sums, reduce_cmd=nisa.reduce_cmd.reduce)
        else:
            nisa.tensor_scalar_reduce(out, tile, nl.add, 0.0, nl.add, sums, reduce_cmd=nisa.reduce_cmd.reduce)
        return (sums,)

    assert np.isnan(run(body, x)[0]).all()


def test_sums_of_activations_are_added_to_the_registers_in_sequence():
    x = np.full((128, 64), 2.0**-24, np.float32)

    def body(tile):
        out, sums, one = nl.ndarray(tile.shape, nl.float32), nl.ndarray((128, 1), nl.float32), nl.ndarray((128, 1), nl.float32)
        nisa.memset(one, 1.0)
        nisa.activation(out[:, :1], nl.copy, one, reduce_op=nl.add, reduce_cmd=nisa.reduce_cmd.reset_reduce)
        nisa.activation(out, nl.copy, tile, reduce_op=nl.add, reduce_res=sums, reduce_cmd=nisa.reduce_cmd.reduce)
        return (sums,)

    assert (run(body, x)[0] == 1).all()  # half a unit in the last place each, to even
