"""Suite ``views``: chains of functions that view an array, and writes, on Arrays and on ndarrays: what aliases here has to alias there."""

from __future__ import annotations

import random
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

import trnarray

from ...backends.device import CPU, Device
from ...backends.settings import config
from ..report import Report
from ..views.functions import VIEWS, Array, Call
from ..views.writes import WRITES, elements

__all__ = ["Chain", "Pair", "Step", "add_arguments", "run"]

_DTYPES: Final = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float32", "float64", "complex64", "complex64", "complex128"),
)
_ERRORS: Final = (IndexError, ValueError, TypeError)
_LONGEST: Final = 14
_KEPT: Final = 7
_LARGEST: Final = 200
_SHOWN: Final = 10


class Pair(NamedTuple):
    """
    An Array, and the ndarray that has to be like it.

    Attributes
    ----------
    ours : Array
        The Array.
    theirs : ndarray
        The ndarray.
    root : ndarray
        That owns the ndarray's memory.
    """

    ours: Any
    theirs: Array
    root: Array


class Step(NamedTuple):
    """
    What was done, and what differs after it.

    Attributes
    ----------
    name : str
        A function or a sort of write.
    difference : str
        Empty where nothing differs.
    """

    name: str
    difference: str


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other chains (default 0)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Compare chains, under ``fallback="error"``; an example is a step."""
    counts: dict[str, int] = {}
    differences: dict[str, list[str]] = {}
    number, left = 0, options.max_examples
    with warnings.catch_warnings(), config(fallback="error"):
        warnings.simplefilter("ignore")  # of writes to what was broadcast, and of what NumPy deprecates
        while left > 0:
            chain = Chain(random.Random(f"{options.seed} {number}"), device)
            for step in chain.steps(min(left, chain.source.randint(4, _LONGEST))):
                left -= 1
                counts[step.name] = counts.get(step.name, 0) + 1
                if step.difference:
                    differences.setdefault(step.name, []).append(f"chain {number}: {step.difference}")
            number += 1
    for name, count in sorted(counts.items()):
        wrong = differences.get(name, [])
        report.add(name, "failed" if wrong else "passed", "\n".join(wrong[:_SHOWN]))
        report.figures[f"steps, {name}"] = count
    report.figures["steps"] = sum(counts.values())


class Chain:
    """
    An array, its views, and views of these.

    Parameters
    ----------
    source : random.Random
        Of chance.
    device : Device
        Where the Arrays are.
    """

    def __init__(self, source: random.Random, device: Device) -> None:
        self.source, self.device = source, device
        axes = source.choice((0, 1, 2, 2, 3, 3, 4))
        shape = tuple(source.choice((1, 2, 2, 3, 3, 4, 0 if source.random() < 0.1 else 2)) for _ in range(axes))
        theirs = elements(source, shape, np.dtype(source.choice(_DTYPES)))
        self.pairs = [Pair(trnarray.asarray(theirs, device=device, copy=True), theirs, theirs)]
        self.history = [f"{theirs.dtype}{list(shape)}"]

    def steps(self, count: int) -> Iterator[Step]:
        """Make views of what there is, and write to it, until something differs."""
        for _ in range(count):
            place = -1 if self.source.random() < 0.6 else self.source.randrange(len(self.pairs))
            pair = self.pairs[place]
            step = self.write(pair) if self.source.random() < 0.3 else self.look(pair)
            yield step
            if step.difference:
                return

    def look(self, pair: Pair) -> Step:
        """Make views."""
        if self.source.random() < 0.07 and pair.theirs.size:
            return self.restride(pair)
        name = self.source.choice(list(VIEWS))
        call = VIEWS[name](self.source, pair.theirs)
        theirs, ours = _outcome(call, np, pair.theirs), _outcome(call, trnarray, pair.ours)
        self.history.append(f"{name} of {pair.theirs.dtype}{list(pair.theirs.shape)}")
        if name == "view" and self.device is not CPU and _is_refused(pair.theirs, theirs):
            return self.step(name, "" if ours is TypeError else f"{ours!r} instead of a TypeError")
        if isinstance(theirs, type) or isinstance(ours, type):
            return self.step(name, "" if ours is theirs else f"{ours!r} instead of {theirs!r}")
        several = isinstance(theirs, (list, tuple))
        if several and (type(ours) is not type(theirs) or len(ours) != len(theirs)):
            return self.step(name, f"{type(ours)} of {len(ours)} instead of {type(theirs)} of {len(theirs)}")
        found = [self.compare(pair, *each) for each in (zip(ours, theirs, strict=True) if several else ((ours, theirs),))]
        return self.step(name, "; ".join(filter(None, found)))

    def restride(self, pair: Pair) -> Step:
        """Make a view by strides that lie within memory or, on a device, which refuses it, beyond."""
        source, unit = self.source, pair.root.itemsize
        shape = tuple(source.randint(1, 3) for _ in range(source.randint(0, 3)))
        steps = (*(stride // unit for stride in pair.theirs.strides), -1, 0, 1, 1, 2, 3)
        strides = tuple(unit * source.choice(steps) for _ in shape)
        writeable = source.random() < 0.8

        def call(m: Any, a: Any) -> Any:
            return m.lib.stride_tricks.as_strided(a, shape, strides, writeable=writeable)

        self.history.append(f"as_strided of {pair.theirs.dtype}{list(pair.theirs.shape)} by {shape}, {strides}")
        inside = _is_inside(pair, shape, strides)
        if not inside and self.device is CPU:  # which reads what is there
            return self.step("as_strided", "")
        ours = _outcome(call, trnarray, pair.ours)
        if not inside:
            return self.step("as_strided", "" if ours is ValueError else f"{ours!r} instead of a ValueError")
        return self.step("as_strided", self.compare(pair, ours, call(np, pair.theirs)))

    def compare(self, pair: Pair, ours: Any, theirs: Any) -> str:
        """Compare a new view with NumPy's, and keep it."""
        if type(ours) is not trnarray.Array:
            return f"{ours!r} instead of an Array"
        found = _unequal(ours, theirs)
        if found or isinstance(theirs, np.generic):
            return found
        shared = bool(theirs.size) and np.shares_memory(theirs, pair.root)
        if ours.flags.writeable != theirs.flags.writeable:
            return f"writeable is {ours.flags.writeable} instead of {theirs.flags.writeable}"
        if shared and (_strides(ours) != _strides(theirs) or ours.flags.fnc != theirs.flags.fnc):
            return f"strides are {ours.strides} instead of {theirs.strides}"
        for other in (self.pairs[0], pair, self.source.choice(self.pairs)):
            want = np.shares_memory(theirs, other.theirs)
            if trnarray.shares_memory(ours, other.ours) != want:
                return f"shares_memory is {not want} with {other.theirs.dtype}{list(other.theirs.shape)}"
            if want and not trnarray.may_share_memory(ours, other.ours):
                return "may_share_memory is False where shares_memory is True"
        kinds = theirs.dtype.kind + pair.theirs.dtype.kind
        if kinds in ("bi", "bu", "ib", "ub"):  # of bools that are other bytes than 0 and 1, what copies hold is open
            return ""
        of_one_size = theirs.itemsize == pair.theirs.itemsize or kinds[0] != kinds[1]
        if theirs.size <= _LARGEST and of_one_size and _strides(ours) == _strides(theirs):  # copies of NumPy's may have other ones
            self.pairs.append(Pair(ours, theirs, pair.root if shared else theirs))
            if len(self.pairs) > _KEPT:
                del self.pairs[self.source.randrange(1, len(self.pairs))]
        return ""

    def write(self, pair: Pair) -> Step:
        """Write to an array, and compare all that is kept."""
        name = self.source.choice(list(WRITES))
        call = WRITES[name](self.source, pair.theirs)
        self.history.append(f"{name} to {pair.theirs.dtype}{list(pair.theirs.shape)} by {pair.theirs.strides}")
        theirs, ours = _outcome(call, np, pair.theirs), _outcome(call, trnarray, pair.ours)
        if ours is not theirs:
            return self.step(name, f"{ours!r} instead of {theirs!r}")
        found = [_unequal(*each[:2]) for each in self.pairs]
        return self.step(name, "; ".join(f"then of {each.theirs.shape}: {one}" for one, each in zip(found, self.pairs, strict=True) if one))

    def step(self, name: str, difference: str) -> Step:
        """Say what differs, and after which steps."""
        return Step(name, difference and f"{difference}; after {' > '.join(self.history)}")


def _outcome(call: Call, namespace: Any, array: Any) -> Any:
    try:
        return call(namespace, array)
    except _ERRORS as error:
        return next(kind for kind in _ERRORS if isinstance(error, kind))


def _is_refused(array: Array, viewed: Any) -> bool:
    """Tell whether NumPy gives a view by another dtype that no device can."""
    if isinstance(viewed, type) or viewed.dtype == array.dtype:
        return False
    return viewed.dtype.itemsize != array.dtype.itemsize or "c" in (viewed.dtype.kind, array.dtype.kind)


def _is_inside(pair: Pair, shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    low, high = np.lib.array_utils.byte_bounds(pair.root)
    spans = [stride * (length - 1) for length, stride in zip(shape, strides, strict=True)]
    first = pair.theirs.__array_interface__["data"][0]
    lowest, highest = (first + sum(limit(span, 0) for span in spans) for limit in (min, max))
    return bool(low <= lowest and highest < high)


def _strides(array: Any) -> list[int]:
    """Give those strides that matter."""
    return [stride for stride, length in zip(array.strides, array.shape, strict=True) if length > 1]


def _unequal(ours: Any, theirs: Any) -> str:
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return f"{ours.dtype}{list(ours.shape)} instead of {theirs.dtype}{list(theirs.shape)}"
    host = np.asarray(ours.to_device("cpu"))
    if theirs.dtype.kind == "b":  # a view of integers, of which copies on devices have bytes of 0 and 1
        same = np.array_equal(host.view(np.uint8) != 0, theirs.view(np.uint8) != 0)
    else:
        same = host.tobytes() == theirs.tobytes()
    return "" if same else f"{host.tolist()!r} instead of {theirs.tolist()!r}"
