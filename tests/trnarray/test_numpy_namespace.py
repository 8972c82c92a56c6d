"""NumPy's public names: each is there or omitted for a reason, and takes every call that NumPy's takes."""

import inspect
import subprocess
import sys
from inspect import Parameter

import numpy as np
import pytest

import trnarray
from trnarray.numpy_names import DEPRECATED_PARAMETERS, OMITTED, OTHER_SIGNATURES

BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
BY_KEYWORD = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
NEWEST = np.lib.NumpyVersion(np.__version__) >= "2.5.0"
SPACES = {"": np, "linalg.": np.linalg, "fft.": np.fft}
NAMES = [prefix + name for prefix, space in SPACES.items() for name in sorted(space.__all__)]
OLD = {"in1d", "row_stack", "trapz"}  # omitted names that newer NumPy does not have


def find(space, name):
    for part in name.split("."):
        space = getattr(space, part)
    return space


def same_default(theirs, ours):
    if theirs is np._NoValue or theirs is ours:  # a sentinel: what it means is for the function to say
        return True
    return type(theirs) is type(ours) and theirs == ours


def refused(theirs, ours):
    """In what ways a signature does not take every call that NumPy's takes."""
    wanted = list(theirs.parameters.values())
    given = list(ours.parameters.values())
    by_keyword = {p.name: p for p in given if p.kind in BY_KEYWORD}
    places = [p for p in given if p.kind in BY_POSITION]
    kinds = {p.kind for p in given}
    used = []
    for p in wanted:
        partners = []
        if p.kind in BY_POSITION:
            if len(used) < len(places):
                partners.append(places[len(used)])
                used.append(partners[0])
            elif Parameter.VAR_POSITIONAL not in kinds or p.default is Parameter.empty:
                yield f"{p} is not taken by position"
        if p.kind in BY_KEYWORD:
            if p.name in by_keyword:
                partners.append(by_keyword[p.name])
            elif Parameter.VAR_KEYWORD not in kinds:
                yield f"{p} is not taken by keyword"
        if p.kind not in BY_POSITION + BY_KEYWORD and p.kind not in kinds:
            yield f"{p} is not taken"
        if p.default is not Parameter.empty:
            yield from (f"{p} has the default of {ours}" for ours in partners if not same_default(p.default, ours.default))
    for p in given:
        extra = p not in used and p.name not in {q.name for q in wanted if q.kind in BY_KEYWORD}
        if extra and p.default is Parameter.empty and p.kind in BY_POSITION + BY_KEYWORD:
            yield f"{p} is demanded"


def problems(name):
    theirs, ours = find(np, name), find(trnarray, name)
    if theirs is ours or not callable(theirs):
        return []
    try:
        signature = inspect.signature(theirs)
    except ValueError:  # NumPy tells signatures of functions in C from 2.4 on
        return []
    if not set(DEPRECATED_PARAMETERS.get(name, "").split()).isdisjoint(signature.parameters):
        return []  # what NumPy deprecates also moves the parameters behind it
    return list(refused(signature, inspect.signature(ours)))


@pytest.mark.parametrize("name", NAMES)
def test_each_name_is_there_or_omitted(name):
    if name in OMITTED:
        with pytest.raises(AttributeError) as error:
            find(trnarray, name)
        assert str(error.value).endswith(f"{name!r}: {OMITTED[name]}")
        assert name not in trnarray.__all__
    else:
        prefix, _, last = name.rpartition(".")
        assert last in (find(trnarray, prefix) if prefix else trnarray).__all__
        assert hasattr(find(trnarray, prefix) if prefix else trnarray, last)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OMITTED])
def test_each_signature_takes_what_that_of_numpy_takes(name):
    found = problems(name)
    if name in OTHER_SIGNATURES:
        assert found or not NEWEST, "is as NumPy's: take it off the table"
    else:
        assert not found


def test_the_tables_name_names_of_numpy():
    assert {name for name in OMITTED if not hasattr(np, name)} <= OLD | {"complex256", "float128", "core"}
    assert {*OTHER_SIGNATURES, *DEPRECATED_PARAMETERS} <= set(np.__all__) - set(OMITTED)


@pytest.mark.skipif(not NEWEST, reason="older NumPy does not tell the signatures of functions in C")
def test_hardly_a_signature_escapes():
    callables = [n for n in NAMES if n not in OMITTED and callable(find(np, n)) and find(np, n) is not find(trnarray, n)]
    untold = []
    for name in callables:
        try:
            inspect.signature(find(np, name))
        except ValueError:
            untold.append(name)
    assert len(callables) > 350
    assert not untold


def test_refusals_are_found():
    def theirs(a, b=1, /, c=2, *args, d=3, **kwargs): ...

    def wants(function, *expected):
        assert list(refused(inspect.signature(theirs), inspect.signature(function))) == list(expected)

    wants(lambda x, y=1, /, c=2, *z, d=3, e=4, **k: 0)
    wants(lambda x, y=1, /, c=2, *z, **k: 0)
    wants(lambda x, y=5, /, c=2, *z, d=3, **k: 0, "b=1 has the default of y=5")
    wants(lambda x, y=1, /, c=2, *, d=3: 0, "*args is not taken", "**kwargs is not taken")
    wants(lambda x, y=1, /, q=2, *z, d=3: 0, "c=2 is not taken by keyword", "**kwargs is not taken")
    wants(lambda x, y=1, /, c=2, *z, d=3, e, **k: 0, "e is demanded")


def test_names_that_are_imported_late_are_those_of_their_modules():
    for name, module in trnarray._MODULES.items():
        defined = __import__("importlib").import_module(module, "trnarray")
        assert name in defined.__all__ or module == "numpy"
        assert name in trnarray.__all__
        assert getattr(trnarray, name) is getattr(defined, name)
        assert name in vars(trnarray)  # and found at once from now on


def test_names_that_are_imported_late_are_not_imported_early():
    code = "import sys, trnarray; print(*(m for m in sys.modules if m.startswith('trnarray.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    late = {f"trnarray{module}" for module in trnarray._MODULES.values()} | {f"trnarray.{name}" for name in trnarray._SUBMODULES}
    early = {"trnarray.scipy", "trnarray.matrices"}  # which registers its backend; which tril and triu are in too
    assert not late & set(loaded) - early


def test_dir_lists_everything():
    assert set(trnarray.__all__) <= set(dir(trnarray))
    assert list(dict.fromkeys(trnarray.__all__)) == trnarray.__all__
