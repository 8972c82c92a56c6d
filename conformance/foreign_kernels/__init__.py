"""
Kernels of public checkouts, run unmodified on the simulator against references.

Notes
-----
- ``sample.py``: what is declared about a kernel. ``table.py``: all that is declared; one module of `Sample` per repository beside it.
- ``checkout.py``: loading files. ``comparison.py``: results against references. ``runner.py``: the run.
- ``draw.py``: arguments and references that samples of several repositories share.
- ``fragments.py``: kernels that no sample runs, and why.
- ``inventory.py``: which kernels a checkout holds, and for which NKI they are written.
"""

from .runner import run

__all__ = ["run"]
