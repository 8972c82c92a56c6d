"""Products of sparse matrices on devices, with no fallback: against SciPy's in float64, NaN and infinities where SciPy has them."""

import numpy as np
import pytest
import scipy.sparse as theirs
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.neuron.lowering.sparse import exchange, products

from .matrices import LOOK_ALIKES, U, bound, bring, cast, drawn, fetch, put

DTYPES = ("float32", "complex64", "float64", "int32")
KNOBS = ({"pe_product": "split21"}, {"pe_order": "permuted:7"}, {"dve_order": "permuted:7"}, {"denormals_dve": "flush"})
WIDE = {"complex64": np.complex128, "int32": np.int64}


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"):
        yield


@pytest.fixture
def exchanged(monkeypatch):
    """Take the exchange wherever it takes the matrix."""
    monkeypatch.setattr(products, "exchange_time", lambda *_: -1.0)


def _check(matrix, dtype, device="sim:trn2", some=slice(None)):
    """Multiply from both sides, with vectors and matrices, or some of that."""
    matrix = cast(matrix, dtype)
    wide = matrix.tocsr().astype(WIDE.get(dtype, np.float64))  # coordinates of one row times a vector give SciPy a number
    there, (rows, columns) = bring(matrix, device), matrix.shape
    calls = {
        "A @ x": (there, wide, drawn(columns, dtype), lambda a, x: a @ x),
        "A @ X": (there, wide, drawn((columns, 3), dtype), lambda a, x: a @ x),
        "y @ A": (there, wide.T, drawn(rows, dtype), lambda a, y: y @ a),
        "Y @ A": (there, wide.T, drawn((2, rows), dtype), lambda a, y: y @ a),
    }
    if matrix.format not in ("bsr", "dia"):
        calls["A.T @ y"] = (there, wide.T, drawn(rows, dtype), lambda a, y: a.T @ y)
    for name, (a, reference, x, multiply) in list(calls.items())[some]:
        found = fetch(multiply(a, put(x, device)))
        column = x.T if name == "Y @ A" else x
        want, most = reference @ column.astype(wide.dtype), bound(reference.tocsr(), column, dtype)
        if name == "Y @ A":
            want, most = want.T, most.T
        assert (found.dtype, found.shape) == (np.dtype(dtype), want.shape), name
        assert np.all(np.abs(found - want) <= most), name


@pytest.mark.parametrize("name", LOOK_ALIKES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_products(name, dtype):
    _check(LOOK_ALIKES[name], dtype, some=_in_turn(name, dtype))


@pytest.mark.parametrize("target", ["trn1", "trn3"])
@pytest.mark.parametrize("name", ["laplacian, 2-D", "power law", "duplicates", "full row"])
def test_other_generations(name, target):
    _check(LOOK_ALIKES[name], "float32", f"sim:{target}")


@pytest.mark.usefixtures("exchanged")
@pytest.mark.parametrize("name", LOOK_ALIKES)
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_exchange(name, dtype):
    _check(LOOK_ALIKES[name], dtype, some=_in_turn(name, dtype))


@pytest.mark.usefixtures("exchanged")
def test_vectors_are_exchanged_in_one_stage():
    matrix = cast(LOOK_ALIKES["random"], np.float32)
    product = bring(matrix) @ put(drawn((200, 5), np.float32))
    stages = [stage for step in xp.explain(product).steps for stage in step.stages if "exchange" in stage.computes]
    assert len(stages) == 1
    assert stages[0].over.split(", ")[-3] == "5 vectors"


def _in_turn(name, dtype):
    """Every second call, so that each meets half of the matrices with each dtype, and the other half with the next one."""
    return slice((list(LOOK_ALIKES).index(name) + DTYPES.index(dtype)) % 2, None, 2)


@pytest.mark.usefixtures("exchanged")
def test_parts_of_different_widths(monkeypatch):
    """The first ones, of rows 0 to 3 of 8 on a partition, have fewer products than there is room for, which is not read unwritten."""
    monkeypatch.setattr(exchange, "_ROOM", 512)
    monkeypatch.setattr(exchange, "_PADDED", 1e6)
    rng = np.random.default_rng(4)
    dense = rng.standard_normal((1024, 500)) * (rng.random((1024, 500)) < np.where(np.arange(1024) % 8 < 4, 0, 0.06)[:, None])
    matrix, x = theirs.csr_array(dense.astype(np.float32)), drawn(500, np.float32)
    found = fetch(bring(matrix) @ put(x))
    assert np.all(np.abs(found - matrix.astype(np.float64) @ x.astype(np.float64)) <= bound(matrix, x, np.float32))


@pytest.mark.usefixtures("exchanged")
@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("name", ["random", "full row", "laplacian, 3-D"])
def test_exchange_in_parts(name, target, monkeypatch):
    """Of one block for each part of the rows, as far as that goes; with rows in the order of their lengths, and in their own."""
    monkeypatch.setattr(exchange, "_ROOM", 256)
    monkeypatch.setattr(exchange, "_PADDED", 1e6)
    grown = theirs.kron(theirs.eye_array(4), LOOK_ALIKES[name]).tocsr()
    matrix, x = cast(grown, np.float32), drawn(grown.shape[1], np.float32)
    product = bring(matrix, f"sim:{target}") @ put(x, f"sim:{target}")
    assert any("exchange" in stage.computes for step in xp.explain(product).steps for stage in step.stages)
    assert np.all(np.abs(fetch(product) - matrix.astype(np.float64) @ x.astype(np.float64)) <= bound(matrix, x, np.float32))


@pytest.mark.usefixtures("exchanged")
@pytest.mark.parametrize("knobs", KNOBS, ids=str)
def test_exchange_under_knobs(knobs):
    matrix, x = cast(LOOK_ALIKES["random"], np.float32), drawn(200, np.float32)
    x[3], x[77] = np.inf, np.nan
    with np.errstate(invalid="ignore"):
        want, most = matrix.tocsr().astype(np.float64) @ x.astype(np.float64), bound(matrix, np.nan_to_num(x, posinf=0), np.float32)
    with simulator.options(knobs=simulator.Knobs(**knobs), races="strict"):
        found = fetch(bring(matrix) @ put(x))
    special = ~np.isfinite(want)
    np.testing.assert_array_equal(found[special], want[special])
    assert np.all(np.abs(found[~special] - want[~special]) <= most[~special])


@given(
    st.integers(1, 70), st.integers(1, 70), st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), max_size=150), st.data()
)
def test_any_structure(rows, columns, elements, data):
    where = np.array(elements, np.int64).reshape(-1, 2) % (rows, columns)
    matrix = theirs.coo_array((drawn(len(where), np.float32), tuple(where.T)), shape=(rows, columns))
    matrix = theirs.csc_array(matrix) if data.draw(st.booleans()) else matrix
    x = drawn(columns, np.float32)
    with xp.config(fallback="error"):
        found = fetch(bring(matrix) @ put(x))
    assert np.all(np.abs(found - matrix.astype(np.float64) @ x.astype(np.float64)) <= bound(matrix, x, np.float32))


@pytest.mark.parametrize("name", ["laplacian, 2-D", "power law", "full row", "bands", "empty rows and columns", "duplicates, coordinates"])
@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("way", ["fastest", "exchange"])
def test_infinities_and_nan_reach_their_rows(name, target, way, monkeypatch):
    if way == "exchange":
        monkeypatch.setattr(products, "exchange_time", lambda *_: -1.0)
    matrix = cast(LOOK_ALIKES[name], np.float32)
    x = drawn(matrix.shape[1], np.float32)
    x[[1, 7, 11, 29]] = np.nan, np.inf, -np.inf, np.nan
    with np.errstate(invalid="ignore"):
        want = matrix.tocsr().astype(np.float64) @ x.astype(np.float64)
    found = fetch(bring(matrix, f"sim:{target}") @ put(x, f"sim:{target}"))
    special = ~np.isfinite(want)
    assert special.any()
    np.testing.assert_array_equal(found[special], want[special])
    assert np.isfinite(found[~special]).all()


@pytest.mark.parametrize("name", ["power law", "laplacian, 3-D"])
def test_races_and_equal_bits(name):
    matrix, x = cast(LOOK_ALIKES[name], np.float32), drawn(LOOK_ALIKES[name].shape[1], np.float32)
    with simulator.options(races="strict"):
        first, second = (fetch(bring(matrix) @ put(x)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize(("block", "shape", "columns"), [((32, 16), (6, 9), 40), ((128, 128), (3, 2), 600), ((8, 24), (40, 3), 33)])
def test_blocks(target, block, shape, columns):
    """From both sides, with rows of blocks that are empty, explicit zeros, infinities and NaN, and values that change."""
    rng = np.random.default_rng(4)
    pattern = theirs.lil_array(rng.random(shape) * (rng.random(shape) < 0.4))
    pattern[1] = 0
    matrix = theirs.kron(pattern, np.ones(block)).tobsr(block).astype(np.float32)
    matrix.data[:] = rng.standard_normal(matrix.data.shape)
    matrix.data[:, 0, 1] = 0
    there, wide = bring(matrix, f"sim:{target}"), matrix.astype(np.float64)
    x = drawn((matrix.shape[1], columns), np.float32)
    y = drawn((columns, matrix.shape[0]), np.float32)
    product = there @ put(x, f"sim:{target}")
    assert [stage.computes for step in xp.explain(product).steps for stage in step.stages][-1].startswith("sparse product of blocks")
    assert np.all(np.abs(fetch(product) - wide @ x) <= bound(matrix.tocsr(), x, np.float32))
    turned = fetch(put(y, f"sim:{target}") @ there).T
    assert np.all(np.abs(turned - wide.T @ y.T) <= bound(matrix.T.tocsr(), y.T, np.float32))
    there.data[:] = there.data * 2
    assert np.all(np.abs(fetch(there @ put(x, f"sim:{target}")) - 2 * wide @ x) <= 2 * bound(matrix.tocsr(), x, np.float32))
    x[3, 5], x[17, 2] = np.inf, np.nan
    with np.errstate(invalid="ignore"):
        want = 2 * wide @ x
    np.testing.assert_array_equal(np.isfinite(fetch(there @ put(x, f"sim:{target}"))), np.isfinite(want))


def test_dtypes_meet():
    matrix, x = cast(LOOK_ALIKES["random"], np.float32), drawn(200, np.float32)
    for left, right in (("float32", "complex64"), ("int32", "float32"), ("float32", "float64")):
        found = bring(matrix.astype(left)) @ put(x.astype(right))
        want = matrix.astype(left).astype(np.complex128) @ x.astype(right).astype(np.complex128)
        assert found.dtype == xp.result_type(put(np.ones(1, left)), put(np.ones(1, right)))
        assert np.all(np.abs(fetch(found) - want) <= bound(matrix.tocsr(), x, np.complex64))


def test_structures_are_kept():
    """Positions are brought to the host once; values may change, by writes and by new Arrays, and so may positions."""
    matrix, x = cast(LOOK_ALIKES["random"], np.float32).tocsr(), drawn(200, np.float32)
    there, vector = bring(matrix), put(x)
    wide = matrix.astype(np.float64)

    def check(found, want):
        assert np.all(np.abs(fetch(found) - want @ x) <= 2 * bound(matrix, x, np.float32))

    def fetched():
        return sum(item.calls for item in xp.coverage().transfers if item.direction == "to host")

    _ = there @ vector
    before = fetched()
    product = there @ vector
    assert fetched() == before
    check(product, wide)
    there.data[:] = there.data * 2
    check(there @ vector, 2 * wide)
    there.data = there.data / 2
    check(there @ vector, wide)
    check((there * 2.0) @ vector, 2 * wide)
    there.indices[:] = there.indices[::-1].copy()
    want = theirs.csr_array((matrix.data, matrix.indices[::-1].copy(), matrix.indptr), shape=matrix.shape).astype(np.float64)
    assert np.all(np.abs(fetch(there @ vector) - want @ x) <= bound(want, x, np.float32))


def test_operands_that_do_not_fit():
    matrix = cast(LOOK_ALIKES["127 rows"], np.float32)
    there = bring(matrix)
    for shape in ((127,), (127, 3)):
        with pytest.raises(ValueError, match="mismatch") as wanted:
            matrix @ np.ones(shape, np.float32)
        with pytest.raises(ValueError, match="mismatch") as found:
            there @ xp.ones(shape, device="sim:trn2")
        assert str(found.value) == str(wanted.value)
    with pytest.raises(ValueError, match="mismatch"):
        xp.ones(500, device="sim:trn2") @ there


def test_nothing_to_multiply():
    for shape in ((0, 5), (5, 0), (4, 5)):
        there = bring(theirs.csr_array(shape, dtype=np.float32))
        np.testing.assert_array_equal(fetch(there @ xp.ones(shape[1], device="sim:trn2")), np.zeros(shape[0]))
    assert fetch(bring(cast(LOOK_ALIKES["random"], np.float32)) @ xp.ones((200, 0), device="sim:trn2")).shape == (200, 0)


def test_in_a_loop():
    """The structure is made once, outside of the turns."""
    matrix = cast(LOOK_ALIKES["laplacian, 2-D"], np.float32) * np.float32(0.1)
    x = drawn(matrix.shape[1], np.float32)
    there = bring(matrix)
    want = x.astype(np.float64)
    for _ in range(4):
        want = matrix.astype(np.float64) @ want
    found = fetch(xp.fori_loop(0, 4, lambda _, v: there @ v, put(x)))
    np.testing.assert_allclose(found, want, atol=40 * U * np.abs(x).max())  # four products of 6 roundings, of norms below 1


@pytest.mark.parametrize("name", ["random", "duplicates", "duplicates, coordinates", "blocks", "diagonals beyond", "no elements"])
@pytest.mark.parametrize("dtype", ["float32", "complex64", "float64"])
def test_stored_elements_alone(name, dtype):
    matrix = cast(LOOK_ALIKES[name], dtype)
    there, wide = bring(matrix), matrix.astype(WIDE.get(dtype, np.float64))
    unit = U if np.dtype(dtype).itemsize // (2 if dtype[0] == "c" else 1) == 4 else 2.0**-53

    def check(found, want, terms):
        assert found.dtype == np.dtype(dtype)
        assert found.shape == want.shape
        assert np.all(np.abs(fetch(found) - want) <= 4 * terms * unit * abs(wide).sum())

    check(there.toarray(), wide.toarray(), 4)
    check(there.diagonal(), wide.diagonal(), 4)
    check(there.diagonal(3), wide.diagonal(3), 4)
    check((2.0 * there).toarray(), 2 * wide.toarray(), 4)
    check((-there / 4.0).toarray(), -wide.toarray() / 4, 4)
    if matrix.nnz:
        check(there.sum(axis=0), np.asarray(wide.tocsr().sum(axis=0)), 40)
        check(there.sum(axis=1), np.asarray(wide.tocsr().sum(axis=1)), 40)
    if matrix.format not in ("bsr", "dia"):
        check(there.T.conj().toarray(), wide.T.conj().toarray(), 4)
    assert there.astype(np.float64 if dtype != "complex64" else np.complex128).data.shape == there.data.shape
