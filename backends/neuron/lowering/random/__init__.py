"""
Draws from counter-based streams on devices.

What enters is the part of a stream that a call has reserved (`counter_based.stream.Stream`) and its parameters; what leaves is a call of
the kernel "random", which makes words and numbers of them, and compositions on these. Modules import the graph's builder and other
lowerings, no kernel.

Notes
-----
``draws.py``: words, float32 quantiles and parameters. ``float64_draws.py``: numbers of two words. ``distributions.py``,
``counts.py`` and ``orders.py``: the Ops.
"""
