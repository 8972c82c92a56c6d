"""
Planning: pending nodes become stages, and stages a frozen plan.

What enters are pending nodes; what leaves are plans, frozen values with a stable hash, and the order of programs and host steps. It imports
the graph, the declarations of kernels and predicted costs (``costs.py``), no lowering and no function that emits instructions.

Notes
-----
``schedule.py``: programs, and host steps between them. ``common_subexpressions.py``: equal nodes once. ``layout_legalisation.py``: reads
that DMA handles badly. ``choice.py``: variants of kernels by predicted time. ``fusion.py``: nodes to groups, ``stages.py``: groups and
what they read and write, ``epilogue_fusion.py``: groups attached to the kernels before and after. ``dims.py``: the iteration space of a
stage. ``assemble.py``: groups to a `Plan` (``plan.py``).
"""
