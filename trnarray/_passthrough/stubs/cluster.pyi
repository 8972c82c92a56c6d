# Made by `python -m trnarray.conformance scipy-names --write`: the names of SciPy that are passed through.

from types import ModuleType
from typing import Any

from trnarray.scipy.cluster import hierarchy as hierarchy
from trnarray.scipy.cluster import vq as vq
