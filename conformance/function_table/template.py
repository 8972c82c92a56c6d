"""Templates of calls: a row of the table says what each parameter is, and hypothesis draws calls from that.

A template is a function of a `Sketch`, the call that is being drawn. The first array that is drawn gives the sketch its
shape, and axes, indices and partners follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from ...backends.dtypes import DType
from .operand import LEAD, VIEWS, Lead, Operand, Partner, Weak

__all__ = [
    "ANY",
    "SMALL",
    "Call",
    "Sketch",
    "Template",
    "always",
    "array",
    "arrays",
    "axes",
    "axis",
    "call",
    "call_into",
    "choice",
    "computed",
    "flag",
    "indices",
    "integers",
    "lead",
    "matrix",
    "other",
    "partner",
    "shape",
    "spread",
]

ANY = ("finite", "any")
SMALL = ("small", "finite")
_SIDES = st.sampled_from((1, 2, 3, 4, 3, 0))
_LONG = (37, 130)  # past the width of every vector unit, and past NumPy's pairwise blocks


class Call(NamedTuple):
    """
    A drawn call.

    Attributes
    ----------
    args : tuple
        Positional operands, with placeholders for arrays, weak scalars and the lead dtype.
    kwargs : dict
        The same by keyword.
    into : int or None
        A seed for the arrays to write the result to, if ``out=`` is to be tried too.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    into: int | None = None

    def realize(self, make: Callable[[Any], Any]) -> tuple[list[Any], dict[str, Any]]:
        """Replace the placeholders."""

        def walk(item: Any) -> Any:
            if isinstance(item, (Operand, Weak, Lead)):
                return make(item)
            if type(item) is list or type(item) is tuple:
                return type(item)(walk(part) for part in item)
            return item

        return [walk(item) for item in self.args], {key: walk(item) for key, item in self.kwargs.items()}


class Sketch:
    """
    A call while it is drawn.

    Parameters
    ----------
    draw : callable
        Hypothesis's.

    Attributes
    ----------
    shape : tuple of int or None
        That of the first array.
    ndim : int
        Its length.
    """

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.shape: tuple[int, ...] | None = None

    @property
    def ndim(self) -> int:
        """The number of dimensions of the first array."""
        return len(self.shape or ())

    def operand(self, of_shape: Sequence[int], contents: Sequence[str], dtype: Any = None, bounds: tuple[int, int] = (0, 1)) -> Operand:
        """Draw an array of a given shape."""
        view = self.draw(st.integers(0, len(VIEWS) - 1))
        return Operand(
            tuple(of_shape),
            view,
            self.draw(st.sampled_from(tuple(contents))),
            self.draw(st.integers(0, 2**32 - 1)),
            None if dtype is None else dtype if isinstance(dtype, Partner) else np.dtype(dtype),
            bounds,
        )


class Template(NamedTuple):
    """
    How one parameter is drawn.

    Attributes
    ----------
    draw : callable
        Gives the parameter for a `Sketch`.
    required : bool
        Whether a keyword is in every call, and not in half of them.
    spread : bool
        Whether `draw` gives several positional operands.
    """

    draw: Callable[[Sketch], Any]
    required: bool = False
    spread: bool = False


def always(template: Template) -> Template:
    """Make a keyword one that every call has."""
    return template._replace(required=True)


def spread(draw: Callable[[Sketch], Sequence[Any]]) -> Template:
    """Draw any number of positional operands."""
    return Template(draw, spread=True)


@st.composite
def _calls(draw: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], out: bool) -> Call:
    sketch = Sketch(draw)
    values: list[Any] = []
    for item in args:
        drawn = item.draw(sketch) if isinstance(item, Template) else item
        values.extend(drawn) if isinstance(item, Template) and item.spread else values.append(drawn)
    named = {}
    for key, item in kwargs.items():
        if (isinstance(item, Template) and item.required) or draw(st.booleans()):
            named[key] = item.draw(sketch) if isinstance(item, Template) else item
    into = draw(st.none() | st.integers(0, 2**16)) if out else None
    return Call(tuple(values), named, into)


def call(*args: Any, **kwargs: Any) -> st.SearchStrategy[Call]:
    """Make the strategy of calls of a row."""
    return _calls(args, kwargs, False)


def call_into(*args: Any, **kwargs: Any) -> st.SearchStrategy[Call]:
    """Make the strategy of calls of a row with results that ``out=`` can take, which is tried now and then."""
    return _calls(args, kwargs, True)


def _draw_shape(sketch: Sketch, dims: tuple[int, int], long: bool, sides: st.SearchStrategy[int] = _SIDES) -> tuple[int, ...]:
    least, most = dims
    if long and least <= 1 <= most and sketch.draw(st.integers(0, 5)) == 5:
        return (sketch.draw(st.sampled_from(_LONG)),)
    return tuple(sketch.draw(st.lists(sides, min_size=least, max_size=most)))


def array(
    *contents: str, dims: tuple[int, int] = (0, 3), long: bool = True, dtype: Any = None, last: int | None = None, least: int = 0,
    bounds: tuple[int, int] = (0, 1),
) -> Template:  # fmt: skip
    """Draw an array of any shape with so many dimensions, of sides of `least` or more, and a last one of `last` if given."""
    sides = _SIDES.filter(lambda side: side >= least) if least else _SIDES

    def template(sketch: Sketch) -> Operand:
        drawn = _draw_shape(sketch, dims, long, sides)
        if last is not None and drawn:
            drawn = (*drawn[:-1], last)
        if sketch.shape is None:
            sketch.shape = drawn
        return sketch.operand(drawn, contents or ANY, dtype, bounds)

    return Template(template)


def matrix(*contents: str, square: bool = False, stack: int = 1, sides: tuple[int, int] = (1, 4)) -> Template:
    """Draw a matrix or a stack of them."""

    def template(sketch: Sketch) -> Operand:
        side = st.integers(*sides)
        rows = sketch.draw(side)
        columns = rows if square else sketch.draw(side)
        above = sketch.draw(st.lists(st.sampled_from((2, 1, 3, 0)), max_size=stack))
        if sketch.shape is None:
            sketch.shape = (*above, rows, columns)
        return sketch.operand((*above, rows, columns), contents or SMALL)

    return Template(template)


def other(*contents: str, dtype: Any = None) -> Template:
    """Draw an array of the shape of the first."""
    return Template(lambda sketch: sketch.operand(sketch.shape or (), contents or ANY, dtype))


def partner(*contents: str, scalars: bool = True, same: bool = False) -> Template:
    """Draw an operand that the first meets: of its or another dtype, shaped to broadcast (mostly), or a Python scalar."""

    def template(sketch: Sketch) -> Operand | Weak:
        kind = sketch.draw(st.integers(0, 9))
        if scalars and kind == 9:
            return Weak(sketch.draw(st.integers(0, 6)))
        shape = list(sketch.shape or ())
        if kind >= 6:
            shape = [n if sketch.draw(st.booleans()) else 1 for n in shape]
        elif kind == 5:
            shape = shape[sketch.draw(st.integers(0, len(shape))) :]
        elif kind == 4:
            shape = [2, *shape] if len(shape) < 4 else shape
        elif kind == 3 and shape:
            shape[-1] += 1  # does not broadcast, unless the other side is 1
        choice = 0 if same else sketch.draw(st.sampled_from((0, 0, *range(1, 16))))
        return sketch.operand(shape, contents or ANY, Partner(choice))

    return Template(template)


def arrays(*contents: str, dims: tuple[int, int] = (0, 3), alike: bool = True, as_tuple: bool = False, most: int = 3) -> Template:
    """Draw a list of arrays, of one shape or of shapes that differ in one axis, of which the first is the sketch's."""

    def template(sketch: Sketch) -> Sequence[Operand]:
        drawn = _draw_shape(sketch, dims, False)
        if sketch.shape is None:
            sketch.shape = drawn
        count = sketch.draw(st.integers(1, most))
        parts = [sketch.operand(drawn, contents or ANY)]
        for _ in range(count - 1):
            shape = list(drawn)
            if not alike and shape:
                shape[sketch.draw(st.integers(0, len(shape) - 1))] = sketch.draw(_SIDES)
            parts.append(sketch.operand(shape, contents or ANY, Partner(sketch.draw(st.sampled_from((0, 0, 1, 5, 8, 12))))))
        return tuple(parts) if as_tuple else parts

    return Template(template)


def axis(*, none: bool = False, past: bool = True) -> Template:
    """Draw an axis of the first array; None too if allowed, and now and then one that does not exist."""

    def template(sketch: Sketch) -> int | None:
        ndim = sketch.ndim
        kind = sketch.draw(st.integers(0, 9))
        if none and kind >= 8:
            return None
        if (past and kind == 7) or ndim == 0:
            return int(sketch.draw(st.sampled_from((ndim, -ndim - 1))))
        return int(sketch.draw(st.integers(-ndim, ndim - 1)))

    return Template(template)


def axes(*, none: bool = True, least: int = 0) -> Template:
    """Draw an axis, a tuple of axes (rarely with one twice), or None."""
    single = axis(none=none).draw

    def template(sketch: Sketch) -> int | tuple[int, ...] | None:
        kind = sketch.draw(st.integers(0, 9))
        if kind < 5 or sketch.ndim == 0:
            chosen: int | None = single(sketch)
            return chosen
        unique = kind < 9
        drawn = sketch.draw(st.lists(st.integers(0, sketch.ndim - 1), min_size=least, max_size=sketch.ndim, unique=unique))
        return tuple(a - sketch.ndim if sketch.draw(st.booleans()) else a for a in drawn)

    return Template(template)


def flag() -> Template:
    """Draw True or False."""
    return Template(lambda sketch: sketch.draw(st.booleans()))


def integers(low: int, high: int) -> Template:
    """Draw a Python integer from a closed interval."""
    return Template(lambda sketch: sketch.draw(st.integers(low, high)))


def choice(*values: Any) -> Template:
    """Draw one of some constants."""
    return Template(lambda sketch: sketch.draw(st.sampled_from(values)))


def lead() -> Template:
    """Name the lead dtype."""
    return Template(lambda _: LEAD)


def shape(dims: tuple[int, int] = (0, 3)) -> Template:
    """Draw a shape, a tuple of int."""
    return Template(lambda sketch: _draw_shape(sketch, dims, False))


def indices(
    high: Callable[[Sketch], int] | int, *, negative: bool = True, dims: tuple[int, int] = (1, 2), dtype: DType | type = np.int64
) -> Template:
    """Draw an integer array of indices below `high`, which may depend on the sketch; now and then one past the end."""

    def template(sketch: Sketch) -> Operand:
        bound = high(sketch) if callable(high) else high
        past = sketch.draw(st.integers(0, 9)) == 9
        low = -bound if negative else 0
        return sketch.operand(_draw_shape(sketch, dims, False), ("index",), dtype, (low, bound + past))

    return Template(template)


def computed(draw: Callable[[Sketch], Any]) -> Template:
    """Draw whatever a function draws."""
    return Template(draw)
