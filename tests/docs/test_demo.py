"""The demo: it runs in a fresh process, its figures are right, and its programs know nothing of trnarray."""

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import trnarray as xp

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "docs" / "demo"
U = 2.0**-24  # float32's unit roundoff


def load(name):
    spec = importlib.util.spec_from_file_location(f"demo_{name}", DEMO / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PROGRAMS = {
    "array_api_program": {"typing"},
    "filter_program": {"scipy", "typing"},
    "numpy_program": {"collections", "numpy", "typing"},
    "scikit_learn_program": {"sklearn", "typing"},
    "spectral_program": {"collections", "math", "typing"},
    "taylor_green_program": {"collections", "math", "typing"},
}


@pytest.mark.parametrize(("name", "allowed"), PROGRAMS.items())
def test_programs_import_nothing_of_ours(name, allowed):
    imported = set()
    for node in ast.walk(ast.parse((DEMO / f"{name}.py").read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    assert imported == allowed


def test_low_pass_keeps_low_frequencies_and_removes_high_ones():
    low_pass = load("filter_program").low_pass
    rows, columns = np.mgrid[:64, :48]
    low = np.cos(2 * np.pi * (3 * rows / 64 + 2 * columns / 48))
    high = np.cos(2 * np.pi * 20 * rows / 64) + np.cos(2 * np.pi * 17 * columns / 48)
    image = xp.asarray((low + high)[:, :, None] + [0.0, 1.0, 2.0])
    filtered = low_pass(image, 0.3)
    assert type(filtered) is xp.Array
    np.testing.assert_allclose(np.asarray(filtered), low[:, :, None] + [0.0, 1.0, 2.0], atol=1e-13)
    assert type(low_pass(np.asarray(image), 0.3)) is np.ndarray


def test_principal_components_and_centroids_of_points_on_lines():
    program = load("array_api_program")
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 20.0, 0.0]])
    labels = rng.integers(0, 3, 300)
    points = centres[labels] + rng.uniform(-1, 1, (300, 3))
    x, y = xp.asarray(points), xp.asarray(labels)
    variances, coordinates = program.principal_components(x, 2)
    expected = np.linalg.svd(points - points.mean(0), compute_uv=False)[:2] ** 2 / 299
    np.testing.assert_allclose(np.asarray(variances), expected, rtol=1e-12)
    np.testing.assert_allclose(np.var(np.asarray(coordinates), axis=0, ddof=1), expected, rtol=1e-12)
    assert np.asarray(program.nearest_centroid(x, y, 3)).tolist() == labels.tolist()


def grid(size):
    along = 2 * np.pi * np.arange(size) / size
    return along[None, :], along[:, None]


@pytest.mark.parametrize(("device", "unit"), [("cpu", 2.0**-53), ("sim:trn2", U)])
def test_a_vortex_that_only_diffuses_decays_as_it_should(device, unit):
    x, y = grid(16)
    start = 2 * np.cos(x) * np.cos(y)  # Taylor and Green's: it is a function of its stream function, so that nothing is advected
    w = xp.asarray(start if device == "cpu" else np.float32(start), device=device)
    steps, viscosity, step = 2, 0.1, 0.25
    with xp.config(fallback="error"):
        *_, found = load("spectral_program").vorticity(w, viscosity, step, steps)
    expected = start * np.exp(-2 * viscosity * step * steps)
    # Eleven transforms of 16 x 16 per step, each to about 32 units of the largest element, which is 2.
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, atol=steps * 11 * 32 * 2 * unit)


def test_vorticity_is_carried_by_the_velocity_that_it_makes():
    x, y = grid(16)
    start = np.sin(x) + np.cos(2 * y)
    # The stream function sin(x) + cos(2 y) / 4 has the velocity (-sin(2 y) / 2, -cos(x)); the gradient is (cos(x), -2 sin(2 y)).
    change = -1.5 * np.cos(x) * np.sin(2 * y)
    step = 1e-5
    (found,) = load("spectral_program").vorticity(start, 0.0, step, 1)
    np.testing.assert_allclose((found - start) / step, change, atol=10 * step)  # of first order in the step


def test_numpys_functions_compute_on_the_device():
    rng = np.random.default_rng(0)
    a, b = np.float32(rng.normal(size=(8, 8)) + 10 * np.eye(8)), np.float32(rng.normal(size=(8, 8)))
    calls = load("numpy_program").calls
    with xp.config(fallback="allow"):
        found = list(calls(xp.asarray(a, device="sim:trn2"), xp.asarray(b, device="sim:trn2")))
    exact = list(calls(np.float64(a), np.float64(b)))
    assert [text for text, _ in found] == [text for text, _ in exact]
    for (text, result), (_, expected) in zip(found, exact, strict=True):
        assert type(result) is xp.Array, text
        # Sums of 8 * 8 products, in matrices whose condition is below 4.
        np.testing.assert_allclose(np.asarray(result.to_device("cpu")), expected, rtol=0, atol=4 * 64 * U * np.max(np.abs(expected)))


def test_pictures(tmp_path):
    image = pytest.importorskip("PIL.Image")
    pictures = load("pictures")
    colours = pictures.diverging(np.array([[-2.0, 0.0, 2.0]]), 1.0)
    assert colours[0, 1].tolist() == [1, 1, 1]
    assert colours[0, 0, 2] > colours[0, 0, 0]  # blue below zero
    assert colours[0, 2, 0] > colours[0, 2, 2]  # red above
    assert pictures.row([colours, colours], scale=2, gap=4).shape == (2, 6 + 4 + 6, 3)
    drawn = pictures.scatter(np.array([[0.0, 0.0], [1.0, 2.0]]), np.array([0, 1]), size=32)
    assert np.count_nonzero(drawn.min(axis=-1) < 1) == 2 * 9
    assert np.flatnonzero(drawn.min(axis=(1, 2)) < 1).tolist() == [2, 3, 4, 27, 28, 29]
    pictures.save(drawn, tmp_path / "drawn.png")
    with image.open(tmp_path / "drawn.png") as picture:
        np.testing.assert_allclose(np.asarray(picture) / 255, drawn, atol=0.5 / 255)
    pictures.gallery(tmp_path, "cpu", {"drawn.png": "two points, 1 < 2"})
    assert 'src="drawn.png" alt="two points, 1 &lt; 2"' in (tmp_path / "index.html").read_text()


def run(script, device, folder):
    start = time.perf_counter()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", str(DEMO / script), "--device", device, "--output", str(folder)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    assert time.perf_counter() - start < 60
    return result.stdout


def read_pictures(folder):
    image = pytest.importorskip("PIL.Image")
    pictures = {}
    for path in folder.glob("*.png"):
        with image.open(path) as picture:
            pictures[path.name] = np.asarray(picture)
    return pictures


def check_photograph_and_digits(text, pictures):
    filtered, variances = map(float, re.findall(r"against plain NumPy in float64: (\S+)", text))
    assert 0 < filtered < 64 * U  # float32 results, of operands up to 1, to a small multiple of u
    assert 0 < variances < 16 * U  # eigenvalues of 64 rows, to 5 u of the largest, beside smaller ones
    assert "nearest centroid finds 89.0% of the digits; 0 of 1797 answers differ" in text
    assert pictures["original.png"].shape == pictures["filtered.png"].shape == (427, 640, 3)
    both = np.concatenate([pictures["original.png"], pictures["filtered.png"]], axis=1)
    np.testing.assert_array_equal(pictures["side_by_side.png"], both)
    means = [pictures[name].mean() for name in ("original.png", "filtered.png")]
    assert abs(means[0] - means[1]) < 0.5  # of 255: the zero frequency stays


def test_the_photograph_and_the_digits_on_a_simulated_device(tmp_path):
    pytest.importorskip("sklearn")
    text = run("lowpass.py", "sim:trn2", tmp_path)
    check_photograph_and_digits(text, read_pictures(tmp_path))
    native = text.split("\nnative calls\n")[1].split("\nfallbacks")[0]
    for op in ("fft.rfft2", "fft.irfft2", "matmul"):
        assert op in native
    assert "1 program, no calls on the host; none of it has run" in text
    assert re.search(r"\n  predicted [\d.]+ [mu]s, between .*nothing was measured", text)
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]


def test_the_tour_runs_and_its_figures_are_right(tmp_path):
    pytest.importorskip("sklearn")
    pytest.importorskip("scipy", minversion="1.14", reason="scikit-learn's dispatch asks for SciPy 1.14")
    text = run("tour.py", "cpu", tmp_path)
    pictures = read_pictures(tmp_path)
    check_photograph_and_digits(text, pictures)
    assert len(re.findall("0 of 1797 answers differ", text)) == 3
    errors = [float(measured) for measured in re.findall(r"[,:] error (\S+)$", text, re.MULTILINE)]
    assert len(errors) == 10 + 1
    assert max(errors) < 256 * U  # of sums of 96 * 96 products, and of a hundred steps that lose less than a unit each
    assert "on the host" not in text
    assert not (tmp_path / "trace.json").exists()
    page = (tmp_path / "index.html").read_text()
    assert set(re.findall(r'src="([^"]+)"', page)) == set(pictures) - {"original.png", "filtered.png"}
    assert len(np.unique(pictures["classes.png"].reshape(-1, 3), axis=0)) == 11  # ten classes on white


def test_the_demo_refuses_unknown_devices(tmp_path):
    pytest.importorskip("PIL.Image")
    pytest.importorskip("sklearn")
    command = [sys.executable, str(DEMO / "tour.py"), "--device", "gpu", "--output", str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode != 0
    assert "gpu" in result.stderr


def test_energy_of_the_taylor_green_vortex():
    """As of NumPy's float64, but for a handful of roundings; it decays by 2 nu k^2 at first, k^2 = 3."""
    program = load("taylor_green_program")
    found, wanted = (
        [float(energy) for energy in program.energies(program.taylor_green(xp, 8, dtype=dtype, device=device), 0.01, 0.05, 2)]
        for dtype, device in ((xp.float32, "sim:trn2"), (xp.float64, "cpu"))
    )
    np.testing.assert_allclose(found, wanted, rtol=16 * U)
    np.testing.assert_allclose(wanted[0], 0.125 * np.exp(-2 * 0.01 * 3 * 0.05), rtol=1e-4)
