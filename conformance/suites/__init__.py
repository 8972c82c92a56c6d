"""The suites, one module each; `trnarray.conformance.suite.SUITES` names them."""
