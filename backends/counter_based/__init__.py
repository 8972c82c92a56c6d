"""
Counter-based random numbers on the host: words, and what is made of them.

What enters are a key and a counter; what leaves are ndarrays. ``functions.py`` has the functions from counters to words, ``stream.py``
what a call draws from, ``quantiles.py`` the distributions that are a quantile function of one number, and ``counts.py`` those of counts,
with the tables of both, which devices use too. It imports NumPy, and SciPy where a distribution needs it.
"""
