"""
The instruction set of the NKI simulator as a table of small kernels with references of their own.

Notes
-----
- ``row.py``: what is declared about a use of an instruction, and the settings of knobs; ``rows``: the table. ``check.py``: the run.
- ``bench.py`` draws operands, ``layout.py`` where they lie. ``experiment.py`` and ``launch.py``: kernels of one core, and of several.
- ``formats.py``, ``arithmetic.py``: the reference. ``races.py``: programs that race.
"""
