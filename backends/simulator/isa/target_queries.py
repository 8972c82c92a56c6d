"""Which NeuronCore a kernel is traced for."""

from __future__ import annotations

from ..engines import nc_version
from ..options import current_options
from ..program.trace import current_trace, is_tracing

__all__ = ["get_nc_sub_version", "get_nc_version"]


def get_nc_version() -> nc_version:
    """Tell the generation of the target. See `nki.isa.get_nc_version`."""
    target = current_trace("get_nc_version").target if is_tracing() else current_options().target
    return nc_version(target.generation)


def get_nc_sub_version() -> int:
    """Tell the variant of the generation. See `nki.isa.get_nc_sub_version`."""
    return 0
