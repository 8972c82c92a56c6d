"""The package as others get it: wheel, sdist and installations, built from a copy of the tree and without the network."""

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).parents[1]
FILES = ["pyproject.toml", "README.md", "LICENSE", "backends", "conformance", "trnarray"]
PACKAGES = {"trnarray": "trnarray", "trnarray.backends": "backends", "trnarray.conformance": "conformance"}
JUNK = shutil.ignore_patterns("__pycache__", "*.egg-info")


def run(*command, cwd):
    """What `command` printed; the test fails with all of it if the command does."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MYPY"))}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def copy_tree(destination):
    """The files that make the package, symlinks as symlinks."""
    for name in FILES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, destination / name, symlinks=True, ignore=JUNK)
        else:
            shutil.copy(source, destination / name)
    return destination


@pytest.fixture
def clone(tmp_path):
    (tmp_path / "clone").mkdir()
    return copy_tree(tmp_path / "clone")


def expected_members():
    """Every file of the three packages by the name it is imported under."""
    for package, folder in PACKAGES.items():
        for path in (ROOT / folder).rglob("*"):  # does not follow the symlinks
            if path.suffix in (".py", ".pyi", ".json") or path.name == "py.typed":
                yield f"{package.replace('.', '/')}/{path.relative_to(ROOT / folder).as_posix()}"


def build(clone, kind):
    """Build a "wheel" or "sdist" with the build backend itself, and say where it is."""
    out = clone / "dist"
    out.mkdir(exist_ok=True)
    code = f"from setuptools import build_meta; print(build_meta.build_{kind}({str(out)!r}))"
    return out / run(sys.executable, "-c", code, cwd=clone).split()[-1]


def assert_holds_the_packages(names):
    names = [name for name in names if not name.endswith("/") and "/" in name and ".egg-info/" not in name and ".dist-info/" not in name]
    assert Counter(names) == Counter(expected_members())


@pytest.fixture(scope="module")
def wheel_file(tmp_path_factory):
    return build(copy_tree(tmp_path_factory.mktemp("clone")), "wheel")


def test_wheel_holds_each_module_once(wheel_file):
    with zipfile.ZipFile(wheel_file) as wheel:
        assert_holds_the_packages(wheel.namelist())
        (top_level,) = (name for name in wheel.namelist() if name.endswith("top_level.txt"))
        assert wheel.read(top_level).split() == [b"trnarray"]


def test_sdist_holds_each_module_once_and_builds_the_same_wheel(clone, tmp_path):
    with tarfile.open(build(clone, "sdist")) as sdist:
        assert_holds_the_packages(member.name.partition("/")[2] for member in sdist if member.isfile())
        assert not [member.name for member in sdist if member.issym()]
        sdist.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    with zipfile.ZipFile(build(unpacked, "wheel")) as wheel:
        assert_holds_the_packages(wheel.namelist())


@pytest.fixture
def environment(tmp_path):
    """A virtual environment that sees our dependencies, through a path file, but no trnarray."""
    folder = tmp_path / "environment"
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(str(Path(np.__file__).parents[1]))
    return folder / "bin" / "python"


WHERE = "import trnarray.backends, trnarray.conformance as c, importlib.util as u; print(trnarray.backends.__file__, c.__file__)"
NO_SECOND_COPY = "; assert not u.find_spec('backends') and not u.find_spec('conformance')"


@pytest.mark.parametrize("editable", [False, True], ids=["install", "editable"])
def test_installed_package_imports_inside_the_clone_and_outside(clone, environment, tmp_path, editable):
    flags = ["--editable"] if editable else []
    pip = [sys.executable, "-m", "pip", "--python", environment, "--disable-pip-version-check"]
    run(*pip, "install", "--quiet", "--no-deps", "--no-compile", "--no-build-isolation", *flags, ".", cwd=clone)

    inside = run(environment, "-W", "error", "-c", WHERE, cwd=clone).split()
    assert [Path(path).resolve().parents[1] for path in inside] == [clone.resolve()] * 2  # the folders, through the symlinks

    outside = run(environment, "-W", "error", "-c", WHERE + NO_SECOND_COPY, cwd=tmp_path).split()
    home = clone if editable else environment.parents[1]
    assert all(Path(path).is_relative_to(home) for path in outside)

    for name in PACKAGES:  # the same from either place: one copy per process
        (module,) = {run(environment, "-c", f"import {name} as m; print(m.__name__)", cwd=cwd).strip() for cwd in (clone, tmp_path)}
        assert module == name


def test_requirements_are_numpy_scipy_and_ml_dtypes_and_nothing_of_aws(wheel_file):
    with zipfile.ZipFile(wheel_file) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        lines = wheel.read(name).decode().splitlines()
    requirements = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
    assert {line.partition(">=")[0] for line in requirements if "extra ==" not in line} == {"numpy", "scipy", "ml-dtypes"}
    assert not [line for line in requirements if line.startswith(("nki", "neuron", "jax"))]
    assert "License-Expression: Apache-2.0" in lines


def test_mypy_finds_a_type_error_in_each_package(clone, tmp_path):
    pytest.importorskip("mypy")
    cache = tmp_path / "cache"
    if (ROOT / ".mypy_cache").exists():  # of the run before the tests: types of what was not changed are known
        shutil.copytree(ROOT / ".mypy_cache", cache)
    planted = set()
    for package, folder in PACKAGES.items():
        (clone / folder / "planted.py").write_text("planted: int = 'not an integer'\n")
        planted.add(f"{package.replace('.', '/')}/planted.py:1")
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", str(cache)]
    done = subprocess.run(mypy, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    found = {line.partition(": error: ")[0] for line in done.stdout.splitlines() if line.endswith("[assignment]")}
    assert found >= planted, done.stdout


def test_the_import_tree_check_sees_a_second_copy(clone, tmp_path):
    (clone / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", clone / "tests")
    test = clone / "tests" / "test_stray.py"
    pytest_command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    for statement, status in [("import trnarray.backends", 0), ("import backends", 1)]:
        test.write_text(f"def test():\n    {statement}\n")
        done = subprocess.run(pytest_command, cwd=clone, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr


def test_pytest_collects_the_doctests_of_each_package_once(clone):
    for folder in PACKAGES.values():
        (clone / folder / "planted.py").write_text('"""\n>>> 1\n2\n"""\n')
    pytest_command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "planted", "trnarray"]
    done = subprocess.run(pytest_command, cwd=clone, capture_output=True, text=True, check=False)
    assert "3 failed" in done.stdout.splitlines()[-1], done.stdout + done.stderr
