"""``python -m trnarray.backends.simulator`` runs the programs and tests of others, unmodified."""

import subprocess
import sys

import pytest

from trnarray.backends.simulator.__main__ import main

KERNEL = """
import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def doubled(x):
    tile, out = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf), nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=out, src=tile)
    return out
"""
PROGRAM = """
import sys

import numpy as np
from kernels import doubled
import nki.isa as nisa

print(sys.argv[1:], nisa.get_nc_version().name, doubled(np.ones((2, 2), np.float32)).sum())
"""
TESTS = """
import numpy as np
from kernels import doubled


def test_doubled():
    np.testing.assert_array_equal(doubled(np.ones((2, 2), np.float32)), np.full((2, 2), 2))
"""


@pytest.fixture
def repository(tmp_path):
    for name, text in (("kernels.py", KERNEL), ("program.py", PROGRAM), ("test_kernels.py", TESTS)):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder, *arguments):
    command = [sys.executable, "-m", "trnarray.backends.simulator", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_program(repository):
    found = run(repository, "--target", "trn2", "program.py", "--size", "2")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == "['--size', '2'] gen3 8.0\n"


def test_tests(repository):
    found = run(repository, "--target", "trn1", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_kernels.py")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "1 passed" in found.stdout


def test_what_is_no_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["pytest"])
    assert "there is no file pytest; name one, or a module as in -m pytest" in capsys.readouterr().err
