"""
Published times of published kernels, which the cost model was not fitted to, beside its predictions.

Notes
-----
- ``published.py``: what a published figure is. ``table.py``: all of them, with their sources.
- ``runner.py``: loading the kernels from checkouts, unmodified, and predicting them.
"""

from .runner import run

__all__ = ["run"]
