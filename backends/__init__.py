"""Engines that compute: where an operation of trnarray runs."""
