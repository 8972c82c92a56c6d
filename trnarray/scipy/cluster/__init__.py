"""Clusters: `vq` and `hierarchy`, under scipy.cluster's names, on Arrays: SciPy computes on the host."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..._passthrough.stubs.cluster import *
else:
    from ..._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
