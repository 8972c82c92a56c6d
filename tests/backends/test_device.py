"""Device names, and detection that runs nothing foreign."""

import copy
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends import device as device_module
from trnarray.backends.device import CPU, Device, detected_default_device, neuron_hardware, parse_device

# name: (kind, index, target)
NAMES = {
    "cpu": ("cpu", None, None),
    "trn:0": ("trn", 0, None),
    "trn:31": ("trn", 31, None),
    "sim:trn1": ("sim", None, "trn1"),
    "sim:trn2": ("sim", None, "trn2"),
    "sim:trn3": ("sim", None, "trn3"),
}
NOT_NAMES = [
    "",
    "CPU",
    " cpu",
    "cpu\n",
    "cpu:0",
    "trn",
    "trn:",
    "trn:-1",
    "trn:01",
    "trn:٣",
    "trn1",
    "sim",
    "sim:trn4",
    "sim:",
    "gpu",
    "cuda:0",
]


@pytest.mark.parametrize(("name", "parts"), NAMES.items())
def test_parts(name, parts):
    found = Device(name)
    assert (found.kind, found.index, found.target) == parts
    assert repr(found) == f"Device({name!r})"
    assert str(found) == f"{found}" == name


@pytest.mark.parametrize("name", NAMES)
def test_is_its_string(name):
    found = Device(name)
    assert found == name
    assert hash(found) == hash(name)
    assert {name: 1}[found] == 1
    assert isinstance(found, str)


@pytest.mark.parametrize("name", NAMES)
def test_interned(name):
    found = Device(name)
    assert Device(name) is found
    assert parse_device(name) is found
    assert parse_device(found) is found
    assert Device(found) is found
    assert copy.copy(found) is found
    assert copy.deepcopy([found])[0] is found
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(found, protocol)) is found


def test_interned_when_threads_make_it_at_once(monkeypatch):
    monkeypatch.setattr(device_module, "_interned", {})
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda i: Device(f"trn:{i % 50}"), range(4000)))
    assert len({id(each) for each in made}) == 50


def test_immutable():
    with pytest.raises(AttributeError):
        CPU.kind = "trn"
    with pytest.raises(AttributeError):
        CPU.extra = 1


@pytest.mark.parametrize("name", NOT_NAMES)
@pytest.mark.parametrize("make", [Device, parse_device])
def test_unknown_names(make, name):
    with pytest.raises(ValueError, match=re.escape(f"there is no device {name!r}; allowed are 'cpu', 'trn:K'")):
        make(name)


def test_trn_alone_has_a_remedy():
    with pytest.raises(ValueError, match=r"'trn:0'$"):
        parse_device("trn")


@given(st.text(max_size=12) | st.from_regex(r"(cpu|trn|sim)[:a-z0-9]{0,6}", fullmatch=True))
def test_accepts_the_grammar_and_nothing_else(name):
    kind, _, rest = name.partition(":")
    canonical_index = rest.isascii() and rest.isdigit() and str(int(rest)) == rest
    allowed = name == "cpu" or (kind == "trn" and canonical_index) or (kind == "sim" and rest in ("trn1", "trn2", "trn3"))
    if allowed:
        assert parse_device(name) == name
    else:
        with pytest.raises(ValueError, match="there is no device"):
            parse_device(name)


@pytest.mark.parametrize("obj", [None, 0, b"cpu", ["cpu"], object()])
@pytest.mark.parametrize("make", [Device, parse_device])
def test_not_a_string(make, obj):
    with pytest.raises(TypeError, match=f"a device is a string, one of .* of type {type(obj).__name__}"):
        make(obj)


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine to configure: what /dev lists and which distribution of nki is installed. Importing nki fails."""
    monkeypatch.delenv("TRNARRAY_DEVICE", raising=False)
    listdir = os.listdir

    def configure(dev=(), version=None, modules=("isa.py", "language"), *, package=True):
        if isinstance(dev, OSError):
            monkeypatch.setattr(os, "listdir", lambda path: (_ for _ in ()).throw(dev) if path == "/dev" else listdir(path))
        else:
            monkeypatch.setattr(os, "listdir", lambda path: list(dev) if path == "/dev" else listdir(path))
        if package:
            for name in modules:
                path = tmp_path / "nki" / name
                path.parent.mkdir(exist_ok=True)
                path.touch() if path.suffix else path.mkdir()
            (tmp_path / "nki").mkdir(exist_ok=True)
            (tmp_path / "nki" / "__init__.py").write_text("raise AssertionError('nki was imported')")
        if version is not None:
            info = tmp_path / "nki.dist-info"
            info.mkdir()
            line = f"Version: {version}\n" if version else ""
            (info / "METADATA").write_text(f"Metadata-Version: 2.2\nName: nki\n{line}Maintainer: Amazon Web Services, Inc.\n")
        monkeypatch.syspath_prepend(tmp_path)
        neuron_hardware.cache_clear()
        detected_default_device.cache_clear()

    yield configure
    neuron_hardware.cache_clear()
    detected_default_device.cache_clear()
    assert "nki" not in sys.modules


DEV = ["null", "neuron10", "neuron2", "neuron0", "neuron", "neuron_x", "neuron1p", "xneuron3"]


def test_hardware_and_nki(machine):
    machine(DEV, "0.7.0+g1234", ("isa", "language.pyi"))
    found = neuron_hardware()
    assert found == ((0, 2, 10), "0.7.0+g1234", "")
    assert found.usable
    assert detected_default_device() is Device("trn:0")


@pytest.mark.parametrize(
    ("keywords", "version", "reason"),
    [
        ({"dev": [], "version": "0.7.0"}, "0.7.0", "no Neuron device .*'cpu' or a simulated device"),
        ({"dev": OSError(2, "no /dev"), "version": "0.7.0"}, "0.7.0", "no Neuron device"),
        ({"dev": DEV, "package": False}, None, "nki is not installed; install it from the Neuron package index"),
        ({"dev": DEV}, None, "no distribution of it"),
        # The public index's placeholder, as it is: version 0.0.1, an __init__ that raises, AWS as the maintainer.
        ({"dev": DEV, "version": "0.0.1", "modules": ()}, None, "nki 0.0.1 is not AWS's compiler but a placeholder"),
        # Placeholders that look more like it.
        ({"dev": DEV, "version": "0.0.2"}, None, "placeholder"),
        ({"dev": DEV, "version": "1.0.0", "modules": ("isa.py",)}, None, "placeholder"),
        ({"dev": DEV, "version": ""}, None, "nki 0.0.unknown is not"),
    ],
)
def test_not_usable(machine, keywords, version, reason):
    machine(**keywords)
    found = neuron_hardware()
    assert found.nki == version
    assert re.search(reason, found.reason)
    assert not found.usable
    assert detected_default_device() is CPU


def test_a_module_without_a_spec(machine, monkeypatch):
    machine(DEV, "0.7.0")
    with monkeypatch.context() as patch:
        module = type(sys)("nki")
        module.__spec__ = None
        patch.setitem(sys.modules, "nki", module)
        assert neuron_hardware().nki is None


def test_found_once(machine, monkeypatch):
    machine(DEV, "0.7.0")
    assert neuron_hardware() is neuron_hardware()
    assert detected_default_device() is Device("trn:0")
    monkeypatch.setenv("TRNARRAY_DEVICE", "cpu")
    assert detected_default_device() is Device("trn:0")


@pytest.mark.parametrize(("value", "expected"), [("sim:trn3", "sim:trn3"), ("cpu", "cpu"), ("", "trn:0")])
def test_environment_comes_first(machine, monkeypatch, value, expected):
    machine(DEV, "0.7.0")
    monkeypatch.setenv("TRNARRAY_DEVICE", value)
    assert detected_default_device() is Device(expected)


def test_invalid_environment_raises_at_each_use_and_not_at_import():
    program = (
        "from trnarray.backends.settings import get_config, get_default_device, set_default_device\n"
        "get_config()\n"
        "for _ in range(2):\n"
        "    try: get_default_device()\n"
        "    except ValueError as error: print(error)\n"
        "set_default_device('cpu'); print(get_default_device())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"TRNARRAY_DEVICE": "gpu"}, capture_output=True, text=True, check=True
    )
    first, second, last = done.stdout.splitlines()
    assert first == second
    assert first.startswith("environment variable TRNARRAY_DEVICE: there is no device 'gpu'; allowed are 'cpu'")
    assert last == "cpu"


def test_import_costs_nothing_that_numpy_does_not():
    program = (
        "import sys, numpy, ctypes\n"
        "before = set(sys.modules)\n"
        "import trnarray.backends\n"
        "from trnarray.backends import policy\n"
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('trnarray')))\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    heavy = {"dataclasses", "threading", "importlib.metadata", "importlib.util", "inspect", "asyncio", "logging"}
    assert not heavy & set(done.stdout.split())
