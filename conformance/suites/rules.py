"""Suite ``rules``: the rule of every Op against what the host engine and a Neuron device give.

The calls are those of the table of suite ``hypothesis``, in all its dtypes, and a call or two of each function of SciPy's subpackages.
Each Op that a call comes to is looked at where the device's engine runs it: its rule by the device's promotion must say exactly the
structure, the shapes and the dtypes that the device's kernels give, and its rule by the host's what the host engine gives of the same
operands. What has no kernel gives the host's results, in dtypes of the same kind. Nothing is computed on the device but what decides on
shapes, and operands of later Ops. Errors must be of one kind, and come from the rule unless elements are at fault.
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final, Self
from unittest import mock

import hypothesis
import numpy as np
from hypothesis import HealthCheck, Phase
from numpy.linalg import LinAlgError

import trnarray

from ...backends import ops
from ...backends.device import CPU, Device
from ...backends.dtypes import DType, is_low_precision
from ...backends.engine import HOST, engine_for
from ...backends.nesting import replace
from ...backends.neuron.engine import NeuronEngine
from ...backends.neuron.graph.builder import dtypes_among
from ...backends.neuron.value import Value
from ...backends.op import Op, all_ops
from ...backends.policy import FallbackError
from ...backends.rules import Dynamic, NeedsValueError, Signature
from ...backends.settings import config, default_device, get_config
from ...backends.signatures import Call, NotNativeError
from ..function_table.check import on_device
from ..function_table.comparison import FAMILIES, families
from ..function_table.row import Row
from ..function_table.rows import EXEMPT, ROWS, public_functions
from ..report import Report
from ..scipy_calls.plain import MODULES, plain_calls
from ..suite import SuiteError

__all__ = ["Watch", "add_arguments", "count_rules", "registered", "run", "sweep", "sweep_module"]

_SHOWN: Final = 5  # disagreements of an Op
_OF_ELEMENTS: Final[Mapping[type[Exception], frozenset[str]]] = {
    ValueError: frozenset(
        ("choose", "digitize", "fft.fftshift", "fft.ifftshift", "histogram", "histogram2d", "histogramdd", "histogram_bin_edges", "interp")
    )
    | frozenset(("place", "power", "ravel_multi_index", "roll", "unravel_index")),  # NumPy 2.5's roll refuses numbers, and its relatives do
    IndexError: frozenset(("getitem", "ndarray.flat.getitem", "take", "take_along_axis"))
    | frozenset(("setitem", "ndarray.flat.setitem", "put", "put_along_axis")),
}
"""Ops whose elements may be refused, and how."""
_ALWAYS: Final = (ArithmeticError, LinAlgError)  # elements are at fault
_SCALARS: Final = (bool, int, float, complex)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    what = "functions to call, as 'linalg.*', or subpackages, as 'scipy.signal'; may be repeated"
    parser.add_argument("--only", metavar="PATTERN", action="append", help=what)
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other calls (default 0)")
    parser.add_argument("--defaults", choices=("native", "numpy"), help="the setting that calls are made under")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Call every function of the namespace, and hold the rules of what it comes to against the engines."""
    if device is CPU:
        raise SuiteError("suite 'rules' holds rules against the host and a Neuron device; name one, as in --device sim:trn2")
    patterns = options.only or ["*"]
    names = [name for name in public_functions() if name not in EXEMPT and any(fnmatchcase(name, pattern) for pattern in patterns)]
    rows = [row for row in ROWS if row.name in names]
    modules = [name for name in MODULES if any(fnmatchcase(f"scipy.{name}", pattern) for pattern in patterns)]
    if not rows and not modules:
        raise SuiteError(f"no function is named {' or '.join(patterns)}; name one as in --only 'linalg.*'")
    watch = Watch(device)
    with config(defaults=options.defaults or get_config().defaults):
        sweep(watch, rows, options.max_examples, options.seed)
        for module in modules:
            sweep_module(watch, module)
    for op, calls in sorted(watch.calls.items(), key=lambda item: item[0].name):
        found = watch.disagreements[op]
        if op.rule is None:
            report.add(op.name, "skipped", "has no rule yet")
        elif found:
            more = f"\nand {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            report.add(op.name, "failed", f"{len(found)} of {calls} calls\n" + "\n".join(found[:_SHOWN]) + more)
        else:
            report.add(op.name)
    report.figures.update(functions=len(names), calls=watch.calls.total(), waiting=watch.waiting.total(), **count_rules())


def registered() -> list[Op]:
    """List all Ops that the registry has when everything is imported, in their order by name."""
    for module in iter_modules(ops.__path__):
        import_module(f"{ops.__name__}.{module.name}")
    return sorted(all_ops(), key=lambda op: op.name)


def count_rules() -> dict[str, int]:
    """Count the Ops that always wait, or wait where a call's results are known, those that never do, and those without a rule."""
    kinds = Counter("no rule" if op.rule is None else "dynamic" if isinstance(op.rule, Dynamic) else "rule" for op in registered())
    return {"Ops with a rule": kinds["rule"], "Ops whose rule is Dynamic": kinds["dynamic"], "Ops without a rule": kinds["no rule"]}


def sweep(watch: Watch, rows: Collection[Row], calls: int, seed: int = 0, dtypes: Collection[DType] | None = None) -> None:
    """Draw calls of functions, and make them."""
    settings = hypothesis.settings(
        max_examples=calls, phases=[Phase.generate], deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    with warnings.catch_warnings(), np.errstate(all="ignore"), config(fallback="allow"), default_device(watch.device):
        warnings.simplefilter("ignore")
        for row in rows:
            function = row.our_function(trnarray)
            if function is not None:
                leads = [dtype for dtype in row.dtypes if dtypes is None or dtype in dtypes]
                _sweep_row(watch, row, function, leads, seed, settings)


def sweep_module(watch: Watch, module: str, dtypes: Sequence[str] = ("float32", "float64", "complex64")) -> None:
    """Make a call or two of each function of a subpackage of SciPy's."""
    settings = config(fallback="allow", host_transfer="allow")
    with warnings.catch_warnings(), np.errstate(all="ignore"), settings, default_device(watch.device):
        warnings.simplefilter("ignore")
        for call in plain_calls(module):
            for dtype in dtypes:
                arrays = replace(call.arrays, trnarray.Array, lambda x: x.astype(dtype) if x.dtype.kind in "fc" else x)  # noqa: B023
                with watch, suppress(*FAMILIES, NotImplementedError):
                    call.ours(*arrays, **call.named)


def _sweep_row(
    watch: Watch, row: Row, function: Callable[..., Any], leads: Sequence[DType], seed: int, settings: hypothesis.settings
) -> None:
    @hypothesis.seed(seed)
    @settings
    @hypothesis.given(row.calls)
    def draw(call: Any) -> None:
        for lead in leads:
            parents: list[Any] = []
            make = on_device(lead, watch.device)
            args, kwargs = call.realize(lambda item: make(item, parents))  # noqa: B023  # called at once
            try:
                with watch:
                    function(*args, **kwargs)
            except (*FAMILIES, StopIteration):
                continue

    draw()


class Watch:
    """
    Watches the engine of a device while it is entered, and holds the rule of each Op that it runs against what comes of it.

    Parameters
    ----------
    device : Device
        Which.

    Attributes
    ----------
    calls, waiting : Counter of Op
        Calls, and those of them whose results the rule knew.
    disagreements : dict
        By Op, what its rule says otherwise.
    """

    def __init__(self, device: Device) -> None:
        self.device: Final = device
        self.calls: Final[Counter[Op]] = Counter()
        self.waiting: Final[Counter[Op]] = Counter()
        self.disagreements: Final[defaultdict[Op, list[str]]] = defaultdict(list)
        engine = engine_for(device)
        assert isinstance(engine, NeuronEngine)
        self._engine: Final[NeuronEngine] = engine
        self._run: Final[Callable[..., Any]] = engine.run
        self._patch: Final[Any] = mock.patch.object(engine, "run", self._watched)

    def __enter__(self) -> Self:
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()

    def _watched(self, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        self.calls[op] += 1
        rule = op.rule
        if rule is None or kwargs.get("out") is not None:
            return self._run(op, args, kwargs)
        hosted, keywords = [self._host(item) for item in args], {key: self._host(item) for key, item in kwargs.items()}
        table = self._engine.promotion.beside(dtypes_among([*args, *kwargs.values()]))
        said = _outcome(lambda: rule(table, *args, **kwargs))
        if op.signature is not None and not isinstance(said, Exception):
            read = self._read(op, args, kwargs)
            if read is not None:
                again = _outcome(lambda: rule(table, *read.operands, **read.attributes))
                self._compare(op, "with its arguments read", again, said, args, kwargs, exact=True)
        done, native, error = self._done(op, args, kwargs)
        self._compare(op, str(self.device), said, _outcome_of(done, error), args, kwargs, exact=native)
        told = _outcome(lambda: rule(HOST.promotion, *hosted, **keywords))
        self._compare(op, "cpu", told, _outcome(lambda: HOST.compute(op, hosted, keywords)), hosted, keywords, exact=True)
        if not isinstance(said, Exception):
            self.waiting[op] += 1
        if error is not None:
            raise error
        return done

    def _read(self, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Call | None:
        """Read the arguments of a call as for a lowering, where the device takes them."""
        assert op.signature is not None
        builder = self._engine.builder
        builder.present = op, args, kwargs
        try:
            return op.signature(builder, *args, **kwargs)
        except (NotNativeError, *FAMILIES):
            return None
        finally:
            builder.present = None

    def _done(self, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, bool, Exception | None]:
        """Run a call; tell whether the device has kernels for it, and what it raised."""
        try:
            with config(fallback="error"):
                return self._run(op, args, kwargs), True, None
        except FallbackError:
            pass
        except FAMILIES as error:
            return None, True, error
        try:
            return self._run(op, args, kwargs), False, None
        except FAMILIES as error:
            return None, False, error

    def _host(self, item: Any) -> Any:
        return replace(item, Value, lambda value: self._engine.to_host(value, copy=True))

    def _compare(
        self, op: Op, where: str, said: Any, done: Any, args: Sequence[Any], kwargs: Mapping[str, Any], *, exact: bool
    ) -> None:
        """Note what a rule says otherwise."""
        if isinstance(said, NeedsValueError):
            return
        text = ""
        if isinstance(said, Exception):
            if not isinstance(done, Exception):
                text = f"{where}: the rule raises {said!r}, where {_described(done)} comes of it"
            elif not families(said) & families(done):
                text = f"{where}: the rule raises {said!r}, where the engine raises {done!r}"
        elif isinstance(done, Exception):
            elements = isinstance(done, _ALWAYS) or any(isinstance(done, kind) and op.name in names for kind, names in _OF_ELEMENTS.items())
            if not elements:
                text = f"{where}: the rule says {_described(said)}, where the engine raises {done!r}"
        elif not _agree(said, done, exact=exact):
            text = f"{where}: the rule says {_described(said)}, where {_described(done)} comes of it"
        if text:
            given = [_described(item) for item in args] + [f"{key}={_described(item)}" for key, item in kwargs.items()]
            self.disagreements[op].append(f"{text}\n    {op.name}({', '.join(given)})")


def _outcome(call: Callable[[], Any]) -> Any:
    """Give a result, or the exception."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001  # a rule raises anything, until it is right
        return error


def _outcome_of(done: Any, error: Exception | None) -> Any:
    return done if error is None else error


def _is_array(item: Any) -> bool:
    return isinstance(item, (Signature, Value, np.ndarray, np.generic))


def _agree(said: Any, done: Any, *, exact: bool) -> bool:
    """Tell whether a rule says what an Op gives; a number of Python's and an array without axes are alike."""
    if isinstance(said, Signature):
        if isinstance(done, _SCALARS):
            return said.shape == () and said.dtype.kind == np.dtype(type(done)).kind
        if not _is_array(done) or said.shape != done.shape:
            return False
        return said.dtype == done.dtype if exact else _kind(said.dtype) == _kind(done.dtype)
    if isinstance(said, (tuple, list)):  # of which functions make named tuples
        alike = isinstance(done, list if isinstance(said, list) else tuple) and len(said) == len(done)
        return alike and all(_agree(each, item, exact=exact) for each, item in zip(said, done, strict=True))
    if isinstance(said, _SCALARS) and _is_array(done):
        return bool(done.shape == () and done.dtype == np.dtype(type(said)))
    return type(done) is type(said) or said is type(done)


def _kind(dtype: DType) -> str:
    return "f" if is_low_precision(dtype) else "i" if dtype.kind == "u" else dtype.kind


def _described(item: Any) -> str:
    if _is_array(item):
        return f"{item.dtype}{list(item.shape)}"
    if isinstance(item, (tuple, list)):
        return f"{type(item).__name__}({', '.join(map(_described, item))})"
    return repr(item)

