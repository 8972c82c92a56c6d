"""
SciPy passed through: functions and classes of SciPy that trnarray has no implementation of run on the host, on Arrays.

What enters is one of SciPy's functions, classes or instances and a call of it with Arrays; what leaves are Arrays, sparse arrays and
proxies on the device of that call. The settings decide about the fallback, and it is counted.

Notes
-----
``callbacks.py``: which parameters are functions of the user's, and how they compute where the data are. ``conversion.py``: Arrays to
ndarrays and back. ``proxy.py``: the call itself, and the proxies of SciPy's objects and classes. ``modules.py``: the names of a module
of SciPy, as a module of `trnarray.scipy` gives them.
"""
