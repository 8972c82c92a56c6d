"""What the page on SciPy says of its functions, by calling one in 16; `SCIPY_ARRAY_API=1 python tests/docs/scipy_calls.py` calls all."""

import os
import re
import subprocess
import sys

import scipy

from . import scipy_calls
from .scipy_calls import CONVERTED, PAGE, TAKEN


def test_functions_do_what_the_page_says():
    names = [*TAKEN[::16], *CONVERTED[::16]]
    environment = os.environ | {"SCIPY_ARRAY_API": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, scipy_calls.__file__, *names]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    told = {name: outcomes for name, *outcomes in (line.split("\t") for line in run.stdout.splitlines())}
    assert list(told) == names
    here = re.search(r"SciPy (\d+\.\d+)", PAGE)[1] == ".".join(scipy.__version__.split(".")[:2])
    for name, (error, allow) in told.items():
        if name in TAKEN and here:
            assert (error, allow) == ("on the device", "on the device"), name
        elif here:
            assert "would be converted" in error, name
            assert allow in {"on the device", "elsewhere"}, name
        else:  # other versions may take more or less, but give nothing wrong
            assert not error.startswith("wrong"), name
            assert not allow.startswith("wrong"), name


def test_the_page_lists_functions_once():
    assert len(TAKEN) > 50
    assert len({*TAKEN, *CONVERTED}) == len(TAKEN) + len(CONVERTED)
