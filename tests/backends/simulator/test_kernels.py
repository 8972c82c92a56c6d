"""Kernels from decoration to result: tracing, replay, loops, memory, errors."""

import time
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

from .one_tile import run

pytestmark = pytest.mark.usefixtures("on_trn2")
RNG = np.random.default_rng(7)


@simulator.jit
def gemm(lhs_t, rhs):
    """The tiled product of the matmul tutorial."""
    (k, m), n = lhs_t.shape, rhs.shape[1]
    result = nl.ndarray((m, n), dtype=lhs_t.dtype, buffer=nl.shared_hbm)
    for i in range(m // 128):
        for j in range(n // 512):
            acc = nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
            for p in nl.affine_range(k // 128):
                left = nl.ndarray((128, 128), dtype=lhs_t.dtype, buffer=nl.sbuf)
                right = nl.ndarray((128, 512), dtype=rhs.dtype, buffer=nl.sbuf)
                nisa.dma_copy(dst=left, src=lhs_t[p * 128 : (p + 1) * 128, i * 128 : (i + 1) * 128])
                nisa.dma_copy(dst=right, src=rhs[p * 128 : (p + 1) * 128, j * 512 : (j + 1) * 512])
                nisa.nc_matmul(dst=acc, stationary=left, moving=right)
            out = nl.ndarray((128, 512), dtype=result.dtype, buffer=nl.sbuf)
            nisa.tensor_copy(dst=out, src=acc)
            nisa.dma_copy(dst=result[i * 128 : (i + 1) * 128, j * 512 : (j + 1) * 512], src=out)
    return result


def matrices(n):
    return [RNG.standard_normal((n, n)).astype(ml_dtypes.bfloat16) for _ in range(2)]


def test_gemm_is_right_and_fast():
    a, b = matrices(1024)
    program = gemm.program(a, b)
    left, right = np.ones((128, 128), np.float32), np.ones((128, 512), np.float32)
    first, again = [], []
    for _ in range(6):
        products = _timed(lambda: [left.T @ right for _ in range(128)])  # a busy machine is slow at these, too
        first.append(_timed(lambda: simulator.jit(gemm.function)(a, b)) / max(1.5, 9 * products))
        again.append(_timed(lambda: simulator.execute(program, a, b)) / max(0.5, 3 * products))
        if first[-1] <= 1 and again[-1] <= 1:
            break
    assert min(first) <= 1
    assert min(again) <= 1
    found, other = simulator.jit(gemm.function)(a, b), simulator.execute(program, a, b)
    np.testing.assert_array_equal(found, other)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    # Rounding to bfloat16 (u = 2**-8) on top of float32 sums of 1024 terms.
    bound = 2.0**-8 * np.abs(a64.T @ b64) + 1024 * 2.0**-24 * (np.abs(a64).T @ np.abs(b64))
    assert (np.abs(found.astype(np.float64) - a64.T @ b64) <= bound).all()


def test_replay_equals_a_fresh_trace():
    (a, b), (c, d) = matrices(512), matrices(512)
    program = gemm.program(a, b)
    np.testing.assert_array_equal(simulator.execute(program, c, d), simulator.jit(gemm.function)(c, d))


def test_listing():
    a, b = matrices(512)
    text = str(gemm.program(a, b))
    assert "nc_matmul" in text
    assert "test_kernels.py:" in text
    assert "psum" in text


@simulator.jit
def doubled(x, factor=2.0):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(tile, x)
    nisa.tensor_scalar(tile, tile, nl.multiply, factor)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(out, tile)
    return out


def test_traces_are_cached_by_shapes_dtypes_and_values():
    kernel = simulator.jit(doubled.function)
    x = np.ones((4, 8), np.float32)
    for call in (lambda: kernel(x), lambda: kernel(x + 1), lambda: kernel(x, 2.0), lambda: kernel(x, factor=2.0)):
        call()
    assert len(kernel._cache) == 1
    kernel(x, 2)
    kernel(x.astype(np.float16))
    kernel(x[:2])
    with simulator.options("trn3"):
        kernel(x)
    assert len(kernel._cache) == 5


def test_registers_that_nobody_set():
    @simulator.jit
    def kernel(x):
        tile, out = nl.ndarray((1, 1), nl.int32), nl.ndarray((1, 1), nl.int32, buffer=nl.shared_hbm)
        nisa.register_store(tile, nisa.register_alloc())
        nisa.dma_copy(out, tile)
        return out

    with pytest.raises(simulator.UninitializedReadError, match="register_store: register 0 was never set"):
        kernel(np.zeros((1, 1), np.int32))


def test_traces_are_not_shared_by_values_that_compare_equal():
    """1, 1.0, True and zeros of either sign, alone, in a tuple and in a frozen data class, whose generated comparison has them equal."""

    @dataclass(frozen=True)
    class Frozen:
        value: float

    @simulator.jit
    def kernel(x, config):
        factor = config.value if isinstance(config, Frozen) else config[0] if isinstance(config, tuple) else config
        tile, out = nl.ndarray(x.shape, x.dtype), nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(tile, x)
        nisa.tensor_scalar(tile, tile, nl.multiply, 7.0 if factor is True else factor)
        nisa.dma_copy(out, tile)
        return out

    x = np.ones((2, 2), np.float32)
    for wrap in (Frozen, lambda value: (value,), lambda value: value):
        assert [kernel(x, wrap(value))[0, 0] for value in (1, True, 1.0)] == [1, 7, 1]
        assert [np.signbit(kernel(x, wrap(value))[0, 0]) for value in (0.0, -0.0, 0)] == [False, True, False]


@pytest.mark.parametrize("bad", [np.ones((2, 2)), np.ones((2, 2), np.int64).astype(np.uint64), np.ones((0, 2), np.float32), [1, 2]])
def test_arguments_that_are_refused(bad):
    with pytest.raises(TypeError):
        doubled(bad)


def test_decorator_forms():
    x = np.ones((4, 8), np.float32)
    for kernel in (
        simulator.jit()(doubled.function),
        simulator.jit(mode="x")(doubled.function),
        simulator.simulate(doubled),
        simulator.simulate(doubled.function),
    ):
        np.testing.assert_array_equal(kernel(x), 2 * x)
    with pytest.raises(TypeError, match="platform_target"):
        simulator.jit(platform_target="trn2")(doubled.function)


def partly(tile):
    nisa.memset(tile[:, :3], 1.0)


def test_unwritten_elements_are_found():
    with pytest.raises(
        simulator.UninitializedReadError, match=r"dma_copy reads element \(0, 3\) of %tile .* \(4 of 16 elements\)"
    ) as caught:
        run(partly)
    assert "one_tile.py" in str(caught.value)
    with simulator.options(uninitialized="nan"):
        np.testing.assert_array_equal(run(partly), [[1, 1, 1, np.nan]] * 4)
    with simulator.options(uninitialized="off"):
        np.testing.assert_array_equal(run(partly), [[1, 1, 1, 0]] * 4)


def test_parts_make_a_whole():
    def body(tile):
        nisa.memset(tile[:, ::2], 1.0)
        nisa.memset(tile.view("uint8")[:, 4:8], 0)
        nisa.memset(tile.view("bfloat16")[:, 6:8], 0)

    np.testing.assert_array_equal(run(body), [[1, 0, 1, 0]] * 4)


def test_values_of_the_device_are_not_python_values():
    def body(tile):
        if nisa.register_alloc(1):
            nisa.memset(tile, 0.0)

    with pytest.raises(TypeError, match="fori_loop"):
        run(body)


def test_out_of_bounds():
    x = np.zeros((4, 4), np.float32)

    def body(tile, x):
        nl.fori_loop(0, 5, lambda i: nisa.dma_copy(tile[0:1], x[nl.ds(i, 1)]) and None)

    with pytest.raises(simulator.OutOfBoundsError, match="index 4"):
        run(body, x)


def test_sbuf_is_full():
    def body(tile):
        for held in [nl.zeros((128, 20000), nl.float32, name=f"big{i}") for i in range(3)]:
            nisa.tensor_copy(tile, held[0:4, 0:4])

    with pytest.raises(simulator.OutOfMemoryError, match=r"(?s)212984 bytes.*big\d.*test_kernels.py"):
        run(body)

    def one_after_the_other(tile):
        for i in range(3):
            nisa.tensor_copy(tile, nl.zeros((128, 50000), nl.float32, name=f"big{i}")[0:4, 0:4])

    np.testing.assert_array_equal(run(one_after_the_other), np.zeros((4, 4)))


def test_psum_has_eight_banks():
    def body(count):
        def inside(tile):
            held = [nl.ndarray((128, 512), nl.float32, buffer=nl.psum) for _ in range(count)]
            for bank in held:
                nisa.memset(bank, 0.0)
            for bank in held:
                nisa.tensor_copy(tile, bank[0:4, 0:4])

        return inside

    run(body(8))
    with pytest.raises(simulator.OutOfMemoryError, match="psum"):
        run(body(9))


def test_explicit_addresses_alias():
    def body(tile):
        first = nl.ndarray((4, 4), nl.float32, address=(0, 64))
        second = nl.ndarray((4, 8), nl.bfloat16, address=(0, 64))
        nisa.memset(first, 1.0)
        nisa.tensor_copy(tile, second[:, 1::2])

    np.testing.assert_array_equal(run(body), np.ones((4, 4)))


def test_psum_tensors_at_one_address_do_not_add():
    def body(tile):
        ones = nl.ones((4, 4), nl.float32)
        for _ in range(2):
            acc = nl.ndarray((4, 4), nl.float32, buffer=nl.psum, address=(0, 2048))
            nisa.nc_matmul(acc, ones, ones)
            nisa.tensor_copy(tile, acc)

    np.testing.assert_array_equal(run(body), 4 * np.ones((4, 4)))


def test_registers_run_out():
    def body(count):
        def inside(tile):
            registers = [nisa.register_alloc(0) for _ in range(count)]
            nisa.memset(tile, 0.0)
            for register in registers:
                nisa.register_store(nl.ndarray((1, 1), nl.int32), register)

        return inside

    run(body(64))
    with pytest.raises(simulator.OutOfMemoryError, match="65 registers"):
        run(body(65))


def test_inputs_are_updated_in_place():
    @simulator.jit
    def clear(x):
        tile = nl.zeros(x.shape, x.dtype)
        nisa.dma_copy(x, tile)
        return x

    x = np.ones((4, 4), np.float32)
    assert clear(x) is not None
    np.testing.assert_array_equal(x, 0)
    wide = np.ones((4, 8), np.float32)
    clear(wide[:, ::2])
    np.testing.assert_array_equal(wide, [[0, 1] * 4] * 4)


@pytest.mark.parametrize("accumulate", [None, "flags"])
def test_psum_accumulates(accumulate):
    a = RNG.standard_normal((4, 4)).astype(np.float32)

    def body(tile, a):
        left, acc = nl.ndarray((4, 4), nl.float32), nl.ndarray((4, 4), nl.float32, buffer=nl.psum)
        nisa.dma_copy(left, a)
        for i in range(3):
            nisa.nc_matmul(acc, left, left, accumulate=None if accumulate is None else i > 0)
        nisa.tensor_copy(tile, acc)

    one = (a.astype(np.float64).T @ a).astype(np.float32)
    np.testing.assert_allclose(run(body, a), 3 * one, rtol=32 * 2.0**-24, atol=32 * 2.0**-24 * np.abs(one).max())


def test_a_matmul_does_not_add_to_a_memset():
    def body(tile):
        left, acc = nl.zeros((4, 4), nl.float32), nl.zeros((4, 4), nl.float32, buffer=nl.psum)
        nisa.nc_matmul(acc, left, left, accumulate=True)
        nisa.tensor_copy(tile, acc)

    with pytest.raises(simulator.NkiConstraintError, match="accumulate=False first"):
        run(body)
    with simulator.options("trn3"):
        run(body)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_first_matmul_onto_a_memset(value):
    """Without a flag it overwrites or adds, by the document's two sentences: the same onto zeros only."""

    def body(tile):
        ones, acc = nl.ones((4, 4), nl.float32), nl.full((4, 4), value, nl.float32, buffer=nl.psum)
        for _ in range(2):
            nisa.nc_matmul(acc, ones, ones)
        nisa.tensor_copy(tile, acc)

    if value:
        with pytest.raises(simulator.NkiConstraintError, match="not zero"):
            run(body)
    else:
        np.testing.assert_array_equal(run(body), 8 * np.ones((4, 4)))


def test_configurations():
    """Classes are like data classes, by the language guide, and kernels are cached by their fields."""

    class Bare(nl.NKIObject):
        rows: int
        double = False

    @dataclass
    class Decorated(nl.NKIObject):
        first = None
        second = 2

        def __post_init__(self):
            self.sum = self.second + 1

    @dataclass(frozen=True)
    class Own(nl.NKIObject):
        name: str
        cache: dict

        def __hash__(self):
            return hash(self.name)

        def __eq__(self, other):
            return self.name == other.name

    @dataclass
    class Gaps(nl.NKIObject):
        first: int = 1
        second: int

    assert (Gaps().second, Gaps(second=3).second, Gaps(2)) == (None, 3, Gaps(first=2))
    assert (Bare(3).rows, Bare(3).double, Bare().rows, Bare(double=True).double) == (3, False, None, True)
    assert (Decorated(first=1).first, Decorated(1, 5).sum) == (1, 6)
    with pytest.raises(TypeError, match="2 fields"):
        Bare(1, 2, 3)
    traced = []

    @simulator.jit
    def kernel(x, config):
        traced.append(config)
        return x

    x = np.zeros((2, 2), np.float32)
    for config in (Bare(1), Bare(1), Bare(2), Decorated([1]), Decorated([1]), Own("a", {}), Own("a", {1: 2}), Own("b", {})):
        kernel(x, config)
    assert len(traced) == 5


def test_as_nki(tmp_path):
    with simulator.as_nki(target="trn2"):
        import nki
        import nki.isa as their_isa
        import nki.language as their_language
        from nki.isa.constants import oob_mode

        assert (their_isa, their_language, oob_mode, nki.dtype) == (nisa, nl, nisa.oob_mode, str)
        assert nki.simulate(doubled)(np.ones((2, 2), np.float32)).sum() == 8
        assert their_isa.get_nc_version() >= their_isa.nc_version.gen3
    with pytest.raises(ImportError):
        import nki


def test_two_cores_share_hbm():
    @simulator.jit
    def halves(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        half = x.shape[0] // nl.num_programs()
        mine = nl.ds(nl.program_id(0) * half, half)
        tile = nl.ndarray((half, x.shape[1]), x.dtype)
        nisa.dma_copy(tile, x[mine])
        nisa.tensor_scalar(tile, tile, nl.add, float(nl.program_id(0)))
        nisa.dma_copy(out[mine], tile)
        return out

    x = np.zeros((8, 3), np.float32)
    np.testing.assert_array_equal(halves[2](x), np.repeat([0, 1], 4)[:, None] * np.ones(3))
    with simulator.options("trn1"), pytest.raises(ValueError, match="no logical cores of 2"):
        halves[2](x)


def test_schedules():
    @simulator.jit
    def kernel(x):
        a, b = nl.ndarray(x.shape, x.dtype), nl.ndarray(x.shape, x.dtype)
        first = nisa.dma_copy(a, x, name="first")
        nisa.dma_copy(b, x, name="second").depends_on(first)
        with nl.no_reorder():
            nisa.tensor_tensor(a, a, b, nl.add)
        nisa.dma_copy(x, a)
        return x

    x = np.ones((2, 2), np.float32)
    core = kernel.with_schedule([("second", ["first"])]).program(x).cores[0]
    assert [(c.name, p.name) for c, p in core.dependencies] == [("second", "first")] * 2
    assert [len(region) for region in core.regions] == [1]
    with pytest.raises(simulator.KernelError, match="no instruction is named 'third'"):
        kernel.with_schedule([("third", "first")])(x)


def test_overhead_per_instruction():
    @simulator.jit
    def many(x):
        tile = nl.ndarray((1, 1), nl.float32)
        nisa.dma_copy(tile, x)
        for _ in range(500):
            nisa.tensor_scalar(tile, tile, nl.add, 1.0)
        nisa.dma_copy(x, tile)
        return x

    x = np.zeros((1, 1), np.float32)
    program = many.program(x)
    best = min(_timed(lambda: simulator.execute(program, x)) for _ in range(5))
    assert best / 502 <= 100e-6


def _timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def test_truth_of_a_tensor():
    """NKI's tensors are true, so that kernels ask for optional ones; of one element, that may be meant as its value."""

    def body(tile, given=None):
        assert tile
        with pytest.raises(TypeError, match="compare with None"):
            bool(tile[0:1, 0:1])
        nisa.memset(tile, 0.0)

    run(body)
