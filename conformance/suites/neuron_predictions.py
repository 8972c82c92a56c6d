"""Chains of calls on a Neuron device: what one fused program is predicted to take, beside the same calls one by one and the bound of DMA.

Nothing runs and nothing is measured: the cost model of the simulator predicts the programs that a device would run.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import trnarray as xp

from ...backends.device import Device
from ...backends.dtypes import DType
from ...backends.engine import engine_for
from ...backends.neuron.engine import NeuronEngine
from ...backends.neuron.launch.prediction import Prediction, predict, predict_launch
from ...backends.neuron.launch.units import duration
from ...backends.neuron.plan.plan import Plan
from ...backends.simulator.cost.hardware import DMA_ENGINES, HARDWARE
from ..report import Report
from ..suite import SuiteError

__all__ = ["CHAINS", "Chain", "add_arguments", "engine_of", "figures", "predicting", "run"]

Step = Callable[[], None]


class Chain(NamedTuple):
    """
    Calls that become one program.

    Attributes
    ----------
    compute : callable
        ``compute(step, *arrays)`` calls `step` after each call, and gives the result.
    shapes : tuple of tuple of int
        Of the arrays.
    dtype : str
        Of the arrays.
    elements : int
        Read and written at least.
    limit : float, optional
        On trn2: predicted time over the bound, at most.
    seconds : float, optional
        On trn2: predicted time, at most.
    last : tuple of int and str, optional
        Length and dtype of an array that comes last: places in the first one, or a mask.
    """

    compute: Callable[..., object]
    shapes: tuple[tuple[int, ...], ...]
    dtype: str
    elements: int
    limit: float = float("inf")
    seconds: float = float("inf")
    last: tuple[int, str] | None = None


def _polynomial(step: Step, a: Any, b: Any, c: Any) -> object:
    ab = a * b
    step()
    cc = c * c
    step()
    total = ab + cc
    step()
    return total - a


def _scaled(step: Step, x: Any) -> object:
    for _ in range(5):
        x = x * 1.5
        step()
        x = x + 0.5
        step()
    return x


def _softmax(step: Step, x: Any) -> object:
    shifted = x - xp.max(x, axis=-1, keepdims=True)
    step()
    weights = xp.abs(shifted)  # in place of exp, which is a matter of its own
    step()
    norm = 1.0 / xp.sum(weights, axis=-1, keepdims=True)
    step()
    return weights * norm


def _layer_norm(step: Step, x: Any, scale: Any, shift: Any) -> object:
    deviation = x - xp.mean(x, axis=-1, keepdims=True)
    step()
    variance = xp.mean(xp.square(deviation), axis=-1, keepdims=True)
    step()
    factor = 1.0 / xp.sqrt(variance + 1e-5)
    step()
    scaled = deviation * factor
    step()
    return scaled * scale + shift


def _dot(axis: int | None) -> Callable[..., object]:
    def compute(step: Step, a: Any, b: Any) -> object:
        product = a * b
        step()
        return xp.sum(product, axis=axis)

    return compute


def _transposed(step: Step, x: Any, y: Any) -> object:
    step()
    return x.T + y


def _product(step: Step, x: Any, y: Any) -> object:
    step()
    return x @ y


def _dense(step: Step, x: Any, y: Any, bias: Any, residual: Any) -> object:
    product = x @ y
    step()
    shifted = product * 0.5 + bias
    step()
    return xp.maximum(shifted, 0.0) + residual


def _sorted(step: Step, x: Any) -> object:
    step()
    return xp.sort(x)


def _order(step: Step, x: Any) -> object:
    step()
    return xp.argsort(x)


def _median(step: Step, x: Any) -> object:
    step()
    return xp.median(x, axis=1)


def _taken(step: Step, x: Any, places: Any) -> object:
    step()
    return xp.take(x, places, axis=0)


def _masked(step: Step, x: Any, mask: Any) -> object:
    step()
    return x[mask]


def _drawn(method: str, count: int, *parameters: float, bits: str = "Philox4x32") -> Callable[..., object]:
    def compute(step: Step, x: Any) -> object:
        step()
        rng = xp.random.Generator(getattr(xp.random, bits)(1), device=x.device)
        return getattr(rng, method)(*parameters, size=count) if method != "permutation" else rng.permutation(count)

    return compute


def _consumed(count: int) -> Callable[..., object]:
    def compute(step: Step, x: Any) -> object:
        step()
        return xp.random.Generator(xp.random.Philox4x32(1), device=x.device).random(count) * 2.0 - 1.0

    return compute


def _price(paths: int) -> Callable[..., object]:
    def compute(step: Step, x: Any) -> object:
        z = xp.random.Generator(xp.random.Philox4x32(1), device=x.device).standard_normal(paths)
        step()
        return xp.mean(xp.maximum(100.0 * xp.exp(0.2 * z - 0.02) - 105.0, 0.0))

    return compute


def _at_once(function: Callable[..., object]) -> Callable[..., object]:
    """Make a chain of one step."""

    def compute(step: Step, *arrays: Any) -> object:
        step()
        return function(*arrays)

    return compute


def _sparse(make: Callable[[], Any]) -> Callable[..., object]:
    """Multiply a sparse matrix with a vector, when its elements are arranged on the device."""

    def compute(step: Step, x: Any) -> object:
        matrix = xp.scipy.sparse.csr_array(make()).to_device(x.device)
        kept = matrix @ x
        engine = engine_of(x.device)
        engine.flush()
        engine.launcher.predictions.clear()  # type: ignore[attr-defined]  # of the arrangement
        step()
        del kept
        return matrix @ x

    return compute


def _random_rows(n: int, each: int) -> Callable[..., object]:
    """Multiply a matrix with as many elements in each row, anywhere."""

    def make() -> Any:
        import scipy.sparse

        columns = np.sort(np.random.default_rng(0).integers(0, n, (n, each), np.int32), axis=1).reshape(-1)
        return scipy.sparse.csr_array((np.ones(n * each, np.float32), columns, np.arange(0, n * each + 1, each)), shape=(n, n))

    return _sparse(make)


def _laplacian(n: int) -> Callable[..., object]:
    """Multiply the matrix of the five-point stencil on a square."""

    def make() -> Any:
        import scipy.sparse

        line = scipy.sparse.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1], dtype=np.float32)
        return scipy.sparse.kronsum(line, line).tocsr()

    return _sparse(make)


def _jacobi(u: Any) -> object:
    return 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


def _upper_factor(x: Any) -> object:
    return xp.linalg.cholesky(x, upper=True)


def _distances(x: Any, y: Any) -> object:
    difference = x[:, None, :] - y[None, :, :]
    return xp.sum(difference * difference, axis=-1)


def _softmax_with_exp(x: Any) -> object:
    weights = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return weights * (1 / xp.sum(weights, axis=-1, keepdims=True))


_N: Final = 4096
_SQUARE: Final = (_N, _N)
_K: Final = (2048, 2048)
CHAINS: Final[dict[str, Chain]] = {
    "a*b + c*c - a": Chain(_polynomial, (_SQUARE,) * 3, "float32", 4 * _N**2, 1.5),
    "five times x*1.5 + 0.5": Chain(_scaled, (_SQUARE,), "float32", 2 * _N**2),
    "softmax with abs, 4096 rows": Chain(_softmax, ((4096, 1024),), "float32", 2 * 4096 * 1024),
    "softmax with abs, 512 rows": Chain(_softmax, ((512, 4096),), "float32", 2 * 512 * 4096),
    "layer norm, 4096 rows": Chain(_layer_norm, ((4096, 1024), (1024,), (1024,)), "float32", 2 * 4096 * 1024 + 2048),
    "layer norm, 512 rows": Chain(_layer_norm, ((512, 4096), (4096,), (4096,)), "float32", 2 * 512 * 4096 + 8192),
    "sum(a*b)": Chain(_dot(None), (_SQUARE,) * 2, "float32", 2 * _N**2, 1.5),
    "sum(a*b, axis=0)": Chain(_dot(0), (_SQUARE,) * 2, "float32", 2 * _N**2 + _N, 1.5),
    "sum(a*b, axis=1)": Chain(_dot(1), (_SQUARE,) * 2, "float32", 2 * _N**2 + _N, 1.5),
    "sum(a*b, axis=1) of short rows": Chain(_dot(1), ((1_000_000, 3),) * 2, "float32", 7_000_000, 1.3),
    "x.T + y": Chain(_transposed, (_SQUARE,) * 2, "float32", 3 * _N**2, 1.3),
    "sort of 2**20 numbers": Chain(_sorted, ((1 << 20,),), "float32", 2 << 20, seconds=0.05),
    "argsort of 2**20 numbers": Chain(_order, ((1 << 20,),), "float32", 2 << 20, seconds=0.1),
    "sort of 2**20 bytes": Chain(_sorted, ((1 << 20,),), "uint8", 2 << 20),
    "median of 4096 rows": Chain(_median, ((4096, 256),), "float32", (1 << 20) + 4096),
    # GpSimd makes 2**20 descriptors in 7.04 ms: 5.7 times the bound of DMA at 435 GB/s, as 4.8 times at the 368 of before
    "take of 2**20 rows of 64": Chain(_taken, ((1 << 20, 64),), "float32", 129 << 20, 6.0, last=(1 << 20, "int32")),
    "take of 2**18 rows of 512": Chain(_taken, ((1 << 18, 512),), "float32", 1025 << 18, 1.1, last=(1 << 18, "int32")),
    "mask of 2**22 numbers, half of them": Chain(_masked, ((1 << 22,),), "float32", 7 << 20, last=(1 << 22, "bool")),
    # Rates of 4.5, 4.5, 3.3, 3.5, 3.8 and 3.5 numbers in a nanosecond
    "uniform numbers, 2**21": Chain(_drawn("random", 1 << 21), ((1,),), "float32", 1 << 21, seconds=0.466e-3),
    "uniform numbers * 2 - 1, 2**21": Chain(_consumed(1 << 21), ((1,),), "float32", 1 << 21, seconds=0.466e-3),
    "normal numbers, 10**6": Chain(_drawn("standard_normal", 10**6), ((1,),), "float32", 10**6, seconds=0.303e-3),
    "exponential numbers, 2**21": Chain(_drawn("standard_exponential", 1 << 21), ((1,),), "float32", 1 << 21, seconds=0.599e-3),
    "integers below 6, 2**21": Chain(_drawn("integers", 1 << 21, 6), ((1,),), "int32", 1 << 21, seconds=0.552e-3),
    "uniform numbers by Threefry4x32, 2**21": Chain(
        _drawn("random", 1 << 21, bits="Threefry4x32"), ((1,),), "float32", 1 << 21, seconds=0.599e-3
    ),
    "permutation of 2**20": Chain(_drawn("permutation", 1 << 20), ((1,),), "int32", 1 << 20, seconds=0.7e-3),
    "a Monte-Carlo price of 10**7 paths": Chain(_price(10**7), ((1,),), "float32", 10**7),
    "x @ y, float32": Chain(_product, (_K,) * 2, "float32", 3 * 2048**2),
    "x @ y, bfloat16": Chain(_product, (_K,) * 2, "bfloat16", 3 * 2048**2),
    "max(x @ y * 0.5 + bias, 0) + z, float32": Chain(_dense, (_K, _K, (2048,), _K), "float32", 4 * 2048**2 + 2048),
    "max(x @ y * 0.5 + bias, 0) + z, bfloat16": Chain(_dense, (_K, _K, (2048,), _K), "bfloat16", 4 * 2048**2 + 2048),
    "x @ y of vectors": Chain(_at_once(xp.matmul), ((1 << 20,),) * 2, "float32", 2 << 20, 2.1),
    "vecdot, 64 rows": Chain(_at_once(xp.vecdot), ((64, 1024),) * 2, "float32", 2 << 16, seconds=12e-6),
    "x[::2]": Chain(_at_once(lambda x: xp.copy(x[::2])), ((1 << 24,),), "float32", 3 << 23, 1.2),
    "x[::2] + x[1::2]": Chain(_at_once(lambda x: x[::2] + x[1::2]), ((1 << 23,),), "float32", 3 << 22, 1.2),
    "16**4 reversed": Chain(_at_once(lambda x: xp.copy(x.transpose())), ((16,) * 4,), "float32", 2 << 16, seconds=12e-6),
    "32**4 reversed": Chain(_at_once(lambda x: xp.copy(x.transpose())), ((32,) * 4,), "float32", 2 << 20, 2.0),
    "4096 products of 16**3": Chain(_at_once(xp.matmul), ((4096, 16, 16),) * 2, "float32", 3 << 20, 9.2),
    "1024 products of 64**3": Chain(_at_once(xp.matmul), ((1024, 64, 64),) * 2, "float32", 3 << 22, 3.0),
    "1024 products of 32**3": Chain(_at_once(xp.matmul), ((1024, 32, 32),) * 2, "float32", 3 << 20, 6.0),
    "100,000 products of 3**3": Chain(_at_once(xp.matmul), ((100_000, 3, 3),) * 2, "float32", 2_700_000, 4.0),
    "x.T @ x, 2**18 x 8": Chain(_at_once(lambda x: x.T @ x), ((1 << 18, 8),), "float32", 1 << 21, 3.0),
    "(16, 65536) @ v": Chain(_at_once(xp.matmul), ((16, 65536), (65536,)), "float32", 17 << 16, 4.0),
    "sum of rows of 8": Chain(_at_once(lambda x: xp.sum(x, axis=-1)), ((16384, 8),), "float32", 9 << 14, seconds=12e-6),
    "2 x 2 pooling": Chain(_at_once(lambda x: xp.max(x.reshape(1024, 2, 1024, 2), axis=(1, 3))), (_K,), "float32", 5 << 20, 1.4),
    "squared distances": Chain(_at_once(_distances), ((2048, 3),) * 2, "float32", 1 << 22, 6.8),
    "a / b": Chain(_at_once(xp.divide), (_K,) * 2, "float32", 3 << 22, 6.4),
    "softmax, 4096 rows": Chain(_at_once(_softmax_with_exp), ((4096, 1024),), "float32", 2 << 22, 6.6),
    "x @ y, float8": Chain(_at_once(xp.matmul), (_K,) * 2, "float8_e4m3fn", 3 << 22, seconds=280e-6),
    "var of rows": Chain(_at_once(lambda x: xp.var(x, axis=-1)), ((4096, 1024),), "float32", 1 << 22, 2.9),
    "argmax of rows": Chain(_at_once(lambda x: xp.argmax(x, axis=-1)), ((4096, 1024),), "float32", 1 << 22, 2.5),
    "sum over two of three axes": Chain(_at_once(lambda x: xp.sum(x, axis=(0, 2))), ((64, 256, 256),), "float32", 1 << 22, 1.8),
    "sum of a few rows": Chain(_at_once(lambda x: xp.sum(x, axis=0)), ((8, 1 << 17),), "float32", 9 << 17, 2.5),
    "sum of int32": Chain(_at_once(xp.sum), ((4096, 1024),), "int32", 1 << 22, 2.8),
    "cumsum along axis 0": Chain(_at_once(lambda x: xp.cumsum(x, axis=0)), (_K,), "float32", 2 << 22, 1.4),
    "cumsum of short rows": Chain(_at_once(lambda x: xp.cumsum(x, axis=-1)), ((1 << 17, 8),), "float32", 2 << 20, 1.8),
    "neighbours in a few long rows": Chain(_at_once(lambda x: x[:, 1:] - x[:, :-1]), ((8, 1 << 17),), "float32", 2 << 20, 2.0),
    "a vector twice": Chain(_at_once(lambda x: xp.tile(x, 2)), ((1 << 20,),), "float32", 3 << 20, 1.5),
    "exp": Chain(_at_once(xp.exp), (_K,), "float32", 2 << 22, 4.2),
    "Jacobi's step": Chain(_at_once(_jacobi), (_K,), "float32", 2 << 22, 2.3),
    "convolve with 129": Chain(_at_once(xp.convolve), ((1 << 16,), (129,)), "float32", 2 << 16, seconds=30e-6),
    "100,000 systems of 4": Chain(_at_once(xp.linalg.solve), ((100_000, 4, 4), (100_000, 4, 1)), "float32", 2_400_000, seconds=0.3e-3),
    "1000 systems of 16": Chain(_at_once(xp.linalg.solve), ((1000, 16, 16), (1000, 16, 1)), "float32", 288_000, seconds=0.2e-3),
    "eigh of 10,000 of order 4": Chain(_at_once(lambda x: xp.linalg.eigh(x)[1]), ((10_000, 4, 4),), "float32", 360_000, seconds=0.6e-3),
    "Cholesky of order 128": Chain(_at_once(_upper_factor), ((128, 128),), "float32", 2 << 14, seconds=85e-6),
    "Cholesky of order 1024": Chain(_at_once(_upper_factor), ((1024, 1024),), "float32", 2 << 20, seconds=0.78e-3),
    "128 equations": Chain(_at_once(xp.linalg.solve), ((128, 128), (128, 1)), "float32", 16640, seconds=0.4e-3),
    "sparse product, 2048 rows of 10": Chain(_random_rows(2048, 10), ((2048,),), "float32", 45056, seconds=14e-6),
    "sparse product, 131072 rows of 10": Chain(_random_rows(1 << 17, 10), ((1 << 17,),), "float32", 23 << 17, seconds=72e-6),
    "sparse product, 10**6 rows of 10": Chain(_random_rows(10**6, 10), ((10**6,),), "float32", 22 * 10**6, seconds=0.45e-3),
    "five diagonals, 1024 x 1024 points": Chain(_laplacian(1024), ((1 << 20,),), "float32", 7 << 20, seconds=0.16e-3),
    "x @ y, int32": Chain(_at_once(xp.matmul), ((1024, 1024),) * 2, "int32", 3 << 20, seconds=1.2e-3),
}
"""By what is computed."""


class _Predicting:
    """A launcher that predicts programs, and gives zeros for their results."""

    def __init__(self, engine: NeuronEngine) -> None:
        self.launcher = engine.launcher
        self.name, self.target = self.launcher.name, self.launcher.target
        self.predictions: list[Prediction] = []
        self.plans: list[Plan] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.launcher, name)

    def run(self, plan: Plan, inputs: Sequence[Any], scalars: NDArray[np.uint32]) -> Sequence[Any]:  # noqa: ARG002  # the protocol's
        """Predict."""
        found = predict(plan, self.target, keep=False)
        if found is None:
            raise SuiteError("suite 'neuron-predictions' needs kernels that the simulator traces; it found AWS's NKI")
        self.predictions.append(found[1])
        self.plans.append(plan)
        return [np.zeros(tensor.size, _storage(tensor.dtype)) for tensor in plan.returned]


def _storage(name: str) -> DType:
    dtype: DType = np.dtype(getattr(xp, name))
    return dtype


@contextmanager
def predicting(engine: NeuronEngine) -> Iterator[_Predicting]:
    """Predict programs in the place of running them."""
    launcher = _Predicting(engine)
    engine.launcher = launcher
    try:
        yield launcher
    finally:
        engine.launcher = launcher.launcher


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--only", metavar="WORD", default="", help="chains whose names contain it")


def engine_of(device: Device) -> NeuronEngine:
    """Find the engine of a Neuron device."""
    engine = engine_for(device)
    if not isinstance(engine, NeuronEngine):
        raise SuiteError(f"this suite is about Neuron devices; name one instead of {str(device)!r}, as --device sim:trn2")
    return engine


def figures(chain: Chain, device: Device) -> tuple[list[Prediction], list[Prediction], float]:
    """Predict a chain."""
    engine = engine_of(device)
    with predicting(engine) as launcher:
        dtype = _storage(chain.dtype)
        arrays = [xp.asarray(np.zeros(shape, dtype), device=device) for shape in chain.shapes]
        if chain.last is not None:
            arrays.append(xp.asarray(np.zeros(chain.last[0], chain.last[1]), device=device))
        engine.flush()
        found = []
        for step in (lambda: None, engine.flush):
            launcher.predictions = []
            result = chain.compute(step, *arrays)
            engine.flush()
            found.append(launcher.predictions)
            del result
    rate = DMA_ENGINES * HARDWARE["dma_rate"][launcher.target].value * 1e9
    return found[0], found[1], chain.elements * dtype.itemsize / rate


def run(report: Report, device: Device, options: Namespace) -> None:
    """Predict all chains, and what launching them takes besides."""
    launch, low, high = predict_launch(engine_of(device).launcher.target)
    report.figures["a launch"] = f"{duration(launch)}, between {duration(low)} and {duration(high)}: the call and the start of a kernel"
    for name, chain in CHAINS.items():
        if options.only not in name:
            continue
        fused, one_by_one, bound = figures(chain, device)
        seconds, separate = (sum(one.seconds for one in part) for part in (fused, one_by_one))
        read, written = sum(one.hbm_read for one in fused), sum(one.hbm_written for one in fused)
        tensor = sum(one.bounds["tensor"] for one in fused)
        moving = sum(one.busy["dma"] * one.seconds for one in fused)
        report.figures[name] = (
            f"{1e3 * seconds:.3f} ms fused ({seconds / bound:.2f} x the DMA bound of {1e3 * bound:.3f} ms, "
            f"{tensor / seconds:.0%} of the Tensor Engine, DMA engines busy {moving / seconds:.0%}), "
            f"{1e3 * separate:.3f} ms in {len(one_by_one)} programs; {read / 1e6:.1f} MB read, {written / 1e6:.1f} MB written; "
            f"launches besides: {duration(launch * len(fused))} fused, {duration(launch * len(one_by_one))} one by one"
        )
        if len(fused) != 1:
            report.add(name, "failed", f"{len(fused)} programs, and it should be one")
        elif "trn2" in str(device) and seconds > chain.limit * bound:
            report.add(name, "failed", f"{seconds / bound:.2f} times the bound of DMA, and the limit is {chain.limit}")
        elif "trn2" in str(device) and seconds > chain.seconds:
            report.add(name, "failed", f"{1e3 * seconds:.1f} ms, and the limit is {1e3 * chain.seconds:.1f} ms")
        else:
            report.add(name)
