"""Ops that view memory by other strides."""

from __future__ import annotations

from numpy.lib import stride_tricks

from ..op import VIEW, Op
from ..rules.views import View

as_strided = Op("as_strided", stride_tricks.as_strided, VIEW, rule=View(stride_tricks.as_strided))
sliding_window_view = Op("sliding_window_view", stride_tricks.sliding_window_view, VIEW, rule=View(stride_tricks.sliding_window_view))
