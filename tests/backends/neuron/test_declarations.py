"""Kernels are imported when the first of them is looked up."""

import subprocess
import sys

from trnarray.backends.neuron.function import FUNCTIONS
from trnarray.backends.neuron.lowering.special_functions import _FUNCTIONS, _NUMPYS, LOWERINGS

FIRST = """
import sys
import numpy as np
import trnarray as xp
given, made = xp.asarray(np.arange(6.0, dtype=np.float32), device="sim:trn2"), xp.ones((2, 3), device="sim:trn2")
del given
print(sum(name.startswith("trnarray.backends.neuron.kernels") for name in sys.modules), float(xp.sum(made)))
"""


def test_a_first_array_imports_no_kernel():
    found = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert found.stdout.split() == ["0", "6.0"], found.stderr


def test_special_functions_with_an_emitter_have_a_lowering():
    parts = {name for kernels in _FUNCTIONS.values() for name, _ in kernels.values()}
    others = {*_FUNCTIONS, *map("special.{}".format, _NUMPYS)}
    assert {name for name in FUNCTIONS if name.startswith("special.")} - parts == set(LOWERINGS) - others
    assert len(FUNCTIONS) == len(list(FUNCTIONS)) > 100
