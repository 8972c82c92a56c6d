"""Suite ``scipy-names``: every public name of SciPy under `trnarray.scipy`, how it computes on a device, and its stub."""

from __future__ import annotations

import inspect
import warnings
from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ..._passthrough.modules import public_names
from ..._scipy_compositions.composition import composition_of, method_names
from ...backends.device import Device, parse_device
from ...backends.engine import engine_for
from ...backends.op import Op, all_ops
from ...backends.rules import Dynamic
from ...ufunc import ufunc
from ..report import Report

__all__ = ["MODULES", "add_arguments", "page", "run", "stub"]

_MODULES: Final = (
    "cluster cluster.vq cluster.hierarchy constants datasets differentiate fft fftpack integrate interpolate io io.arff io.wavfile linalg "
    "ndimage optimize optimize.elementwise signal signal.windows sparse sparse.csgraph sparse.linalg spatial spatial.distance "
    "spatial.transform special stats stats.contingency stats.distributions stats.mstats stats.qmc stats.sampling"
)
MODULES: Final = tuple(_MODULES.split())
"""SciPy's modules that have one of `trnarray.scipy` each."""
_HEADER: Final = "# Made by `python -m trnarray.conformance scipy-names --write`: the names of SciPy that are passed through.\n"
_WAYS: Final = ("On devices", "Steps that wait", "Steps at once")
_PAGE: Final = """\
# Names of SciPy on a device

Written by `python -m trnarray.conformance scipy-names --write` with SciPy 1.18; do not edit it but run it again.

- *On devices*: it has a kernel, or is an expression of functions that have, at least in float32 and float64; of an object, some of its
  methods are. What its arguments must be says [SciPy and Arrays](scipy.md), which other dtypes Ops take
  [what runs on a NeuronCore](coverage.md). Other arguments and dtypes make it a step on the host.
- *Steps that wait*: it runs on the host, between two programs, when its value is asked for.
- *Steps at once*: SciPy computes it on the host when it is called; functions that it is given compute on the device.

`fallback="error"` refuses steps of both kinds where their operands are Arrays of a Neuron device.

| Module | {} | {} | {} |
|---|---|---|---|"""
_OPERATORS: Final = ("__call__", "__getitem__", "__len__", "__iter__", "__mul__", "__add__", "__sub__", "__pow__")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options."""
    parser.add_argument("--write", action="store_true", help="write the stubs and docs/scipy_names.md anew")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="the folder of the documentation (default: docs)")


def run(report: Report, device: Device, options: Namespace) -> None:  # noqa: ARG001  # the table is about all devices
    """Check that each module has SciPy's public names, and write what says so."""
    for module in MODULES:
        ours = import_module(f"trnarray.scipy.{module}")
        absent = [name for name in public_names(f"scipy.{module}") if not hasattr(ours, name)]
        report.add(module, "failed" if absent else "passed", f"lacks {', '.join(absent)}" if absent else "")
        if options.write:
            (stubs_folder() / f"{module.replace('.', '_')}.pyi").write_text(stub(module), encoding="utf-8")
    path, text = options.docs / "scipy_names.md", page()
    if options.write:
        path.write_text(text, encoding="utf-8")
    report.add(str(path), "passed" if path.read_text("utf-8") == text else "failed", "it is of another state; run with --write")
    print(text)


def page() -> str:
    """Write the page that says of every public function and class of SciPy how it computes on a device."""
    for module in MODULES:
        import_module(f"trnarray.scipy.{module}")  # registers its Ops
    engine_for(parse_device("sim:trn2"))  # gives them their lowerings
    ops = {op.name: op for op in all_ops()}
    found: dict[str, dict[str, list[str]]] = {}
    for module in MODULES:
        theirs, ours = import_module(f"scipy.{module}"), import_module(f"trnarray.scipy.{module}")
        ways = found[module] = {way: [] for way in _WAYS}
        for name in public_names(f"scipy.{module}"):
            if callable(getattr(theirs, name)) and hasattr(ours, name):
                ways[_way(module, name, ours, ops)].append(name)
    lines = [_PAGE.format(*_WAYS)]
    known = {module: ways for module, ways in found.items() if any(ways.values())}
    lines += [f"| `{module}` | {' | '.join(str(len(names)) for names in ways.values())} |" for module, ways in known.items()]
    for module, ways in known.items():
        lines += ["", f"## `{module}`"]
        for way, names in ways.items():
            if names:
                lines += ["", f"**{way}**: {', '.join(f'`{name}`' for name in names)}"]
    return "\n".join(lines) + "\n"


def stubs_folder() -> Path:
    """Find the folder of the stubs."""
    return Path(inspect.getfile(public_names)).parent / "stubs"


def _way(module: str, name: str, ours: ModuleType, ops: dict[str, Op]) -> str:
    """Tell how a function computes on a device."""
    waits, at_once = _WAYS[1:]
    value = getattr(ours, name)
    kind = getattr(import_module(f"scipy.{module}"), name)
    kind = kind if isinstance(kind, type) else type(kind)
    composed = value.model.__name__ if isinstance(value, ufunc) else name  # SciPy's jn is its jv
    if composition_of(module, composed) is not None or any(start.endswith(f".{kind.__name__}") for start in method_names()):
        return _WAYS[0]
    if name not in vars(ours).get("__all__", ()) and not isinstance(value, ufunc):
        return at_once
    if module.startswith("sparse"):
        return _WAYS[0]  # their parts are Ops of other names
    keys = (f"scipy.{module}.{name}", f"{module}.{name}", name)
    op = value.op if isinstance(value, ufunc) else next((ops[key] for key in keys if key in ops), None)
    if op is None or op.neuron is not None:
        return _WAYS[0]  # a composition, or a kernel
    return at_once if op.rule is None or isinstance(op.rule, Dynamic) else waits


def stub(module: str) -> str:
    """Write the stub of what is passed through of a module of SciPy."""
    theirs, ours = import_module(f"scipy.{module}"), import_module(f"trnarray.scipy.{module}")
    own = set(vars(ours).get("__all__", ()))
    lines = [_HEADER, "from types import ModuleType", "from typing import Any", ""]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in public_names(f"scipy.{module}"):
            if f"{module}.{name}" in MODULES and name not in own:
                lines.append(f"from trnarray.scipy.{module} import {name} as {name}")
            elif name not in own:
                lines += _declared(name, getattr(theirs, name))
    return "\n".join(lines) + "\n"


def _declared(name: str, value: Any) -> list[str]:
    """Declare one name."""
    if isinstance(value, ModuleType):
        return [f"{name}: ModuleType"]
    if isinstance(value, type):
        base = "(Exception)" if issubclass(value, Exception) else "(dict[str, Any])" if issubclass(value, dict) else ""
        operators = [f"    def {one}(self, *args: Any, **kwargs: Any) -> Any: ..." for one in _OPERATORS if hasattr(value, one)]
        if base:
            return [f"class {name}{base}: ..."]
        return [f"class {name}:", f"    def __init__({_parameters(value, 'self')}) -> None: ...",
                "    def __getattr__(self, name: str) -> Any: ...", *operators]  # fmt: skip
    if isinstance(value, (bool, int, float, str)):
        return [f"{name}: {type(value).__name__}"]
    if not callable(value) or not hasattr(value, "__name__") or hasattr(type(value), "rvs"):
        return [f"{name}: Any"]
    return [f"def {name}({_parameters(value, '')}) -> Any: ..."]


def _parameters(function: Any, first: str) -> str:
    """Write the parameters of a function, each with its name, and `...` for its default."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return ", ".join(filter(None, (first, "*args: Any", "**kwargs: Any")))
    written, starred = [first] if first else [], False
    for place, each in enumerate(parameters):
        if each.kind is each.KEYWORD_ONLY and not starred:
            written.append("*")
            starred = True
        stars = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        starred = starred or stars == "*"
        default = "" if each.default is each.empty else " = ..."
        written.append(f"{stars}{each.name}: Any{default}")
        if each.kind is each.POSITIONAL_ONLY and (place + 1 == len(parameters) or parameters[place + 1].kind is not each.POSITIONAL_ONLY):
            written.append("/")
    return ", ".join(written)
