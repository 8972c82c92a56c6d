"""NumPy's own tests with `np` swapped: the pytest plugin, and the list of tests that are about NumPy itself."""
