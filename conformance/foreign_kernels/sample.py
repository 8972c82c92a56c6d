"""What a Sample is: a kernel of somebody's checkout, with arguments, a reference and a tolerance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

import numpy as np

__all__ = ["EXACT", "Arguments", "Explanation", "Sample", "Theirs", "Tolerance"]

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Tolerance:
    """
    How far a result may be from its reference.

    Parameters
    ----------
    units : float
        Allowed distance, in unit roundoffs of `dtype`, relative to the largest magnitude of the reference.
    dtype : str
        The dtype whose unit roundoff is meant: that of the least precise value on the way.
    reason : str
        Why so much.
    """

    units: float
    dtype: Literal["float32", "bfloat16", "float16", "float8_e4m3", "float8_e5m2", "float4_e2m1"]
    reason: str

    @property
    def relative(self) -> float:
        """The allowed distance over the largest magnitude of the reference."""
        bits = {"float32": 24, "bfloat16": 8, "float16": 11, "float8_e4m3": 4, "float8_e5m2": 3, "float4_e2m1": 2}[self.dtype]
        return self.units * 2.0**-bits


EXACT: Final = Tolerance(0, "float32", "values are moved or are small integers")


class Theirs(NamedTuple):
    """
    A reference that comes with the kernel.

    Attributes
    ----------
    name : str
        The function.
    file : str, optional
        Where it is, below `Sample.root`'s repository; the kernel's own file by default.
    call : callable, optional
        ``call(function, **arguments)``, where its parameters are not the kernel's.
    torch : bool
        It takes torch tensors: arrays are handed over as such.
    """

    name: str
    file: str | None = None
    call: Callable[..., Any] | None = None
    torch: bool = False


@dataclass(frozen=True)
class Explanation:
    """
    Why a kernel does not run, or does not match; the run checks that it is so.

    Parameters
    ----------
    kind : {'rule', 'fault', 'package', 'version'}
        It breaks a documented rule of the hardware or of NKI; or is wrong in itself; or needs another package than
        nki, NumPy and torch; or was written for an NKI before 0.3.
    evidence : str
        The document and what it says, or the line and what is wrong there.
    error : type of Exception, optional
        What is raised; None where it runs and does not match.
    match : str
        A part of that error's message.
    """

    kind: Literal["rule", "fault", "package", "version"]
    evidence: str
    error: type[Exception] | None = None
    match: str = ""

    def explains(self, error: Exception) -> bool:
        """Say whether an error is the one that was to be expected."""
        return self.error is not None and isinstance(error, self.error) and self.match in str(error)


@dataclass(frozen=True, kw_only=True)
class Sample:
    """
    A kernel to run unmodified.

    Parameters
    ----------
    file : str
        Its file, relative to its repository: Python, or reStructuredText with the kernel in a code block.
    kernel : str
        The function's name; in classes ``Class.method``.
    inputs : callable
        ``inputs(rng)`` makes the arguments by name, drawn from a `numpy.random.Generator`.
    reference : callable or Theirs
        ``reference(**arguments)`` gives what the kernel returns, in float64 or exact integers.
    tolerance : Tolerance, optional
        How far from it the result may be.
    occurrence : int, optional
        Which of several code blocks that define the kernel, from 0.
    docstring : bool, optional
        The kernel is in a code block of a docstring of its Python file.
    case : str, optional
        Tells samples of one kernel apart.
    root : str, optional
        The folder of its repository that its absolute imports start from; by default its own folder.
    targets : tuple of str, optional
        Where it is meant to run.
    lnc : int, optional
        Cores of the logical core.
    adapt : callable, optional
        ``adapt(function)`` makes a kernel of a function that takes tiles, or is launched in another way.
    call : callable, optional
        ``call(kernel, **arguments)``, where the results are not what the kernel returns.
    needs : tuple of str, optional
        Packages to import beyond NumPy.
    explanation : Explanation, optional
        Why it cannot run or match.
    options : dict, optional
        Of the simulator. ``uninitialized="nan"`` is for a kernel that moves memory which nothing has written: there it finds NaN, which
        must not reach the results; ``races=False`` for one whose cores write where loaded indices say.
    prelude : str, optional
        Imports that a code block takes for granted.
    """

    file: str
    kernel: str
    inputs: Callable[[np.random.Generator], Arguments]
    reference: Callable[..., Any] | Theirs
    tolerance: Tolerance = EXACT
    occurrence: int = 0
    docstring: bool = False
    case: str = ""
    root: str | None = None
    targets: tuple[str, ...] = ("trn2",)
    lnc: int = 1
    adapt: Callable[[Any], Any] | None = None
    call: Callable[..., Any] | None = None
    needs: tuple[str, ...] = ()
    explanation: Explanation | Mapping[str, Explanation] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    prelude: str = "import numpy as np\nimport nki\nimport nki.isa as nisa\nimport nki.language as nl\n"

    def explained(self, target: str) -> Explanation | None:
        """Find the explanation that holds on a target."""
        return self.explanation.get(target) if isinstance(self.explanation, Mapping) else self.explanation
