"""Pictures of arrays, and a page that shows them."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np
from PIL import Image

_COLOURS = np.array(  # ten that differ in lightness, too
    [
        (31, 119, 180), (255, 127, 14), (44, 160, 44), (214, 39, 40), (148, 103, 189),
        (140, 86, 75), (227, 119, 194), (90, 90, 90), (188, 189, 34), (23, 190, 207),
    ],
    np.uint8,
)  # fmt: skip
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>trnarray: what the demo computed</title>
<style>
  body {{ font-family: sans-serif; line-height: 1.5; max-width: 60rem; margin: auto; padding: 0 1rem }}
  figure {{ margin: 2rem 0 }}
  img {{ max-width: 100% }}
</style>
<h1>What the demo computed</h1>
<p>Arrays were on the device <code>{device}</code>. What it has no kernel for ran on the host; the demo lists it as it runs.</p>
{figures}
</html>
"""


def save(image: np.ndarray, path: Path) -> None:
    """Write an image of numbers from 0 to 1."""
    Image.fromarray(np.uint8(np.rint(np.clip(image, 0, 1) * 255))).save(path)
    print(f"  wrote {path}")


def diverging(field: np.ndarray, largest: float) -> np.ndarray:
    """Colour a field: blue below zero, white at zero, red above."""
    x = np.clip(field / largest, -1, 1)[..., None]
    red, blue = np.array([0.70, 0.02, 0.15]), np.array([0.13, 0.30, 0.75])
    return 1 + np.abs(x) * (np.where(x > 0, red, blue) - 1)


def row(images: Sequence[np.ndarray], scale: int, gap: int = 4) -> np.ndarray:
    """Put images beside each other, every pixel enlarged to `scale` of them."""
    enlarged = [np.kron(image, np.ones((scale, scale, 1))) for image in images]
    space = np.ones((enlarged[0].shape[0], gap, 3))
    return np.concatenate([part for image in enlarged for part in (image, space)][:-1], axis=1)


def scatter(points: np.ndarray, classes: np.ndarray, size: int = 480) -> np.ndarray:
    """Draw points in the plane, coloured by class."""
    low, high = points.min(axis=0), points.max(axis=0)
    places = np.rint((points - low) / (high - low) * (size - 7)).astype(int) + 3
    image = np.full((size, size, 3), 255, np.uint8)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            image[size - 1 - places[:, 1] + dy, places[:, 0] + dx] = _COLOURS[classes]
    return image / 255


def gallery(output: Path, device: str, captions: dict[str, str]) -> None:
    """Write a page with the pictures of a folder, given by file name and what they show."""
    figures = "\n".join(
        f'<figure><img src="{escape(name)}" alt="{escape(text)}"><figcaption>{escape(text)}</figcaption></figure>'
        for name, text in captions.items()
    )
    path = output / "index.html"
    path.write_text(_PAGE.format(device=escape(device), figures=figures), "utf-8")
    print(f"\nAll pictures: {path}")
