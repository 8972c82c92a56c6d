"""
Kernels: NKI programs for stages, one module per kernel, in folders by family, each with its declaration.

What enters is a stage of a plan and tensors in HBM; what leaves are instructions. A module imports instructions through `backends.isa`,
the declarations `neuron.kernel` and `neuron.function`, `neuron.costs`, and the plan's types; it knows no graph, lowering or launcher.
Importing this package imports every module in it, so that all declarations are there.
"""

from importlib import import_module
from pkgutil import walk_packages

for _module in walk_packages(__path__, f"{__name__}."):
    import_module(_module.name)
