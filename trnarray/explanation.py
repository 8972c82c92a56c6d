"""What a device will do, what it has compiled, and what its memory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._array import Array
from .backends.device import CPU, Device, parse_device
from .backends.engine import engine_for, opened_engines
from .backends.settings import get_default_device
from .device import synchronize

if TYPE_CHECKING:
    from collections.abc import Callable

    from .backends.neuron.engine import NeuronEngine
    from .backends.neuron.explain.report import Explanation
    from .backends.neuron.memory import MemoryUse

__all__ = ["PlanCache", "explain", "memory", "plan_cache", "warm"]


class PlanCache(NamedTuple):
    """
    How often a device found what it needed to run, since it was opened.

    Attributes
    ----------
    plan_hits, plan_misses : int
        Computations whose calls had been planned before, and those that had to be.
    program_hits, program_misses : int
        Launches whose program was there, and those that it was made for.
    """

    plan_hits: int = 0
    plan_misses: int = 0
    program_hits: int = 0
    program_misses: int = 0


def explain(x: Array) -> Explanation:
    """
    Explain what runs when the value of an Array is needed; nothing is run.

    Parameters
    ----------
    x : Array
        On any device. With it all is computed that is pending on that device, in one plan, which is what is explained.

    Returns
    -------
    Explanation
        Programs and what the host computes between them: functions, extents, engines, bytes, predicted times with their range, and why the
        host computes what it does. Print it; ``.seconds``, ``.low``, ``.high`` and ``.steps`` have the figures, ``.trace(path)`` writes a
        schedule for Perfetto. On ``cpu``, which computes at once, it has no steps.

    Raises
    ------
    TypeError
        If `x` is no Array.

    Notes
    -----
    Times come from the simulator's cost model. They were measured on no device, and launching a program is not included.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.ones((256, 1024), dtype=xp.float32, device="sim:trn2")
    >>> y = x * 2 + 1
    >>> print(xp.explain(y))
    waiting on sim:trn2: ...; none of it has run
    predicted ...; nothing was measured, and launches are not included
    ...
    >>> y.to_device("cpu")[0, 0]
    Array(3., dtype=float32, device='cpu')
    >>> print(xp.explain(y))
    nothing waits: the value is computed
    """
    if not isinstance(x, Array):
        raise TypeError(f"explain takes an Array, and got a {type(x).__name__}; convert it with trnarray.asarray(x, device='sim:trn2')")
    if x.device == CPU:
        from .backends.neuron.explain.report import Explanation

        return Explanation(str(CPU), (), "the device 'cpu' computes at once; put the data on a 'sim:' or 'trn:' device to see a plan")
    from .backends.neuron.explain.collect import explain as explain_value

    return explain_value(_neuron_engine(x.device), x._value)


def _neuron_engine(device: Device) -> NeuronEngine:
    """Return the engine of a Neuron device."""
    from .backends.neuron.engine import NeuronEngine

    engine = engine_for(device)
    assert isinstance(engine, NeuronEngine)
    return engine


def warm(fn: Callable[..., object], *args: object, **kwargs: object) -> int:
    """
    Compile the programs that a call needs, ahead of the call.

    The function is called, so that its calls of trnarray wait on their devices; the programs that would compute them are compiled, and
    do not run. What the function needs a value for (``bool``, ``float``, ``print``, a loop until convergence) does run, with all that it
    depends on; what it writes to its arguments is written.

    Parameters
    ----------
    fn : callable
        Gives the Arrays that the programs are for, by themselves or in tuples, lists, dicts or objects.
    *args, **kwargs : object
        What it is called with: Arrays of the shapes, dtypes and devices of the calls to come, on Neuron devices. Values do not matter.

    Returns
    -------
    int
        How many programs were compiled after `fn` returned; 0 where all were there, or all was computed on the host.

    Raises
    ------
    Exception
        What `fn` raises, or the compiler.

    See Also
    --------
    explain : Says of each program whether it is compiled.
    coverage : Counts programs that were compiled, by the line that needed them.

    Examples
    --------
    >>> import trnarray as xp
    >>> def step(x):
    ...     return xp.tanh(x) * 0.7 + 0.1
    >>> x = xp.zeros((96, 32), dtype=xp.float32, device="sim:trn2")
    >>> xp.warm(step, x)
    1
    >>> xp.warm(step, x)
    0
    """
    synchronize()  # what waits already is not the function's
    result = fn(*args, **kwargs)
    compiled = sum(engine.compile_pending() for engine in opened_engines())
    del result  # until now its Arrays were what the programs give
    return compiled


def memory(device: Device | str | None = None) -> MemoryUse:
    """
    Tell how much of a device's memory is taken, and which Arrays hold it.

    Parameters
    ----------
    device : Device or str, optional
        Which; by default the default device.

    Returns
    -------
    MemoryUse
        ``capacity``, ``used`` and ``free`` in bytes, and ``arrays``, largest first; print it. On ``cpu``, whose memory is the operating
        system's, all are 0 and empty.

    Notes
    -----
    A value that waits takes no memory yet: `explain` says how much its computation takes at most.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.zeros((1024, 1024), dtype=xp.float32, device="sim:trn2")
    >>> xp.synchronize("sim:trn2")
    >>> use = xp.memory("sim:trn2")
    >>> [array.nbytes for array in use.arrays if array.shape == (1024, 1024)]
    [4194304]
    >>> use.free < use.capacity == 12 * 2**30
    True
    """
    from .backends.neuron.memory import MemoryUse

    found = get_default_device() if device is None else parse_device(device)
    if found == CPU:
        return MemoryUse(str(CPU), 0, 0, ())
    engine = _neuron_engine(found)
    with engine.graph.lock:
        return engine.memory.use()


def plan_cache(device: str) -> PlanCache:
    """
    Count what a device had planned and compiled before.

    Parameters
    ----------
    device : str
        Which one. A loop whose misses grow at each turn is compiled again and again.

    Returns
    -------
    PlanCache
        Zeros on ``cpu``, which plans nothing.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.ones((4, 4), dtype=xp.float32, device="sim:trn2")
    >>> before = xp.plan_cache("sim:trn2")
    >>> for i in range(10):
    ...     x = x * (0.5 + i) + 1.0
    ...     xp.synchronize("sim:trn2")
    >>> after = xp.plan_cache("sim:trn2")
    >>> after.plan_misses - before.plan_misses <= 2
    True
    """
    found = parse_device(device)
    if found == CPU:
        return PlanCache()
    engine = _neuron_engine(found)
    programs = engine.launcher.statistics
    return PlanCache(engine.planner.hits, engine.planner.misses, programs.hits, programs.misses)
