"""Ops on polynomials, given by their coefficients from the highest power down."""

from __future__ import annotations

import numpy as np

from ..op import Op

poly = Op("poly", np.poly)
roots = Op("roots", np.roots)
polyval = Op("polyval", np.polyval)
polyadd = Op("polyadd", np.polyadd)
polysub = Op("polysub", np.polysub)
polymul = Op("polymul", np.polymul)
polydiv = Op("polydiv", np.polydiv)
polyder = Op("polyder", np.polyder)
polyint = Op("polyint", np.polyint)
polyfit = Op("polyfit", np.polyfit)
