"""
Discrete Fourier transforms of any length: products with matrices of roots of unity, and steps that make long ones of short ones.

What enters are planes of a Value; what leaves is one call, `fourier`, which the planner expands. Modules import the graph's builder and
other lowerings, no kernel.

Notes
-----
``roots.py``: matrices, twiddles and chirps in float64. ``steps.py``: which steps make a length. ``axes.py``: products along an axis, cuts
and padding. ``chains.py``: the graph of a transform. ``transforms.py``: the Ops.
"""
