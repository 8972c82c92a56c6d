"""The docstrings of the universal functions: doctest does not look at instances by itself."""

import doctest

import pytest

import trnarray
from trnarray.ufunc import ufunc

UFUNCS = {
    name: value for names in (vars(trnarray), vars(trnarray.special)) for name, value in names.items() if isinstance(value, ufunc)
}


@pytest.mark.parametrize("name", sorted({value.__name__ for value in UFUNCS.values()}))
def test_examples(name):
    test = doctest.DocTestParser().get_doctest(UFUNCS[name].__doc__, {}, name, None, None)
    assert len(test.examples) == 2
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0
