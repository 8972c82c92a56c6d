"""The public names of a module of SciPy, as a module of `trnarray.scipy` gives them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

import numpy as np

from .names import ADDED, MATRICES, REMOVED

__all__ = ["passed_through", "public_names"]

# Calls of these without data make constants of parameters, as windows and filters are: no work of a device is moved.
_DESIGNS: Final = (
    "bessel besselap bilinear bilinear_zpk buttap butter buttord cheb1ap cheb1ord cheb2ap cheb2ord cheby1 cheby2 closest_STFT_dual_window "
    "cont2discrete correlation_lags ellip ellipap ellipord findfreqs firls firwin2 firwin_2d freqs freqs_zpk freqz freqz_sos freqz_zpk "
    "gammatone group_delay iircomb iirdesign iirfilter iirnotch iirpeak invres invresz kaiser_atten kaiser_beta kaiserord lfilter_zi lp2bp "
    "lp2bp_zpk lp2bs lp2bs_zpk lp2hp lp2hp_zpk lp2lp lp2lp_zpk max_len_seq minimum_phase normalize place_poles remez residue residuez "
    "savgol_coeffs sos2tf sos2zpk sosfilt_zi sosfreqz ss2tf ss2zpk tf2sos tf2ss tf2zpk unique_roots unit_impulse zpk2sos zpk2ss zpk2tf"
)
_CONSTANTS: Final[Mapping[str, frozenset[str]]] = {
    "integrate": frozenset({"newton_cotes"}),
    "ndimage": frozenset({"generate_binary_structure"}),
    "signal": frozenset(_DESIGNS.split()),
}
_CONSTANT_MODULES: Final = frozenset({"constants", "datasets", "io", "io.arff", "io.wavfile", "signal.windows"})


def public_names(module: str) -> list[str]:
    """List the public names of a module of SciPy; there are none where the installed version lacks it."""
    if find_spec(module) is None:
        return []
    theirs = import_module(module)
    return sorted({*(getattr(theirs, "__all__", None) or [name for name in dir(theirs) if not name.startswith("_")])})


def passed_through(ours: str, module: str = "") -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """
    Make ``__getattr__`` and ``__dir__`` of a module of `trnarray.scipy`: SciPy's names, each made when it is first asked for.

    Names that the module has itself come first. SciPy's module is imported when one of its names is used.
    """
    found: dict[str, Any] = {}
    module = module or ours.partition(".")[2]
    inner = module.partition(".")[2]

    def __getattr__(name: str) -> Any:  # noqa: N807  # a module's
        here = sys.modules[ours]
        if name in found:
            return found[name]
        if name == "__all__":
            return __dir__()
        if name.startswith("_"):
            raise AttributeError(f"module {ours!r} has no attribute {name!r}", name=name, obj=here)
        if hasattr(here, "__path__") and find_spec(f"{ours}.{name}") is not None:
            return import_module(f"{ours}.{name}")
        if name not in public_names(module):
            raise AttributeError(_missing(inner, ours, name), name=name, obj=here)
        made = _refused(name) if inner == "sparse" and name in MATRICES else _made(getattr(import_module(module), name), ours, inner, name)
        return found.setdefault(name, made)  # not in the module, whose own names are those that are written there

    def __dir__() -> list[str]:  # noqa: N807  # a module's
        own = vars(sys.modules[ours]).get("__all__", ())
        return sorted({*own, *public_names(module)})

    return __getattr__, __dir__


def _made(value: Any, ours: str, inner: str, name: str) -> Any:
    """Make what stands for a name of SciPy's; what it takes is imported now, and no sooner."""
    from .._scipy_compositions.composition import composed, composition_of
    from .proxy import ProxyClass, pass_through, proxy_of

    if isinstance(value, ModuleType):
        return _module(f"{ours}.{name}", value)
    if isinstance(value, type):
        return value if issubclass(value, (BaseException, dict, tuple)) else ProxyClass(value, ours, composition_of(inner, name))
    if not callable(value):
        return value
    if inner == "special" and isinstance(inspect.unwrap(value), np.ufunc):
        return _universal(ours, name)
    if not hasattr(value, "__name__") or hasattr(type(value), "rvs"):  # a distribution is an object that can be called
        return proxy_of(value)
    composition, makes_constants = composition_of(inner, name), inner in _CONSTANT_MODULES or name in _CONSTANTS.get(inner, ())
    made = pass_through(value, f"scipy.{inner}.{name}", makes_constants, is_composed=composition is not None)
    made = made if composition is None else composed(value, composition, made)
    made.__module__, made.__name__, made.__qualname__ = ours, name, name  # to be found by pickle
    return made


def _universal(ours: str, name: str) -> Any:
    """Make the universal function of one of scipy.special's: an Op that waits, and computes on devices where it has a kernel."""
    from .._scipy_compositions.universal_functions import special_ufunc
    from ..backends.ops.special import scipy_ufunc
    from ..backends.ops.ufuncs import ufunc_op

    model = scipy_ufunc(name)
    lines = [line.strip() for line in (model.__doc__ or "").splitlines()]
    summary = next((line for line in lines if line and not line.startswith(f"{name}(")), "")  # after signatures
    made = special_ufunc(ufunc_op(model), model, name, summary, namespace="xp.special")
    made.__module__ = ours
    return made


def _refused(name: str) -> Callable[..., Any]:
    """Make what stands for a function or class that makes matrices."""

    def refused(*args: Any, **kwargs: Any) -> Any:  # noqa: ARG001
        raise TypeError(f"trnarray has no matrices of sparse elements: {MATRICES[name]}")

    refused.__name__ = refused.__qualname__ = name
    refused.__doc__ = f"Refuse to make a matrix: {MATRICES[name]}."
    return refused


def _module(name: str, theirs: ModuleType) -> ModuleType:
    """Make the module of a module of SciPy's that `trnarray.scipy` has no file for, as the old inner modules are."""
    if name not in sys.modules:
        made = ModuleType(name, theirs.__doc__)
        sys.modules[name] = made
        made.__getattr__, made.__dir__ = passed_through(name)  # type: ignore[method-assign]
    return sys.modules[name]


def _missing(inner: str, ours: str, name: str) -> str:
    """Say why a name is not there: SciPy had it, or a later one has it, or none."""
    sentence = f"module {ours!r} has no attribute {name!r}"
    added: Mapping[str, str] = ADDED.get(inner, {})
    if name in added:
        return f"{sentence}: SciPy ≥ {added[name]} has it, and {version('scipy')} is installed"
    removed = REMOVED.get(f"{inner}.{name}", "")
    return f"{sentence}: SciPy no longer has it; {removed}" if removed else sentence
