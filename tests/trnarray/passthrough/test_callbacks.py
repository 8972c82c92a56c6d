"""Functions that users give to SciPy: they compute where the data are."""

import importlib.util
import inspect
import pickle
from importlib import import_module

import numpy as np
import pytest
import scipy.interpolate

import trnarray as xp
from trnarray._passthrough.callbacks import CALLBACKS, on_device
from trnarray._passthrough.conversion import Conversion
from trnarray._passthrough.modules import public_names
from trnarray.backends.device import CPU
from trnarray.scipy import integrate, interpolate, ndimage, optimize, signal, stats

# What SciPy documents as functions, and that are none of data: they are given other functions, text or objects.
OTHERS = {
    "workers", "optimizer", "method", "plot", "leaf_label_func", "link_color_func", "finish", "polish", "strategy", "sampling_method",
    "extra_condition", "comparator", "solver", "inner_M", "A", "M", "M1", "M2", "Minv", "OPinv", "B", "form", "window", "data2",
}  # fmt: skip
MODULES = ["cluster.vq", "differentiate", "integrate", "interpolate", "ndimage", "optimize", "optimize.elementwise", "signal", "stats"]


@pytest.fixture(autouse=True)
def _allow():
    with xp.config(fallback="allow"):
        yield


def vector(*values, dtype=np.float32, device="sim:trn2"):
    return xp.asarray(np.asarray(values, dtype), device=device)


@pytest.mark.parametrize("module", MODULES)
def test_every_parameter_that_is_a_function_is_known(module):
    NumpyDocString = pytest.importorskip("numpydoc.docscrape").NumpyDocString
    if importlib.util.find_spec("scipy.differentiate") is None:
        pytest.skip("older SciPy has other functions")
    theirs = import_module(f"scipy.{module}")
    for name in public_names(f"scipy.{module}"):
        documented = NumpyDocString(inspect.getdoc(getattr(theirs, name)) or "") if callable(getattr(theirs, name)) else {}
        for each in (*documented.get("Parameters", ()), *documented.get("Other Parameters", ())) if documented else ():
            if "callable" in each.type or each.type.startswith("function"):
                assert each.name in CALLBACKS | OTHERS, f"{module}.{name}: {each.name}"


@pytest.mark.parametrize(("device", "dtype", "seen"), [
    ("cpu", np.float64, "float64"), ("sim:trn2", np.float32, "float32"), ("sim:trn2", np.float64, "float64"),
])  # fmt: skip
def test_callbacks_get_arrays_on_the_device_of_the_data(device, dtype, seen):
    calls = set()

    def fun(x, scale):
        calls.add((type(x), str(x.device), str(x.dtype), type(scale), str(scale.device)))
        return xp.sum((x - scale) ** 2)

    scale = vector(3.0, 1.0, dtype=dtype, device=device)
    found = optimize.minimize(fun, vector(0.0, 0.0, dtype=dtype, device=device), args=(scale,), method="Nelder-Mead")
    assert calls == {(xp.Array, device, seen, xp.Array, device)}
    assert (type(found.x), str(found.x.device), found.x.dtype) == (xp.Array, device, dtype)
    np.testing.assert_allclose(np.asarray(found.x.to_device("cpu")), [3, 1], atol=1e-3)


@pytest.mark.parametrize("method", ["CG", "BFGS", "L-BFGS-B", "TNC", "SLSQP", "trust-constr", "Powell"])
def test_minima_of_functions_in_float32_without_a_gradient(method):
    # SciPy's own steps of 1e-8 are lost in float32: methods stop at the start then, some with success.
    found = optimize.minimize(lambda x: xp.sum((x - 300) ** 2), vector(0.0, 5000.0), method=method)
    np.testing.assert_allclose(np.asarray(found.x.to_device("cpu")), 300, rtol=3e-3)  # the root of 2^-24, the flatness of the minimum


CONSTRAINTS = {
    "dict": {"type": "ineq", "fun": lambda x: 4 - x[0] - x[1]},
    "object": lambda: optimize.NonlinearConstraint(lambda x: x[0] + x[1], -9, 4),
}


@pytest.mark.parametrize("constraint", CONSTRAINTS.values(), ids=CONSTRAINTS.keys())
def test_constraints(constraint):
    constraint = constraint() if callable(constraint) else constraint
    found = optimize.minimize(lambda x: xp.sum((x - 3) ** 2), vector(0.0, 0.0), method="SLSQP", constraints=[constraint])
    np.testing.assert_allclose(np.asarray(found.x.to_device("cpu")), 2, atol=1e-3)


OTHER_FUNCTIONS = {
    "fmin_bfgs": lambda f, x: optimize.fmin_bfgs(f, x, disp=0),
    "fmin_l_bfgs_b": lambda f, x: optimize.fmin_l_bfgs_b(f, x, approx_grad=True)[0],
    "fmin_slsqp": lambda f, x: optimize.fmin_slsqp(f, x, disp=0),
    "fmin_cg": lambda f, x: optimize.fmin_cg(f, x, disp=0),
    "basinhopping": lambda f, x: optimize.basinhopping(f, x, niter=1).x,
    "gradient given": lambda f, x: optimize.minimize(f, x, jac=lambda x: 2 * (x - 3)).x,
    "gradient with it": lambda f, x: optimize.minimize(lambda x: (f(x), 2 * (x - 3)), x, jac=True).x,
}


@pytest.mark.parametrize("call", OTHER_FUNCTIONS.values(), ids=OTHER_FUNCTIONS.keys())
def test_other_functions_of_minimisation(call):
    found = call(lambda x: xp.sum((x - 3) ** 2), vector(0.0, 5.0))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), 3, atol=2e-3)


def test_slopes_by_differences():
    x = vector(1.0, 2.0)
    np.testing.assert_allclose(np.asarray(optimize.approx_fprime(x, lambda x: xp.sum(x**2)).to_device("cpu")), [2, 4], rtol=2e-3)
    assert optimize.check_grad(lambda x: xp.sum(x**2), lambda x: 2 * x, x) < 1e-2


def test_differential_equations():
    found = integrate.solve_ivp(lambda t, y: -t * y, (0, 1), vector(1.0, 2.0), t_eval=[0.5, 1.0], dense_output=True)
    assert (str(found.y.device), found.y.dtype) == ("sim:trn2", np.float32)
    np.testing.assert_allclose(np.asarray(found.y.to_device("cpu"))[:, -1], np.exp(-0.5) * np.array([1, 2]), rtol=1e-3)
    assert found.sol(0.5).shape == (2,)


def test_events_keep_their_attributes():
    def event(t, y):
        return y[0] - 0.5

    event.terminal = True
    found = integrate.solve_ivp(lambda t, y: -y, (0, 5), vector(1.0), events=event)
    assert found.status == 1
    np.testing.assert_allclose(found.t_events[0].tolist(), [np.log(2)], rtol=1e-2)


def test_curves_are_fitted_by_their_signature():
    t = vector(0, 1, 2, 3)
    found, _ = optimize.curve_fit(lambda t, a, b: a * xp.exp(-b * t), t, 2 * xp.exp(-t))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), [2, 1], rtol=1e-3)


def test_filters_and_statistics():
    x = vector(1.0, 5.0, 2.0, 4.0)
    found = ndimage.generic_filter(x, lambda window: float(xp.max(window)), size=3)
    assert found.tolist() == [5, 5, 5, 4]
    result = stats.bootstrap((x,), lambda sample, axis: xp.mean(sample, axis=axis), n_resamples=20)
    assert str(result.bootstrap_distribution.device) == "sim:trn2"
    assert signal.argrelextrema(x, np.greater)[0].tolist() == [1]


def test_exceptions_pass_through():
    class StopError(Exception):
        pass

    def fun(x):
        raise StopError("enough")

    with pytest.raises(StopError, match="enough"):
        optimize.minimize(fun, vector(0.0))


def test_workers_are_threads():
    with xp.default_device("sim:trn2"):
        found = optimize.brute(lambda x: xp.sum((x - 1) ** 2), ((0, 2),), Ns=3, finish=None, workers=2)
    assert float(found) == 1


def test_a_callback_that_calls_scipy_itself():
    def outer(x):
        return optimize.minimize_scalar(lambda t: (t - float(x[0])) ** 2).fun + xp.sum((x - 2) ** 2)

    np.testing.assert_allclose(optimize.minimize(outer, vector(0.0), method="Nelder-Mead").x.tolist(), [2], atol=1e-2)


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_functions_that_write_their_results(device):
    def double(line, result):
        result[...] = 2 * line[1:-1]

    def second(x, axis, output, mode, cval):
        output[...] = x * (axis + 1)

    x = vector(1.0, 2.0, 3.0, device=device)
    assert ndimage.generic_filter1d(x, double, 3).tolist() == [2, 4, 6]
    assert ndimage.generic_laplace(x, second).tolist() == [1, 2, 3]


def test_callbacks_pickle_and_show_their_code():
    found = pickle.loads(pickle.dumps(on_device(np_sum, Conversion.of(CPU, [], False, as_it_is))))
    assert found(np.arange(3.0)) == 3
    assert found.__code__ is np_sum.__code__


def np_sum(x):
    return xp.sum(x)


def as_it_is(item, conversion):
    return item


def test_attributes_are_those_of_the_users_function():
    class Step:
        stepsize = 1.0

        def __call__(self, x):
            return x + self.stepsize

    step = Step()
    callback = on_device(step, Conversion.of(CPU, [], False, lambda item, _: item), False)
    callback.stepsize *= 0.5  # as scipy.optimize.basinhopping does, to have half of the steps accepted
    assert step.stepsize == callback.stepsize == 0.5
    assert callback(np.float64(1.0)) == 1.5


def test_functions_that_are_bound():
    if not hasattr(interpolate, "Rbf"):
        pytest.skip("SciPy took it away")
    x = np.linspace(0, 1, 5)
    wanted = scipy.interpolate.Rbf(x, x**2, function=lambda self, r: r + self.epsilon)
    found = interpolate.Rbf(vector(*x, dtype=np.float64, device="cpu"), x**2, function=lambda self, r: r + self.epsilon)
    np.testing.assert_allclose(np.asarray(found(x)), wanted(x), rtol=1e-12)
