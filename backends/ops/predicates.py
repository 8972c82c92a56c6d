"""Ops that answer questions: about each element, and about the memory of two arrays."""

from __future__ import annotations

import numpy as np

from ..op import VIEW, Op
from ..rules import Dynamic, per_element

# Elements
iscomplex = Op("iscomplex", np.iscomplex, rule=per_element.asked)
isreal = Op("isreal", np.isreal, rule=per_element.asked)
isneginf = Op("isneginf", np.isneginf, rule=per_element.asked_of_reals)
isposinf = Op("isposinf", np.isposinf, rule=per_element.asked_of_reals)

# Memory
shares_memory = Op("shares_memory", np.shares_memory, VIEW, rule=Dynamic("it gives a bool"))
may_share_memory = Op("may_share_memory", np.may_share_memory, VIEW, rule=Dynamic("it gives a bool"))
