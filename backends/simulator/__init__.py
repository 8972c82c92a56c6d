"""
A functional model of a NeuronCore that runs kernels written for NKI, unmodified.

A kernel is traced once, as ordinary Python, into a `Program`: instructions over views of tensors, and loops. Passes check it and place its
tensors; `execute` replays it on NumPy arrays. Depends on NumPy and ml_dtypes only.

Notes
-----
Where things are:

- ``jit.py``, ``surface.py``: kernels, and ``as_nki`` which lets code that imports ``nki`` run here.
- ``isa/``, ``language/``, ``collectives/``, ``typing.py``: what kernels call, by NKI's names.
- ``operators.py``, ``dtypes.py``, ``engines.py``, ``target.py``: tables of operators, dtypes, enumerations and generations.
- ``tensor/``: storages and views. ``registers.py``: values of the sequencers.
- ``program/``: instructions, opcodes with their constraints, the trace, the program.
- ``passes/``: liveness, allocation and races. ``machine/``: memories with tracking, arithmetic, replay.
- ``knobs.py``: what AWS's documents leave open. ``options.py``: target, knobs, uninitialised reads, eager mode, cost mode.
- ``undefined.py``: padding that is left undefined on purpose. ``compiler.py``, ``experimental.py``: small parts of NKI's surface.
- ``cost/``: predicted time. ``abstract.py``: arguments without data. ``collector.py``: a pause of the cycle collector.
"""

from . import collectives, isa, language
from .abstract import Abstract
from .cost import Calibration, Costs, Prediction, current_costs, predict
from .errors import (
    KernelError,
    NkiConstraintError,
    NkiValidationError,
    OutOfBoundsError,
    OutOfMemoryError,
    RaceError,
    UninitializedReadError,
)
from .jit import Kernel, jit, simulate
from .knobs import Knobs
from .machine.execute import execute, execute_ranks
from .options import Options, current_options, options
from .program.program import Program
from .registers import expect
from .surface import as_nki
from .target import TARGETS, Target, find_target
from .undefined import undefined

__all__ = [
    "TARGETS",
    "Abstract",
    "Calibration",
    "Costs",
    "Kernel",
    "KernelError",
    "Knobs",
    "NkiConstraintError",
    "NkiValidationError",
    "Options",
    "OutOfBoundsError",
    "OutOfMemoryError",
    "Prediction",
    "Program",
    "RaceError",
    "Target",
    "UninitializedReadError",
    "as_nki",
    "collectives",
    "current_costs",
    "current_options",
    "execute",
    "execute_ranks",
    "expect",
    "find_target",
    "isa",
    "jit",
    "language",
    "options",
    "predict",
    "simulate",
    "undefined",
]
