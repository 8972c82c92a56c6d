"""The reason why tests of dtypes that Arrays cannot have are excluded: such values are refused, never rounded in silence."""

from __future__ import annotations

from typing import Final

__all__ = ["OTHER_DTYPES"]

OTHER_DTYPES: Final = "dtypes that arrays cannot have: long doubles, objects, text, dates"
"""The suite states the share of tests without this reason beside the share of all."""
