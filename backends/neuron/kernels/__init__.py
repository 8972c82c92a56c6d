"""
Kernels: NKI programs for stages, one module per kernel, each with its declaration.

What enters is a stage of a plan and tensors in HBM; what leaves are instructions. A module imports instructions through `backends.isa`,
the declarations `neuron.kernel` and `neuron.function`, `neuron.costs`, and the plan's types; it knows no graph, lowering or launcher.
Importing this package imports every module in it, so that all declarations are there.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
