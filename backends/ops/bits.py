"""Ops that pack the bits of eight elements into one byte, and unpack them."""

from __future__ import annotations

import numpy as np

from ..op import MOVE, Op
from ..rules import creation

packbits = Op("packbits", np.packbits, MOVE, rule=creation.packbits)
unpackbits = Op("unpackbits", np.unpackbits, MOVE, rule=creation.unpackbits)
