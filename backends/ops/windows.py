"""Ops that make window functions from the number of points."""

from __future__ import annotations

import numpy as np

from ..op import MADE, Op
from ..rules import creation

bartlett = Op("bartlett", np.bartlett, MADE, rule=creation.window)
blackman = Op("blackman", np.blackman, MADE, rule=creation.window)
hamming = Op("hamming", np.hamming, MADE, rule=creation.window)
hanning = Op("hanning", np.hanning, MADE, rule=creation.window)
kaiser = Op("kaiser", np.kaiser, MADE, rule=creation.kaiser)
