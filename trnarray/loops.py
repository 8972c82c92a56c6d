"""Loops whose body is one program on a Neuron device: time steps, iterative solvers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Generic, SupportsIndex, TypeVar

from ._array import Array
from .array_conversion import asarray
from .backends.device import CPU, Device
from .backends.engine import engine_for
from .backends.nesting import check_depth
from .backends.settings import get_default_device

if TYPE_CHECKING:
    from .backends.neuron.engine import NeuronEngine
    from .backends.neuron.value import Value

__all__ = ["fori_loop", "while_loop"]

_State = TypeVar("_State")  # Arrays in a structure, about which types say no more
_NUMBERS: Final = (bool, int, float, complex)


def fori_loop(
    lower: SupportsIndex, upper: SupportsIndex, body_fun: Callable[[Array, _State], _State], init_val: _State
) -> _State:
    """
    Compute a number of turns, each from what the one before has left.

    On a Neuron device the body is traced once, and all turns are one stage of a program, launched once. On ``cpu`` it is a Python loop.

    Parameters
    ----------
    lower, upper : int
        The number of the first turn, and the one that ends the loop; for ``upper <= lower`` there is no turn.
    body_fun : callable
        ``body_fun(i, state)`` gives the state after turn `i`, a 0-d Array of the default integer dtype, with the same structure, shapes and
        dtypes. What it gets is its own to write to.
    init_val : Array, or nested tuples, lists and dicts of them
        The state before the first turn, which stays as it is; numbers become 0-d Arrays.

    Returns
    -------
    same as `init_val`
        The state after the last turn, deferred on Neuron devices.

    Raises
    ------
    LoopError
        If on a Neuron device the body needs a value on the host, as ``if`` and ``float`` do, calls what has no kernel there, draws random
        numbers, or writes to an Array from outside of the loop.
    TypeError, ValueError
        If the body changes the structure, a dtype or a shape.

    See Also
    --------
    trnarray.while_loop : Turns until a condition does not hold.
    trnarray.explain : What a loop computes in a turn, and what that is predicted to take.

    Notes
    -----
    As `jax.lax.fori_loop`. What the body uses from outside is read as it is at the call, and what it computes of that alone is computed
    once. Another number of turns is another program; another `lower` is not.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([1.0, 2.0], device="sim:trn2")
    >>> xp.fori_loop(0, 5, lambda i, x: 2 * x + i, x)
    Array([58., 90.], dtype=float32, device='sim:trn2')
    """
    first = operator.index(lower)
    turns = operator.index(upper) - first
    state = _Tree.begin(init_val)
    dtype = asarray(0, device=state.device).dtype
    if turns <= 0:
        return state.copied()
    if state.device is CPU:
        for number in range(first, first + turns):
            state = state.follow(body_fun(asarray(number).astype(dtype)[()], state.copied()))
        return state.copied()
    if not -(2**31) <= first <= first + turns <= 2**31:
        raise ValueError(f"turns are numbered from {first} to {first + turns}, and have to be numbers of 32 bits")

    def body(number: Value, *values: Value) -> list[Value]:
        index = Array._wrap(number, state.device)
        return state.follow(body_fun(index if index.dtype == dtype else index.astype(dtype), state.wrapped(values))).values

    return state.wrapped(_engine(state.device).repeat(state.values, body, turns=turns, first=first))


def while_loop(
    cond_fun: Callable[[_State], Any], body_fun: Callable[[_State], _State], init_val: _State, *, every: SupportsIndex = 32
) -> _State:
    """
    Compute turns as long as a condition holds, each from what the one before has left.

    On a Neuron device body and condition are traced once, and become one program, which ends as soon as the condition does not hold. It is
    launched anew after `every` turns. On ``cpu`` it is a Python loop.

    Parameters
    ----------
    cond_fun : callable
        ``cond_fun(state)`` gives a truth value, an Array of one element: whether there is another turn.
    body_fun : callable
        ``body_fun(state)`` gives the next state, with the same structure, shapes and dtypes. What it gets is its own to write to.
    init_val : Array, or nested tuples, lists and dicts of them
        The state before the first turn, which stays as it is; numbers become 0-d Arrays.
    every : int, optional
        The most turns of a launch on a Neuron device, after which the host looks whether there are more. Results do not depend on it.

    Returns
    -------
    same as `init_val`
        The first state for which the condition does not hold, deferred on Neuron devices.

    Raises
    ------
    LoopError
        As for `fori_loop`, of the condition, too.
    TypeError, ValueError
        If the body changes the structure, a dtype or a shape, or the condition is not one truth value.

    See Also
    --------
    trnarray.fori_loop : A number of turns.
    trnarray.explain : What a loop computes in a turn, and what that is predicted to take.

    Notes
    -----
    As `jax.lax.while_loop`. After an error in a launch, such as one of the runtime, another request for the value goes on from the last
    launch that succeeded. In the body of another loop it is a part of that program, and `every` is what predictions count.

    Examples
    --------
    >>> import trnarray as xp
    >>> state = xp.asarray(1.0, device="sim:trn2"), 0
    >>> xp.while_loop(lambda s: s[0] < 100, lambda s: (3 * s[0], s[1] + 1), state)
    (Array(243., dtype=float32, device='sim:trn2'), Array(5, dtype=int32, device='sim:trn2'))
    """
    turns = operator.index(every)
    if turns < 1:
        raise ValueError(f"every is {turns}, and has to be at least 1: the number of turns of a launch")
    state = _Tree.begin(init_val)
    if state.device is CPU:
        while bool(_truth(cond_fun(state.tree(state.leaves)), CPU)):
            state = state.follow(body_fun(state.copied()))
        return state.copied()

    def body(*values: Value) -> list[Value]:
        return state.follow(body_fun(state.wrapped(values))).values

    def condition(*values: Value) -> Value:
        value: Value = _truth(cond_fun(state.wrapped(values)), state.device)._value
        return value

    return state.wrapped(_engine(state.device).repeat(state.values, body, turns=turns, condition=condition))


def _engine(device: Device) -> NeuronEngine:
    engine: NeuronEngine = engine_for(device)  # type: ignore[assignment]  # the only one besides the host's
    return engine


def _truth(found: Any, device: Device) -> Array:
    """Read what a condition gave."""
    truth = asarray(found, device=device)
    if truth.size != 1:
        raise ValueError(f"cond_fun gives an array of shape {truth.shape}; it has to give one truth value, as xp.all(x) or xp.any(x)")
    return truth.reshape(()).astype(bool)


class _Tree(Generic[_State]):
    """
    A state: Arrays in nested tuples, lists and dicts.

    Parameters
    ----------
    template : object
        The state as it was given, for its structure.
    leaves : list of Array
        All of one device.
    device : Device
        Which.
    """

    def __init__(self, template: _State, leaves: list[Array], device: Device) -> None:
        self.template, self.leaves, self.device = template, leaves, device

    @classmethod
    def begin(cls, template: _State) -> _Tree[_State]:
        """Take an initial state."""
        items = list(_leaves(template))
        device = next((item.device for item in items if type(item) is Array), None) or get_default_device()
        for item in items:
            if type(item) is Array and item.device is not device:
                raise ValueError(f"the state has Arrays on {str(device)!r} and on {str(item.device)!r}: move them to one device")
        return cls(template, [asarray(item, device=device) for item in items], device)

    @property
    def values(self) -> list[Any]:
        """The engine's values."""
        return [leaf._value for leaf in self.leaves]

    def wrapped(self, values: Iterable[Any]) -> _State:
        """Put values of the engine into the structure."""
        return self.tree([Array._wrap(value, self.device) for value in values])

    def copied(self) -> _State:
        """Copy the Arrays, so that no two share memory."""
        return self.tree([leaf.copy() for leaf in self.leaves])

    def tree(self, leaves: list[Array]) -> _State:
        """Put Arrays into the structure."""
        built: _State = _built(self.template, iter(leaves))
        return built

    def follow(self, found: _State) -> _Tree[_State]:
        """Take the next state, of the same structure."""
        if _structure(found) != _structure(self.template):
            raise TypeError(f"body_fun gives {_structure(found)} for a state of {_structure(self.template)}; it has to keep the structure")
        leaves = []
        for number, (item, before) in enumerate(zip(_leaves(found), self.leaves, strict=True)):
            leaf = asarray(item, before.dtype if type(item) in _NUMBERS else None, device=self.device)
            if leaf.shape != before.shape:
                raise ValueError(f"body_fun gives the shape {leaf.shape} for part {number} of the state, which begins as {before.shape}")
            if leaf.dtype != before.dtype:
                raise TypeError(
                    f"body_fun gives {leaf.dtype} for part {number} of the state, which begins as {before.dtype}: write "
                    f"x.astype({str(before.dtype)!r}) in the body, or begin with {leaf.dtype}"
                )
            leaves.append(leaf)
        return _Tree(self.template, leaves, self.device)


def _leaves(tree: Any, depth: int = 0) -> Iterator[Any]:
    if type(tree) in (tuple, list, dict):
        check_depth(depth)
        for item in tree.values() if type(tree) is dict else tree:
            yield from _leaves(item, depth + 1)
    else:
        yield tree


def _built(template: Any, leaves: Iterator[Array]) -> Any:
    if type(template) is dict:
        return {key: _built(item, leaves) for key, item in template.items()}
    if type(template) in (tuple, list):
        return type(template)([_built(item, leaves) for item in template])
    return next(leaves)


def _structure(tree: Any) -> str:
    """Write a structure down."""
    if type(tree) is dict:
        return "{" + ", ".join(f"{key!r}: {_structure(item)}" for key, item in tree.items()) + "}"
    if type(tree) in (tuple, list):
        inner = ", ".join(map(_structure, tree))
        return f"[{inner}]" if type(tree) is list else f"({inner})"
    return "Array"
