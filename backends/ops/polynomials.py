"""Ops on polynomials, given by their coefficients from the highest power down."""

from __future__ import annotations

import numpy as np

from ..op import Op
from ..rules import Dynamic, polynomials

poly = Op("poly", np.poly, rule=Dynamic("its dtype is real where complex roots come in pairs"))
roots = Op("roots", np.roots, rule=Dynamic("leading zeros are not counted"))
polyval = Op("polyval", np.polyval, rule=polynomials.polyval)
polyadd = Op("polyadd", np.polyadd, rule=polynomials.polyadd)
polysub = Op("polysub", np.polysub, rule=polynomials.polysub)
polymul = Op("polymul", np.polymul, rule=Dynamic("leading zeros are not counted"))
polydiv = Op("polydiv", np.polydiv, rule=Dynamic("leading zeros are not counted"))
polyder = Op("polyder", np.polyder, rule=polynomials.polyder)
polyint = Op("polyint", np.polyint, rule=polynomials.polyint)
polyfit = Op("polyfit", np.polyfit, rule=polynomials.polyfit)
