"""What a kernel can do wrong, each with the place in the kernel where it was done."""

from __future__ import annotations

from types import FunctionType

__all__ = [
    "KernelError",
    "NkiConstraintError",
    "NkiValidationError",
    "OutOfBoundsError",
    "OutOfMemoryError",
    "RaceError",
    "UninitializedReadError",
    "shown",
]


class NkiValidationError(Exception):
    """A kernel asks for what the hardware cannot do; the class that NKI itself raises."""


class KernelError(NkiValidationError):
    """
    An error at a line of a kernel.

    Parameters
    ----------
    message : str
        What is wrong, in one sentence with the remedy.
    where : object, optional
        The line of the kernel; printed after the message.
    """

    def __init__(self, message: str, where: object = None) -> None:
        self.where = where
        super().__init__(message if where is None else f"{message}\n    at {where}")


class NkiConstraintError(KernelError):
    """
    A documented constraint is broken.

    Parameters
    ----------
    instruction : str
        The instruction or method.
    rule : str
        What is required, as a sentence.
    found : object
        What the kernel gave.
    allowed : object
        What it may give.
    document : str
        The document that says so.
    where : object, optional
        The line of the kernel.
    """

    def __init__(self, instruction: str, rule: str, found: object, allowed: object, document: str, where: object = None) -> None:
        self.instruction, self.rule, self.found, self.allowed, self.document = instruction, rule, found, allowed, document
        texts = [shown(value) for value in (found, allowed)]
        super().__init__(f"{instruction}: {rule} (found {texts[0]}; allowed {texts[1]}; {document})", where)


def shown(value: object) -> str:
    """Write a value as kernels do: of functions the name, and of tensors not the elements, which str() may give."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple | list):
        items = ", ".join(map(shown, value))
        return f"[{items}]" if isinstance(value, list) else f"({items}{',' * (len(value) == 1)})"
    if isinstance(value, FunctionType):
        prefix = next((short for name, short in (("language", "nl."), ("isa", "nisa.")) if f".{name}." in value.__module__), "")
        return f"{prefix}{value.__qualname__}"
    return repr(value)


class UninitializedReadError(KernelError):
    """An element that was never written is read."""


class OutOfBoundsError(KernelError):
    """A run-time offset or index leads out of a tensor."""


class OutOfMemoryError(KernelError):
    """Tensors that are alive together do not fit; the message lists them and where they were made."""


class RaceError(KernelError):
    """Two unordered accesses overlap and one is a write."""
