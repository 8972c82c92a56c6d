"""Running programs by AWS's NKI on JAX arrays: buffers stay in HBM, and compiled programs outlive the process.

Not run by the tests of this repository on a NeuronCore: they check what is asked of JAX.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ..dtypes import DTYPES_BY_NAME
from ..plan.plan import Plan
from ..program import program
from .environment import LNC
from .failure import translated
from .fingerprint import fingerprint, is_storable
from .numpy_arrays import checked
from .programs import ProgramCache, Statistics
from .store import Store

if TYPE_CHECKING:
    from ...dtypes import DType

__all__ = ["JaxLauncher"]


class _SerializationError(Exception):
    """The plug-in cannot write compiled programs."""


class JaxLauncher:
    """
    Runs programs on a NeuronCore through JAX and its Neuron plug-in.

    Parameters
    ----------
    target : str
        The generation.
    device : jax.Device
        The NeuronCore.
    store : Store
        Where compiled programs are kept.
    """

    name: Final = "nki.jit on JAX"

    def __init__(self, target: str, device: Any, store: Store | None) -> None:
        self.target = target
        self.store = store
        self._device = device
        self._jax = import_module("jax")
        self._executables = import_module("jax.experimental.serialize_executable")
        self._programs: ProgramCache[Callable[..., Any]] = ProgramCache()
        self._storable = True

    @property
    def conditions(self) -> str:
        """Nothing; see `Launcher.conditions`."""
        return ""

    @property
    def statistics(self) -> Statistics:
        """How often a loaded program was there; see `Launcher.statistics`. Those of the store are its own."""
        return self._programs.statistics

    def to_device(self, planes: Sequence[npt.NDArray[Any]]) -> Sequence[Any]:
        """Copy planes to HBM; see `Launcher.to_device`."""
        with translated(self.name):
            buffers: Sequence[Any] = self._jax.device_put([plane.reshape(-1) for plane in planes], self._device)
        return buffers

    def to_host(self, buffers: Sequence[Any], dtypes: Sequence[DType]) -> Sequence[npt.NDArray[Any]]:
        """Copy from HBM; see `Launcher.to_host`."""
        with translated(self.name):
            fetched = self._jax.device_get(list(buffers))  # starts all copies before it waits for the first one
        return [np.asarray(array).view(dtype) for array, dtype in zip(fetched, dtypes, strict=True)]

    def is_compiled(self, plan: Plan) -> bool:
        """Tell whether a program is loaded or stored; see `Launcher.is_compiled`."""
        if plan in self._programs:  # asked at every launch, where a fingerprint would cost more than the rest
            return True
        return self.store is not None and is_storable(plan) and fingerprint(plan, self.target) in self.store

    def compile(self, plan: Plan) -> None:
        """Lower and compile a program for arrays that need not exist; see `Launcher.compile`."""
        placed = self._jax.sharding.SingleDeviceSharding(self._device)

        def abstract(size: int, dtype: DType) -> Any:
            return self._jax.ShapeDtypeStruct((size,), dtype, sharding=placed)

        table = abstract(plan.scalars, np.dtype(np.uint32)) if plan.scalars else None
        given = [table, *[abstract(tensor.size, DTYPES_BY_NAME[tensor.dtype]) for tensor in plan.brought]]
        with translated(self.name):
            self._programs.find(plan, lambda: self._compiled(plan, given))

    def run(self, plan: Plan, inputs: Sequence[Any], scalars: npt.NDArray[np.uint32]) -> Sequence[Any]:
        """Run a program, with updated tensors donated, so that it writes to them in place; see `Launcher.run`."""
        given = [self.to_device([scalars])[0] if plan.scalars else None, *inputs]
        with translated(self.name):
            function = self._programs.find(plan, lambda: self._compiled(plan, given))

        def lost() -> tuple[int, ...]:
            return tuple(place for place, buffer in enumerate(inputs) if buffer.is_deleted())

        with translated(self.name, lost):
            # Waits, so that an error belongs to this launch.
            return checked(plan, self._jax.block_until_ready(function(*given)), self.name)

    def _compiled(self, plan: Plan, given: Sequence[Any]) -> Callable[..., Any]:
        """Load a program, or compile and store it."""
        tree = self._jax.tree_util.tree_structure
        trees = tree((tuple(given), {})), tree((0,) * len(plan.returned))
        key = fingerprint(plan, self.target)
        made: list[Any] = []

        def compiled() -> Any:
            donated = tuple(place for place, tensor in enumerate(plan.brought, 1) if tensor.role == "updated")
            # The plan is an argument of the kernel, by which NKI tells programs apart.
            function = self._jax.jit(functools.partial(program[LNC], plan), donate_argnums=donated)
            made.append(function.lower(*given).compile())
            return made[0]

        if self.store is None or not self._storable or not is_storable(plan):
            return compiled()  # type: ignore[no-any-return]
        try:
            payload = self.store.find(key, lambda: self._serialized(compiled()))
        except (OSError, _SerializationError) as error:
            warnings.warn(f"compiled programs will not outlive this process: {error}", RuntimeWarning, stacklevel=2)
            self._storable = False
            return made[0] if made else compiled()  # type: ignore[no-any-return]
        if made:
            return made[0]  # type: ignore[no-any-return]
        try:
            loaded: Callable[..., Any] = self._executables.deserialize_and_load(
                payload, *trees, backend=self._device.client, execution_devices=[self._device]
            )
        except Exception as error:  # noqa: BLE001  # JAX unpickles the entry, which may raise anything
            warnings.warn(f"a stored program could not be loaded and is compiled again: {error}", RuntimeWarning, stacklevel=2)
            self.store.remove(key)
            return self._compiled(plan, given)
        return loaded

    def _serialized(self, compiled: Any) -> bytes:
        """Write a compiled program; what JAX raises where a plug-in cannot do that is not documented."""
        try:
            payload: bytes = self._executables.serialize(compiled)[0]
        except Exception as error:
            raise _SerializationError(f"{type(error).__name__}: {error}") from error
        return payload

    def call(self, kernel: Any, arrays: Sequence[npt.NDArray[Any]]) -> Sequence[npt.NDArray[Any]]:
        """Run a kernel on copies; see `Launcher.call`."""
        with translated(self.name):
            given = [self._jax.device_put(array, self._device) for array in arrays]
            return [np.asarray(array) for array in self._jax.block_until_ready(kernel[LNC](*given))]
