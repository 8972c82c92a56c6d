"""Suites that check trnarray against the standards it promises: ``python -m trnarray.conformance SUITE``.

A suite is a module that `suite.SUITES` names; it fills a `report.Report`, which is printed as a table and written as JSON.
"""
