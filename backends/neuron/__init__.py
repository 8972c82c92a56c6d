"""
The Neuron engine: Arrays on a NeuronCore, real or simulated.

Calls append to a graph; where a value is needed, the pending graph becomes a plan, and the plan one NKI program.

Notes
-----
The way of a call, by modules:

1. ``engine.py`` gets an Op and Values (``value.py``: strided views on cells of memory) and looks up what lowers it.
2. ``lowering/``, by chapter, says what the Op means. It gets a Builder (``graph/builder.py``), which makes Values, and makes nodes with
   ``graph/build.py``; ``planes.py`` carries dtypes that a NeuronCore lacks in those that it has. What makes many nodes is recorded for
   a class of operands, and waits as one node (``recording.py``). What no lowering takes becomes a host step by ``fallback/``.
3. ``graph/`` has the nodes. What one computes is a value of ``graph/primitives.py``, from which its shape and dtype follow; ``layout.py``
   says which elements it looks at; the graph knows the declarations of kernels and functions, ``kernel.py`` and ``function.py``, which
   are imported when the first is looked up (``declarations.py``).
4. ``plan/schedule.py`` cuts what is pending, once a value is needed, into programs and calls on the host between them;
   ``loop.py`` traces the bodies of loops, which a program repeats.
5. ``plan/`` makes a frozen `Plan` of a program: variants by ``costs.py``, groups of nodes, groups attached to kernels, memory.
6. ``program.py`` is the one NKI kernel, which takes the plan as its argument; ``kernels/`` emit the stages of it.
7. ``launch/`` compiles, keeps and runs it; ``memory.py`` knows what buffers take, ``failures.py`` what of an error is kept.

Beside it, ``explain/`` tells 4 to 6 without a run, ``devices.py`` opens devices, ``selftest/`` and ``doctor.py`` measure them.
"""
