"""Vector quantisation and k-means, under scipy.cluster.vq's names, on Arrays: SciPy computes on the host."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..._passthrough.stubs.cluster_vq import *
else:
    from ..._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
