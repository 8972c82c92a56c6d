"""Which frame is the caller."""

import _thread
import copy
import os
import pickle
import queue

import pytest

from trnarray.backends import caller as caller_module
from trnarray.backends.caller import Caller, find_caller, is_within

BACKENDS = os.path.dirname(caller_module.__file__)
PACKAGE = os.path.dirname(BACKENDS)


def pretend(filename, module, function):
    """Return a function of that file and module, that calls another."""
    space = {"__name__": module, "function": function}
    exec(compile("def call():\n    return function()", filename, "exec"), space)  # noqa: S102  # a frame of another file
    return space["call"]


def from_own_file(function):
    """Return a function that seems to be one of the package's files, lambda and all."""
    filename = os.path.join(PACKAGE, "array.py")
    if function.__code__.co_filename == __file__:
        function = function.__class__(function.__code__.replace(co_filename=filename), function.__globals__, closure=function.__closure__)
    return pretend(filename, "trnarray.array", function)


def test_here():
    found = find_caller()
    assert found == f"{__file__}:{found.lineno}"
    assert (found.filename, found.module) == (__file__, __name__)
    assert found.lineno == test_here.__code__.co_firstlineno + 1


@pytest.mark.parametrize(
    "filename",
    [
        os.path.join(PACKAGE, "array.py"),
        os.path.join(PACKAGE, "scipy", "fft.py"),
        os.path.join(BACKENDS, "host", "engine.py"),
        os.path.join(os.path.realpath(BACKENDS), "host", "engine.py"),
    ],
)
def test_own_frames_are_passed_over(filename):
    found = pretend(filename, "trnarray.something", pretend(filename, "trnarray.other", find_caller))()
    assert found.filename == __file__


@pytest.mark.parametrize("filename", [PACKAGE + "_extension/array.py", os.path.join(PACKAGE, "conformance", "suite.py"), "<stdin>"])
def test_guests_are_not_own(filename):
    assert pretend(filename, "m", find_caller)() == f"{filename}:2"


@pytest.mark.parametrize(
    ("skip", "module"),
    [
        ((), "numpy._core.numeric"),
        (("numpy",), "scipy._lib._util"),
        (("numpy", "scipy._lib"), "scipy.linalg._basic"),
        (("numpy", "scipy"), "scipyx"),
        (("numpy", "scipy", "scipyx", __name__.partition(".")[0]), "_pytest.python"),
    ],
)
def test_skip_packages(skip, module):
    call = from_own_file(lambda: find_caller(skip))
    for name in ("numpy._core.numeric", "scipy._lib._util", "scipy.linalg._basic", "scipyx"):
        call = pretend(f"/lib/{name}.py", name, call)
    assert call().module == module


@pytest.mark.parametrize(
    ("skip", "module"), [(("numpy", "scipy._lib"), "scipy.linalg._basic"), (("numpy",), "scipy._lib._util"), (("scipy",), __name__)]
)
def test_a_wrapper_stands_for_what_it_wraps(skip, module):
    """scipy.linalg converts in a decorator's wrapper of scipy._lib, before any frame of scipy.linalg exists."""
    find = from_own_file(lambda: find_caller(skip))
    program = "def decorate(f):\n    def wrapper():\n        return convert() or f()\n    return wrapper"
    space = {"__name__": "scipy._lib._util", "convert": find}
    exec(compile(program, "/lib/util.py", "exec"), space)  # noqa: S102
    assert space["decorate"](pretend("/lib/basic.py", "scipy.linalg._basic", find))().module == module


def in_a_thread_without_other_frames(call):
    results = queue.SimpleQueue()
    _thread.start_new_thread(from_own_file(lambda: results.put(call())), ())
    return results.get(timeout=30)


def test_everything_skipped_gives_the_innermost():
    call = from_own_file(lambda: find_caller(("numpy", "scipy")))
    for name in ("numpy._core", "scipy.linalg"):
        call = pretend(f"/lib/{name}.py", name, call)
    assert in_a_thread_without_other_frames(call).module == "numpy._core"


def test_no_frame_but_our_own():
    found = in_a_thread_without_other_frames(from_own_file(find_caller))
    assert (found, found.module) == ("<unknown>:0", "")


@pytest.mark.parametrize(
    ("module", "packages", "expected"),
    [
        ("scipy", ("scipy",), True),
        ("scipy.linalg", ("numpy", "scipy"), True),
        ("scipy", ("scipy.linalg",), False),
        ("scipy.linalgx", ("scipy.linalg",), False),
        ("", ("scipy",), False),
        ("scipy", (), False),
    ],
)
def test_is_within(module, packages, expected):
    assert is_within(module, packages) is expected


def test_caller_is_a_string_that_can_be_copied():
    place = Caller("a:b.py", 7, "m")
    assert place == "a:b.py:7"
    for same in (copy.copy(place), copy.deepcopy(place), pickle.loads(pickle.dumps(place))):
        assert (same, same.filename, same.lineno, same.module) == ("a:b.py:7", "a:b.py", 7, "m")
    assert type(str(place)) is str
