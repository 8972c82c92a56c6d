"""Collectives among ranks, by NKI's names: stands in for ``nki.collectives``."""

__all__: list[str] = []
