"""SciPy's own array-API tests on Arrays: the pytest plugin, and the list of tests that are about SciPy itself."""
