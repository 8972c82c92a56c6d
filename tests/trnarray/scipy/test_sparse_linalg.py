"""Iterative methods: SciPy's results; those of methods that are our own, as for operators, to rounding."""

import inspect
import warnings

import numpy as np
import pytest
import scipy
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg as theirs

import trnarray as xp
from trnarray.backends.policy import HostTransferError
from trnarray.backends.settings import config
from trnarray.scipy.sparse import csc_array, csr_array
from trnarray.scipy.sparse import linalg as ours

from .sparse_reference import DTYPES, N, system

SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))
pytestmark = pytest.mark.filterwarnings("ignore:::scipy")
NO_FUNCTIONS = {"ArpackError", "ArpackNoConvergence", "LaplacianNd", "LinearOperator", "MatrixRankWarning", "SuperLU"}
METHODS = ("cg", "cgs", "bicg", "bicgstab", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr")
OPTIONS = {"gmres": {"callback_type": "pr_norm"}, **{name: {"atol": 0.0} for name in ("gcrotmk", "lgmres", "tfqmr")}}
"""What older SciPy warns of when it is left out."""
SHORT_CYCLES = {"gcrotmk": {"m": 1, "k": 1}, "gmres": {"restart": 1}, "lgmres": {"inner_m": 1}}


def operator(a):
    """Make an operator of Arrays, with which our own methods compute."""
    return ours.aslinearoperator(csr_array(a) if scipy.sparse.issparse(a) else xp.asarray(a))


def copies_to(seen):
    return lambda x: seen.append(np.array(x))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", METHODS)
def test_iterative_methods_take_scipys_steps(name, dtype):
    if name == "minres" and dtype is not np.float64 and SCIPY < (1, 18):
        pytest.skip("minres of older SciPy takes scalar products without conjugation, and computes in float64")
    a, b = system(dtype)
    preconditioner = scipy.sparse.diags_array(1 / a.diagonal().real, dtype=dtype).tocsr()
    tolerance = 1e-4 if dtype is np.float32 else 1e-10
    for start in (None, np.ones(N, dtype=dtype), "Mb"):
        for M in (None, preconditioner):
            if name == "tfqmr" and not (M is None and isinstance(start, np.ndarray | None)):
                continue  # SciPy's does not solve the system with a preconditioner
            seen = [], []
            parameters = {"rtol": tolerance, **OPTIONS.get(name, {})}
            given = {} if M is None else {"M": M}
            if name == "qmr" and M is not None:
                given = {"M1": theirs.aslinearoperator(M), "M2": theirs.aslinearoperator(scipy.sparse.eye_array(N, dtype=dtype))}
            expected, code = getattr(theirs, name)(a, b, x0=start, callback=copies_to(seen[0]), **given, **parameters)
            got, info = getattr(ours, name)(
                operator(a),
                xp.asarray(b),
                xp.asarray(start) if isinstance(start, np.ndarray) else start,
                **{key: csr_array(value) if key == "M" else csr_array(value.A) for key, value in given.items()},
                callback=copies_to(seen[1]),
                **parameters,
            )
            assert info == code == 0
            assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
            if name == "tfqmr":  # SciPy's stops a step too early for what its bound promises
                assert len(seen[0]) <= len(seen[1]) <= len(seen[0]) + 2
                expected, got = seen[0][-1], xp.asarray(seen[1][len(seen[0]) - 1])
            else:
                assert len(seen[0]) == len(seen[1])
            # Rounding errors of a step are some units; steps are fewer than 100, and the condition is below 10.
            bound = 1000 * np.finfo(dtype).eps * abs(expected).max()
            assert abs(got._host() - expected).max() <= bound
            if name != "gmres":
                assert all(abs(one - other).max() <= bound for one, other in zip(*seen, strict=name != "tfqmr"))


def same(got, expected):
    """Tell whether results are those of SciPy, bit by bit: Arrays for ndarrays, and numbers of Python."""
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        if isinstance(other, np.ndarray):
            assert type(one) is xp.Array
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one._host(), other)
        else:
            assert type(one) in (int, float)
            assert one == other
    return True


@pytest.mark.parametrize("name", [*METHODS, "lsqr", "lsmr"])
def test_on_the_host_the_results_of_iterative_methods_are_scipys(name):
    f, reference = getattr(ours, name), getattr(theirs, name)
    if "tol" in inspect.signature(reference).parameters:
        pytest.skip("methods of this SciPy have other parameters")
    if name == "minres" and SCIPY < (1, 18):
        pytest.skip("minres of older SciPy is not used, as its scalar products of complex vectors are none")
    options = OPTIONS.get(name, {})
    seen = [], []
    for dtype in DTYPES:
        a, b = system(dtype)
        A, B = csr_array(a), xp.asarray(b)
        expected = reference(a, b, **options)
        for matrix in (A, a, scipy.sparse.csr_matrix(a), a.tolil()):
            for right in (B, b):
                assert same(f(matrix, right, **options), expected)
        dense = a.toarray()
        assert same(f(xp.asarray(dense), B, **options), reference(dense, b, **options))
        assert same(f(theirs.aslinearoperator(a), B, **options), expected)
        start = np.ones(N, dtype=dtype)
        assert same(f(A, B, x0=xp.asarray(start), **options), reference(a, b, x0=start, **options))
        if name.startswith("ls"):
            continue
        expected = reference(a, b, start, callback=copies_to(seen[1]), **options)
        assert same(f(A, B, xp.asarray(start), callback=seen[0].append, **options), expected)
        assert {type(x) for x in seen[0]} <= {np.float64 if name == "gmres" else xp.Array}
        np.testing.assert_array_equal([np.asarray(x) for x in seen[0]], seen[1])
        seen[0].clear(), seen[1].clear()
        if name not in ("qmr", "tfqmr"):
            M = scipy.sparse.diags_array(1 / a.diagonal().real, dtype=dtype).tocsr()
            for mine in (csr_array(M), M, theirs.aslinearoperator(M)):
                assert same(f(A, B, M=mine, **options), reference(a, b, M=M, **options))
    with pytest.raises(ValueError, match=r"incompatible|(?i:dimension mismatch)"):
        f(A, xp.ones(3))


@pytest.mark.parametrize("dtype", [np.float16, xp.bfloat16])
def test_methods_take_vectors_of_low_precision(dtype):
    a, b = system(np.float64)
    for right in (xp.asarray(b).astype(dtype), b.astype(dtype)):
        x, info = ours.cg(operator(a.toarray()), right, rtol=1e-2)
        y, code = ours.cg(a.toarray(), right, rtol=1e-2)
        assert (info, x.dtype, x.tolist()) == (code, y.dtype, y.tolist())


def test_lists_that_methods_change_hold_arrays():
    a, b = system(np.float64)
    kept = {"outer_v": [], "CU": []}
    ours.lgmres(csr_array(a), xp.asarray(b), outer_v=kept["outer_v"])
    ours.gcrotmk(csr_array(a), xp.asarray(b), CU=kept["CU"])
    assert {type(x) for pairs in kept.values() for pair in pairs for x in pair} <= {xp.Array, type(None)}
    assert all(kept.values())


@pytest.mark.parametrize("name", METHODS)
def test_iterative_methods_at_their_limits(name):
    a, b = system(np.float64)
    mine = operator(a)
    f = getattr(ours, name)
    short = {"maxiter": 2, **OPTIONS.get(name, {}), **SHORT_CYCLES.get(name, {})}
    x, info = f(mine, xp.asarray(b), **short)
    expected, code = getattr(theirs, name)(a, b, **short)
    assert info == code == 2
    np.testing.assert_allclose(x._host(), expected, rtol=1e-12)
    x, info = f(mine, xp.zeros(N))
    assert (info, x.tolist()) == (0, [0] * N)
    solved = theirs.spsolve(a.tocsc(), b)
    assert f(mine, xp.asarray(b), xp.asarray(solved), rtol=1e-8)[1] == 0
    integers = f(operator(np.asarray([[4, 1], [1, 3]])), xp.asarray([5, 4]), rtol=1e-12)[0]
    np.testing.assert_allclose(integers._host(), [1, 1], rtol=1e-10)
    for operand in (xp.asarray(a.toarray()), a, a.toarray(), mine, theirs.aslinearoperator(a)):
        np.testing.assert_allclose(f(operand, xp.asarray(b).reshape(-1, 1), rtol=1e-10)[0]._host(), solved, rtol=1e-6)
    for given in ((csr_array(a), b.tolist()), (a.toarray().tolist(), xp.asarray(b)), (csr_array(a), xp.asarray(b), b.tolist())):
        np.testing.assert_allclose(f(*given, rtol=1e-10)[0]._host(), solved, rtol=1e-6)
    if name != "qmr":
        identity = np.eye(N).tolist()
        np.testing.assert_allclose(f(csr_array(a), xp.asarray(b), M=identity, rtol=1e-10)[0]._host(), solved, rtol=1e-6)
    with pytest.raises(ValueError, match="square"):
        f(operator(a[:3]), xp.asarray(b))
    with pytest.raises(ValueError, match="right-hand side"):
        f(mine, xp.ones(3))
    with pytest.raises(ValueError, match="x0"):
        f(mine, xp.asarray(b), xp.ones(3))
    with pytest.raises(ValueError, match="different shapes"):
        f(mine, xp.asarray(b), **{"M1" if name == "qmr" else "M": xp.eye(3)})
    if name != "minres":
        with pytest.raises(ValueError, match="atol"):
            f(mine, xp.asarray(b), atol=-1.0)


def test_breakdowns_are_told_as_scipy_tells_them():
    a, b = np.asarray([[0.0, 1.0], [-1.0, 0.0]]), np.asarray([1.0, 0.0])
    for name in ("bicgstab", "cgs", "bicg", "qmr", "tfqmr"):
        code = getattr(theirs, name)(a, b, **OPTIONS.get(name, {}))[1]
        assert getattr(ours, name)(operator(a), xp.asarray(b))[1] == code < 0


def nonsymmetric(dtype, n=60):
    """A matrix that short cycles need many of to solve with, and a right-hand side."""
    rng = np.random.default_rng(5)
    a = np.diag(np.linspace(1, 10, n)) + np.diag(np.ones(n - 1), 1) + 0.05 * rng.standard_normal((n, n))
    b = rng.standard_normal(n)
    return (a * np.exp(0.3j), b + 1j) if dtype is np.complex128 else (a, b)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("lgmres", {"inner_m": 6, "outer_k": 2}),
        ("lgmres", {"inner_m": 6, "outer_k": 2, "prepend_outer_v": True, "store_outer_Av": False}),
        ("gcrotmk", {"m": 5, "k": 3}),
        ("gcrotmk", {"m": 5, "k": 3, "truncate": "smallest", "discard_C": True}),
    ],
)
def test_subspaces_are_kept_from_cycle_to_cycle_and_for_other_systems(name, parameters, dtype):
    a, b = nonsymmetric(dtype)
    key = "outer_v" if name == "lgmres" else "CU"
    results = []
    for module, matrix, right in ((theirs, a, b), (ours, xp.asarray(a), xp.asarray(b))):
        kept, cycles = [], [0, 0]
        for place in range(2):

            def count(_, place=place, cycles=cycles):
                cycles[place] += 1

            x, info = getattr(module, name)(matrix, right, rtol=1e-11, atol=0.0, callback=count, **parameters, **{key: kept})
            assert info == 0
            assert np.linalg.norm(a @ np.asarray(x) - b) <= 1e-11 * np.linalg.norm(b)
        results.append((cycles, len(kept)))
    assert results[0] == results[1]
    first, second = results[1][0]
    assert first > 10 >= second or name == "lgmres"  # pairs make the solution known, corrections need not


@pytest.mark.parametrize("name", ["bicg", "bicgstab", "cgs", "qmr", "tfqmr"])
def test_methods_conjugate_where_scipys_do(name):
    a, b = nonsymmetric(np.complex128)
    a = a + np.diag(np.linspace(0, 2j, len(a)))  # the scalars of a step are complex
    seen = [], []
    getattr(theirs, name)(a, b, maxiter=8, callback=copies_to(seen[0]), **OPTIONS.get(name, {}))
    getattr(ours, name)(operator(a), xp.asarray(b), maxiter=8, callback=copies_to(seen[1]))
    # Eight steps, of some units each. Without a conjugation in the other Lanczos sequence of qmr it is some thousands.
    np.testing.assert_allclose(seen[1], seen[0], rtol=0, atol=100 * 2.0**-52 * abs(b).max())


def test_what_makes_no_sense_to_methods_that_keep_subspaces():
    for name in ("lgmres", "gcrotmk"):
        with pytest.raises(ValueError, match="finite"):
            getattr(ours, name)(operator(np.eye(2)), xp.asarray([1.0, np.nan]))
        assert getattr(ours, name)(operator([[np.nan, 0.0], [0.0, 1.0]]), xp.ones(2), rtol=0)[1] == 1
    with pytest.raises(ValueError, match="'oldest' or 'smallest'"):
        ours.gcrotmk(operator(np.eye(2)), xp.ones(2), truncate="newest")
    with pytest.raises(RuntimeError, match="preconditioner makes the residual zero"):
        ours.lgmres(operator(np.eye(2)), xp.ones(2), M=xp.zeros((2, 2)))


def test_quasi_minimal_residuals_with_preconditioners_that_do_not_commute():
    a, b = nonsymmetric(np.float64)
    rng = np.random.default_rng(6)
    M = np.diag(1 / a.diagonal()) + 0.002 * rng.standard_normal(a.shape)
    seen = []
    x, info = ours.tfqmr(xp.asarray(a), xp.asarray(b), M=xp.asarray(M), rtol=1e-10, callback=copies_to(seen))
    assert info == 0
    residuals = [np.linalg.norm(b - a @ one) for one in seen]
    assert residuals[-1] <= 1e-10 * np.linalg.norm(b) < residuals[-10]
    lower, upper = map(np.linalg.inv, scipy.linalg.lu(np.tril(a, 5), permute_l=True))

    class WithPreconditioner(ours.LinearOperator):
        def _matvec(self, x):
            return xp.asarray(a) @ x

        def _rmatvec(self, x):
            return xp.asarray(a.T) @ x

        def psolve(self, x, side):
            return xp.asarray(lower if side == "left" else upper) @ x

        def rpsolve(self, x, side):
            return xp.asarray(lower.T if side == "left" else upper.T) @ x

    plain, counted = [], []
    assert ours.qmr(xp.asarray(a), xp.asarray(b), rtol=1e-10, callback=copies_to(plain))[1] == 0
    x, info = ours.qmr(WithPreconditioner(np.float64, a.shape), xp.asarray(b), rtol=1e-10, callback=copies_to(counted))
    assert info == 0
    assert np.linalg.norm(a @ x._host() - b) <= 1e-10 * np.linalg.norm(b)
    y, info = ours.qmr(xp.asarray(a), xp.asarray(b), rtol=1e-10, M1=xp.asarray(lower), M2=xp.asarray(upper))
    assert x.tolist() == y.tolist()
    assert len(counted) < len(plain)


def test_gmres_and_its_callback():
    a, b = system(np.float64)
    for kind in ("x", "pr_norm", "legacy"):
        seen = [], []
        parameters = {"callback_type": kind, "restart": 3, "maxiter": 4, "rtol": 1e-12}
        expected = theirs.gmres(a, b, callback=copies_to(seen[0]), **parameters)
        got = ours.gmres(operator(a), xp.asarray(b), callback=copies_to(seen[1]), **parameters)
        assert got[1] == expected[1]
        np.testing.assert_allclose(got[0]._host(), expected[0], rtol=1e-12)
        np.testing.assert_allclose(seen[1], seen[0], rtol=1e-9, atol=2.0**-52)  # residuals relative to b are rounded to units
    with pytest.raises(ValueError, match="callback_type"):
        ours.gmres(operator(a), xp.asarray(b), callback=print, callback_type="none")
    with pytest.warns(DeprecationWarning, match="callback_type"):
        ours.gmres(operator(a), xp.asarray(b), callback=lambda _: None)
    singular = operator([[1.0, 0.0], [0.0, 0.0]])
    assert ours.gmres(singular, xp.asarray([1.0, 0.0]))[0].tolist() == [1.0, 0.0]


def test_minres_checks_what_it_needs():
    a, b = system(np.float64)
    with pytest.raises(ValueError, match="the matrix is not symmetric"):
        ours.minres(operator([[1.0, 5.0], [0.0, 1.0]]), xp.asarray([1.0, 2.0]), check=True)
    with pytest.raises(ValueError, match="indefinite"):
        ours.minres(operator(np.eye(2)), xp.asarray([1.0, 2.0]), M=-xp.eye(2))
    with pytest.raises(ValueError, match="preconditioner is not symmetric"):
        ours.minres(operator(np.eye(2)), xp.asarray([1.0, 2.0]), M=xp.asarray([[1.0, 5.0], [0.0, 1.0]]), check=True)
    np.testing.assert_allclose(
        ours.minres(operator(a), xp.asarray(b), shift=0.5, rtol=1e-10)[0]._host(), theirs.minres(a, b, shift=0.5, rtol=1e-10)[0], rtol=1e-9
    )


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("name", ["lsqr", "lsmr"])
def test_least_squares(name, dtype):
    rng = np.random.default_rng(3)
    a = np.where(rng.random((30, 12)) < 0.4, rng.standard_normal((30, 12)), 0).astype(dtype)
    if dtype is np.complex128:
        a = a * np.exp(1j * rng.random((30, 12)))
    b = rng.standard_normal(30).astype(dtype)
    limit = "iter_lim" if name == "lsqr" else "maxiter"
    for matrix in (a, a.conj().T):
        right = b[: matrix.shape[0]]
        for more in ({}, {"damp": 0.5}, {limit: 3}, {"x0": np.ones(matrix.shape[1], dtype=dtype)}, {"atol": 0, "btol": 0}, {"conlim": 2}):
            if name == "lsqr" and not more:
                more = {"calc_var": dtype is np.float64}
            expected = getattr(theirs, name)(scipy.sparse.csr_array(matrix), right, **more)
            mine = {key: xp.asarray(value) if isinstance(value, np.ndarray) else value for key, value in more.items()}
            got = getattr(ours, name)(operator(matrix), xp.asarray(right), **mine)
            if "atol" in more:  # where it stops is a matter of rounding errors
                np.testing.assert_allclose(got[0]._host(), expected[0], rtol=1e-9, atol=1e-9)
                continue
            assert got[1:3] == expected[1:3]
            assert got[0].dtype == expected[0].dtype
            # Bidiagonalization loses orthogonality, which multiplies rounding errors: by less than 1e6 in a dozen steps.
            for one, other in zip(got, expected, strict=True):
                np.testing.assert_allclose(one._host() if isinstance(one, xp.Array) else one, other, rtol=1e-9, atol=1e-12)
    f = getattr(ours, name)
    assert f(operator(np.eye(3)), xp.zeros(3))[:3][1:] == (0, 0)
    with pytest.raises(ValueError, match="right-hand side"):
        f(operator(np.eye(3)), xp.ones(4))


def test_steps_are_shown(capsys):
    a, b = system(np.float64)
    for name in ("lsqr", "lsmr", "minres"):
        getattr(ours, name)(operator(a), xp.asarray(b), show=True)
        assert f"{name}: step 1, residual" in capsys.readouterr().out
    for steps, how in ((None, "tfqmr: converged in"), (1, "tfqmr: not converged in 1")):
        ours.tfqmr(operator(a), xp.asarray(b), show=True, maxiter=steps)
        assert how in capsys.readouterr().out


def test_parameters_of_other_versions_are_named():
    from trnarray.backends.ops.sparse_linalg import OPS

    with pytest.raises(TypeError, match="no parameter 'flavour'"):
        OPS["eigsh"].host(np.eye(3), flavour=1)


@pytest.mark.skipif(SCIPY < (1, 18), reason="signatures are those of SciPy 1.18")
@pytest.mark.parametrize("name", sorted(set(ours.__all__) - NO_FUNCTIONS))
def test_signatures_are_scipys(name):
    got, expected = (
        [(p.name, p.kind, p.default) for p in inspect.signature(getattr(module, name)).parameters.values() if p.name != "random_state"]
        for module in (ours, theirs)
    )
    assert got == expected


def test_no_host_transfer_in_the_iterative_methods():
    a, b = system(np.float64)
    with config(host_transfer="error"):
        for name in (*METHODS, "lsqr", "lsmr"):
            for matrix in (csr_array(xp.asarray(a.toarray())), ours.aslinearoperator(xp.asarray(a.toarray()))):
                getattr(ours, name)(matrix, xp.asarray(b))
        for matrix, right in ((xp.asarray(a.toarray()), b), (a, xp.asarray(b))):
            with pytest.raises(HostTransferError):
                ours.cg(matrix, right)


def test_another_device():
    a, b = system(np.float32)
    with config(fallback="allow"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        A, B = xp.asarray(a.toarray()[:6, :6].copy(), device="sim:trn2"), xp.asarray(b[:6], device="sim:trn2")
        expected = np.linalg.solve(a.toarray()[:6, :6], b[:6])
        for name in ("cg", "gmres"):
            with config(fallback="error", host_transfer="error"):
                x, info = getattr(ours, name)(A, B, rtol=1e-4)
            assert (info, x.device, x.dtype) == (0, "sim:trn2", np.float32)
            assert np.abs(x.to_device("cpu")._host() - expected).max() < 1e-3 * np.abs(expected).max()  # ten times rtol, for the condition
        for matrix, right, more in ((A, xp.asarray(b[:6]), {}), (xp.asarray(a.toarray()[:6, :6]), B, {}), (A, B, {"x0": xp.zeros(6)})):
            with pytest.raises(ValueError, match="devices"):
                ours.cg(matrix, right, **more)
        factors = ours.splu(csc_array(A))
        assert factors.solve(B).device == factors.perm_c.device == factors.L.device == "sim:trn2"
        assert ours.eigsh(ours.aslinearoperator(A), 2, return_eigenvectors=False).device is not None
