"""Special functions in float64, where SciPy's are not exact enough to measure float32 ones by."""
