"""Rules: the shapes and dtypes of an Op's results, from those of its operands and without data.

An engine that defers needs them at the call, where errors belong. The host engine computes at once and does not ask;
suite ``rules`` holds every rule against what it returns, and against the kernels of devices. One module per family of Ops; they import
dtypes, shapes, promotion and the readers of sequences and ranges alone.

A rule is a function ``rule(promotion, *operands, **parameters)`` with the parameters and the defaults of the Op's host function, given to
its Op beside that: ``Op("linalg.inv", np.linalg.inv, rule=rules.inv)``. It is called with what the caller of the Op gave, or with the
operands and attributes that the Op's signature makes of it, which mean the same. Families are tables: a class for what its Ops have in
common (`UfuncRule`, `Reduction`, `views.View`, `ordering.Ordered`), with parameters for what they have not.

- It returns what the host function returns, with a `Signature` in the place of each array: a Signature for one array, a tuple, list or
  named tuple of Signatures for several, nested as they are; ``(Signature(...),)`` is a tuple of one array. None stays None, also as the
  whole result of an Op that only writes to an operand (`Op.writes`). What is given as ``out=`` needs no mention: the engine returns it.
- It raises the errors that NumPy or SciPy raise for shapes, dtypes and parameters, of the same type, and none where they compute.
- Operands are values of an engine, ndarrays, scalars, or sequences of them: `signature_of` tells shape and dtype of any of these. The
  caller's parameters are plain, with NumPy's defaults: an axis may be negative, or a tuple.
- ``promotion`` is the device's table, or NumPy's under ``defaults="numpy"``. What NumPy makes float64, complex128 or int64 by default is
  ``promotion.default_float``, ``default_complex`` or ``default_int`` here, and positions are ``promotion.default_index``: never write
  these dtypes down. `float_dtype` is the dtype of functions that compute in floats.
- Where shapes or dtypes depend on elements, or on what the host alone knows, it raises ``NeedsValueError(reason)``, and the call runs at
  once. An Op for which that is always so has the rule ``Dynamic(reason)``; so have Ops that return Python's numbers or objects without
  arrays, and those that call functions of the caller's. A parameter that is an Array, where a rule reads a number, does it by itself.
"""

from .elementwise import POSITIONS, UfuncLoop, UfuncRule, check_keywords, is_true
from .reduction import Reduction, sum_dtype
from .signature import (
    Dynamic,
    NeedsValueError,
    RefusedError,
    Results,
    Rule,
    Shape,
    Signature,
    broadcast_shapes,
    double_dtype,
    float_dtype,
    signature_of,
)

__all__ = [
    "POSITIONS",
    "Dynamic",
    "NeedsValueError",
    "Reduction",
    "RefusedError",
    "Results",
    "Rule",
    "Shape",
    "Signature",
    "UfuncLoop",
    "UfuncRule",
    "broadcast_shapes",
    "check_keywords",
    "double_dtype",
    "float_dtype",
    "is_true",
    "signature_of",
    "sum_dtype",
]
