"""The operators of Python, by the names of their methods."""

import operator

FORWARD = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "divmod": divmod,
    "pow": operator.pow,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
IN_PLACE = {name: getattr(operator, f"i{name}") for name in FORWARD if name not in ("divmod", "eq", "ne", "lt", "le", "gt", "ge")}
UNARY = {"pos": operator.pos, "neg": operator.neg, "abs": abs, "invert": operator.invert}
