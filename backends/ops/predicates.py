"""Ops that answer questions: about each element, and about the memory of two arrays."""

from __future__ import annotations

import numpy as np

from ..op import VIEW, Op

# Elements
iscomplex = Op("iscomplex", np.iscomplex)
isreal = Op("isreal", np.isreal)
isneginf = Op("isneginf", np.isneginf)
isposinf = Op("isposinf", np.isposinf)

# Memory
shares_memory = Op("shares_memory", np.shares_memory, VIEW)
may_share_memory = Op("may_share_memory", np.may_share_memory, VIEW)
