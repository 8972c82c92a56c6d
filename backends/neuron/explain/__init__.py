"""
Explaining: what has to run before a value is there, in words and predicted figures, without running it.

What enters are the launches and host steps that the engine plans for pending nodes; what leaves is an `Explanation`, a value for people. It
imports the plan, and predictions by ``launch/``; nothing here computes.

Notes
-----
``collect.py``: from launches and host steps to an explanation. ``report.py``: the explanation and its text.
"""
