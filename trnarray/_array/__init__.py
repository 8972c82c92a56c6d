"""Array, put together from its parts."""

from __future__ import annotations

from .attributes import Attributes
from .construction import Construction
from .indexing import Indexing
from .interchange import Interchange
from .methods import Methods
from .operators import Operators
from .printing import Printing
from .protocols import Protocols

__all__ = ["Array"]


class Array(Construction, Operators, Indexing, Attributes, Methods, Interchange, Printing, Protocols):
    """
    An array on a device.

    It behaves like a NumPy array: indexing with slices, ``T``, ``reshape`` and the like give views, writes through a view
    are seen by its base, and operators work element by element.
    """

    __slots__ = ()
    __module__ = "trnarray"  # where it is public: pickles and messages say so
