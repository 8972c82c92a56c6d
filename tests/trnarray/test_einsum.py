"""Einstein summation on the host and on devices, beside NumPy's in float64."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

DEVICES = ["cpu", "sim:trn2"]
U = {"float32": 2.0**-24, "complex64": 2.0**-24, "float64": 2.0**-53, "complex128": 2.0**-53}
# What a peer of ours computed wrongly.
EIGHT = ["ij,jk->ki", "kl,ik->il", "ij,jk->i", "ij,jk->", "ii,ij->j", "bij,bkj->bik", "bji,bjk->bik", "ijb,jkb->ikb"]


@pytest.fixture(autouse=True)
def no_fallback():
    with xp.config(fallback="error"):
        yield


def on(device, array):
    return xp.asarray(array, dtype=array.dtype, device=device)


def back(array):
    return np.asarray(array.to_device("cpu"))


def draw(subscripts, extents, dtype="float32", seed=0):
    rng = np.random.default_rng(seed)
    terms = subscripts.partition("->")[0].split(",")
    found = [rng.standard_normal([extents[label] for label in term]) for term in terms]
    if np.dtype(dtype).kind == "c":
        found = [array + 1j * rng.standard_normal(array.shape) for array in found]
    return [np.asarray(array).astype(dtype) for array in found]


def assert_sums(result, subscripts, operands):
    """
    Hold a result against NumPy's in twice the precision.

    A sum of K products of n factors errs by at most (K + 2 n + 10) u of the sum of magnitudes, in any order of products and sums: each
    factor and each partial sum is rounded once at most; four times that for complex numbers, of two products and a sum for each.
    """
    result = back(result)
    wide = np.longdouble if operands[0].dtype.kind == "f" else np.clongdouble
    reference = np.einsum(subscripts, *[array.astype(wide) for array in operands])
    scale = np.einsum(subscripts, *[np.abs(array.astype(wide)) for array in operands])
    terms = np.prod([max(array.size, 1) for array in operands], dtype=float)
    bound = (min(terms, 400) + 2 * len(operands) + 10) * (4 if wide is np.clongdouble else 1) * U[operands[0].dtype.name]
    assert result.dtype == operands[0].dtype
    assert result.shape == reference.shape
    assert np.all(np.abs(result - reference) <= bound * scale)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("subscripts", EIGHT)
def test_what_a_peer_gets_wrong(device, subscripts):
    operands = draw(subscripts, {"i": 7, "j": 5, "k": 6, "l": 4, "b": 3} | ({"j": 7} if "ii" in subscripts else {}))
    assert_sums(xp.einsum(subscripts, *[on(device, array) for array in operands]), subscripts, operands)


@st.composite
def contractions(draw):
    """Draw labels of up to six operands, repeated and missing ones among them, and extents of 1 to 40, few of them large."""
    terms = draw(st.lists(st.text("abcde", min_size=0, max_size=3), min_size=1, max_size=6))
    extents = {label: draw(st.sampled_from([1, 1, 2, 2, 3, 3, 4, 5, 7, 13, 40])) for label in "abcde"}
    while np.prod([extents[label] for label in set("".join(terms))]) > 20_000:
        label = max(extents, key=extents.get)
        extents[label] = 3
    labels = sorted(set("".join(terms)))
    output = "".join(draw(st.permutations(labels))[: draw(st.integers(0, len(labels)))]) if labels else ""
    subscripts = ",".join(terms) + ("->" + output if draw(st.integers(0, 4)) else "")
    return subscripts, extents, draw(st.integers(0, 9))


@pytest.mark.parametrize("device", DEVICES)
@settings(max_examples=40)
@given(contraction=contractions(), dtype=st.sampled_from(["float32", "float32", "complex64", "float64"]), turned=st.booleans())
def test_random_contractions(device, contraction, dtype, turned):
    subscripts, extents, seed = contraction
    operands = draw(subscripts, extents, dtype, seed)
    arrays = [on(device, array) for array in operands]
    if turned:  # the same elements, in the other order of memory
        arrays = [on(device, array.T.copy()).T for array in operands]
    assert_sums(xp.einsum(subscripts, *arrays), subscripts, operands)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", ["int8", "int32", "uint16", "int64", "bool"])
def test_integers_wrap_as_numpys(device, dtype):
    rng = np.random.default_rng(3)
    a, b, c = (rng.integers(0, 100, shape).astype(dtype) for shape in ((5, 6), (6, 7), (7,)))
    arrays = [on(device, array) for array in (a, b, c)]
    for subscripts, count in (("ij,jk,k->i", 3), ("ij,jk->ki", 2), ("ij->j", 1), ("ij,jk->", 2)):
        result = back(xp.einsum(subscripts, *arrays[:count]))
        assert np.array_equal(result, np.einsum(subscripts, *[a, b, c][:count]))
        assert result.dtype == a.dtype


@pytest.mark.parametrize("device", DEVICES)
def test_operands_of_several_dtypes_meet_before_they_are_multiplied(device):
    a, b, c = np.full((3, 4), 100, np.int8), np.full((4, 3), 100, np.int8), np.full(3, 0.5, np.float32)
    result = xp.einsum("ij,jk,k->i", *[on(device, array) for array in (a, b, c)])
    assert result.dtype == np.float32
    assert np.array_equal(back(result), np.full(3, 60_000.0))


@pytest.mark.parametrize("device", DEVICES)
def test_low_precision_rounds_once(device):
    """Three factors of float16 whose product of two is no float16: the result is that of float32, rounded."""
    a = np.full((2, 300), 1.0009765625, np.float16)
    result = xp.einsum("ij,ij,ij->i", *[on(device, a)] * 3)
    assert np.array_equal(back(result), np.sum(a.astype(float) ** 3, axis=1).astype(np.float16))


def test_low_precision_is_multiplied_as_it_is():
    """No operand is widened but what is a product itself."""
    a, b, c = (xp.ones((128, 128), dtype=xp.bfloat16, device="sim:trn2") for _ in range(3))
    xp.synchronize()
    first, second = xp.explain(xp.einsum("ij,jk,kl->il", a, b, c)).steps[0].stages
    assert first.computes == "matmul"
    assert second.computes.count("cast to float32") == 1


@pytest.mark.parametrize("device", DEVICES)
def test_the_interleaved_form(device):
    a, b = draw("ij,jk", {"i": 3, "j": 4, "k": 5})
    x, y = on(device, a), on(device, b)
    assert_sums(xp.einsum(x, [0, 1], y, [1, 2], [2, 0]), "ij,jk->ki", [a, b])
    assert_sums(xp.einsum(x, [0, 5], y, np.asarray([5, 2])), "ij,jk", [a, b])
    assert_sums(xp.einsum(x, [..., 5], y[:, :3], [5, ...], [...]), "aj,ja->a", [a, b[:, :3]])
    with pytest.raises(ValueError, match="label 70"):
        xp.einsum(x, [0, 70], y, [70, 2], optimize="auto")


@pytest.mark.parametrize("device", DEVICES)
def test_ellipses(device):
    a, b = draw("pqij,qjk", {"p": 2, "q": 3, "i": 3, "j": 4, "k": 5})
    x, y = on(device, a), on(device, b)
    for subscripts in ("...ij,...jk", "...ij,...jk->...ki", "...ij,...jk->k...i", "p...ij,...jk->i...pk"):
        assert_sums(xp.einsum(subscripts, x, y), subscripts, [a, b])
    assert np.allclose(back(xp.einsum("...ij,...jk->ik", x, y, optimize=True)), np.einsum("pqij,qjk->ik", a, b), atol=1e-4)
    with pytest.raises(ValueError, match="ellipsis|dimension"):
        xp.einsum("...ij,...jk->ik", x, y)


@pytest.mark.parametrize("device", DEVICES)
def test_where_the_result_goes_and_what_it_is(device):
    a, b = draw("ij,jk", {"i": 3, "j": 4, "k": 5})
    x, y = on(device, a), on(device, b)
    out = xp.zeros((5, 3), dtype=xp.float32, device=device)
    assert xp.einsum("ij,jk->ki", x, y, out=out) is out
    assert_sums(out, "ij,jk->ki", [a, b])
    wide = xp.einsum("ij,jk->ki", x, y, dtype=xp.float64)
    assert wide.dtype == np.float64
    assert np.allclose(back(wide), (a.astype(float) @ b.astype(float)).T, rtol=1e-15, atol=1e-15)
    with pytest.raises(TypeError, match="cast"):
        xp.einsum("ij,jk->ki", x, y, dtype=xp.int32)
    whole = xp.einsum("ij,jk->ik", xp.round(x), xp.round(y), dtype=xp.int32, casting="unsafe")
    assert np.array_equal(back(whole), np.round(a).astype(np.int32) @ np.round(b).astype(np.int32))
    for order in ("C", "F"):
        made = xp.einsum("ij,jk->ki", x, y, order=order)
        assert made.flags[f"{order}_CONTIGUOUS"]
        assert_sums(made, "ij,jk->ki", [a, b])
    assert xp.einsum("ij,jk->ik", x, y, order="a").flags.c_contiguous
    assert xp.einsum("ij,jk->ik", x.T.copy().T, y.T.copy().T, order="a").flags.f_contiguous
    with pytest.raises((ValueError, TypeError), match="order"):
        xp.einsum("ij,jk->ki", x, y, order="Q")


@pytest.mark.parametrize("subscripts", ["ift,mf->imt", "ij,jk->ik", "ij,ij->ji", "abc,bcd->da"])
def test_results_lie_as_operands_do_where_none_is_in_c_order(subscripts):
    extents = dict(zip("iftmjkabcd", (2, 3, 5, 4, 6, 7, 2, 3, 4, 5), strict=True))
    operands = [np.asfortranarray(array) for array in draw(subscripts, extents)]
    made = xp.einsum(subscripts, *[xp.asarray(array.T, device="sim:trn2").T for array in operands])
    assert made.strides == np.einsum(subscripts, *operands).strides
    assert_sums(made, subscripts, operands)


@pytest.mark.parametrize("device", DEVICES)
def test_orders_of_products_that_are_asked_for(device):
    subscripts = "ij,jk,kl->il"
    operands = draw(subscripts, {"i": 3, "j": 4, "k": 5, "l": 6})
    arrays = [on(device, array) for array in operands]

    def last_first(inputs, output, sizes, memory_limit):
        assert inputs == [frozenset("ij"), frozenset("jk"), frozenset("kl")]
        assert (output, sizes, memory_limit) == (frozenset("il"), {"i": 3, "j": 4, "k": 5, "l": 6}, None)
        return [(1, 2), (0, 1)]

    for optimize in (True, "greedy", "optimal", ("greedy", 1000), ["einsum_path", (0, 1), (0, 1)], ["einsum_path", (0, 1, 2)], last_first):
        assert_sums(xp.einsum(subscripts, *arrays, optimize=optimize), subscripts, operands)
    for optimize in ("fastest of all", ["einsum_path", (0, 1)], ["einsum_path", (0, 7), (0, 1)], 7):
        with pytest.raises((KeyError, RuntimeError, ValueError, TypeError, IndexError)):
            xp.einsum(subscripts, *arrays, optimize=optimize)


@pytest.mark.parametrize("device", DEVICES)
def test_a_result_shares_no_memory_with_operands(device):
    x = on(device, np.arange(6, dtype=np.float32).reshape(2, 3))
    y = xp.einsum("ij->j", x[:1] + 0)
    z = xp.einsum("ij,k->ji", x, xp.ones(1, dtype=xp.float32, device=device))
    x[...] = 0
    assert (back(y).sum(), back(z).sum()) == (3, 15)


# One product of matrices each, and what else a plan of theirs has, if anything: nothing is permuted that a product can read as it lies.
PLANS = {
    "ij,jk->ik": ["matmul"],
    "ij,jk->ki": ["matmul"],
    "ji,jk->ik": ["matmul"],
    "ji,kj->ki": ["matmul"],
    "ij,kj->ik": ["matmul"],
    "bij,bkj->bik": ["matmul"],
    "bji,bjk->bki": ["matmul"],
    "bji,bkj->bik": ["matmul"],
    "abij,abjk->abik": ["matmul"],
    "abij,jk->abik": ["matmul"],
    "ijab,abkl->ijkl": ["matmul"],
    "abij,abkl->klij": ["matmul"],
    "mi,mnP->inP": ["matmul"],
    "na,inP->iaP": ["matmul"],
    "mi,na,mnP->iaP": ["matmul", "matmul"],
    "iaP,jbP->iajb": ["matmul"],
    "pqrs,pi,qj,rk,sl->ijkl": ["matmul"] * 4,
    "ij,ij->ij": ["multiply"],
    "i,j->ij": ["multiply"],
    "b,bij->bij": ["multiply"],
}


def test_a_transform_of_256_orbitals_takes_60_percent_of_the_peak():
    """Of 20 Tflop/s that trn2 is documented to have for float32, predicted."""
    shapes = (256, 128), (256, 128), (256, 256, 256)
    arrays = [xp.zeros(shape, dtype=xp.float32, device="sim:trn2") for shape in shapes]
    xp.synchronize()
    seconds = xp.explain(xp.einsum("mi,na,mnP->iaP", *arrays)).seconds
    assert 2 * 128 * 256 * 256 * (256 + 128) / seconds >= 0.6 * 20e12


# Of programs of users: density fitting, a canonical polyadic decomposition, and attention by blocks, of their extents.
CHAINS = {
    "Pia,Pjb->iajb": ((48, 6, 20), (48, 6, 20)),
    "iajb,iajb->": ((6, 20, 6, 20), (6, 20, 6, 20)),
    "ir,jr,kr->ijk": ((20, 3), (18, 3), (16, 3)),
    "hbqd,hbmkd->hbqmk": ((2, 8, 32, 32), (2, 8, 4, 32, 32)),
    "hbqk,hbkd->hbqd": ((2, 8, 32, 128), (2, 8, 128, 32)),
}


@pytest.mark.parametrize(("subscripts", "shapes"), CHAINS.items(), ids=list(CHAINS))
def test_chains_of_programs_permute_nothing(subscripts, shapes):
    arrays = [xp.zeros(shape, dtype=xp.float32, device="sim:trn2") for shape in shapes]
    xp.synchronize()
    (program,) = xp.explain(xp.einsum(subscripts, *arrays)).steps
    assert not [stage.computes for stage in program.stages if "permutation" in stage.computes or "copy" in stage.computes]


@pytest.mark.parametrize("subscripts", PLANS)
def test_plans_permute_nothing_that_can_be_read_as_it_lies(subscripts):
    """Rows of 640 bytes and more, that is; shorter ones are rather permuted first."""
    extents = {label: 48 + 16 * (number % 3) for number, label in enumerate("ijkbmnPalpqrs")}
    extents |= {"i": 80, "P": 160, "b": 4 if "bij" in subscripts else 40}
    if "p" in subscripts or "ijab" in subscripts:
        extents = dict.fromkeys(extents, 16)
    terms = subscripts.partition("->")[0].split(",")
    arrays = [xp.zeros([extents[label] for label in term], dtype=xp.float32, device="sim:trn2") for term in terms]
    xp.synchronize()
    result = xp.einsum(subscripts, *arrays)
    (program,) = xp.explain(result).steps
    known = ("matmul", "multiply")
    assert [next((name for name in known if name in stage.computes), stage.computes) for stage in program.stages] == PLANS[subscripts]


def test_a_chain_is_a_tenth_of_what_it_was():
    """The transform of three indices, which began with an outer product: 909 us; the transform of four has no permutation in it."""
    x, y, z = (xp.ones(shape, dtype=xp.float32, device="sim:trn2") for shape in ((96, 16), (96, 80), (96, 96, 128)))
    xp.synchronize()
    assert xp.explain(xp.einsum("mi,na,mnP->iaP", x, y, z)).seconds < 91e-6


def test_an_error_for_the_whole_expression_is_divided_among_products():
    """bfloat16 errs by 2^-7 for each product: a target of 2^-6 holds for one with it, and for two with no fewer digits than bfloat16x3."""
    operands = draw("ij,jk,kl->il", {"i": 20, "j": 200, "k": 30, "l": 40}, seed=5)
    a, b, c = (on("sim:trn2", array) for array in operands)
    xp.synchronize()
    with xp.config(target_forward_error=2.0**-6):
        one, two = xp.einsum("ij,jk->ik", a, b), xp.einsum("ij,jk,kl->il", a, b, c)
    exact = np.einsum("ij,jk,kl->il", *[array.astype(float) for array in operands])
    scale = np.einsum("ij,jk,kl->il", *[np.abs(array.astype(float)) for array in operands])
    assert np.max(np.abs(back(two) - exact) / scale) <= 2.0**-6
    with xp.config(target_forward_error=2.0**-7 + 2.0**-12):
        three = back(xp.einsum("ij,jk,kl->il", a, b, c))
    error, coarse = (np.max(np.abs(found - exact) / scale) for found in (three, back(xp.matmul(one, c))))
    assert error < coarse / 8
    with pytest.raises(xp.PrecisionError), xp.config(target_forward_error=1e-12):
        xp.einsum("ij,jk,kl->il", a, b, c)


@pytest.mark.parametrize("device", DEVICES)
def test_no_elements_and_special_values(device):
    x, y = on(device, np.zeros((0, 3), np.float32)), on(device, np.zeros((3, 0), np.float32))
    assert back(xp.einsum("ij,jk->ik", x, y)).shape == (0, 0)
    assert np.array_equal(back(xp.einsum("ij,jk->ik", y, x)), np.zeros((3, 3)))
    assert back(xp.einsum("ij,jk->", y, x)) == 0
    a = np.array([[np.inf, 1.0], [np.nan, 2.0], [3.0, 4.0]], np.float32)
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        b = np.array([2.0, 1.0], np.float32)
        result = back(xp.einsum("ij,j->i", on(device, a), on(device, b)))
        assert np.array_equal(result, np.einsum("ij,j->i", a, b), equal_nan=True)


@pytest.mark.parametrize("device", DEVICES)
def test_an_expression_is_planned_once(device):
    subscripts = "mi,na,mnP->iaP"
    operands = draw(subscripts, {"m": 6, "n": 7, "i": 2, "a": 3, "P": 5})
    expression = xp.contract_expression(subscripts, *[array.shape for array in operands], device=device)
    arrays = [on(device, array) for array in operands]
    assert_sums(expression(*arrays), subscripts, operands)
    out = xp.zeros((2, 3, 5), dtype=xp.float32, device=device)
    assert expression(*arrays, out=out) is out
    assert_sums(out, subscripts, operands)
    with pytest.raises(ValueError, match="planned for operands of shapes"):
        expression(*arrays[::-1])
    assert len(expression.path) == 3
    assert str(expression).count("\n") == 2


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("limit", [30, 60, 120, 10_000])
def test_slices_keep_intermediate_results_within_a_limit(device, limit):
    subscripts, extents = "ab,bc,cd,da,ae->e", {"a": 12, "b": 10, "c": 11, "d": 9, "e": 4}
    operands = draw(subscripts, extents)
    expression = xp.contract_expression(subscripts, *[array.shape for array in operands], memory_limit=limit, device=device)
    assert expression.largest <= limit
    assert ("slices" in str(expression)) == (limit < 40) or 40 < limit < 1000
    if limit >= 60 or device == "cpu":
        assert_sums(expression(*[on(device, array) for array in operands]), subscripts, operands)


def test_tiles_that_follow_each_other_backwards_in_memory():
    """A product of float64 is a loop over tiles, whose offset from one turn to the next is negative in one of the operands."""
    rng, extents = np.random.default_rng(1), {"g": 2, "f": 4, "a": 2, "c": 4, "i": 3, "b": 3, "h": 6}
    operands = [rng.normal(size=[extents[label] for label in term]) for term in ("gfac", "gifabc", "hfac")]
    found = np.einsum("gfac,gifabc,hfac", *[xp.asarray(one, device="sim:trn2") for one in operands])
    wanted = np.einsum("gfac,gifabc,hfac->bhi", *operands, optimize=True)
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), wanted, rtol=0, atol=1e-14 * np.abs(wanted).max())


def test_no_operands():
    for function in (xp.einsum, xp.einsum_path):
        with pytest.raises(ValueError, match="No input operands|subscripts"):
            function()
