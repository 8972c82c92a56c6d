"""Compiling without a device: stands in for ``nki.compiler.kernel_builder``, as far as the simulator can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

__all__ = ["compile_kernel"]


def compile_kernel(
    kernel: Callable[..., Any],
    inputs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    compile_opts: Any = None,
    **hyperparameters: Any,
) -> NoReturn:
    """Say that the simulator compiles for no device."""
    raise NotImplementedError(
        f"compile_kernel({getattr(kernel, '__name__', kernel)!s}): the simulator makes no file for a device, AWS's nki does; "
        "to check and run the kernel here, decorate it with nki.jit and call it, or print kernel.program(*arrays)"
    )
