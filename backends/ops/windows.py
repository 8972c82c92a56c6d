"""Ops that make window functions from the number of points."""

from __future__ import annotations

import numpy as np

from ..op import VIEW, Op

bartlett = Op("bartlett", np.bartlett, VIEW)
blackman = Op("blackman", np.blackman, VIEW)
hamming = Op("hamming", np.hamming, VIEW)
hanning = Op("hanning", np.hanning, VIEW)
kaiser = Op("kaiser", np.kaiser, VIEW)
