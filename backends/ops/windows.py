"""Ops that make window functions from the number of points."""

from __future__ import annotations

import numpy as np

from ..op import VIEW, Op
from ..rules import creation

bartlett = Op("bartlett", np.bartlett, VIEW, rule=creation.window)
blackman = Op("blackman", np.blackman, VIEW, rule=creation.window)
hamming = Op("hamming", np.hamming, VIEW, rule=creation.window)
hanning = Op("hanning", np.hanning, VIEW, rule=creation.window)
kaiser = Op("kaiser", np.kaiser, VIEW, rule=creation.kaiser)
