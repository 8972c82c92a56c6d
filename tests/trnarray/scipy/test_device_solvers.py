"""Iterative methods as programs of a device: SciPy's float64 residuals decide whether what they report is true."""

import numpy as np
import pytest
import scipy.sparse as theirs
import scipy.sparse.linalg as reference

import trnarray as xp
from trnarray._sparse_linalg import arnoldi_cycle, conjugate_gradient, device_iteration
from trnarray.scipy.sparse import csr_array, linalg
from trnarray.scipy.sparse.linalg import LinearOperator, aslinearoperator, bicgstab, cg, cgs, gmres

DEVICE = "sim:trn2"
METHODS = {"cg": cg, "cgs": cgs, "bicgstab": bicgstab, "gmres": gmres}
WIDE = {"float32": np.float64, "float64": np.float64, "complex64": np.complex128}


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"):
        yield


def laplacian(n, dtype):
    line = theirs.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1])
    square = theirs.kronsum(line, line)
    if np.dtype(dtype).kind == "c":
        square = square + 0.3j * theirs.diags_array([np.ones(n * n - 1), -np.ones(n * n - 1)], offsets=[-1, 1])
    return square.tocsr().astype(dtype)


def right(n, dtype, seed=0):
    numbers = np.random.default_rng(seed).standard_normal((2, n))
    return (numbers[0] + 1j * numbers[1] if np.dtype(dtype).kind == "c" else numbers[0]).astype(dtype)


def put(x):
    return csr_array(x).to_device(DEVICE) if theirs.issparse(x) else xp.asarray(x, device=DEVICE)


def residual(a, x, b):
    """Compute it in float64, relative to the right-hand side."""
    wide = WIDE[str(b.dtype)]
    return np.linalg.norm(b.astype(wide) - a.astype(wide) @ np.asarray(x.to_device("cpu")).astype(wide)) / np.linalg.norm(b)


@pytest.mark.parametrize(("name", "dtype", "rtol"), [
    ("cg", "float32", 1e-5), ("cg", "float64", 1e-10), ("cg", "complex64", 1e-5),
    ("cgs", "float32", 1e-5), ("bicgstab", "float32", 1e-5), ("bicgstab", "float64", 1e-10),
])  # fmt: skip
def test_success_is_true(name, dtype, rtol):
    """As many turns as SciPy's method takes steps in float64, and a quarter more, are enough."""
    side = 5 if dtype == "complex64" else 7
    a, b, steps = laplacian(side, dtype), right(side * side, dtype), []
    getattr(reference, name)(a.astype(WIDE[dtype]), b.astype(WIDE[dtype]), rtol=rtol, callback=steps.append)
    x, info = METHODS[name](put(a), put(b), rtol=rtol, maxiter=int(1.25 * len(steps)) + 1)
    assert (x.dtype, x.device, info) == (np.dtype(dtype), DEVICE, 0)
    assert residual(a, x, b) <= rtol


@pytest.mark.parametrize(("dtype", "rtol", "restart"), [("float32", 1e-5, 20), ("float64", 1e-10, 12), ("complex64", 1e-5, 7)])
def test_cycles(dtype, rtol, restart):
    """With a matrix that is not symmetric, and with a preconditioner, in no more cycles than SciPy's in float64."""
    n = 30 if dtype == "complex64" else 48
    a = (laplacian(9, dtype)[:n, :n] + theirs.diags_array(np.linspace(0, 3, n - 1), offsets=1)).tocsr().astype(dtype)
    b = right(n, dtype)
    inverse = theirs.diags_array(1 / a.diagonal()).tocsr().astype(dtype)
    for m in (None, inverse)[: 1 if dtype == "complex64" else 2]:
        seen = []
        wide = None if m is None else m.astype(WIDE[dtype])
        options = {"rtol": rtol, "restart": restart, "callback": seen.append, "callback_type": "x"}
        reference.gmres(a.astype(WIDE[dtype]), b.astype(WIDE[dtype]), M=wide, **options)
        there = None if m is None else put(m)
        x, info = gmres(put(a), put(b), rtol=rtol, restart=restart, M=there, maxiter=int(1.25 * len(seen)) + 1)
        assert (x.dtype, x.device, info) == (np.dtype(dtype), DEVICE, 0)
        assert residual(a, x, b) <= rtol


def test_cycles_of_long_vectors(monkeypatch):
    """From which multiples of vectors are taken one by one."""
    monkeypatch.setattr(arnoldi_cycle, "_LONG", 1)
    test_cycles("float32", 1e-5, 20)


@pytest.mark.parametrize("rtol", [1e-4, 1e-7])
def test_what_float32_cannot_reach_is_no_success(rtol):
    """A condition of 440: the recurrence goes on falling when the residual does not."""
    n = 32
    a = theirs.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1]).tocsr().astype(np.float32)
    b = right(n, np.float32)
    x, info = cg(put(a), put(b), rtol=rtol)
    assert (info == 0) == (residual(a, x, b) <= rtol)
    wide, info = cg(put(a.astype(np.float64)), put(b.astype(np.float64)), rtol=rtol * 1e-4)
    assert info == 0
    assert residual(a.astype(np.float64), wide, b.astype(np.float64)) <= rtol * 1e-4


def test_launches_do_not_grow_with_turns(monkeypatch):
    a, b, loops = laplacian(12, np.float32), right(144, np.float32), []
    loop = device_iteration.while_loop
    monkeypatch.setattr(device_iteration, "while_loop", lambda *args, **options: loops.append(1) or loop(*args, **options))
    x, info = cg(put(a), put(b), rtol=1e-5)
    assert info == 0
    assert len(loops) <= 3
    assert residual(a, x, b) <= 1e-5


def test_preconditioners_and_starts():
    a = laplacian(12, np.float32) + theirs.diags_array(np.arange(144, dtype=np.float32))
    b, inverse = right(144, np.float32), theirs.diags_array(1 / a.diagonal()).tocsr().astype(np.float32)
    scale = put(inverse.diagonal())
    for m in (put(inverse), LinearOperator((144, 144), matvec=lambda v: scale * v, dtype="float32")):
        x, info = cg(put(a.tocsr()), put(b), M=m)
        assert info == 0
        assert residual(a, x, b) <= 1e-5
        again, info = cg(put(a.tocsr()), put(b), x0=x, M=m, maxiter=0)
        assert info == 0
        assert xp.all(again == x)


def test_operators_of_functions_run_inside():
    a, b = laplacian(12, np.float32), right(144, np.float32)
    there = put(a)
    calls = []
    operator = LinearOperator((144, 144), matvec=lambda v: calls.append(v) or there @ v + v, dtype="float32")
    x, info = cg(operator, put(b))
    assert info == 0
    assert residual(a + theirs.eye_array(144, dtype=np.float32), x, b) <= 1.1e-5  # of which its own products in float32 decide
    assert len(calls) <= 8  # traced, not called in each turn
    x, info = cg(aslinearoperator(put(np.diag(np.arange(1.0, 33)).astype(np.float32))), xp.ones(32, device=DEVICE, dtype="float32"))
    assert info == 0


@pytest.mark.parametrize("name", METHODS)
def test_what_does_not_converge(name):
    """An indefinite matrix, a breakdown in the first step, and a limit of steps: no NaN, and no success."""
    method = METHODS[name]
    turning = theirs.coo_array(([1.0, -1.0], ([0, 1], [1, 0])), shape=(2, 2)).tocsr().astype(np.float32)
    x, info = method(put(turning), put(np.array([1.0, 0.0], np.float32)))
    assert np.isfinite(np.asarray(x.to_device("cpu"))).all()
    assert (info == 0) == (residual(turning, x, np.array([1.0, 0.0], np.float32)) <= 1e-5)
    a, b = laplacian(12, np.float32), right(144, np.float32)
    x, info = method(put(a), put(b), rtol=1e-6, maxiter=1 if name == "gmres" else 3)
    assert info == (1 if name == "gmres" else 3)  # cycles, and steps
    zero, info = method(put(a), xp.zeros(144, device=DEVICE, dtype="float32"))
    assert info == 0
    assert not xp.any(zero)


@pytest.mark.parametrize("name", ["bicg", "gcrotmk", "lgmres", "qmr", "tfqmr"])
def test_other_methods_stay_on_the_device(name):
    a, b = (laplacian(4, np.float32) + 3 * theirs.eye_array(16, dtype=np.float32)).tocsr().astype(np.float32), right(16, np.float32)
    x, info, *_ = getattr(linalg, name)(put(a), put(b))
    assert info == 0
    assert residual(a, x, b) <= 1e-5


@pytest.mark.parametrize("name", [*METHODS, "bicg", "minres", "qmr", "tfqmr"])
def test_nan_is_no_success(name):
    a, b = laplacian(4, np.float32), right(16, np.float32)
    b[3] = np.nan
    assert getattr(linalg, name)(put(a), put(b))[1] > 0


def test_without_success_the_best_solution_is_given():
    """Of a singular system without a solution, whose steps end in overflow."""
    a, b = laplacian(4, np.float32).tolil(), right(16, np.float32)
    a[3], a[:, 3] = 0, 0
    x, info = bicgstab(put(a.tocsr()), put(b), maxiter=60)
    assert info > 0
    assert residual(a.tocsr(), x, b) <= 1 + 1e-6


def test_minres_of_products_that_vanish():
    """Their squares are none of float32's, which is no reason for success; nor is a small residual of the recurrence alone."""
    a, b = laplacian(4, np.float32), right(16, np.float32)
    assert linalg.minres(put(a * np.float32(1e-20)), put(b * np.float32(1e-18)))[1] > 0


def test_cycles_grow_by_one_program():
    """Steps of all numbers of vectors are one program."""
    a, b = laplacian(5, np.float32), right(25, np.float32)

    before = len(xp.coverage().compilations)
    x, info = linalg.lgmres(put(a), put(b), rtol=1e-4)
    assert (info, residual(a, x, b) <= 1e-4) == (0, True)
    assert len(xp.coverage().compilations) - before <= 12


@pytest.mark.parametrize(("name", "options"), [("minres", {"shift": 0.5}), ("lsqr", {"damp": 0.3}), ("lsmr", {})])
def test_steps_are_turns_of_one_loop(name, options, monkeypatch):
    """As many as SciPy takes in float64, and a quarter more, with what it tells of norms."""
    a, b, loops, steps = (laplacian(5, np.float32) + 2 * theirs.eye_array(25, dtype=np.float32)).tocsr(), right(25, np.float32), [], []
    a = a if name == "minres" else a[:, 2:20]
    loop = device_iteration.while_loop
    monkeypatch.setattr(device_iteration, "while_loop", lambda *args, **kwargs: loops.append(1) or loop(*args, **kwargs))
    tolerances = {"rtol": 1e-5} if name == "minres" else {"atol": 1e-5, "btol": 1e-5}
    counted = {"callback": steps.append} if name == "minres" else {}
    wanted, reason, *numbers = getattr(reference, name)(a.astype(np.float64), b.astype(np.float64), **tolerances, **counted, **options)
    limit = {"minres": "maxiter", "lsqr": "iter_lim", "lsmr": "maxiter"}[name]
    most = 1 + int(1.25 * (len(steps) if name == "minres" else numbers[0]))
    x, found, *told = getattr(linalg, name)(put(a), put(b), **tolerances, **options, **{limit: most})
    assert (len(loops), found, x.dtype) == (1, reason, np.float32)
    np.testing.assert_allclose(np.asarray(x.to_device("cpu")), wanted, atol=1e-4 * abs(wanted).max())  # the tolerance, times the condition
    if name != "minres":  # the norms of the residual and of the solution
        chosen = (1, 6 if name == "lsqr" else 5)
        np.testing.assert_allclose([told[place] for place in chosen], [numbers[place] for place in chosen], rtol=1e-3)


def test_more_than_float32_has(monkeypatch):
    """What its steps do not solve those of float64 do; operands of float32 have no others."""
    idle = device_iteration.recurrence(lambda *_: (), lambda products, x, r, kept, square: (x, r, kept, square != square))
    monkeypatch.setattr(conjugate_gradient, "_CG", idle)
    a, b = theirs.csr_array(np.diag([2.0, 3.0])), right(2, np.float64)
    x, info = cg(put(a), put(b), rtol=1e-8, maxiter=10)
    assert info == 0
    assert residual(a, x, b) <= 1e-8
    assert cg(put(a.astype(np.float32)), put(b.astype(np.float32)), maxiter=10)[1] == 10


def test_callbacks_see_each_step():
    a, b, seen, wanted = laplacian(6, np.float32), right(36, np.float32), [], []
    x, info = cg(put(a), put(b), callback=lambda x: seen.append(np.asarray(x.to_device("cpu"))))
    reference.cg(a.astype(np.float64), b.astype(np.float64), callback=lambda x: wanted.append(x.copy()))
    assert info == 0
    assert abs(len(seen) - len(wanted)) <= 1
    np.testing.assert_allclose(seen[3], wanted[3], atol=1e-5)
    np.testing.assert_array_equal(seen[-1], np.asarray(x.to_device("cpu")))
