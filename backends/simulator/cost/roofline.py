"""A roofline plot of predictions, as SVG text: what a program does against what the core could do with its bytes."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..target import PARTITIONS, Target
from .hardware import DMA_ENGINES, HARDWARE
from .units import duration, operations

if TYPE_CHECKING:
    from .predicted import Predicted

__all__ = ["Roofs", "roofline_plot", "roofs"]

_WIDTH, _HEIGHT = 820, 560
_LEFT, _RIGHT, _TOP, _BOTTOM = 92, 24, 56, 62
_INK, _FAINT, _GRID = "#1f2933", "#5b6770", "#e4e8eb"
_MEMORY_COLOUR: Final = "#8a5a00"
_ROOF_COLOURS: Final = ("#0b5394", "#3d7ebd", "#7a8b99")
_POINT_COLOURS: Final = ("#c0392b", "#117a65", "#6c3483", "#b9770e", "#1b4f72", "#7b241c")


class Roofs(NamedTuple):
    """
    What bounds a core.

    Attributes
    ----------
    memory : float
        Bytes per second between HBM and SBUF.
    compute : dict
        Operations per second, by what computes; the highest first.
    """

    memory: float
    compute: dict[str, float]


def roofs(target: Target) -> Roofs:
    """
    Look up what bounds a core of a generation.

    Examples
    --------
    >>> from trnarray.backends.simulator import TARGETS
    >>> for name, rate in roofs(TARGETS["trn2"]).compute.items():
    ...     print(f"{name}: {rate / 1e12:.2f} TFLOPS")
    Tensor Engine, bfloat16: 78.64 TFLOPS
    Tensor Engine, float32: 19.66 TFLOPS
    Vector Engine: 0.12 TFLOPS
    """
    rates = (DMA_ENGINES * HARDWARE["dma_rate"][target.name].value, HARDWARE["hbm_rate"][target.name].value)
    tensor = 2 * PARTITIONS**2 * target.clock_ghz["tensor"] * 1e9
    vector = PARTITIONS * target.clock_ghz["vector"] * 1e9
    return Roofs(
        min(rates) * 1e9,
        {"Tensor Engine, bfloat16": tensor, "Tensor Engine, float32": tensor / 4, "Vector Engine": vector},
    )


class _Axes:
    """Logarithmic axes: powers of two flop/B across, powers of ten flop/s up."""

    def __init__(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        self.x, self.y = x, y

    def across(self, intensity: float) -> float:
        low, high = map(math.log, self.x)
        return _LEFT + (math.log(intensity) - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def up(self, rate: float) -> float:
        low, high = map(math.log, self.y)
        return _HEIGHT - _BOTTOM - (math.log(rate) - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)


def _text(x: float, y: float, text: str, *, size: int = 12, colour: str = _INK, anchor: str = "start", turn: float = 0) -> str:
    rotation = f' transform="rotate({turn:.1f} {x:.1f} {y:.1f})"' if turn else ""
    # A white outline keeps labels readable where they cross lines.
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" stroke="white" stroke-width="3" '
        f'paint-order="stroke"{rotation}>{html.escape(text, quote=False)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dash: str = "") -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"{dashes}/>'


def _grid(axes: _Axes) -> list[str]:
    floor, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = []
    for exponent in range(math.ceil(math.log2(axes.x[0])), math.floor(math.log2(axes.x[1])) + 1):
        x = axes.across(2.0**exponent)
        parts.append(_line(x, _TOP, x, floor, _GRID))
        if exponent % 2 == 0:
            parts.append(_text(x, floor + 18, f"{2**exponent}" if exponent >= 0 else f"1/{2**-exponent}", colour=_FAINT, anchor="middle"))
    for exponent in range(math.ceil(math.log10(axes.y[0])), math.floor(math.log10(axes.y[1])) + 1):
        y = axes.up(10.0**exponent)
        parts += [_line(_LEFT, y, right, y, _GRID), _text(_LEFT - 8, y + 4, _tick(exponent), colour=_FAINT, anchor="end")]
    parts.append(_text((_LEFT + right) / 2, _HEIGHT - 18, "operations per byte moved between HBM and SBUF", colour=_FAINT, anchor="middle"))
    return parts


def _tick(exponent: int) -> str:
    """Write a power of ten operations per second."""
    prefix = {3: "G", 4: "T", 5: "P"}.get(exponent // 3, "M")
    return f"{10 ** (exponent % 3)} {prefix}flop/s" if exponent >= 6 else f"1e{exponent} flop/s"


def _roof_lines(axes: _Axes, bounds: Roofs) -> list[str]:
    right = axes.x[1]
    parts = []
    for (name, rate), colour in zip(bounds.compute.items(), _ROOF_COLOURS, strict=True):
        ridge = rate / bounds.memory
        start = max(ridge, axes.x[0])
        parts.append(_line(axes.across(start), axes.up(rate), axes.across(right), axes.up(rate), colour, 2))
        parts.append(_text(axes.across(right) - 6, axes.up(rate) - 7, f"{name}: {operations(rate, '/s')}", colour=colour, anchor="end"))
    top = max(bounds.compute.values()) / bounds.memory
    x1, x2 = axes.across(axes.x[0]), axes.across(top)
    y1, y2 = axes.up(axes.x[0] * bounds.memory), axes.up(top * bounds.memory)
    parts.append(_line(x1, y1, x2, y2, _MEMORY_COLOUR, 2))
    slope = math.degrees(math.atan2(y2 - y1, x2 - x1))
    x, y = x1 + 0.42 * (x2 - x1), y1 + 0.42 * (y2 - y1)
    parts.append(_text(x, y - 8, f"HBM to SBUF: {bounds.memory / 1e9:.0f} GB/s", colour=_MEMORY_COLOUR, anchor="middle", turn=slope))
    return parts


def _points(axes: _Axes, predictions: Mapping[str, Predicted]) -> list[str]:
    parts = []
    for number, (label, prediction) in enumerate(predictions.items()):
        colour = _POINT_COLOURS[number % len(_POINT_COLOURS)]
        x = axes.across(_intensity(prediction))
        times = (prediction.low, prediction.seconds, prediction.high)
        best, middle, worst = (axes.up(prediction.arithmetic / seconds) for seconds in times)
        parts.append(_line(x, best, x, worst, colour, 3))
        parts.append(f'<circle cx="{x:.1f}" cy="{middle:.1f}" r="5" fill="{colour}" stroke="white" stroke-width="1.5"/>')
        left = x > _WIDTH * 0.6
        text = f"{label}: {duration(prediction.seconds)}, {prediction.roofline:.0%} of the {prediction.bound} limit"
        parts.append(_text(x - 10 if left else x + 10, middle + 4, text, size=13, colour=colour, anchor="end" if left else "start"))
    return parts


def _intensity(prediction: Predicted) -> float:
    return prediction.arithmetic / (prediction.hbm_read + prediction.hbm_written)


def roofline_plot(predictions: Mapping[str, Predicted]) -> str:
    """
    Plot predictions below the roofs of their target.

    Parameters
    ----------
    predictions : mapping
        By label; all for one target. A program's place across is its arithmetic over the bytes that it moves between HBM and SBUF, its
        height its arithmetic over its time, with a bar from the slow to the fast end of the predicted range.

    Returns
    -------
    str
        An SVG document.

    Raises
    ------
    ValueError
        If there are none, they are for several targets, or one has no arithmetic or moves no bytes.
    """
    if not predictions:
        raise ValueError("there are no predictions to plot; pass one or more by label")
    targets = {prediction.target.name: prediction.target for prediction in predictions.values()}
    if len(targets) > 1:
        raise ValueError(f"predictions for {' and '.join(sorted(targets))} have different roofs; make one plot for each target")
    for label, prediction in predictions.items():
        if not (prediction.arithmetic and prediction.hbm_read + prediction.hbm_written):
            traffic = prediction.hbm_read + prediction.hbm_written
            raise ValueError(f"{label!r} has {prediction.arithmetic:.0f} operations and moves {traffic:.0f} bytes; a roofline needs both")
    (target,) = targets.values()
    bounds = roofs(target)
    axes = _axes(list(predictions.values()), bounds)
    title = f"Predicted on one {target.name} core"
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif">',
            f"<title>{html.escape(title, quote=False)}</title>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
            _text(_LEFT, 30, title, size=17),
            *_grid(axes),
            *_roof_lines(axes, bounds),
            *_points(axes, predictions),
            "</svg>",
            "",
        ]
    )


def _axes(predictions: Sequence[Predicted], bounds: Roofs) -> _Axes:
    intensities = [_intensity(prediction) for prediction in predictions]
    slowest = min(prediction.arithmetic / prediction.high for prediction in predictions)
    highest = max(bounds.compute.values())
    left = min(0.25, min(intensities) / 2)
    right = max(4 * highest / bounds.memory, 2 * max(intensities))
    return _Axes((left, right), (min(slowest / 2, left * bounds.memory), 2 * highest))
