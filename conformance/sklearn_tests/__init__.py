"""scikit-learn's own array-API tests on Arrays: the pytest plugin."""
