"""Constants: the standard's, and NumPy's others."""

from typing import Final

import numpy as np

__all__ = ["False_", "True_", "e", "euler_gamma", "inf", "little_endian", "nan", "newaxis", "pi"]

e: Final = 2.718281828459045
"""Euler's number, the base of the natural logarithm."""

euler_gamma: Final = 0.5772156649015329
"""Euler's constant γ."""

inf: Final = float("inf")
"""Positive infinity."""

nan: Final = float("nan")
"""Not a number."""

newaxis: Final = None
"""An index that makes a new axis of length 1."""

pi: Final = 3.141592653589793
"""The ratio of a circle's circumference to its diameter."""

little_endian: Final = np.little_endian
"""Whether the machine puts the low byte first."""

True_: Final = np.True_
"""NumPy's true, a strong scalar."""

False_: Final = np.False_
"""NumPy's false, a strong scalar."""
