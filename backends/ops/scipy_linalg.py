"""Ops of scipy.linalg, by name. Importing this imports scipy.linalg."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

import numpy as np
import scipy
import scipy.linalg

from ..op import Op
from ..rules import Rule
from ..rules.scipy_linalg import RULES, over_factors, over_stacks, without_stacks

__all__ = ["OPS"]

_NAMES: Final = """
    bandwidth block_diag cdf2rdf cho_factor cho_solve cho_solve_banded cholesky cholesky_banded circulant companion
    convolution_matrix coshm cosm cossin det dft diagsvd eig eig_banded eigh eigh_tridiagonal eigvals eigvals_banded
    eigvalsh eigvalsh_tridiagonal expm expm_cond expm_frechet fiedler fiedler_companion fractional_matrix_power funm
    hadamard hankel helmert hessenberg hilbert inv invhilbert invpascal ishermitian issymmetric khatri_rao ldl leslie
    logm lstsq lu lu_factor lu_solve matmul_toeplitz matrix_balance norm null_space ordqz orth orthogonal_procrustes
    pascal pinv pinvh polar qr qr_delete qr_insert qr_multiply qr_update qz rq rsf2csf schur signm sinhm sinm solve
    solve_banded solve_circulant solve_continuous_are solve_continuous_lyapunov solve_discrete_are
    solve_discrete_lyapunov solve_sylvester solve_toeplitz solve_triangular solveh_banded sqrtm subspace_angles svd
    svdvals tanhm tanm toeplitz
"""

_SCIPY: Final = tuple(map(int, scipy.__version__.split(".")[:2]))
_SETTLED: Final = (1, 17)  # from then on functions have the parameters of the newest
_FLAGS_OF_STACKS: Final = ("cho_factor",)  # gives what is one bool of a single matrix
_FACTORS: Final = ("cho_solve", "lu_solve")
_SETTLED_LATER: Final = {"eigvals": (1, 18)}

# The operands that SciPy takes stacks of, and the axes of one, where its functions are applied over stacks by a loop in Python.
_AXES: Final[Mapping[str, tuple[int, ...]]] = {
    **dict.fromkeys(("cho_factor", "cholesky", "cholesky_banded", "coshm", "cosm", "eig_banded", "eigvals_banded"), (2,)),
    **dict.fromkeys(("expm_cond", "fractional_matrix_power", "funm", "hessenberg", "ishermitian", "issymmetric", "ldl"), (2,)),
    **dict.fromkeys(("det", "inv", "lu"), (2,)),
    **dict.fromkeys(("logm", "lu_factor", "matrix_balance", "null_space", "orth", "pinv", "pinvh", "polar", "qr", "rq"), (2,)),
    **dict.fromkeys(("schur", "signm", "sinhm", "sinm", "svd", "svdvals", "tanhm", "tanm"), (2,)),
    "solve": (2, 2),
    **dict.fromkeys(("eig", "eigh", "eigvals", "eigvalsh", "expm_frechet", "khatri_rao", "lstsq", "ordqz"), (2, 2)),
    **dict.fromkeys(("orthogonal_procrustes", "qr_multiply", "qz", "rsf2csf", "solve_continuous_lyapunov"), (2, 2)),
    **dict.fromkeys(("solve_discrete_lyapunov", "solve_triangular", "solveh_banded", "subspace_angles"), (2, 2)),
    "solve_sylvester": (2, 2, 2),
    "qr_update": (2, 2, 2, 2),
    "diagsvd": (1,),
    **dict.fromkeys(("eigh_tridiagonal", "eigvalsh_tridiagonal", "leslie"), (1, 1)),
}

# What a function without the parameter does anyway: it copies, checks, and has one driver.
_HARMLESS: Final = ("overwrite_a", "overwrite_b", "check_finite")
_ONLY_DRIVER: Final = "gesdd"


def _of_this_scipy(function: Callable[..., Any]) -> Callable[..., Any]:
    """Call a function of SciPy without the parameters that its version does not have; they are those of the newest."""
    known = inspect.signature(function).parameters
    # What None of the newest was before.
    given = {place: one.default for place, one in enumerate(known.values()) if one.default not in (None, inspect.Parameter.empty)}

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        values = [*args]  # what is passed by its place has it in every version
        for place, default in given.items():
            if place < len(values) and values[place] is None:
                values[place] = default
        taken = {}
        for name, value in kwargs.items():
            if name in known and (value is not None or known[name].default is None):
                taken[name] = value
            elif name not in known and not (value is None or name in _HARMLESS or value == _ONLY_DRIVER):
                raise TypeError(
                    f"{function.__name__} of SciPy {scipy.__version__} has no parameter {name!r}, which is {value!r}; leave it out, "
                    "or use a newer SciPy"
                )
        result = function(*values, **taken)
        if isinstance(result, np.ndarray) and result.dtype.char in "gG":  # of an older sqrtm, which computes in double precision
            return result.astype("D" if result.dtype.kind == "c" else "d")
        return result

    return call


def _at_once(function: Callable[..., Any], axes: tuple[int, ...]) -> Callable[..., Any]:
    """Call what SciPy applies over stacks without its loop where there is no stack: the loop takes longer than many a function."""
    one = inspect.unwrap(function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for arg, most in zip(args, axes, strict=False):
            if arg is not None and (type(arg) is not np.ndarray or arg.ndim > most):
                return function(*args, **kwargs)
        return one(*args, **kwargs)

    return call


def _hadamard(n: Any, dtype: Any = int) -> Any:
    """Make a Hadamard matrix; SciPy doubles one until there is no memory, where there is none for the last."""
    if isinstance(n, (int, np.integer)) and n > 0:
        np.empty((int(n), int(n)), dtype)
    return scipy.linalg.hadamard(n, dtype)


def _function(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = _hadamard if name == "hadamard" else getattr(scipy.linalg, name)
    if _SCIPY < _SETTLED_LATER.get(name, _SETTLED):
        return _of_this_scipy(function)
    return _at_once(function, _AXES[name]) if name in _AXES and hasattr(function, "__wrapped__") else function


def _rule(name: str) -> Rule:
    """Give the rule: over stacks, where this SciPy takes them of all."""
    axes = _AXES.get(name)
    if axes is None:
        return over_factors(RULES[name]) if name in _FACTORS and _SCIPY >= _SETTLED else RULES[name]
    return over_stacks(RULES[name], axes) if _SCIPY >= _SETTLED and name not in _FLAGS_OF_STACKS else without_stacks(RULES[name], axes)


OPS: Final[Mapping[str, Op]] = {name: Op(f"scipy.linalg.{name}", _function(name), rule=_rule(name)) for name in _NAMES.split()}
"""The functions that take or give matrices, by name."""
