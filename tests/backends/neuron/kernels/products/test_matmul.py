"""Matrix products against float64, in every reading of the Tensor Engine's sums."""

import dataclasses

import ml_dtypes
import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.isa import nisa, nl
from trnarray.backends.neuron.kernels.products import matmul as kernel
from trnarray.backends.neuron.kernels.products.blocking import choose_blocking
from trnarray.backends.neuron.kernels.products.matmul import MatmulOperand, matmul
from trnarray.backends.simulator.knobs import Knobs

RNG = np.random.default_rng(6)
U = 2.0**-24
TARGETS = ("trn1", "trn2", "trn3")


@simulator.jit
def product(a, b, transposed=(False, False), dtype="float32", budget=100_000, sbuf_bytes=None):
    rows, columns = a.shape[-1 if transposed[0] else -2], b.shape[-2 if transposed[1] else -1]
    batch = next((x.shape[:1] for x in (a, b) if x.ndim == 3), ())
    out = nl.ndarray((*batch, rows, columns), dtype, buffer=nl.shared_hbm)
    matmul([out], [MatmulOperand(a, transposed[0])], [MatmulOperand(b, transposed[1])], sbuf_bytes=sbuf_bytes, budget=budget)
    return out


def draw(shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("target", TARGETS)
def test_functions_of_both_operands_and_of_the_result(target):
    """Rows of attention to blocks: what fused functions may take of SBUF leaves nothing, what they do take leaves enough."""
    operands = draw((3, 8, 16, 16))
    stored = [sorted(RNG.choice(8, count, replace=False).tolist()) for count in (1, 2, 3, 4) * 2]

    def attend(xp, queries, keys, values):
        rows = []
        for query, blocks in zip(queries, stored, strict=True):
            scores = query @ keys[blocks].reshape(-1, 16).T / 4
            weights = xp.exp(scores - xp.max(scores, axis=1, keepdims=True))
            rows.append(weights @ values[blocks].reshape(-1, 16) / xp.sum(weights, axis=1, keepdims=True))
        return xp.concat(rows)

    found = attend(xp, *(xp.asarray(x, device=f"sim:{target}") for x in operands))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), attend(np, *operands.astype(np.float64)), atol=100 * U)


def check(a, b, transposed=(False, False), dtype="float32", budget=100_000, sbuf_bytes=None, *, unit=0.0, slack=2):
    found = product(a, b, transposed, dtype, budget, sbuf_bytes).astype(np.float64)
    a, b = (x.swapaxes(-1, -2) if t else x for x, t in zip((a.astype(np.float64), b.astype(np.float64)), transposed, strict=True))
    depth = a.shape[-1]
    bound = (min(depth, 128) + -(-depth // 128) + slack) * U * (np.abs(a) @ np.abs(b)) * (1 + unit)
    assert (np.abs(found - a @ b) <= bound + unit * np.abs(a @ b)).all()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("extents", [(1, 1, 1), (127, 129, 128), (129, 1, 513), (1, 300, 5), (64, 513, 1), (260, 256, 1030)])
def test_shapes(target, extents):
    rows, depth, columns = extents
    with simulator.options(target):
        check(draw((rows, depth)), draw((depth, columns)))


@pytest.mark.parametrize("target", ["trn1", "trn2"])
@pytest.mark.parametrize("transposed", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_stored_transposes(target, transposed, dtype):
    for rows, depth, columns in ((700, 130, 290), (260, 650, 40)):  # loads of one tile of the contraction, and of several
        a = draw((depth, rows) if transposed[0] else (rows, depth), dtype)
        b = draw((columns, depth) if transposed[1] else (depth, columns), dtype)
        with simulator.options(target):
            check(a, b, transposed)


@pytest.mark.parametrize(
    ("target", "shapes", "transposed"),
    [
        ("trn1", ((200, 300), (300, 3100)), False),
        ("trn2", ((300, 90), (300, 4200)), True),
        ("trn2", ((300, 257), (300, 3100)), True),
        ("trn3", ((2, 40, 260), (2, 260, 3072)), False),
    ],
)
def test_few_rows_stay_while_columns_are_read_in_pieces(target, shapes, transposed):
    a, b = map(draw, shapes)
    extents = (a.shape[-1 if transposed else -2], b.shape[-2], b.shape[-1])
    blocking = choose_blocking(extents, (4, 4), (transposed, False), nl.tile_size.sbuf_fmax_bytes, 100_000, True)
    assert blocking.streamed == (extents[0] <= 256)
    assert blocking.kept == blocking.streamed
    with simulator.options(target):
        check(a, b, (transposed, False))


@pytest.mark.parametrize("budget", [100_000, 60])
def test_rows_that_serve_all_batches_stay(budget):
    """They are loaded once, and again in each turn where the device counts batches."""
    check(draw((200, 130)), draw((3, 130, 70)), budget=budget)
    check(draw((130, 200)), draw((3, 70, 130)), (True, True), budget=budget)


@pytest.mark.parametrize(
    "shapes", [((3, 130, 70), (3, 70, 33)), ((3, 130, 70), (70, 33)), ((130, 70), (3, 70, 33)), ((2, 130, 9), (2, 9, 13000))]
)
def test_batches(shapes):
    with simulator.options("trn2"):
        check(*map(draw, shapes))
        check(*map(draw, shapes), budget=70)  # the device counts the batches


@pytest.mark.parametrize(
    ("target", "shapes"),
    [("trn1", ((2, 512, 256), (2, 256, 130))), ("trn2", ((3, 512, 70), (3, 70, 33))), ("trn3", ((512, 128), (3, 128, 9)))],
)
def test_short_rows_are_loaded_and_stored_together(target, shapes, monkeypatch):
    """Four tiles of rows with one DMA, whose bits are those of tiles that are loaded one by one."""
    monkeypatch.setattr(kernel, "_MANY", 512)
    for dtype in (np.float32, ml_dtypes.bfloat16):
        a, b = (draw(shape, dtype) for shape in shapes)
        with simulator.options(target):
            check(a, b)
            check(a, b, budget=70)  # the device counts the batches
            assert np.array_equal(product(a[..., :500, :].copy(), b), product(a, b)[..., :500, :])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("depth", "columns"), [(40, 2048), (128, 1024), (129, 640), (40, 1100)])
def test_short_rows_that_lie_transposed_are_loaded_together(target, depth, columns):
    """Of the second operand, four tiles with one DMA where the contraction is one tile and columns are whole ones."""
    for dtype in (np.float32, ml_dtypes.bfloat16):
        a, b = draw((2, 70, depth), dtype), draw((2, columns, depth), dtype)
        with simulator.options(target):
            check(a, b, (False, True))
            check(a, b, (False, True), budget=70)  # the device counts the batches


@pytest.mark.parametrize(("dtype", "share"), [("float32", 0.8), ("bfloat16", 0.73)])
def test_a_matrix_that_lies_transposed_times_a_vector_is_predicted_to_wait_for_hbm(dtype, share):
    """At 408 bytes a nanosecond; rows that DMA reads together have 2 KiB, and loads 256: with shorter ones half of that was reached."""
    with simulator.options("trn2"):
        matrix, vector = simulator.Abstract((4096, 4096), dtype), simulator.Abstract((4096, 1), dtype)
        nbytes = 4096**2 * (2 if dtype == "bfloat16" else 4)
        assert product.predict(matrix, vector, (True, False), dtype).seconds < nbytes / 408e9 / share


def test_panels_of_an_operand_that_lies_transposed_leave_no_gaps():
    """Two of 64 KiB of a partition are held; one after the other, they left room for a third one in two parts."""
    with simulator.options("trn2"):
        product.predict(simulator.Abstract((2, 1024), "float32"), simulator.Abstract((16384, 1024), "float32"), (False, True))
        check(draw((2, 300)), draw((4200, 300)), (False, True), sbuf_bytes=64 * 1024)


def test_the_transpose_of_a_tall_product_takes_its_time():
    """W.T @ X.T reads X as X @ W does, and transposes as many tiles: predicted within a third of each other, it was four times as much."""
    x, w = (xp.zeros(shape, dtype=xp.float32, device="sim:trn2") for shape in ((65536, 64), (64, 32)))
    xp.synchronize()
    assert xp.explain(w.T @ x.T).seconds < 4 / 3 * xp.explain(x @ w).seconds


@pytest.mark.parametrize("columns", [512, 1])
@pytest.mark.parametrize("target", TARGETS)
def test_whole_tiles_of_two_bytes_are_transposed_by_dma(target, columns):
    """From NeuronCore-v3 on, with the bits of what the Tensor Engine transposes itself."""
    a, b = draw((384, 256), np.float16), draw((256, columns), np.float16)
    with simulator.options(target):
        turned = {node.opcode.name for node in product.program(a, b).cores[0].nodes}
        assert ("dma_transpose" in turned) == (target != "trn1")
        check(a, b)
        check(a, b, budget=20)  # the device counts row tiles
        check(np.stack([a, -a]), b, budget=70)
        assert np.array_equal(product(a[:200].copy(), b), product(a, b)[:200])


def test_a_stack_of_short_rows_is_predicted_to_wait_for_hbm():
    """Three bytes of each matrix at 408 bytes a nanosecond, of which at least 80 % are reached."""
    with simulator.options("trn2"):
        stack = simulator.Abstract((64, 512, 512), "bfloat16")
        assert product.predict(stack, stack, (False, False), "bfloat16").seconds < 64 * 3 * 2 * 512**2 / 408e9 / 0.8


@pytest.mark.parametrize("transposed", [(False, False), (True, False)])
@pytest.mark.parametrize("depth", [130, 2100])
def test_the_device_counts_row_tiles(transposed, depth):
    a, b = draw((depth, 1500) if transposed[0] else (1500, depth)), draw((depth, 70))
    with simulator.options("trn2"):
        budget = 60 if depth < 2048 else 300
        nodes = product.program(a, b, transposed, "float32", budget).cores[0].nodes
        assert any(type(node).__name__ == "ForLoop" for node in nodes)
        check(a, b, transposed, budget=budget)


@pytest.mark.parametrize("budget", [100_000, 100])
@pytest.mark.parametrize(("depth", "sbuf_bytes"), [(130, 30_000), (600, 64_000)])
@pytest.mark.parametrize("transposed", [(False, False), (True, True)])
def test_panels(transposed, depth, sbuf_bytes, budget):
    """Little SBUF: B comes in panels, and tiles of A that are stationary wait in HBM for the later ones."""
    a, b = draw((depth, 600) if transposed[0] else (600, depth)), draw((1100, depth) if transposed[1] else (depth, 1100))
    with simulator.options("trn2"):
        check(a, b, transposed, budget=budget, sbuf_bytes=sbuf_bytes)


@pytest.mark.parametrize(
    ("transposed", "rows", "sbuf_bytes"), [((False, False), 430, 20_000), ((True, False), 384, 22_000), ((False, True), 430, 24_000)]
)
def test_the_device_counts_panels(transposed, rows, sbuf_bytes):
    """Several panels of one width, and room for all row tiles in a turn: the first panel comes before the loop."""
    depth, columns, budget = 130, 2560, 130
    a, b = draw((depth, rows) if transposed[0] else (rows, depth)), draw((columns, depth) if transposed[1] else (depth, columns))
    with simulator.options("trn2"):
        nodes = product.program(a, b, transposed, "float32", budget, sbuf_bytes).cores[0].nodes
        loops = [node for node in nodes if type(node).__name__ == "ForLoop"]
        assert [(loop.lower, loop.upper) for loop in loops] == [(1, 5)]
        check(a, b, transposed, budget=budget, sbuf_bytes=sbuf_bytes)


def test_too_little_sbuf():
    with simulator.options("trn2"), pytest.raises(ValueError, match="5000 bytes of each SBUF partition"):
        product(draw((4, 4)), draw((4, 4)), sbuf_bytes=5000)


@pytest.mark.parametrize(
    ("dtype", "to", "unit"),
    [
        (ml_dtypes.bfloat16, "bfloat16", 2.0**-8),
        (np.float16, "float16", 2.0**-11),
        (ml_dtypes.bfloat16, "float32", 0.0),
        (ml_dtypes.float8_e4m3fn, "bfloat16", 2.0**-8),
        (ml_dtypes.float8_e5m2, "float32", 0.0),
    ],
)
@pytest.mark.parametrize("target", TARGETS)
def test_narrow_dtypes_round_once(dtype, to, unit, target):
    with simulator.options(target):
        check(draw((130, 200), dtype), draw((200, 140), dtype), dtype=to, unit=unit)


@pytest.mark.parametrize(
    "knobs",
    [
        {"pe_order": "permuted:1"},
        {"pe_order": "permuted:2", "pe_product": "split21"},
        {"dve_order": "permuted:3", "two_op": "fused"},
        {"denormals_pe": "flush", "denormals_dve": "flush", "denormals_act": "flush"},
    ],
)
def test_every_reading_of_the_documents(knobs):
    """Adversarial columns: large terms that cancel around small ones."""
    depth = 2300  # two blocks of the contraction
    a = np.ones((3, depth), np.float32)
    a[:, ::2] *= np.float32(1 + 2.0**-20)
    b = np.where(np.arange(depth)[:, None] % 3 == 0, 2.0**20, -(2.0**20) + 1 / 3).astype(np.float32) * np.ones((1, 4), np.float32)
    b[:, 1] = 1 / 3
    with simulator.options("trn2", knobs=dataclasses.replace(Knobs(), **knobs)):
        check(a, b, slack=2 + 3 * ("pe_product" in knobs))


@pytest.mark.parametrize("target", TARGETS)
def test_infinities_and_nan_stay_in_their_rows(target):
    a, b = draw((140, 150)), draw((150, 40))
    a[3, 7], a[130, 140] = np.nan, np.inf
    with simulator.options(target), np.errstate(invalid="ignore"):
        found, wanted = product(a, b), a.astype(np.float64) @ b
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(wanted))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))


def test_prologue_and_epilogue():
    @simulator.jit
    def fused(a, b, c):
        out = nl.ndarray((a.shape[0], b.shape[1]), nl.float32, buffer=nl.shared_hbm)

        def halve(tile, rows, columns):
            nisa.tensor_scalar(tile, tile, nl.multiply, 0.5)
            return tile

        def double(tile, rows, columns):
            wide = nl.ndarray(tile.shape, nl.float32)
            nisa.tensor_scalar(wide, tile, nl.multiply, 2.0)
            return wide

        def add(rows, columns):
            other = nl.ndarray((rows[1], columns[1]), nl.float32)
            nisa.dma_copy(other, c[nl.ds(*rows), nl.ds(*columns)])

            def finish(tiles):
                nisa.tensor_tensor(other, other, tiles[0], nl.add)
                nisa.dma_copy(out[nl.ds(*rows), nl.ds(*columns)], other)

            return finish

        matmul([], [MatmulOperand(a, prologue=halve)], [MatmulOperand(b, prologue=double, dtype="float32")], epilogue=add)
        return out

    # powers of two: the hooks change no rounding
    a, b, c = draw((200, 140)), draw((140, 700), ml_dtypes.bfloat16), draw((200, 700))
    with simulator.options("trn2"):
        plain = product(a, b.astype(np.float32))
        np.testing.assert_array_equal(fused(a, b, c), c + plain)


@simulator.jit
def product_of_planes(a, b, transposed=(False, False), budget=100_000, sbuf_bytes=None, twiddle=None):
    rows, columns = a[0].shape[-1 if transposed[0] else -2], b[0].shape[-2 if transposed[1] else -1]
    batch = next((x.shape[:1] for x in (*a, *b) if x.ndim == 3), ())
    out = [nl.ndarray((*batch, rows, columns), nl.float32, buffer=nl.shared_hbm) for _ in range(max(len(a), len(b)))]

    def turn(rows, columns):
        """Multiply by i, so that each result is made of the other plane."""

        def finish(tiles):
            nisa.tensor_scalar(tiles[1], tiles[1], nl.multiply, -1.0)
            for plane, tile in zip(out, reversed(tiles), strict=True):
                nisa.dma_copy(plane[nl.ds(*rows), nl.ds(*columns)], tile)

        return finish

    operands = ([MatmulOperand(x, turned) for x in planes] for planes, turned in zip((a, b), transposed, strict=True))
    matmul([] if twiddle else out, *operands, sbuf_bytes=sbuf_bytes, budget=budget, epilogue=turn if twiddle else None)
    return tuple(out)


def check_planes(a, b, transposed=(False, False), twiddle=False, **options):
    planes = [[x.real.copy(), x.imag.copy()] if x.dtype.kind == "c" else [x] for x in (a, b)]
    real, imaginary = product_of_planes(tuple(planes[0]), tuple(planes[1]), transposed, twiddle=twiddle or None, **options)
    found = real.astype(np.float64) + 1j * imaginary
    a, b = (x.astype(np.complex128) for x in (a, b))
    a, b = (x.swapaxes(-1, -2) if t else x for x, t in zip((a, b), transposed, strict=True))
    depth = a.shape[-1]
    # Each plane is the sum of two real products: their bound, with the sum of the magnitudes, and one rounding of the difference.
    bound = (min(depth, 128) + -(-depth // 128) + 4) * U * ((abs(a.real) + abs(a.imag)) @ (abs(b.real) + abs(b.imag)))
    error = found - (a @ b) * (1j if twiddle else 1)
    assert (abs(error.real) <= bound).all()
    assert (abs(error.imag) <= bound).all()


def walk(nodes):
    for node in nodes:
        yield from walk(node.body) if type(node).__name__ == "ForLoop" else [node]


def draw_complex(shape):
    return draw(shape) + 1j * draw(shape)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kinds", ["cc", "rc", "cr"])
@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True)])
def test_complex_operands(target, kinds, transposed):
    for rows, depth, columns in ((1, 1, 1), (5, 130, 7), (140, 257, 600)):
        shapes = [(depth, rows) if transposed[0] else (rows, depth), (columns, depth) if transposed[1] else (depth, columns)]
        a, b = ((draw_complex if kind == "c" else draw)(shape) for kind, shape in zip(kinds, shapes, strict=True))
        with simulator.options(target):
            check_planes(a, b, transposed)


@pytest.mark.parametrize(
    ("target", "shape", "columns", "options"),
    [
        ("trn1", (256, 1024), 256, {}),
        ("trn2", (256, 1024), 256, {}),
        ("trn3", (300, 1024), 256, {}),  # no whole tiles
        ("trn3", (256, 640), 1024, {}),  # of the first tile, too
        ("trn2", (256, 512), 1500, {"sbuf_bytes": 62_000}),  # tiles wait in HBM for later panels
        ("trn2", (512, 1024), 256, {"budget": 1200}),  # the device counts row tiles
    ],
)
def test_halves_of_float32_are_transposed_by_dma(target, shape, columns, options):
    """From NeuronCore-v3 on, where products take longer, with the bits of tiles that the Tensor Engine transposes: of fewer columns."""
    a, b = draw_complex(shape), draw_complex((shape[1], columns))
    a[:3, 5] = 1e-42 - 1e30j, -0.0, 2.0**-149  # bits of all parts of a word
    few = b[:, :60].copy()
    with simulator.options(target):
        operands = ((a.real.copy(), a.imag.copy()), (b.real.copy(), b.imag.copy()))
        turned = {node.opcode.name for node in walk(product_of_planes.program(*operands, **options).cores[0].nodes)}
        assert ("dma_transpose" in turned) == (target != "trn1" and shape[0] != 300)
        check_planes(a, b, **options)
        narrow = product_of_planes(operands[0], (few.real.copy(), few.imag.copy()))
        for plane, other in zip(product_of_planes(*operands, **options), narrow, strict=True):
            assert np.array_equal(plane[:, :60], other)


@pytest.mark.parametrize("knobs", [{"pe_order": "permuted:3"}, {"pe_order": "permuted:8", "dve_order": "permuted:8"}], ids=str)
def test_complex_operands_in_other_orders_of_sums(knobs):
    with simulator.options("trn2", knobs=Knobs(**knobs)):
        check_planes(draw_complex((130, 300)), draw_complex((300, 520)))


@pytest.mark.parametrize("options", [{"sbuf_bytes": 40_000}, {"budget": 2000}, {"budget": 600}], ids=str)
def test_blocks_and_loops_of_complex_operands(options):
    with simulator.options("trn2"):
        check_planes(draw_complex((600, 300)), draw_complex((300, 700)), **options)
        check_planes(draw_complex((3, 140, 90)), draw_complex((3, 90, 50)), **options)


def test_functions_of_both_planes_of_a_complex_product():
    with simulator.options("trn2"):
        check_planes(draw_complex((200, 140)), draw_complex((140, 700)), twiddle=True)


def test_complex_rates():
    """By four real products: at least 94 and 80 % of the Tensor Engine's peak, as predicted."""
    for size, share in ((2048, 0.94), (512, 0.8)):
        plane = np.broadcast_to(np.zeros((), np.float32), (size, size))
        with simulator.options("trn2"):
            prediction = product_of_planes.predict((plane, plane), (plane, plane))
        assert 8 * size**3 / prediction.seconds >= share * 79e12 / 4


def test_hbm_traffic_and_rate():
    """2048 cubed: B once, A as often as there are panels, at least 60 % of the Tensor Engine's peak as predicted."""
    for dtype, peak, reads in ((ml_dtypes.bfloat16, 79e12, 1), (np.float32, 79e12 / 4, 1)):
        a = np.broadcast_to(np.zeros((), dtype), (2048, 2048))
        with simulator.options("trn2"):
            prediction = product.predict(a, a, (False, False), "float32")
        assert prediction.hbm_read <= (1 + reads) * a.size * a.itemsize + (1 << 16)
        assert 2 * 2048**3 / prediction.seconds >= 0.6 * peak


@pytest.mark.parametrize("extents", [(128, 128, 128), (512, 512, 512), (384, 1024, 640), (1024, 1024, 4096), (128, 4096, 512)])
def test_the_count_of_instructions_is_not_far_above_the_programs(extents):
    """By it the planner decides whether the device loops: as many as there are, or less than twice that."""
    rows, depth, columns = extents
    operands = [simulator.Abstract(shape, "float32") for shape in ((rows, depth), (depth, columns))]
    traced = len(product.trace(*operands).instructions)
    counted = choose_blocking(extents, (4, 4), (False, False), nl.tile_size.sbuf_fmax_bytes, 100_000, True).instructions
    assert traced <= counted <= 1.75 * traced
