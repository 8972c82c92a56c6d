"""Ops that view memory by other strides."""

from __future__ import annotations

from numpy.lib import stride_tricks

from ..op import VIEW, Op

as_strided = Op("as_strided", stride_tricks.as_strided, VIEW)
sliding_window_view = Op("sliding_window_view", stride_tricks.sliding_window_view, VIEW)
