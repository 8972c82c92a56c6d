"""The sweep of NumPy's protocols: how its functions and ufuncs are called, and whether ours give what NumPy gives."""
