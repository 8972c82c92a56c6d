"""
Functions of SciPy that compute on devices as compositions of trnarray's own functions.

What enters is a call of a name of `trnarray.scipy` with Arrays on a Neuron device; what leaves are Arrays there, deferred as the
functions are that they are composed of. Signatures and docstrings are SciPy's. What a composition does not take (dtypes, options) it leaves
to SciPy by `LeftToScipyError`, and the call is passed through: a counted fallback. On the cpu SciPy computes.

Notes
-----
``composition.py``: the tables of names, and the call. ``operands.py``: what all compositions do with arguments. The other modules hold the
compositions, each under the name of SciPy's function; they use the public namespace, `import trnarray as xp`, as a user would.
"""
