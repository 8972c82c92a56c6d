"""Whether rules and the host agree on calls, under the host's table and under that of Neuron devices."""

import warnings

import ml_dtypes
import numpy as np

from trnarray.backends.device import parse_device
from trnarray.backends.engine import HOST, engine_for
from trnarray.backends.neuron.fallback.dispatch import results_to_device
from trnarray.backends.neuron.graph.builder import dtypes_among
from trnarray.backends.neuron.value import Value
from trnarray.backends.op import get_op
from trnarray.backends.promotion import NEURON
from trnarray.backends.promotion import NUMPY as HOST_TABLE
from trnarray.backends.rules import NeedsValueError, Signature

DTYPES = [np.dtype(char) for char in "?biefdFD"] + [np.dtype(ml_dtypes.bfloat16)]
FLOATS = [np.dtype(char) for char in "ifF"]
ENGINE = engine_for(parse_device("sim:trn2"))


def described(result):
    if isinstance(result, (Signature, np.ndarray, np.generic, Value)):
        return result.shape, result.dtype
    return tuple(map(described, result)) if isinstance(result, (tuple, list)) else type(result)


def same(said, done):
    """Tell whether a rule says what was done: of numbers of Python's it may say that they are arrays, or the numbers themselves."""
    if type(said) is type(done) is tuple and len(said) == len(done) and not (len(done) == 2 and isinstance(done[1], np.dtype)):
        return all(map(same, said, done))
    if done in (int, float) and type(said) is tuple and said[0] == ():
        return said[1].kind == np.dtype(done).kind
    return said == done or (said is bool and done == ((), np.bool))


def outcome(call):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return described(call())
        except NeedsValueError:
            return NeedsValueError
        except (ValueError, TypeError, IndexError, ArithmeticError, NotImplementedError, RuntimeError) as error:
            return type(error)


def moved(item):
    if isinstance(item, np.ndarray):
        return ENGINE.from_host(item, copy=True)
    return type(item)(map(moved, item)) if type(item) in (tuple, list) else item


def cast(item, dtype):
    if isinstance(item, np.ndarray):
        return (item.real if dtype.kind != "c" else item).astype(dtype) if item.dtype.kind in "fc" else item
    return type(item)(cast(each, dtype) for each in item) if type(item) in (tuple, list) else item


def disagreements(op, args, kwargs=None, dtypes=FLOATS):
    """List where the rule says something else than the host does, for float operands cast to each dtype."""
    kwargs, found = kwargs or {}, []
    op = get_op(op) if isinstance(op, str) else op
    for dtype in dtypes:
        operands = [cast(item, dtype) for item in args]
        options = {name: cast(item, dtype) for name, item in kwargs.items()}
        values, named = moved(operands), {name: moved(item) for name, item in options.items()}
        dtypes_given = dtypes_among([*values, *named.values()])
        asked = [*dtypes_given, *(item for item in named.values() if isinstance(item, np.dtype))]
        table = NEURON.beside(dtypes_given)

        def on_device(operands=operands, options=options, asked=asked):
            return results_to_device(ENGINE.builder, op, HOST.compute(op, operands, options), operands, asked, options)

        rows = [
            (outcome(lambda: op.rule(HOST_TABLE, *operands, **options)), outcome(lambda: HOST.run(op, operands, options))),  # noqa: B023
            (outcome(lambda: op.rule(table, *values, **named)), outcome(on_device)),  # noqa: B023
        ]
        for said, done in rows:
            if said is NeedsValueError or same(said, done):
                continue
            if isinstance(done, type) and (issubclass(said, done) if isinstance(said, type) else issubclass(done, ValueError)):
                continue  # a value is refused when it is there
            found.append(f"{op.name} of {dtype}, {kwargs}: {said} for {done}")
    return found


def waits(op, args, kwargs=None, dtype=np.float32):
    """Tell whether the rule of the host's table knows the results."""
    op = get_op(op) if isinstance(op, str) else op
    operands = [cast(item, np.dtype(dtype)) for item in args]
    return outcome(lambda: op.rule(HOST_TABLE, *operands, **(kwargs or {}))) is not NeedsValueError
