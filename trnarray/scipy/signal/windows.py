"""Windows, under scipy.signal.windows's names, as Arrays on the default device."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..._passthrough.stubs.signal_windows import *
else:
    from ..._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
