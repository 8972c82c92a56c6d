"""A Neuron default device: ndarrays and sequences that have no Array beside them go there, and none of them is written to."""

import functools
import inspect
import operator
from collections import defaultdict

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.op import all_ops
from trnarray.conformance.overrides.calls import CALLS
from trnarray.conformance.overrides.operands import evaluate
from trnarray.scipy import fft, linalg, signal, sparse, special

DEVICE = "sim:trn2"
AS_THEY_ARE = defaultdict(lambda: lambda array: array)
# What NumPy does and we say no to: a copy that is forbidden, and the standard's function, which takes Arrays alone.
REFUSED = {("array", "v, copy=False, like=v"): ValueError, **{("astype", text): TypeError for text in CALLS["astype"]}}
H = np.array([[4, 1, 0.5], [1, 3, 0.25], [0.5, 0.25, 2]], np.float32)


@pytest.fixture(autouse=True)
def on_the_device():
    with xp.config(fallback="allow", host_transfer="error"), xp.default_device(DEVICE):
        yield


def leaves(result):
    if isinstance(result, (tuple, list)):
        return [leaf for item in result for leaf in leaves(item)]
    return [result]


def check(result):
    found = [leaf for leaf in leaves(result) if isinstance(leaf, (xp.Array, np.ndarray, sparse.sparray))]
    assert all(str(leaf.device) == DEVICE for leaf in found if not isinstance(leaf, np.ndarray))
    assert not any(isinstance(leaf, np.ndarray) for leaf in found)


def writes(path, text):
    return "out=" in text or path in ("copyto", "place", "put", "put_along_axis", "putmask", "fill_diagonal")


PATHS = [path for path in CALLS if functools.reduce(lambda place, name: getattr(place, name, None), path.split("."), xp) is not None]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(8))
def test_every_function_of_numpy_runs_there(part):
    """Values are held against NumPy's elsewhere: here only where results are."""
    for path in PATHS[part::8]:
        function = functools.reduce(getattr, path.split("."), xp)
        for text in CALLS[path][:2]:
            code = compile(f"call({text})", path, "eval")
            refused = REFUSED.get((path, text)) or (TypeError if writes(path, text) and "new(" not in path else None)
            if refused is None:
                check(evaluate(code, function, np.dtype(np.float32), AS_THEY_ARE)[0])
                continue
            with pytest.raises(refused):
                evaluate(code, function, np.dtype(np.float32), AS_THEY_ARE)


OTHERS = {
    "ufunc": lambda: xp.add(H, H),
    "reduce": lambda: xp.add.reduce(H),
    "outer": lambda: xp.multiply.outer(H[0], H[1]),
    "spectrum": lambda: fft.fft(H),
    "inverse": lambda: linalg.inv(H),
    "factors": lambda: linalg.lu(H),
    "density": lambda: signal.welch(H[0], nperseg=2)[1],
    "filter": lambda: signal.convolve(H[0], H[1]),
    "error function": lambda: special.erf(H),
    "csr": lambda: sparse.csr_array(H),
    "coo": lambda: sparse.coo_array((H[0], (np.arange(3), np.arange(3)))),
    "kron": lambda: sparse.kron(H, H),
    "draws": lambda: xp.random.default_rng(1).normal(H),
    "permutation": lambda: xp.random.default_rng(1).permutation(H),
    "polynomial": lambda: xp.polynomial.polynomial.polyval(H, H[0]),
    "windows": lambda: xp.lib.stride_tricks.sliding_window_view(H, 2, 0),
    "full": lambda: xp.full((3,), H[0]),
    "range of lists": lambda: (xp.add([1.0, 2.0], 1), xp.sum(range(4))),
}


@pytest.mark.parametrize("call", OTHERS.values(), ids=OTHERS.keys())
def test_other_namespaces_run_there(call):
    check(call())


def test_moves_are_counted_and_copies():
    xp.reset_coverage()
    host = H.copy()
    moved = xp.add(host, 0)
    host[...] = 0
    assert moved.tolist() == H.tolist()
    assert "to device" in str(xp.coverage())


def test_metadata_stays_on_the_host():
    xp.reset_coverage()
    assert (xp.shape(H), xp.ndim(H), xp.size(H), xp.result_type(H)) == ((3, 3), 2, 9, np.float32)
    assert xp.can_cast(H.dtype, np.float64)
    assert "to device" not in str(xp.coverage())


def test_beside_an_array_the_setting_decides():
    with pytest.raises(xp.HostTransferError):
        xp.add(xp.ones((3, 3)), H)


TARGETS = {
    "copyto": np.copyto,
    "copyto of ours": xp.copyto,
    "put": lambda target, x: np.put(target, xp.asarray([0]), x[0]),
    "putmask": lambda target, x: np.putmask(target, x > 0, x),
    "place": lambda target, x: np.place(target, x > 0, x),
    "put_along_axis": lambda target, x: np.put_along_axis(target, xp.asarray([0]), x[:1], 0),
    "add.at": lambda target, x: np.add.at(target, [0], x[0]),
    "negative.at": lambda target, x: xp.negative.at(target, xp.asarray([0])),
    "fill_diagonal": lambda target, x: xp.fill_diagonal(target.reshape(1, 3), x),
    "out": lambda target, x: xp.add(x, 1, out=target),
    "out of NumPy": lambda target, x: np.add(x, 1, out=target),
    "out of a function": lambda target, x: xp.sum(x[None], axis=0, out=target),
    "shuffle": lambda target, _: xp.random.default_rng(1).shuffle(target),
    "out of draws": lambda target, _: xp.random.default_rng(1).random(out=target),
}


@pytest.mark.parametrize("setting", ["allow", "warn", "error"])
@pytest.mark.parametrize("write", TARGETS.values(), ids=TARGETS.keys())
def test_an_ndarray_is_not_written_to(write, setting):
    """A write to the copy of an ndarray on the device would be lost."""
    target = np.zeros(3, np.float32)
    with xp.config(host_transfer=setting), pytest.raises(TypeError, match=r"asarray|Array there"):
        write(target, xp.ones(3))
    assert not target.any()


def overwriting():
    """List the parameters that let a function overwrite its operands, of all functions that have them."""
    for op in all_ops():
        space, _, name = op.name.rpartition(".")
        where = {"scipy.linalg": linalg, "fft": fft, "scipy.signal": signal, "": xp}.get(space)
        function = getattr(where, name, None)
        for flag in inspect.signature(function).parameters if callable(function) else ():
            if flag.startswith("overwrite_") and flag in inspect.signature(op.host).parameters:  # which older SciPy need not have
                yield function, flag
    yield from ((sparse.linalg.spsolve_triangular, flag) for flag in ("overwrite_b",))


OVERWRITING = list(overwriting())


@pytest.mark.parametrize(("function", "flag"), OVERWRITING, ids=[f"{function.__name__} {flag}" for function, flag in OVERWRITING])
def test_an_ndarray_is_not_overwritten(function, flag):
    target = H.copy()
    needed = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    operands = [(target, target) if "_and_" in one.name else target for one in needed]
    if flag == "overwrite_b" and len(operands) < 2:
        operands.append(target)
    with xp.config(host_transfer="allow"), pytest.raises(TypeError, match="cannot write to a numpy.ndarray"):
        function(*operands, **{flag: True})
    assert np.array_equal(target, H)


def test_what_is_not_overwritten_is_taken():
    with xp.config(host_transfer="allow"):
        check(linalg.solve(H, xp.ones(3), overwrite_a=False, overwrite_b=True))
        check(xp.median(H, overwrite_input=False))


def test_nan_to_num_does_not_write_to_an_ndarray():
    target = np.array([np.nan, 1], np.float32)
    with xp.config(host_transfer="allow"):
        for replacement in (0.0, xp.asarray(0.0)):
            with pytest.raises(TypeError, match="cannot write to a numpy.ndarray"):
                xp.nan_to_num(target, copy=False, nan=replacement)
        with xp.default_device("cpu"):
            assert xp.nan_to_num(target, copy=False).tolist() == target.tolist() == [0, 1]


def on(values, dtype):
    return xp.asarray(np.asarray(values, dtype), device=DEVICE)


SEQUENCES = {
    "floats beside float64": (lambda a: operator.add(a([0, 1], "f8"), [0.1, 0.2]), "float64"),
    "floats before float64": (lambda a: [0.1, 0.2] * a([3, 1], "f8"), "float64"),
    "by a ufunc": (lambda a: np.add(a([1], "f8"), [0.1]), "float64"),
    "by a function": (lambda a: np.concatenate([a([1.0], "f8"), [0.1]]), "float64"),
    "chosen": (lambda a: np.where(a([1, 0], "?"), [0.1, 0.2], a([1, 2], "f8")), "float64"),
    "complex beside complex128": (lambda a: operator.add(a([0, 1], "c16"), [0.1 + 0.1j, 0.2]), "complex128"),
    "integers beside int64": (lambda a: a([1, 2], "i8") == [2**32 + 1, 2], "bool"),
    "integers beside uint64": (lambda a: operator.add(a([1, 2], "u8"), [2**40, 2]), "float32"),
    "large integers beside int32": (lambda a: operator.add(a([1, 2], "i4"), [2**31, 0]), "int64"),
    "a range": (lambda a: a([1, 2], "i4") + range(2), "int32"),
    "a range before": (lambda a: range(2) - a([1, 2], "i8"), "int64"),
    "floats beside float32": (lambda a: operator.add(a([1, 2], "f4"), [0.5, 2.0]), "float32"),
    "truths": (lambda a: a([1, 2], "f4") * [True, False], "float32"),
    "nothing": (lambda a: operator.add(a([], "f8"), []), "float64"),
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences_have_the_dtype_of_asarray_beside_the_operands(name):
    call, dtype = SEQUENCES[name]
    found, wanted = call(on), call(np.asarray)
    assert str(found.device) == DEVICE
    assert str(found.dtype) in dtype
    np.testing.assert_array_equal(np.asarray(found.tolist()), wanted.astype(found.dtype))


def test_sequences_alone_keep_integers_that_default_integers_do_not_hold():
    assert int(xp.sum([2**31, 2**31])) == 2**32
    assert xp.maximum([1, 2], [3, 4]).dtype == xp.int32
    assert xp.exp([0.5]).dtype == xp.float32


@pytest.mark.parametrize("values", [[2**31, 0], (0, -(2**31) - 1), [[2**40, 1]], range(2**31, 2**31 + 2)], ids=str)
def test_assigned_integers_that_do_not_fit_raise(values):
    x = on([1, 2], np.int32)
    with pytest.raises(OverflowError, match="int32"):
        x[...] = values
    assert x.tolist() == [1, 2]


def test_nested_sequences_and_endless_ones():
    deep = [1]
    for _ in range(2000):
        deep = [deep]
    circle = []
    circle.append(circle)
    for device in ("cpu", DEVICE):
        with xp.default_device(device):
            for items in (deep, circle):
                with pytest.raises(ValueError, match="nest"):
                    xp.add(items, 1)
            with pytest.raises(MemoryError):
                xp.add(range(10**12), 1)


SPARSE = {
    "eye_array": lambda: sparse.eye_array(3),
    "identity": lambda: sparse.identity(3),
    "diags_array": lambda: sparse.diags_array([1.0, -2.0], offsets=[0, 1], shape=(3, 3)),
    "random_array": lambda: sparse.random_array((4, 4), density=0.5),
    "a shape": lambda: sparse.csr_array((4, 4)),
    "coordinates": lambda: sparse.coo_array(([1.0, 2.0], ([0, 1], [1, 0]))),
    "rows": lambda: sparse.csr_array([[1.0, 0.0]]),
    "a quotient": lambda: sparse.csr_array(H) / 3.0,
    "a mean": lambda: (sparse.csr_array(H) + sparse.csr_array(H).T) / 2,
    "a stack": lambda: sparse.hstack([sparse.csr_array(H), sparse.eye_array(3)]),
}


@pytest.mark.parametrize("make", SPARSE.values(), ids=SPARSE.keys())
def test_sparse_arrays_have_the_floats_of_the_device(make):
    assert (make().dtype, str(make().device)) == (xp.float32, DEVICE)


def test_sparse_arrays_of_64_bits_are_asked_for():
    assert sparse.eye_array(3, dtype=float).dtype == sparse.csr_array(H.astype(float)).dtype == xp.float64
    assert (sparse.csr_array(H) / np.float64(3)).dtype == xp.float64
    np.testing.assert_array_equal((sparse.csr_array(H) / 3.0).toarray().tolist(), H / np.float32(3))
    with xp.default_device("cpu"), xp.config(host_transfer="allow"):
        assert sparse.eye_array(3).dtype == (sparse.csr_array(H) / 3.0).dtype == xp.float64


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("transpose", ()), ("swapaxes", (0, 1)), ("diagonal", ()), ("flip", ()), ("reshape", (-1,)), ("ravel", ()), ("squeeze", ()),
        ("atleast_3d", ()), ("expand_dims", (0,)), ("broadcast_to", ((2, 2, 3),)), ("rot90", ()),
    ],
)  # fmt: skip
def test_views_of_lists_are_no_fallbacks(name, arguments):
    rows = [[1.0, 2.0, 4.0], [3.0, 5.0, 7.0]]
    with xp.config(fallback="error"):
        found, wanted = getattr(xp, name)(rows, *arguments), getattr(np, name)(rows, *arguments)
    check(found)
    for one, other in zip(leaves(found), leaves(wanted), strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize(("subscripts", "item"), [("ij->ji", [[1.0, 2.0]]), ("...ii->...", [[1, 2], [3, 4]]), ("", 7), ("i...", [3])])
def test_summations_over_nothing_take_lists(subscripts, item):
    with xp.config(fallback="error"):
        found = xp.einsum(subscripts, item)
    check(found)
    assert found.tolist() == np.einsum(subscripts, item).tolist()
