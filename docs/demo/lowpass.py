"""Filter a photograph and analyse handwritten digits with trnarray, in programs that were not written for it.

Run it as ``python docs/demo/lowpass.py --device sim:trn2 --output build/demo``; `make demo` has it, and more, in `tour.py`. What the
device has no kernel for runs on the host and is listed at the end.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from array_api_program import nearest_centroid, principal_components
from filter_program import low_pass
from pictures import save
from sklearn.datasets import load_digits, load_sample_image

import trnarray as xp

KEEP = 0.08  # of the frequencies in each direction
COMPONENTS = 12


def low_pass_by_numpy(image: np.ndarray, keep: float) -> np.ndarray:
    """Give what `low_pass` should, by plain NumPy in float64 and with a mask over all frequencies."""
    rows, columns = image.shape[:2]
    mask = (np.abs(np.fft.fftfreq(rows, 1 / rows)) <= int(keep * rows / 2))[:, None, None]
    mask = mask & (np.abs(np.fft.fftfreq(columns, 1 / columns)) <= int(keep * (columns // 2 + 1)))[:, None]
    return np.fft.ifft2(np.fft.fft2(image.astype(np.float64), axes=(0, 1)) * mask, axes=(0, 1)).real


def on_host(x: xp.Array) -> np.ndarray:
    """Bring an Array to the host, by an explicit transfer."""
    return np.asarray(x.to_device("cpu"))


def explain(pending: xp.Array, output: Path) -> None:
    """Show what is about to run, where anything is: devices compute when a value is needed."""
    explanation = xp.explain(pending)
    if explanation.steps:
        print("\n".join(f"  {line}".rstrip() for line in str(explanation).splitlines()))
        explanation.trace(output / "trace.json")
        print(f"  wrote {output / 'trace.json'}, the predicted schedule, for ui.perfetto.dev")


def filter_photograph(device: str, output: Path) -> None:
    photograph = np.float32(load_sample_image("china.jpg")) / 255
    print(f"Photograph of {photograph.shape[0]} x {photograph.shape[1]} pixels, float32: low-pass filter through scipy.fft")
    x = xp.asarray(photograph, device=device)
    start = time.perf_counter()
    filtered = low_pass(x, KEEP)
    seconds = time.perf_counter() - start
    explain(filtered, output)
    start = time.perf_counter()
    host = on_host(filtered)
    seconds += time.perf_counter() - start
    simulated = ", which is the simulator's time and not the device's" if x.device.kind == "sim" else ""
    print(f"  an {type(filtered).__name__} on {filtered.device} in {seconds:.3f} s{simulated}")
    print(f"  largest error against plain NumPy in float64: {np.max(np.abs(host - low_pass_by_numpy(photograph, KEEP))):.1e}")
    save(photograph, output / "original.png")
    save(host, output / "filtered.png")
    save(np.concatenate([photograph, host], axis=1), output / "side_by_side.png")


def analyse_digits(device: str) -> None:
    images, labels = load_digits(return_X_y=True)
    images, labels = np.float32(images), np.int32(labels)
    print(f"{len(images)} handwritten digits, float32: principal components by the Array API")
    x, y = xp.asarray(images, device=device), xp.asarray(labels, device=device)
    variances, coordinates = principal_components(x, COMPONENTS)
    found = nearest_centroid(coordinates, y, 10)
    exact, _ = principal_components(images.astype(np.float64), COMPONENTS)
    error = np.max(np.abs(on_host(variances) - exact) / exact)
    print(f"  largest relative error of the {COMPONENTS} variances against plain NumPy in float64: {error:.1e}")
    by_numpy = nearest_centroid(principal_components(images, COMPONENTS)[1], labels, 10)
    answers = on_host(found)
    print(f"  nearest centroid finds {np.mean(answers == labels):.1%} of the digits;", end=" ")
    print(f"{np.sum(answers != by_numpy)} of {len(labels)} answers differ from plain NumPy's")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu", help="where to compute (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=Path("build/demo"), help="folder for the pictures (default: %(default)s)")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    xp.reset_coverage()
    with xp.config(fallback="allow"):
        filter_photograph(arguments.device, arguments.output)
        print()
        analyse_digits(arguments.device)
    print(f"\nWhere every operation ran (device {arguments.device}):\n{xp.coverage()}")


if __name__ == "__main__":
    main()
