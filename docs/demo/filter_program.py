"""A SciPy program that knows nothing of trnarray: it computes wherever its array is."""

from typing import Any

import scipy.fft


def low_pass(image: Any, keep: float) -> Any:
    """Keep the lowest spatial frequencies of an image, a fraction `keep` of them in each direction."""
    spectrum = scipy.fft.rfft2(image, axes=(0, 1))
    rows, columns = spectrum.shape[:2]
    lowest_rows, lowest_columns = int(keep * rows / 2), int(keep * columns)
    spectrum[lowest_rows + 1 : rows - lowest_rows] = 0
    spectrum[:, lowest_columns + 1 :] = 0
    return scipy.fft.irfft2(spectrum, s=image.shape[:2], axes=(0, 1))
