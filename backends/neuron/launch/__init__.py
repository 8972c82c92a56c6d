"""Launchers: the ways to run a program."""
