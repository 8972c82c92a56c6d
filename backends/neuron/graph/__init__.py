"""
The graph: calls that wait, with their results.

What enters are the shapes, dtypes and nodes of operands; what leaves are nodes, whose shapes and dtypes follow from the declaration of what
computes them, so that a contradictory node cannot be made. It imports the declarations ``kernel.py`` and ``function.py`` and knows no
lowering, plan or launcher.

Notes
-----
``graph.py``: nodes, run-time checks, and what is pending. ``primitives.py``: what a node computes, as a frozen value. ``build.py``:
functions that make nodes. ``builder.py``: what lowerings get of a device.
"""
