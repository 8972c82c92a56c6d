"""
Lowerings of Ops on sparse arrays: products, and what leaves the positions of stored elements as they are.

What enters are packed sparse arrays, (format, shape, components), and Values; what leaves are nodes. Positions are brought to the host
once, where layouts for the device are planned, and kept as long as the components with the positions are there; values stay on the device.
Where elements of results are, SciPy says of numbers in the places of values.

Modules import the graph's builder and other lowerings, no kernel.

Notes
-----
``structure.py``: positions of stored elements, by format, and what is kept with them. ``segment_sums.py``: sums of consecutive elements of
any number. ``padded_rows.py``: products by gathers, of any structure and dtype. ``diagonals.py``: products of stored diagonals.
``balanced.py``: three exchanges, for very long rows and columns.
``products.py``: Ops that multiply, and the choice among formats. ``components.py``: Ops that compute with stored elements alone.
``rearrangement.py``: Ops that move them. ``arithmetic.py``: sums and products of two sparse arrays.
"""
