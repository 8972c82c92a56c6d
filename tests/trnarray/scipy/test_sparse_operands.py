"""Lists beside sparse arrays and operators of a Neuron device, and SciPy's own sparse arrays as operands, against SciPy."""

import numpy as np
import pytest
import scipy.sparse as theirs

import trnarray as xp
from trnarray.scipy import sparse

DEVICE = "sim:trn2"
M = np.array([[4, 1, 0.1], [1, 3, 0.2], [0.1, 0.2, 2]])
ROW = [0.1, 0.2, 0.3]
SOLVERS = ("cg", "bicg", "bicgstab", "cgs", "gmres", "lgmres", "minres", "qmr", "gcrotmk", "tfqmr")


@pytest.fixture(autouse=True)
def falling_back():
    with xp.config(fallback="allow", host_transfer="error"):
        yield


def on(array):
    return xp.asarray(array, device=DEVICE)


def host(result):
    result = result[0] if isinstance(result, tuple) else result
    assert (result.dtype, str(result.device)) == (xp.float64, DEVICE)
    return np.asarray((result.toarray() if hasattr(result, "toarray") else result).tolist())


PRODUCTS = {
    "sparse @": (lambda a: a @ ROW, M @ ROW),
    "sparse *": (lambda a: a * M.tolist(), M * M),
    "hstack": (lambda a: sparse.hstack([a, M.tolist()]), np.hstack([M, M])),
    "vstack": (lambda a: sparse.vstack([[ROW], a]), np.vstack([[ROW], M])),
    "kron": (lambda a: sparse.kron(a, [ROW]), np.kron(M, [ROW])),
    "kron of a list": (lambda a: sparse.kron([ROW], a), np.kron([ROW], M)),
    "block_array": (lambda a: sparse.block_array([[a, M.tolist()]]), np.hstack([M, M])),
    "block_diag": (lambda a: sparse.block_diag([a, [ROW]]), theirs.block_diag([theirs.coo_array(M), theirs.coo_array([ROW])]).toarray()),
    "operator @": (lambda a: sparse.linalg.aslinearoperator(a) @ ROW, M @ ROW),
    "matvec": (lambda a: sparse.linalg.aslinearoperator(a).matvec(ROW), M @ ROW),
    "rmatvec": (lambda a: sparse.linalg.aslinearoperator(a).rmatvec(ROW), M.T @ ROW),
    "matmat": (lambda a: sparse.linalg.aslinearoperator(a).matmat(M.tolist()), M @ M),
    "sum of operators": (lambda a: (sparse.linalg.aslinearoperator(a) * 2).matvec(ROW), 2 * M @ ROW),
    "factors": (lambda a: sparse.linalg.splu(a.tocsc()).solve(ROW), np.linalg.solve(M, ROW)),
    "lsqr": (lambda a: sparse.linalg.lsqr(a, ROW, atol=1e-14, btol=1e-14), np.linalg.solve(M, ROW)),
    "lsmr": (lambda a: sparse.linalg.lsmr(a, ROW, atol=1e-14, btol=1e-14), np.linalg.solve(M, ROW)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_lists_beside_float64(name):
    call, wanted = PRODUCTS[name]
    np.testing.assert_allclose(host(call(sparse.csr_array(on(M)))), wanted, 1e-9)  # that of the solvers; float32 would be off by 1e-8


@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_of_lists(name):
    """Of one equation, which float32 does not hold either."""
    solve, a, b, wanted = getattr(sparse.linalg, name), np.array([[0.3]]), [0.1], [1 / 3]
    forms = [(a.tolist(), on(np.array(b))), (sparse.csr_array(on(a)), b), (on(a), b)]
    for operands in forms if name in ("cg", "gmres") else forms[:1]:  # all read their operands by one function
        np.testing.assert_allclose(host(solve(*operands, rtol=1e-12)), wanted, 1e-9)
    if name == "cg":
        np.testing.assert_allclose(host(solve(sparse.csr_array(on(a)), on(np.array(b)), x0=b, rtol=1e-12)), wanted, 1e-9)


S = theirs.csr_array(M)
ALONE = {
    "csr": lambda: sparse.csr_array(S),
    "csc of a matrix": lambda: sparse.csc_array(theirs.csr_matrix(M)),
    "hstack": lambda: sparse.hstack([S, M]),
    "kron": lambda: sparse.kron(S, S),
    "tril": lambda: sparse.tril(S),
    "inv": lambda: sparse.linalg.inv(theirs.csc_array(M)),
    "solution": lambda: sparse.linalg.spsolve(S, np.ones(3)),
    "iteration": lambda: sparse.linalg.cg(S, np.ones(3), x0=np.ones(3), M=M),
    "least squares": lambda: sparse.linalg.lsqr(S, np.ones(3), x0=np.ones(3)),
}


@pytest.mark.parametrize("name", ALONE)
def test_scipys_arrays_alone_go_to_the_default_device(name):
    xp.reset_coverage()
    with xp.default_device(DEVICE):
        found = host(ALONE[name]())
    with xp.default_device("cpu"), xp.config(host_transfer="allow"):
        wanted = ALONE[name]()
        wanted = wanted[0] if isinstance(wanted, tuple) else wanted
        np.testing.assert_allclose(found, np.asarray((wanted.toarray() if hasattr(wanted, "toarray") else wanted).tolist()), 1e-5)
    assert "to device" in str(xp.coverage()) or name.startswith("cs")  # these are asked for, as by asarray


def test_beside_an_array_the_setting_decides():
    for call in (lambda a: a + S, lambda a: sparse.hstack([a, S]), lambda a: sparse.linalg.aslinearoperator(a) @ np.ones(3)):
        with pytest.raises(xp.HostTransferError):
            call(sparse.csr_array(on(M)))
