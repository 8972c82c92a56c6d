"""Configuration of kernels, by NKI's names: stands in for ``nki.compiler``."""

from . import kernel_builder
from .config import AddressRotation, CompileConfig, SpecializationConfig

__all__ = ["AddressRotation", "CompileConfig", "SpecializationConfig", "kernel_builder"]
