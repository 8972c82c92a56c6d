"""Five programs that were not written for trnarray, run on one of its devices, with what ran where and the pictures they make.

Run it with `make demo`, on another device with `make demo DEVICE=sim:trn2`, or as ``python docs/demo/tour.py --device sim:trn2``.
Times on ``sim:`` devices are the simulator's on this machine; what a device would take is predicted, and `explain` shows it.
"""

import os

os.environ["SCIPY_ARRAY_API"] = "1"  # scikit-learn's dispatch asks for it, before SciPy is imported

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from lowpass import analyse_digits, filter_photograph, on_host
from numpy_program import calls
from pictures import diverging, gallery, row, save, scatter
from progress import progress
from scikit_learn_program import fit
from sklearn.datasets import load_digits
from spectral_program import shear_layers, vorticity

import trnarray as xp

COMPONENTS = 12
SIZE, STEPS, STEP, VISCOSITY = 64, 100, 0.04, 5e-3
SHOWN = (25, 50, 75, 100)
CAPTIONS = {
    "side_by_side.png": "A photograph, and its lowest spatial frequencies: scipy.fft.",
    "axes.png": "The first eight principal axes of handwritten digits: scikit-learn's PCA.",
    "classes.png": "The digits on the first two discriminant axes, coloured by digit: scikit-learn's linear discriminant analysis.",
    "vorticity.png": f"Two shear layers roll up, after {', '.join(map(str, SHOWN))} steps: a spectral solver.",
}


@contextmanager
def chapter(number: int, title: str) -> Iterator[None]:
    """Print a title, then how long the chapter took and what ran where."""
    print(f"\n{number}. {title}")
    xp.reset_coverage()
    start = time.perf_counter()
    yield
    ran = xp.coverage()
    print(f"  {time.perf_counter() - start:.1f} s on this machine; calls that ran on the device: {sum(ran.native.values())}")
    hosted = Counter[str]()
    for fallback in ran.fallbacks:
        hosted[fallback.op] += fallback.calls
    if hosted:
        counts = ", ".join(f"{op} ({count})" for op, count in sorted(hosted.items()))
        print(f"  on the host, as the device has no kernel for them: {counts}")


def error(found: np.ndarray, exact: np.ndarray) -> float:
    """Give the largest error, of the largest element."""
    return float(np.max(np.abs(found - exact)) / np.max(np.abs(exact)))


def classify_digits(device: str, output: Path) -> None:
    images, labels = load_digits(return_X_y=True)
    images, labels = np.float32(images) / 16, np.int32(labels)
    found = fit(xp.asarray(images, device=device), xp.asarray(labels, device=device), COMPONENTS)
    by_numpy = fit(images, labels, COMPONENTS)
    for name in ("ridge regression", "linear discriminant analysis"):
        answers = on_host(found[name])
        differ = np.sum(answers != by_numpy[name])
        print(f"  {name} finds {np.mean(answers == labels):.1%} of the digits; {differ} of {len(labels)} answers differ from plain NumPy's")
    axes = on_host(found["principal axes"])[:8].reshape(-1, 8, 8)
    save(row([diverging(axis, float(np.abs(axis).max())) for axis in axes], scale=12), output / "axes.png")
    save(scatter(on_host(found["discriminant coordinates"])[:, :2], labels), output / "classes.png")


def call_numpy(device: str) -> None:
    rng = np.random.default_rng(1)
    a = np.float32(rng.normal(size=(96, 96)) + 10 * np.eye(96))
    b = np.float32(rng.normal(size=(96, 96)))
    found = calls(xp.asarray(a, device=device), xp.asarray(b, device=device))
    for (text, result), (_, exact) in zip(found, calls(np.float64(a), np.float64(b)), strict=True):
        print(f"  {text:36}{type(result).__name__} {result.dtype}, error {error(on_host(result), exact):.0e}")


def show_plan(pending: xp.Array, output: Path) -> None:
    """Show in short what is about to run, and write all of it as a page."""
    explanation = xp.explain(pending)
    if not explanation.steps:
        return  # on the cpu, which computes at once
    text = str(explanation).split("\n   stage ")[0]
    print("\n".join(f"  {line}".rstrip() for line in text.splitlines()))
    path = output / "explanation.html"
    path.write_text(f'<!doctype html><meta charset="utf-8"><title>The first step</title>{explanation._repr_html_()}', "utf-8")
    print(f"  wrote {path}, stage by stage")


def solve(device: str, output: Path) -> None:
    fields = vorticity(shear_layers(xp, SIZE, dtype=xp.float32, device=device), VISCOSITY, STEP, STEPS)
    frames = {}
    for number, field in progress(enumerate(fields, 1), STEPS, "solving"):
        if number == 1:
            show_plan(field, output)
        if number in SHOWN:
            frames[number] = on_host(field)
        xp.synchronize(field.device)  # so that the bar tells what is computed, and not what is planned
    *_, exact = vorticity(shear_layers(np, SIZE, dtype=np.float64, device="cpu"), VISCOSITY, STEP, STEPS)
    print(f"  vorticity after {STEPS} steps of {SIZE} x {SIZE}: error {error(frames[STEPS], exact):.0e}")
    save(row([diverging(frame, 4.0) for frame in frames.values()], scale=3), output / "vorticity.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu", help="where to compute (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=Path("build/demo"), help="folder for the pictures (default: %(default)s)")
    arguments = parser.parse_args()
    device, output = str(xp.asarray(0, device=arguments.device).device), arguments.output
    output.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    print(f"Computing on {device}. Errors are of float32 results against plain NumPy in float64.")
    with xp.config(fallback="allow"):
        with chapter(1, "scipy.fft filters a photograph"):
            filter_photograph(device, output)
        with chapter(2, "An Array API program finds principal components"):
            analyse_digits(device)
        with chapter(3, "scikit-learn classifies digits: PCA, ridge regression, linear discriminant analysis"):
            classify_digits(device, output)
        with chapter(4, "NumPy's own functions, called with Arrays"):
            call_numpy(device)
        with chapter(5, "A spectral solver in the Array API: two shear layers roll up"):
            solve(device, output)
    gallery(output, device, CAPTIONS)
    note = " Nothing ran on Trainium: the results are simulated, and the device's times predicted." if device.startswith("sim:") else ""
    print(f"Finished in {time.perf_counter() - start:.0f} s.{note}")


if __name__ == "__main__":
    main()
