"""Loops by the name that the 0.6 reference of ``nki.isa`` gives them: stands in for ``nki.experimental``."""

from .language import fori_loop, while_loop

__all__ = ["fori_loop", "while_loop"]
