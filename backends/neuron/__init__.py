"""
The Neuron engine: Arrays on a NeuronCore, real or simulated.

Calls append to a graph; where a value is needed, the pending graph becomes a plan, and the plan one NKI program.

Notes
-----
Where things are, in the order in which a call passes through them:

- ``engine.py``: the engine; ``value.py``: what it keeps for an Array, a strided view on cells.
- ``lowering/``: what each Op means in primitives, by chapter; ``planes.py``: dtypes as planes of native dtypes.
- ``primitives.py``, ``graph.py``: the graph's nodes, whose shapes and dtypes follow from what computes them; ``build.py`` makes them.
- ``kernel.py``, ``function.py``: what kernels and elementwise functions declare of themselves.
- ``plan/``: from pending nodes to a frozen `Plan` of fused stages.
- ``kernels/``, ``program.py``: the one NKI kernel, which takes the plan as its argument, and what it is made of.
- ``launch/``: the ways to run a program.
"""
