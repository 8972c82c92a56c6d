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


@pytest.mark.parametrize(("name", "allowed"), [("filter_program", {"typing", "scipy"}), ("array_api_program", {"typing"})])
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


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_the_demo_runs_and_its_figures_are_right(device, tmp_path):
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("sklearn")
    start = time.perf_counter()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", str(DEMO / "lowpass.py"), "--device", device, "--output", str(tmp_path / "pictures")]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    assert time.perf_counter() - start < 60
    text = result.stdout
    for measured in re.findall(r"against plain NumPy in float64: (\S+)", text):
        assert 0 < float(measured) < 64 * U  # float32 results, of operands up to 1, to a small multiple of u
    assert "0 of 1797 answers differ" in text
    native, fallbacks = text.split("\nnative calls\n")[1].split("\nfallbacks")
    for op in ("fft.rfft2", "fft.irfft2", "matmul"):
        assert op in native
    trace = tmp_path / "pictures" / "trace.json"
    if device == "cpu":
        assert fallbacks.startswith(": none")
        assert "linalg.eigh" in native
        assert not trace.exists()
    else:
        assert "1 program, no calls on the host; none of it has run" in text
        assert re.search(r"\n  predicted [\d.]+ [mu]s, between .*nothing was measured", text)
        assert json.loads(trace.read_text())["traceEvents"]
        trace.unlink()
    pictures = {}
    for path in (tmp_path / "pictures").iterdir():
        with image.open(path) as picture:
            pictures[path.name] = np.asarray(picture)
    assert pictures["original.png"].shape == pictures["filtered.png"].shape == (427, 640, 3)
    both = np.concatenate([pictures["original.png"], pictures["filtered.png"]], axis=1)
    np.testing.assert_array_equal(pictures["side_by_side.png"], both)
    means = [pictures[name].mean() for name in ("original.png", "filtered.png")]
    assert abs(means[0] - means[1]) < 0.5  # of 255: the zero frequency stays


def test_the_demo_refuses_unknown_devices(tmp_path):
    pytest.importorskip("PIL.Image")
    pytest.importorskip("sklearn")
    command = [sys.executable, str(DEMO / "lowpass.py"), "--device", "gpu", "--output", str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode != 0
    assert "gpu" in result.stderr
