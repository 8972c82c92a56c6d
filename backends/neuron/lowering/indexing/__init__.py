"""
Lowerings of Ops that get and set elements by index.

What enters are Values and index expressions; what leaves are views, gathers and scatters. Modules import the graph's builder and other
lowerings, no kernel.

Notes
-----
``keys.py``: index expressions. ``operands.py``: index operands as int32 from 0 on, and their bounds. ``gather.py``: nodes of gathers and
scatters. ``masks.py``: elements that masks keep. ``items.py``: ``x[key]`` and ``x[key] = y``. ``take.py``, ``put.py``: functions that
copy and write by index. ``coordinates.py``: flat indices and coordinates.
"""
