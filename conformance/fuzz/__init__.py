"""Nonsense calls: what is called, with which arguments, in a process of its own, and what may come of it."""
