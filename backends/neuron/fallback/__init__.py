"""
Fallbacks: Ops that the host computes for a Neuron device.

What enters is a call of an Op and the reason why the device has no kernel for it; what leaves are Values: results of a host step that waits
in the graph where the Op's rule knows their shapes and dtypes, else results that are computed at once. It imports the graph and the host
engine, no lowering and no plan.

Notes
-----
``dispatch.py``: warns, counts and appends or runs. ``host_call.py``: the host step.
"""
