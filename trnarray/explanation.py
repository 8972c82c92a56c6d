"""Explaining what a device will do, before it does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._array import Array
from .backends.device import CPU, parse_device
from .backends.engine import engine_for

if TYPE_CHECKING:
    from .backends.neuron.explanation import Explanation

__all__ = ["PlanCache", "explain", "plan_cache"]


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
        from .backends.neuron.explanation import Explanation

        return Explanation(str(CPU), (), "the device 'cpu' computes at once; put the data on a 'sim:' or 'trn:' device to see a plan")
    from .backends.neuron.engine import NeuronEngine
    from .backends.neuron.explain import explain as explain_value

    engine = engine_for(x.device)
    assert isinstance(engine, NeuronEngine)
    return explain_value(engine, x._value)


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
    from .backends.neuron.engine import NeuronEngine

    engine = engine_for(found)
    assert isinstance(engine, NeuronEngine)
    programs = engine.launcher.statistics
    return PlanCache(engine.planner.hits, engine.planner.misses, programs.hits, programs.misses)
