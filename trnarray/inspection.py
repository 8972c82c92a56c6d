"""Inspection: what the namespace can do, on which devices and with which dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._placement import choose_device, promotion_table
from .backends.device import Device
from .backends.dtypes import FLOAT16, KIND_GROUPS, KINDS
from .backends.engine import available_devices
from .backends.settings import get_default_device
from .backends.shape import MAX_DIMS

if TYPE_CHECKING:
    from ._typing import DeviceLike

__all__ = ["ArrayNamespaceInfo", "__array_namespace_info__"]

# bfloat16, float8 and float16 are not data types of the standard, which asks for no others here.
_STANDARD: Final = {dtype.name: dtype for dtype in KINDS if dtype.num < FLOAT16.num}


class ArrayNamespaceInfo:
    """
    What the namespace can do.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.__array_namespace_info__().default_dtypes()["real floating"]
    dtype('float64')
    """

    __slots__ = ()

    def capabilities(self) -> dict[str, Any]:
        """
        Tell what optional parts of the standard there are.

        Returns
        -------
        dict
            ``"boolean indexing"`` and ``"data-dependent shapes"`` (both True), and ``"max dimensions"``.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.__array_namespace_info__().capabilities()["max dimensions"]
        64
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": MAX_DIMS}

    def default_device(self) -> Device:
        """
        Return the device on which arrays are created in the current context.

        Returns
        -------
        Device
            The device.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.__array_namespace_info__().default_device()
        Device('cpu')
        """
        return get_default_device()

    def devices(self) -> tuple[Device, ...]:
        """
        List the devices that can compute here.

        Returns
        -------
        tuple of Device
            The devices, the host first.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.__array_namespace_info__().devices()[0]
        Device('cpu')
        """
        return available_devices()

    def default_dtypes(self, *, device: DeviceLike = None) -> dict[str, np.dtype[Any]]:
        """
        Return the dtypes that arrays have where nothing is said about it.

        Parameters
        ----------
        device : Device or str, optional
            The device; by default the default one.

        Returns
        -------
        dict
            The dtypes for ``"real floating"``, ``"complex floating"``, ``"integral"`` and ``"indexing"``.

        Raises
        ------
        ValueError
            If there is no such device.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.__array_namespace_info__().default_dtypes()["indexing"]
        dtype('int64')
        """
        table = promotion_table(choose_device(device))
        return {
            "real floating": table.default_float,
            "complex floating": table.default_complex,
            "integral": table.default_int,
            "indexing": table.default_index,
        }

    def dtypes(self, *, device: DeviceLike = None, kind: str | tuple[str, ...] | None = None) -> dict[str, np.dtype[Any]]:
        """
        List the standard's dtypes, all of which there are; those beyond it (bfloat16, say) have no place here.

        Parameters
        ----------
        device : Device or str, optional
            The device; by default the default one.
        kind : str or tuple of str, optional
            Kinds as `isdtype` knows them; by default all.

        Returns
        -------
        dict
            The dtypes by name.

        Raises
        ------
        ValueError
            If a kind is unknown, or if there is no such device.

        Examples
        --------
        >>> import trnarray as xp
        >>> list(xp.__array_namespace_info__().dtypes(kind="real floating"))
        ['float32', 'float64']
        """
        promotion_table(choose_device(device))
        names = tuple(KIND_GROUPS) if kind is None else (kind,) if isinstance(kind, str) else kind
        for name in names:
            if name not in KIND_GROUPS:
                raise ValueError(f"kind {name!r} is unknown; use one of {', '.join(KIND_GROUPS)}, or a tuple of them")
        kinds = {member for name in names for member in KIND_GROUPS[name]}
        return {name: dtype for name, dtype in _STANDARD.items() if KINDS[dtype] in kinds}


_INFO: Final = ArrayNamespaceInfo()


def __array_namespace_info__() -> ArrayNamespaceInfo:  # noqa: N807  # the standard's name
    """
    Return what the namespace can do. See `numpy.__array_namespace_info__`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.__array_namespace_info__().devices()[:2]
    (Device('cpu'), Device('sim:trn1'))
    """
    return _INFO
