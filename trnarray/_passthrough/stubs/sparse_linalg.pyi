# Made by `python -m trnarray.conformance scipy-names --write`: the names of SciPy that are passed through.

from types import ModuleType
from typing import Any

dsolve: ModuleType
eigen: ModuleType
interface: ModuleType
isolve: ModuleType
matfuncs: ModuleType
