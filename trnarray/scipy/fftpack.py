"""The old interface of transforms; `trnarray.scipy.fft` is its successor, under its names."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._passthrough.stubs.fftpack import *
else:
    from .._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
