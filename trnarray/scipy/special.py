"""The module `trnarray.special` under SciPy's name for it."""

import sys

from .. import special

sys.modules[__name__] = special
