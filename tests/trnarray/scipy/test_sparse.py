"""Sparse arrays: whatever SciPy computes, in any format and dtype, with the types ours."""

import inspect
import io
import operator
import pickle

import numpy as np
import pytest
import scipy.sparse as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.ops.sparse import METHODS, pack
from trnarray.backends.policy import HostTransferError
from trnarray.backends.settings import config
from trnarray.scipy import sparse as ours

from .sparse_reference import FORMATS, agree, matrix, on_ours

DTYPES = (np.bool_, np.int8, np.int64, np.float32, np.float64, np.complex128)
ERRORS = (TypeError, ValueError, NotImplementedError, AttributeError, IndexError, ZeroDivisionError, RuntimeError)  # of products of "dia"
pytestmark = pytest.mark.filterwarnings("ignore")  # those of efficiency and of division, which are SciPy's


def check(function, *operands):
    """Call on theirs and on ours; both give the same, or raise the same."""
    theirs_, ours_ = operands, tuple(map(on_ours, operands))
    try:
        expected = function(*theirs_)
    except ERRORS as error:
        with pytest.raises(type(error)):
            function(*ours_)
        return
    agree(function(*ours_), expected)
    for one, other in zip(ours_, theirs_, strict=True):  # written to alike
        agree(one, other)


class Write:
    """A method that writes, and gives the array."""

    def __init__(self, name, *args):
        self.name, self.args = name, args

    def __call__(self, x):
        getattr(x, self.name)(*self.args)
        return x


def set_item(key, value):
    def call(x):
        x[key] = value
        return x

    return call


def compare(name, value):
    return lambda x: getattr(operator, name)(x, value)


WITH_OPERANDS = {"astype", "asformat", "tensordot", "reshape", "dot", "multiply", "maximum", "minimum", "power"}
PROPERTIES = {"has_canonical_format", "has_sorted_indices", "real", "imag"}
KEYS = (1, (1, 2), (-1, slice(None)), slice(1, 3), (slice(None, None, 2), slice(4, 0, -1)))
MASK = np.random.default_rng(5).random((4, 6)) > 0.5
UNARY = {
    **{name: operator.methodcaller(name) for name in (*METHODS,) if name not in WITH_OPERANDS | PROPERTIES},
    **{name: Write(name) for name in ("sum_duplicates", "eliminate_zeros", "sort_indices", "prune", "check_format")},
    **{f"{name} along {axis}": operator.methodcaller(name, axis=axis) for name in ("sum", "mean", "max", "min") for axis in (0, 1)},
    **{f"nan{name} along 0": operator.methodcaller(f"nan{name}", axis=0) for name in ("max", "min")},
    **{f"arg{name} along {axis}": operator.methodcaller(f"arg{name}", axis=axis) for name in ("max", "min") for axis in (0, 1)},
    **{f"to {name}": operator.methodcaller("asformat", name) for name in FORMATS},
    **{f"[{key!r}]": operator.itemgetter(key) for key in KEYS},
    "[lists]": operator.itemgetter(([0, 2], [1, 1])),
    "[list, :]": operator.itemgetter(([2, 0],)),
    "[mask]": operator.itemgetter(MASK),
    "[...]": operator.itemgetter((Ellipsis, 1)),
    "[99]": operator.itemgetter(99),
    "[1, 2] = ": set_item((1, 2), 3),
    "[:, 1] = ": set_item((slice(None), 1), 1),
    "[lists] = ": set_item(([0, 2], [1, 1]), [1, 0]),
    "-": operator.neg,
    "abs": abs,
    "round": round,
    "** 2": lambda x: x**2,
    "* 2": lambda x: x * 2,
    "2 * ": lambda x: 2 * x,
    "np.float32 * ": lambda x: np.float32(2) * x,
    "/ 2": lambda x: x / 2,
    "2 / ": lambda x: 2 / x,
    "+ 1": lambda x: x + 1,
    "+ 0": lambda x: x + 0,
    "1 - ": lambda x: 1 - x,
    "*= 2": lambda x: operator.imul(x, 2),
    "/= 2": lambda x: operator.itruediv(x, 2),
    **{f"{op} {y}": compare(op, y) for op in ("eq", "ne", "lt", "ge") for y in (0, 1)},
    "max of 0": lambda x: x.maximum(0),
    "min of 1": lambda x: x.minimum(1),
    "T": lambda x: x.T,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
    "conj": lambda x: x.conj(),
    "reshape": lambda x: x.reshape(3, 8),
    "reshape -1": lambda x: x.reshape((-1, 2)),
    "resize": Write("resize", (3, 7)),
    "setdiag": Write("setdiag", [1, 2]),
    "diagonal 1": lambda x: x.diagonal(k=1),
    "trace 1": lambda x: x.trace(1),
    "astype": lambda x: x.astype(np.float32),
    "power": lambda x: x.power(3),
    "bool": bool,
    "len": len,
    "rows": tuple,
    "nnz": lambda x: x.nnz,
    "shape": lambda x: (x.shape, x.ndim, x.size, x.format, x.dtype),
    "tril": lambda x: module(x).tril(x, 1),
    "triu": lambda x: module(x).triu(x, k=-1, format="csr"),
    "find": lambda x: tuple(module(x).find(x)),
    "sum of dtype": lambda x: x.sum(dtype=np.float64),
    "tobsr": lambda x: x.tobsr(blocksize=(2, 3)),
}
BINARY = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "eq", "ne", "lt", "le", "gt", "ge")},
    "@ transposed": lambda x, y: x @ y.T,
    "dot": lambda x, y: x.dot(y.T),
    "multiply": lambda x, y: x.multiply(y) if hasattr(x, "multiply") else y.multiply(x),
    "maximum": lambda x, y: x.maximum(y) if hasattr(x, "maximum") else y.maximum(x),
    "minimum": lambda x, y: x.minimum(y) if hasattr(x, "minimum") else y.minimum(x),
    "+=": operator.iadd,
    "*=": operator.imul,
    "hstack": lambda x, y: module(x).hstack([x, y]),
    "vstack": lambda x, y: module(x).vstack([x, y], format="csc"),
    "block_array": lambda x, y: module(x).block_array([[x, None], [None, y]]),
    "block_diag": lambda x, y: module(x).block_diag((x, y)),
    "kron": lambda x, y: module(x).kron(x, y),
    "kronsum": lambda x, y: module(x).kronsum(x @ x.T, y @ y.T),
}
WITH_DENSE = [name for name in BINARY if name not in ("+=", "*=", "hstack", "vstack", "block_array", "block_diag", "kron", "kronsum")]
SHAPES = st.sampled_from([(4, 6), (1, 1), (0, 3), (3, 0), (5, 5)])


def module(x):
    return theirs if isinstance(x, theirs.sparray) else ours


@pytest.mark.parametrize("name", UNARY)
def test_a_sparse_array(name):
    for format in FORMATS:
        for dtype in DTYPES:
            check(UNARY[name], matrix(format, dtype))


@pytest.mark.parametrize("name", BINARY)
def test_two_sparse_arrays(name):
    for format in FORMATS:
        for other in FORMATS:
            check(BINARY[name], matrix(format), matrix(other, np.float32, seed=1))
        check(BINARY[name], matrix(format, np.int8), matrix(format, np.complex128, seed=1))
        if name not in ("maximum", "minimum"):  # in which SciPy 1.13 reads beyond the end
            check(BINARY[name], matrix(format), matrix(format, shape=(3, 6)))


@pytest.mark.parametrize("name", WITH_DENSE)
def test_a_sparse_array_with_a_dense_one(name):
    dense = np.random.default_rng(2).integers(-2, 3, (4, 6)).astype(np.float64)
    for format in FORMATS:
        check(BINARY[name], matrix(format), dense)
        if name != "dot":
            check(BINARY[name], dense, matrix(format))


@pytest.mark.parametrize("format", FORMATS)
def test_products_with_vectors_and_stacks(format):
    for dtype in DTYPES:
        x = matrix(format, dtype)
        for shape in ((6,), (6, 1), (6, 3), (6, 0), (5,), (2, 6, 3)):
            check(operator.matmul, x, np.ones(shape, dtype=np.float32))
        for shape in ((4,), (1, 4), (3, 4)):
            check(operator.matmul, np.ones(shape), x)


def sparse(shapes=SHAPES):
    return st.builds(
        matrix,
        st.sampled_from(FORMATS),
        st.sampled_from(DTYPES),
        shapes,
        st.integers(0, 2**16),
        st.integers(0, 12),
        st.booleans(),
    )


@settings(max_examples=60)
@given(sparse(), st.lists(st.sampled_from(sorted(UNARY)), min_size=1, max_size=3))
def test_any_sparse_array_under_several_operations(x, names):
    mine = on_ours(x)
    for name in names:
        try:
            expected = UNARY[name](x)
        except ERRORS as error:
            with pytest.raises(type(error)):
                UNARY[name](mine)
            return
        mine = UNARY[name](mine)
        agree(mine, expected)
        x = expected
        if not isinstance(x, theirs.sparray):
            return


@settings(max_examples=40)
@given(st.sampled_from(sorted(BINARY)), st.sampled_from([(4, 6), (1, 1), (0, 3), (5, 5)]), st.data())
def test_any_two_sparse_arrays(name, shape, data):
    check(BINARY[name], data.draw(sparse(st.just(shape))), data.draw(sparse(st.just(shape))))


@pytest.mark.parametrize("format", FORMATS)
def test_ways_to_make_one(format):
    make = {"theirs": getattr(theirs, f"{format}_array"), "ours": getattr(ours, f"{format}_array")}
    dense = np.asarray([[0, 1.5, 0], [2, 0, 0]])
    forms = {
        "shape": ((2, 3),),
        "dense": (dense,),
        "lists": ([[0, 1], [2, 0]],),
        "sparse": (matrix("csr"),),
        "coordinates": ((np.asarray([1.0, 2.0]), (np.asarray([0, 1]), np.asarray([1, 1]))),),
        "more": (dense, (2, 3), np.float32, True),
        "components": (tuple(pack(make["theirs"](dense))[2]),) if format != "coo" else ((2, 3),),
        "nonsense": ("text",),
    }
    for arguments in forms.values():
        try:
            expected = make["theirs"](*arguments)
        except ERRORS as error:
            with pytest.raises(type(error)):
                make["ours"](*map(on_ours, arguments))
            continue
        agree(make["ours"](*map(on_ours, arguments)), expected)
        agree(make["ours"](*arguments), expected)


def test_functions_that_make_one():
    for name, args, kwargs in (
        ("eye_array", (3,), {}),
        ("eye_array", (3, 4), {"k": 1, "dtype": np.float32, "format": "csr"}),
        ("diags_array", ([[1.0, 2.0], [3.0]],), {"offsets": [0, 1]}),
        ("diags_array", (np.arange(3.0),), {"format": "csc", "shape": (3, 3)}),
    ):
        agree(getattr(ours, name)(*map(on_ours, args), **kwargs), getattr(theirs, name)(*args, **kwargs))
    agree(ours.identity(3), theirs.eye_array(3))
    rng = "rng" if "rng" in inspect.signature(theirs.random_array).parameters else "random_state"
    expected = theirs.random_array((5, 4), density=0.3, format="csr", **{rng: np.random.default_rng(1)})
    agree(ours.random_array((5, 4), density=0.3, format="csr", rng=xp.random.default_rng(1)), expected)
    drawn = ours.random_array((4, 4), density=0.5, rng=0, data_sampler=lambda size: xp.full(size, 7.0))
    assert set(drawn.data.tolist()) == {7.0}


def test_byte_orders_are_dropped():
    swapped = {"dtype": ">f4"}
    for made in (
        on_ours(matrix("csr")).astype(**swapped),
        ours.eye_array(2, **swapped),
        ours.csr_array((2, 2), **swapped),
        ours.random_array((2, 2), **swapped),
    ):
        assert made.dtype == np.float32
        assert made.data.dtype.isnative


def test_old_seeds_are_those_of_scipy():
    given = {"density": 0.5, "random_state": 3}
    agree(ours.random_array((5, 4), **given), theirs.random_array((5, 4), **given))
    agree(ours.random_array((5, 4), dtype=np.float32, **given), theirs.random_array((5, 4), dtype=np.float32, **given))


def test_functions_take_their_first_operand_by_name():
    x = matrix("csr")
    agree(ours.tril(A=on_ours(x), k=1), theirs.tril(x, k=1))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'A'"):
        ours.find()


def test_dense_operands_give_arrays_and_never_old_matrices():
    dense = np.asarray([[1.0, 0.0], [2.0, 3.0]])
    coo = theirs.coo_array(dense)
    for name in ("tril", "triu"):
        agree(getattr(ours, name)(xp.asarray(dense)), getattr(theirs, name)(coo))
    agree(ours.kron(xp.asarray(dense), dense), theirs.kron(coo, coo))
    agree(ours.hstack([xp.asarray(dense), ours.eye_array(2)]), theirs.hstack([coo, theirs.eye_array(2)]))
    agree(ours.block_diag([[1, 2], 3]), theirs.block_diag([theirs.coo_array([[1, 2]]), theirs.coo_array([[3]])]))


def test_extrema_are_of_one_shape():
    for name in ("maximum", "minimum"):
        with pytest.raises(ValueError, match=r"\(4, 6\) and \(3, 6\)"):
            getattr(on_ours(matrix("csr")), name)(on_ours(matrix("coo", shape=(3, 6))))


def test_axes():
    x = matrix("coo")
    flat = ours.coo_array(xp.asarray([0, 5, 0]))
    assert ours.expand_dims(flat, axis=-1).shape == (3, 1)
    assert ours.expand_dims(flat, axis=-1).toarray().tolist() == [[0], [5], [0]]
    agree(ours.swapaxes(on_ours(x), 0, -1).toarray(), x.T.toarray())
    agree(ours.permute_dims(on_ours(x.tocsr()), (1, 0)).toarray(), x.T.toarray())
    agree(ours.matrix_transpose(on_ours(x)).toarray(), x.T.toarray())
    same = on_ours(x)
    assert ours.permute_dims(same, (0, 1)) is same
    assert ours.permute_dims(same, (0, 1), copy=True) is not same
    for axes in ((0, 0), (0,), (0, 2)):
        with pytest.raises(ValueError, match=r"duplicate value|Incorrect number|Invalid axis 2|axis out of range"):
            ours.permute_dims(same, axes)
    with pytest.raises(ValueError, match="integer"):
        ours.swapaxes(same, 0.5, 1)


def test_memory_is_shared_on_the_cpu():
    data, indices, indptr = np.asarray([1.0, 2.0]), np.asarray([0, 1], dtype=np.int32), np.asarray([0, 1, 2], dtype=np.int32)
    x = ours.csr_array((xp.asarray(data), xp.asarray(indices), xp.asarray(indptr)), shape=(2, 2))
    data[0] = 5
    assert x.toarray().tolist() == [[5, 0], [0, 2]]
    x.data[1] = 7
    assert data[1] == 7
    assert np.shares_memory(x.to_scipy().data, data)
    assert np.shares_memory(ours.csr_array(x.to_scipy()).to_scipy().data, data)
    assert not np.shares_memory(x.copy().to_scipy().data, data)
    assert np.shares_memory(x.T.to_scipy().data, data)


def test_components_can_be_replaced():
    for format in FORMATS:
        x = on_ours(matrix(format))
        x.data = x.data * 2
        agree(x.toarray(), matrix(format).toarray() * 2)
    x = on_ours(matrix("coo"))
    row, col = x.row, x.col
    x.row, x.col = row, col
    x.coords = (row, col)
    agree(x.toarray(), matrix("coo").toarray())
    y = on_ours(matrix("csr"))
    y.indices, y.indptr = y.indices.copy(), y.indptr.copy()
    agree(y.toarray(), matrix("csr").toarray())
    z = on_ours(matrix("dia"))
    z.offsets = z.offsets.copy()
    agree(z.toarray(), matrix("dia").toarray())


def test_rows_of_one_dimension():
    x = ours.coo_array(xp.asarray([1, 0, 2]))
    assert x.row.tolist() == [0, 0]
    with pytest.raises(ValueError, match="1-dimensional"):
        x.row = x.col
    with pytest.raises(ValueError, match="read-only"):
        x.row[0] = 1


def test_flags():
    x = on_ours(matrix("csr"))
    assert not x.has_sorted_indices
    x.sum_duplicates()
    assert x.has_canonical_format
    x.has_canonical_format = x.has_sorted_indices = False
    assert not x.to_scipy()._has_canonical_format if hasattr(x.to_scipy(), "_has_canonical_format") else True
    assert on_ours(matrix("bsr")).blocksize == matrix("bsr").blocksize


def test_protocols():
    x, a = matrix("csr"), np.ones((4, 6))
    mine = on_ours(x)
    agree(np.add(a, mine), a + x)
    agree(np.sin(mine), x.sin())
    agree(np.multiply(mine, 2), x * 2)
    agree(np.greater(a, mine), a > x.toarray())
    assert type(xp.asarray(a) + mine) is type(mine + a) is xp.Array
    b = a.copy()
    b += mine
    np.testing.assert_array_equal(b, a + x.toarray())
    with pytest.raises(TypeError, match="cannot be written to a numpy.ndarray"):
        b *= mine
    for call in (np.hypot, np.arctan2):
        with pytest.raises(TypeError):
            call(mine, a)
    for other in ("text", object(), None):
        assert mine.__add__(other) is NotImplemented
    assert (mine == "text") is False


def test_scipys_arrays_as_operands():
    x = matrix("csr")
    for y in (matrix("csc", seed=3), theirs.csr_matrix(matrix("csc", seed=3)), theirs.lil_array(matrix("csc", seed=3))):
        agree((on_ours(x) + y).toarray(), (x + matrix("csc", seed=3)).toarray())
        agree((y + on_ours(x)).toarray(), (x + matrix("csc", seed=3)).toarray())
        agree(ours.csr_array(y).toarray(), matrix("csc", seed=3).toarray())
        with np.errstate(invalid="ignore", divide="ignore"):
            agree(y / on_ours(x), matrix("csc", seed=3) / x)
    assert ours.issparse(x)
    assert ours.issparse(on_ours(x))
    assert not ours.issparse(x.toarray())
    assert not theirs.issparse(on_ours(x))


def test_implicit_transfers_are_errors_on_demand():
    x = on_ours(matrix("csr"))
    with config(host_transfer="error"):
        for operand in (matrix("csr"), np.ones((4, 6))):
            with pytest.raises(HostTransferError, match="trnarray"):
                x + operand
        x @ xp.ones(6)


@pytest.mark.parametrize("dtype", [xp.bfloat16, xp.float16, xp.float8_e4m3])
def test_low_precision_is_refused(dtype):
    dense = xp.asarray([[1.0, 2.0]], dtype=dtype)
    with pytest.raises(ValueError, match="support dtype"):
        ours.csr_array(dense)
    with pytest.raises(ValueError, match="does not support dtype"):
        ours.csr_array((2, 2), dtype=dtype)
    with pytest.raises(ValueError, match="does not support dtype"):
        ours.eye_array(2).astype(dtype)
    if dtype != xp.float16:  # which SciPy takes as an operand
        with pytest.raises(TypeError, match="astype"):
            ours.eye_array(2) @ xp.ones(2, dtype=dtype)


def test_copies_pickles_and_files():
    for format in FORMATS:
        x = matrix(format)
        agree(pickle.loads(pickle.dumps(on_ours(x))), x)
        file = io.BytesIO()
        ours.save_npz(file, on_ours(x))
        file.seek(0)
        agree(ours.load_npz(file), x)
        agree(on_ours(x).copy(), x)


def test_texts_and_errors():
    x = matrix("csr", canonical=True)
    assert repr(on_ours(x)) == repr(x)
    assert str(on_ours(x)) == str(x)
    assert on_ours(x).maxprint == x.maxprint
    with pytest.raises(ValueError, match="there are csr"):
        on_ours(x).asformat("lil")
    with pytest.raises(TypeError, match="csr_array"):
        ours.sparray((2, 2))
    with pytest.raises(ValueError, match="2-dimensional"):
        _ = ours.coo_array(xp.asarray([1, 2])).mT
    agree(on_ours(x).mT, x.T)
    with pytest.raises(ValueError, match="scalar"):
        ours.csr_array(5)
    with pytest.raises(AttributeError):
        ours.nonsense  # noqa: B018
    assert ours.csr_array[int] is not None


def test_coordinates_are_set_from_lists():
    array = ours.coo_array(xp.asarray([[1, 0], [0, 2]]))
    array.col = [1, 0]
    assert type(array.col) is xp.Array
    assert array.col.dtype == array.row.dtype
    assert array.toarray().tolist() == [[0, 1], [2, 0]]
    array.row = np.asarray([1, 0])
    assert array.toarray().tolist() == [[2, 0], [0, 1]]


def test_axes_have_an_order():
    with pytest.raises(TypeError, match="use tuple"):
        ours.permute_dims(ours.coo_array(xp.asarray([[1, 0], [0, 2]])), {1, 0})


@pytest.mark.parametrize("name", ["reshape", "resize"])
def test_endless_shapes_are_refused(name):
    """SciPy goes through all the lengths."""
    with pytest.raises(ValueError, match="at most"):
        getattr(ours.csr_array([[1.0, 2.0]]), name)(range(10**12))
