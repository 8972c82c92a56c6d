"""Rules take the parameters of host functions."""

import inspect

import pytest
import scipy

from trnarray.backends.rules import Dynamic
from trnarray.conformance.suites.rules import registered

SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def parameters(function):
    """List the parameters of a function that tells them, but those that no call of an Op has."""
    try:
        found = [*inspect.signature(function).parameters.values()]
    except ValueError:  # of a function of C's
        return []
    if any(one.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD) for one in found):
        return []
    return [one for one in found if one.kind is not inspect.Parameter.KEYWORD_ONLY or one.name not in ("device", "like", "xp")]


def refused(op):
    """Tell what of the host function's parameters a rule does not take, in their order or by their names."""
    rule, of_host = inspect.signature(op.rule), parameters(op.host)
    if not of_host:
        return []
    positional = [one for one in of_host if one.kind in _POSITIONAL]
    needed = [one for one in positional if one.default is inspect.Parameter.empty or one.kind is inspect.Parameter.POSITIONAL_ONLY]
    named = [one.name for one in of_host if one not in needed]
    calls = [(len(positional), []), (len(needed), named)]
    found = []
    for count, names in calls:
        try:
            rule.bind("promotion", *[None] * count, **dict.fromkeys(names))
        except TypeError as error:
            found.append(f"{op.name}: {error}")
    return found


@pytest.mark.skipif(SCIPY < (1, 18), reason="older versions have parameters that no call of an Op has")
def test_rules_take_the_parameters_of_host_functions():
    ops = [op for op in registered() if op.rule is not None and not isinstance(op.rule, Dynamic)]
    assert [line for op in ops for line in refused(op)] == []
