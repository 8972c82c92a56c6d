"""Kernels: decorated functions that are traced once for each kind of arguments and then replayed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .abstract import Abstract
from .collector import without_collector
from .config import DEFAULT_CONFIGS, Configs
from .cost.predict import predict
from .cost.prediction import Prediction
from .dtypes import BY_STORAGE, DTYPES, canonical
from .errors import KernelError
from .machine.execute import collect, execute, said_with
from .machine.run import Run
from .operators import Operator
from .options import Options, current_options
from .passes.allocate import allocate, check_hbm, check_registers
from .passes.liveness import liveness
from .passes.race import check_races
from .program.instruction import Instruction, Node
from .program.program import Core, Program, walk
from .program.trace import Trace, current_trace, is_tracing
from .tensor.nkitensor import NkiTensor
from .tensor.objects import NKIObject
from .tensor.storage import MemoryRegion, Storage
from .tensor.view import peeking

__all__ = ["Kernel", "jit", "simulate"]

Schedule = tuple[tuple[str, tuple[str, ...]], ...]
_COMPILE_TIME = (type(None), bool, int, float, str, Enum, Operator, NKIObject, np.dtype, np.generic)


class _Slot(NamedTuple):
    """An array argument: its place among the inputs is its index in the list of arrays."""

    name: str
    shape: tuple[int, ...]
    dtype: str


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray) or (hasattr(value, "__array__") and hasattr(value, "shape") and not isinstance(value, np.generic))


def _is_abstract(value: object) -> bool:
    """Whether it says its shape and dtype and nothing else."""
    return isinstance(value, Abstract) or (
        hasattr(value, "shape") and hasattr(value, "dtype") and not hasattr(value, "__array__") and not isinstance(value, type)
    )


def _as_array(value: Any) -> NDArray[Any]:
    """Find the array's own memory where it can be had: torch tensors share theirs."""
    if isinstance(value, np.ndarray):
        return value
    if type(value).__module__.partition(".")[0] == "torch" and str(value.dtype) == "torch.bfloat16":
        import torch  # type: ignore[import-not-found, unused-ignore]

        return np.asarray(value.detach().view(torch.uint16).numpy()).view(DTYPES["bfloat16"].storage)
    return np.asarray(value)


class _Arguments:
    """A call's arguments, taken apart into arrays and compile-time values."""

    def __init__(self, kernel: str, bound: dict[str, Any]) -> None:
        self.kernel, self.arrays, self.originals = kernel, list[NDArray[Any]](), list[Any]()
        self.abstract: list[str] = []  # arguments without data
        self.values = {name: self._take(name, value) for name, value in bound.items()}

    def _take(self, name: str, value: Any) -> Any:
        if _is_array(value):
            array = _as_array(value)
            if array.dtype not in BY_STORAGE:
                raise TypeError(
                    f"{self.kernel}: argument {name} is {array.dtype}, which NeuronCores do not have; convert it, e.g. to float32"
                )
            if array.size == 0:
                raise TypeError(f"{self.kernel}: argument {name} has no elements; NKI has no zero-size tensors")
            self.arrays.append(array)
            self.originals.append(value)
            return _Slot(name, array.shape, BY_STORAGE[array.dtype])
        if _is_abstract(value):
            self.abstract.append(name)
            return _Slot(name, tuple(value.shape), canonical(value.dtype))
        if isinstance(value, tuple):
            return tuple(self._take(f"{name}_{i}", item) for i, item in enumerate(value))
        if isinstance(value, list | set | dict):
            raise TypeError(f"{self.kernel}: argument {name} is a {type(value).__name__}; pass a tuple")
        if isinstance(value, _COMPILE_TIME) or is_dataclass(value) or callable(value):
            return value
        raise TypeError(
            f"{self.kernel}: argument {name} is a {type(value).__name__}; kernels take arrays, None, bool, int, float, str, dtypes, "
            "tuples of these and frozen configuration objects"
        )

    def key(self) -> Any:
        """Tell apart what needs its own trace."""
        return tuple((name, _key(value)) for name, value in self.values.items())


_NUMBERS: Final = (int, float, np.generic, tuple, NKIObject)


def _key(value: Any) -> Any:
    """
    Make what a kernel is cached by; 1, 1.0 and True are three values, as are 0.0 and -0.0.

    Configurations go by their fields; if they say how they compare, which a data class does even where nobody asked, by that and by
    the numbers in their fields.
    """
    if isinstance(value, list | tuple) and not isinstance(value, _Slot):
        return type(value), tuple(map(_key, value))
    if isinstance(value, dict):
        return dict, frozenset((_key(name), _key(item)) for name, item in value.items())
    if isinstance(value, NKIObject) or (is_dataclass(value) and not isinstance(value, type)):
        declared = {field.name: getattr(value, field.name) for field in fields(value)} if is_dataclass(value) else {}
        attributes = sorted((declared | getattr(value, "__dict__", {})).items())
        if type(value).__hash__ in (None, object.__hash__):
            return type(value), tuple((name, _key(item)) for name, item in attributes)
        return type(value), value, tuple((name, _key(item)) for name, item in attributes if isinstance(item, _NUMBERS))
    return type(value), np.asarray(value).tobytes() if isinstance(value, float | np.generic) else value


class Kernel:
    """
    A kernel: call it with arrays, as ``kernel(...)`` or on a logical core as ``kernel[2](...)``.

    Parameters
    ----------
    function : callable
        What to trace.
    lnc : int, optional
        Cores of the logical core.
    schedule : tuple, optional
        Pairs (consumer, producers) of instruction names.
    configs : Configs, optional
        What nki.jit was given for the compiler.
    """

    def __init__(self, function: Callable[..., Any], lnc: int = 1, schedule: Schedule = (), configs: Configs = DEFAULT_CONFIGS) -> None:
        self.function, self.lnc, self.schedule, self.configs = function, lnc, schedule, configs
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self._cache: dict[Any, Program] = {}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            """Say what replaces an attribute that kernels do not have."""
            remedy = ": use kernel.__wrapped__, the Python function" if name == "func" else ""
            raise AttributeError(f"kernel {self.__dict__.get('__name__')!r} has no attribute {name!r}{remedy}", name=name, obj=self)

    def __getitem__(self, lnc: int) -> Kernel:
        if lnc not in (1, 2):
            raise TypeError(f"{self.__name__}[{lnc!r}]: a logical core has 1 or 2 cores")
        kernel = Kernel(self.function, lnc, self.schedule, self.configs)
        kernel._cache = self._cache
        return kernel

    def with_schedule(self, schedule: Sequence[tuple[str, str | Sequence[str]]]) -> Kernel:
        """
        Fix the order of named instructions.

        Parameters
        ----------
        schedule : list of (consumer, producer)
            Names; several producers as a list.

        Returns
        -------
        Kernel
            A kernel of the same function.
        """
        pairs = tuple((consumer, (producer,) if isinstance(producer, str) else tuple(producer)) for consumer, producer in schedule)
        return Kernel(self.function, self.lnc, pairs, self.configs)

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Arguments:
        bound = inspect.signature(self.function).bind(*args, **kwargs)
        bound.apply_defaults()
        return _Arguments(self.__name__, dict(bound.arguments))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run on the simulator."""
        if is_tracing():  # a kernel called by a kernel is a function
            self.configs.check_within(self.__name__, current_trace(self.__name__).configs)
            return self.function(*args, **kwargs)
        arguments = self._bind(args, kwargs)
        options = current_options()
        if options.mode == "cost":
            return predict(self._program(arguments, options))
        if arguments.abstract:
            raise TypeError(
                f"{self.__name__}: arguments {', '.join(arguments.abstract)} have no data; use predict, program or options(mode='cost')"
            )
        if options.eager:
            return self._eager(arguments, options)
        program = self._program(arguments, options)
        if options.races and (same := _same_memory(program, arguments.arrays)):
            check_races(program, same, strict=options.races == "strict")
        return _like(execute(program, *arguments.arrays, options=options), arguments.originals)

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """
        Trace for arguments of this kind, or find the trace.

        Parameters
        ----------
        *args, **kwargs
            As for a call.

        Returns
        -------
        Program
            Printable; `simulator.execute` replays it.
        """
        return self._program(self._bind(args, kwargs), current_options())

    def trace(self, *args: Any, **kwargs: Any) -> Program:
        """
        Trace anew, and do not keep the trace.

        Parameters
        ----------
        *args, **kwargs
            As for a call.

        Returns
        -------
        Program
            As of `program`.
        """
        return self._checked(self._bind(args, kwargs), current_options())

    def predict(self, *args: Any, **kwargs: Any) -> Prediction:
        """
        Predict what a call takes on the device; touches no data.

        Parameters
        ----------
        *args, **kwargs
            As for a call; what has a shape and a dtype will do, such as an `Abstract`.

        Returns
        -------
        Prediction
            Of the target and with the calibration of the options in force.
        """
        return predict(self.program(*args, **kwargs))

    def _program(self, arguments: _Arguments, options: Options) -> Program:
        key = (options.target.name, options.races, self.lnc, self.schedule, arguments.key())
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self._checked(arguments, options)
        return found

    def _checked(self, arguments: _Arguments, options: Options) -> Program:
        found = self._trace(arguments, options)
        if options.races:
            check_races(found, strict=options.races == "strict")
        return found

    def _inputs(self, arguments: _Arguments) -> tuple[dict[str, Any], list[Storage]]:
        storages: list[Storage] = []
        region = MemoryRegion.private_hbm if self.lnc == 1 else MemoryRegion.shared_hbm  # as the guide of NKI's simulator says

        def place(value: Any) -> Any:
            if isinstance(value, _Slot):
                storages.append(Storage(value.shape, value.dtype, region, value.name))
                return NkiTensor._of(storages[-1])
            return tuple(map(place, value)) if isinstance(value, tuple) else value

        return {name: place(value) for name, value in arguments.values.items()}, storages

    def _call(self, values: dict[str, Any]) -> Any:
        signature = inspect.signature(self.function)
        bound = signature.bind_partial()
        bound.arguments.update(values)
        result = self.function(*bound.args, **bound.kwargs)
        _check_result(self.__name__, result)
        return result

    def _trace(self, arguments: _Arguments, options: Options) -> Program:
        if self.lnc not in options.target.lnc:
            raise ValueError(f"{self.__name__}[{self.lnc}]: {options.target.name} has no logical cores of {self.lnc}")
        values, inputs = self._inputs(arguments)
        cores, shared, outputs = [], None, None
        for number in range(self.lnc):
            trace = Trace(options, number, self.lnc, shared, configs=self.configs)
            with trace.active(), without_collector():
                result = self._call(values)
                outputs, shared = (result, trace.shared) if number == 0 else (outputs, shared)
                cores.append(_finish(trace, self.schedule))
        check_hbm([storage for core in cores for storage in core.storages] + inputs, options.target)
        program = Program(self.__name__, options.target, tuple(cores), tuple(inputs), outputs)
        written = frozenset(view._storage for instruction in program.instructions for view in instruction.writes)
        return Program(self.__name__, options.target, tuple(cores), tuple(inputs), outputs, written)

    def _eager(self, arguments: _Arguments, options: Options) -> Any:
        if self.lnc != 1:
            raise ValueError("the eager mode runs one core; trace kernels of logical cores")
        values, inputs = self._inputs(arguments)
        run = Run(options)
        for storage, array in zip(inputs, arguments.arrays, strict=True):
            run.memories.bring(storage, np.ascontiguousarray(array).view(DTYPES[storage.dtype].storage))
        trace = Trace(options, run=run, configs=self.configs)
        with trace.active(), np.errstate(all="ignore"), said_with(options), peeking(run.peek):
            return _like(collect(run, self._call(values)), arguments.originals)


def _same_memory(program: Program, arrays: list[NDArray[Any]]) -> list[tuple[Storage, Storage]]:
    """Pairs of inputs that are one buffer passed twice."""
    first: dict[int, Storage] = {}
    pairs = []
    for storage, array in zip(program.inputs, arrays, strict=True):
        seen = first.setdefault(array.ctypes.data, storage)
        if seen is not storage:
            pairs.append((seen, storage))
    return pairs


def _check_result(kernel: str, result: Any) -> None:
    for output in result if isinstance(result, tuple | list) else (result,):
        if output is not None and (not isinstance(output, NkiTensor) or output._storage.on_chip):
            raise KernelError(f"{kernel} returns {output!r}; a kernel returns HBM tensors (buffer=nl.shared_hbm), one or a tuple")


def _finish(trace: Trace, schedule: Schedule) -> Core:
    """Run the passes over a core's trace."""
    if trace.broken is not None:
        raise trace.broken
    if trace.prepared is not None:
        held = trace.prepared.instruction
        raise KernelError(f"{held.opcode.name}_prepare is not followed by its trigger", held.where)
    nodes: tuple[Node, ...] = tuple(trace.nodes)
    alive = liveness(nodes)
    addresses, peak = allocate(alive, trace.target)
    check_registers(alive)
    dead: list[list[Storage]] = [[] for _ in nodes]
    position = 0
    for storage, interval in sorted(alive.tensors.items(), key=lambda item: item[1].last):
        while alive.ends[position] < interval.last:
            position += 1
        if storage.on_chip:
            dead[position].append(storage)
    named = {node.name: node for node, _ in walk(nodes) if isinstance(node, Instruction) and node.name}
    dependencies = list(trace.dependencies)
    for consumer, producers in schedule:
        for producer in producers:
            if consumer not in named or producer not in named:
                raise KernelError(f"with_schedule: no instruction is named {producer if consumer in named else consumer!r}")
            dependencies.append((named[consumer], named[producer]))
    last_use, marks = tuple(map(tuple, dead)), (tuple(dependencies), tuple(trace.regions), tuple(trace.repeats))
    return Core(nodes, tuple(trace.storages), addresses, last_use, peak, alive.tensors, *marks)


def _like(result: Any, originals: list[Any]) -> Any:
    """Results of the kind of the arguments: torch tensors for torch tensors, else NumPy arrays."""
    if not any(type(value).__module__.partition(".")[0] == "torch" for value in originals):
        return result
    import torch

    if isinstance(result, tuple):
        return tuple(_like(item, originals) for item in result)
    if result is None:
        return None
    if result.dtype == DTYPES["bfloat16"].storage:
        return torch.from_numpy(result.view(np.uint16).copy()).view(torch.bfloat16)
    return torch.from_numpy(np.ascontiguousarray(result))


def jit(fn: Callable[..., Any] | None = None, **kwargs: Any) -> Any:
    """
    Make a function a kernel.

    Parameters
    ----------
    fn : callable, optional
        The function; without it, returns a decorator.
    **kwargs
        NKI's options: `compile_config` and `specialization_config` (see ``nki.compiler``); the deprecated ``mode``, which NKI ignores, too;
        options of AWS's compiler, which change no result. ``platform_target`` is refused as NKI does.

    Returns
    -------
    Kernel
        Runs on the simulator.

    Raises
    ------
    TypeError
        If ``platform_target`` is given, or a configuration of another class.
    """
    if "platform_target" in kwargs:
        raise TypeError("nki.jit takes no platform_target; set NEURON_PLATFORM_TARGET_OVERRIDE or use simulator.options(target)")
    if fn is None:
        return lambda function: jit(function, **kwargs)
    configs = Configs.of(kwargs)
    return fn if isinstance(fn, Kernel) else Kernel(fn, configs=configs)


def simulate(kernel: Any) -> Kernel:
    """
    Run a kernel on the simulator.

    Parameters
    ----------
    kernel : Kernel or callable
        What `jit` made, or a plain function.

    Returns
    -------
    Kernel
        Takes NumPy arrays or torch tensors and returns the same.
    """
    return kernel if isinstance(kernel, Kernel) else Kernel(kernel)
