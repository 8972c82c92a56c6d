"""Updates of blocks in place: stages, HBM bytes and programs they take, and values where operands, targets and kept copies share memory."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import Device, parse_device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.plan.assemble import Planner

DEVICE = "sim:trn2"
RNG = np.random.default_rng(5)


@pytest.fixture(autouse=True)
def nothing_waits():
    """Compute what other tests have left, which would be planned with the rest, and forget lengths: blocks that grow have other plans."""
    for device in ("sim:trn1", "sim:trn2", "sim:trn3"):
        xp.synchronize(device)
        engine_for(parse_device(device)).builder.lengths.clear()


def small(*shape):
    """Draw integers, whose sums of products are exact in float32."""
    return RNG.integers(-4, 5, shape).astype(np.float32)


def put(*arrays, device=DEVICE):
    return [xp.asarray(array, device=device) for array in arrays]


def taken(x):
    """Predict stages and HBM bytes of what waits."""
    explanation = xp.explain(x)
    stages = [stage for step in explanation.steps for stage in step.stages]
    return len(stages), sum(step.prediction.hbm_read + step.prediction.hbm_written for step in explanation.steps)


def same(x, wanted):
    np.testing.assert_array_equal(np.asarray(x.to_device("cpu")), wanted)


@pytest.mark.parametrize("k", [128, 512, 896])
def test_a_trailing_update_reads_and_writes_its_block_once(k):
    matrix, panel = small(1024, 1024), small(1024 - k, 128)
    a, p = put(matrix, panel)
    a[k:, k:] -= p @ p.T
    stages, nbytes = taken(a)
    assert stages == 1
    assert nbytes <= 1.2 * (2 * (1024 - k) ** 2 + panel.size) * 4
    seconds = xp.explain(a).seconds
    xp.synchronize(DEVICE)
    (block,) = put(matrix[k:, k:])
    apart = block - p @ p.T
    assert seconds <= 2 * xp.explain(apart).seconds  # as predicted: what is written at the launch's offset waits for loads from there
    del apart
    matrix[k:, k:] -= panel @ panel.T
    same(a, matrix)


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn2", "sim:trn3"])
def test_a_block_is_found_by_a_loop_of_the_device(device):
    """Products of so many instructions that the device counts the batches, or the row tiles."""
    matrix, x, y = small(6, 140, 40), small(6, 140, 30), small(6, 30, 20)
    a, p, q = put(matrix, x, y, device=device)
    engine = engine_for(Device(device))
    planner, engine.planner = engine.planner, Planner(engine.launcher.target, budget=40)
    try:
        a[:, :, 7:27] += 2 * (p @ q)
        assert taken(a)[0] == 1
        matrix[:, :, 7:27] += 2 * (x @ y)
        same(a, matrix)
    finally:
        engine.planner = planner


@pytest.mark.parametrize(
    ("device", "dtype"), [("sim:trn1", "float32"), ("sim:trn2", "float32"), ("sim:trn3", "float32"), ("sim:trn2", "bfloat16")]
)
@pytest.mark.parametrize("shape", [(140, 260), (3, 150, 40)])
def test_a_matrix_times_its_transpose_is_loaded_once(device, dtype, shape):
    matrix = small(*shape)
    (x,) = put(matrix, device=device)
    x = x.astype(getattr(xp, dtype))
    xp.synchronize(device)
    for transposed in (False, True):
        left, right = (x.mT, x) if transposed else (x, x.mT)
        product = left @ right
        nbytes = sum(step.prediction.hbm_read for step in xp.explain(product).steps)
        assert nbytes <= x.nbytes
        wanted = matrix.mT @ matrix if transposed else matrix @ matrix.mT
        same(product.astype(xp.float32), wanted if dtype == "float32" else wanted.astype(product.dtype).astype(np.float32))


def test_a_complex_update_is_one_stage():
    matrix, x, y = (small(*shape) + 1j * small(*shape) for shape in ((200, 190), (200, 60), (60, 150)))
    matrix, x, y = (value.astype(np.complex64) for value in (matrix, x, y))
    a, p, q = put(matrix, x, y)
    a[:, 9:159] -= p @ q
    assert taken(a)[0] == 1
    matrix[:, 9:159] -= x @ y
    same(a, matrix)


def test_a_product_and_a_transpose_go_straight_into_a_block():
    matrix, x, y = small(400, 500), small(300, 40), small(300, 300)
    for change in (lambda m, x, y: x @ x.T, lambda m, x, y: y.T):
        a, p, q = put(matrix, x, y)
        a[50:350, 60:360] = change(a, p, q)
        assert taken(a)[0] == 1
        wanted = matrix.copy()
        wanted[50:350, 60:360] = change(matrix, x, y)
        same(a, wanted)


def test_a_multiple_added_to_a_part_reads_and_writes_it_once():
    vector, other = small(1 << 20), small(1 << 20)
    y, x = put(vector, other)
    s = slice(1000, 900_000)
    y[s] += np.float32(2.5) * x[s]
    stages, nbytes = taken(y)
    assert stages == 1
    assert nbytes <= 1.01 * 3 * 899_000 * 4
    vector[s] += np.float32(2.5) * other[s]
    same(y, vector)


def test_one_program_serves_blocks_anywhere():
    matrix, vector, panel = small(300, 280), small(300), small(64, 20)
    a, y, p = put(matrix, vector, panel)
    engine = engine_for(Device(DEVICE))
    planner, engine.planner = engine.planner, Planner(engine.launcher.target)
    try:
        for k in (0, 3, 128, 200):
            a[k : k + 64, k + 1 : k + 65] -= p @ p.T
            y[k : k + 50] += np.float32(k) * p[:50, 7]
            engine.flush()
            matrix[k : k + 64, k + 1 : k + 65] -= panel @ panel.T
            vector[k : k + 50] += np.float32(k) * panel[:50, 7]
        assert (engine.planner.misses, engine.planner.hits) == (1, 3)
    finally:
        engine.planner = planner
    same(a, matrix)
    same(y, vector)


def test_an_operand_that_is_overwritten_is_read_first():
    matrix, other = small(300, 200), small(200, 100)
    a, b = put(matrix, other)
    a[:, 50:150] -= a @ b
    assert taken(a)[0] == 2  # a product may read its operands again and again
    matrix[:, 50:150] -= matrix @ other
    same(a, matrix)


def test_of_what_is_kept_only_that_is_copied():
    matrix = small(512, 512)
    (a,) = put(matrix)
    row = a[3].copy()
    a[3] = a[5]
    a[5] = row
    block = a[100:110, ::2].copy()
    a[90:120] *= 2
    assert taken(a)[1] <= 4 * (2 * 3 * 512 + 10 * (512 + 256) + 2 * 30 * 512) + 10_000  # strided rows are read whole; and descriptors
    kept = matrix[100:110, ::2].copy()
    matrix[[3, 5]] = matrix[[5, 3]]
    matrix[90:120] *= 2
    same(block, kept)
    same(row, matrix[5])
    same(a, matrix)


def test_a_block_written_to_itself_is_not_written():
    (a,) = put(small(40, 40))
    xp.synchronize(DEVICE)
    a[3:9, 4:] = a[3:9, 4:]
    a.T[:, 7] = a[7]
    assert taken(a) == (0, 0)
    a[3:9, 4:] = a[3:9, 3:-1]
    assert taken(a)[0] > 0
