"""
Gradients by differences, for functions that compute in float32 where SciPy's steps are for float64.

A step of 1e-8 is lost in float32: the difference is zero, and a method stops at its start and reports success.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

__all__ = ["with_gradient"]

_STEP: Final = float(np.finfo(np.float32).eps) ** (1 / 2)
_CENTRAL: Final = float(np.finfo(np.float32).eps) ** (1 / 3)
# Of functions of scipy.optimize: the parameters for the function and for its derivatives. Methods that need none do not ask for them.
_SCALAR: Final[Mapping[str, tuple[str, str]]] = {
    "minimize": ("fun", "jac"),
    "fmin_bfgs": ("f", "fprime"),
    "fmin_cg": ("f", "fprime"),
    "fmin_l_bfgs_b": ("func", "fprime"),
    "fmin_tnc": ("func", "fprime"),
    "fmin_slsqp": ("func", "fprime"),
}
_SYSTEMS: Final[Mapping[str, tuple[str, str]]] = {
    "fsolve": ("func", "fprime"),
    "least_squares": ("fun", "jac"),
    "leastsq": ("func", "Dfun"),
    "root": ("fun", "jac"),
}
_STEPS: Final = frozenset({"approx_fprime", "check_grad"})  # with a parameter for the step
_NO_DERIVATIVES: Final = (
    "anderson broyden1 broyden2 cobyla cobyqa df-sane diagbroyden excitingmixing krylov linearmixing nelder-mead powell"
)
_WITHOUT: Final = frozenset(_NO_DERIVATIVES.split())


def with_gradient(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Add derivatives, or a step, to the arguments of a function of scipy.optimize that is given none."""
    if name in _STEPS:
        return {"epsilon": _STEP, **arguments}
    if name == "basinhopping":
        keywords = {**(arguments.get("minimizer_kwargs") or {})}
        return {**arguments, "minimizer_kwargs": _added("fun", "jac", {"fun": arguments["func"], **keywords}, matrix=False, drop="fun")}
    if name == "curve_fit":
        return arguments if callable(arguments.get("jac")) else {**arguments, "jac": _slopes(arguments["f"])}
    if name in {"fmin_l_bfgs_b", "fmin_tnc"}:
        if not arguments.get("approx_grad"):
            return arguments  # the function gives its gradient
        arguments = {**arguments, "approx_grad": False}
    if "constraints" in arguments:
        arguments = {**arguments, "constraints": _constrained(arguments["constraints"])}
    if name in _SYSTEMS:
        return _added(*_SYSTEMS[name], arguments, matrix=True)
    return _added(*_SCALAR[name], arguments, matrix=False) if name in _SCALAR else arguments


def _added(function: str, gradient: str, arguments: dict[str, Any], matrix: bool, drop: str = "") -> dict[str, Any]:
    """Add derivatives where none are given and the method may want them."""
    given = arguments.get(gradient)
    if not callable(given) and given is not True and str(arguments.get("method", "")).lower() not in _WITHOUT:
        arguments = {**arguments, gradient: _gradient(arguments[function], matrix)}
    return {key: item for key, item in arguments.items() if key != drop}


def _slopes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function of the derivatives of a curve by its parameters."""

    def slopes(x: Any, *parameters: Any) -> Any:
        return _gradient(lambda point: function(x, *point), matrix=True)(parameters)

    return slopes


def _constrained(constraints: Any) -> Any:
    """Add a gradient to the constraints that have none."""
    if isinstance(constraints, (list, tuple)):
        return [_constrained(each) for each in constraints]
    if isinstance(constraints, dict):
        return constraints if callable(constraints.get("jac")) else {**constraints, "jac": _gradient(constraints["fun"], matrix=False)}
    if hasattr(constraints, "fun") and not callable(constraints.jac):
        constraints = copy.copy(constraints)
        constraints.jac = _gradient(constraints.fun, matrix=False)
    return constraints


def _gradient(function: Callable[..., Any], matrix: bool) -> Callable[..., Any]:
    """Make the function of the gradient, or of the Jacobian matrix, by central differences of steps that float32 has."""

    def gradient(x: Any, *args: Any, **kwargs: Any) -> Any:
        point = np.asarray(x, np.float32)
        steps = np.float32(_CENTRAL) * np.maximum(np.abs(point), np.float32(1))
        columns = []
        for index, step in enumerate(steps):
            ends = [point.copy(), point.copy()]
            ends[0][index] -= step
            ends[1][index] += step
            below, above = (np.asarray(function(end.astype(np.float64), *args, **kwargs), np.float64).reshape(-1) for end in ends)
            columns.append((above - below) / (float(ends[1][index]) - float(ends[0][index])))
        found = np.stack(columns, axis=1)
        return found if matrix or len(found) > 1 else found[0]

    return gradient
