"""Names of other libraries that people look for: the error says what to use, and that is there."""

import re
from operator import attrgetter

import pytest

import trnarray as xp
from trnarray._array.table import OTHER_ATTRIBUTES
from trnarray._other_names import FUNCTIONS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_other_libraries(name):
    with pytest.raises(AttributeError, match=re.escape(f"module 'trnarray' has no attribute {name!r}: {FUNCTIONS[name]}")):
        getattr(xp, name)


@pytest.mark.parametrize("name", OTHER_ATTRIBUTES)
def test_attributes_of_other_libraries_arrays(name):
    x = xp.ones(2)
    assert not hasattr(x, name)
    with pytest.raises(AttributeError, match=re.escape(f"Array has no attribute {name!r}: {OTHER_ATTRIBUTES[name]}")):
        getattr(x, name)


def test_remedies_are_there():
    x = xp.ones(2)
    found = 0
    for remedy in (*FUNCTIONS.values(), *OTHER_ATTRIBUTES.values()):
        for name in re.findall(r"trnarray\.([a-z_.]*[a-z_])", remedy):
            found += callable(attrgetter(name)(xp)) or name == "scipy"
        for name in re.findall(r"\bx\.([a-z_]+)", remedy):
            found += hasattr(x, name)
            assert hasattr(x, name), remedy
    assert found > 20


def test_cupys_idioms_by_their_remedies():
    x = xp.arange(3.0, device="sim:trn2")
    with pytest.raises(AttributeError, match=r"use x.to_device\('cpu'\), and numpy.asarray"):
        xp.asnumpy(x)
    with pytest.raises(AttributeError, match=r"use x.to_device\('cpu'\), and numpy.asarray"):
        x.get()
    with pytest.raises(AttributeError, match=r"use x.__array_namespace__\(\)"):
        xp.get_array_module(x)
    assert x.__array_namespace__() is xp


@pytest.mark.parametrize("statement", ["import trnarray.scipy.nonsense", "from trnarray.scipy import nonsense"])
def test_modules_that_scipy_has_not(statement):
    with pytest.raises(ImportError, match=r"'nonsense' from 'trnarray.scipy'|named 'trnarray.scipy.nonsense'$"):
        exec(statement)  # noqa: S102
