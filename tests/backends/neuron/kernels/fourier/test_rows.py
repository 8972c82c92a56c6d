"""Transforms of rows: on all targets, in loops, with what is not finite, beside a reference in float64; and how rows are folded."""

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.neuron import folding, mirroring
from trnarray.backends.neuron.kernels.fourier import rows as kernel
from trnarray.backends.neuron.lowering.fourier.roots import _roots
from trnarray.backends.simulator import Knobs, options

U = 2.0**-24
LENGTHS = (2, 16, 20, 32, 33, 64, 100, 128, 129, 256, 300, 510, 997, 1024)


def spectrum(n, x):
    """Transform a row as the plan says, in float64."""
    plan, matrix = folding.folding(n), folding.matrix(n, 1.0, _roots, 32)
    folded = np.full(plan.results, np.nan)
    folded[list(plan.zeros)] = 0.0
    for one in plan.sums:
        source = folded if one.folded else x
        left = source[one.left : one.left + one.numbers]
        right = source[one.right + one.step * np.arange(one.numbers)] if one.sign else 0.0
        folded[one.into : one.into + one.numbers] = left + one.sign * right
    found = np.full(n, np.nan, complex)

    def product(blocks, column, step, count):
        parts = [(folded if block.folded else x)[block.start : block.start + block.length] for block in blocks]
        columns = [slice(column + number * step, column + number * step + count) for number in range(len(blocks))]
        return sum(part @ matrix[: len(part), each] for part, each in zip(parts, columns, strict=True))

    for run in (run for group in plan.groups for run in group):
        frequencies = run.first + run.step * np.arange(run.frequencies)
        found[frequencies] = product(run.cosines, run.cosine, run.cosine_step, run.frequencies)
        pairs = frequencies[run.lead : run.lead + run.pairs]
        if run.pairs:
            found[pairs] += 1j * product(run.sines, run.sine, run.sine_step, run.pairs)
        found[(n - pairs) % n] = found[pairs].conj()
    return found


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 700) | st.sampled_from((997, 1000, 1024, 1536, 2048)))
def test_folding_is_the_transform(n):
    """In float64, n roundings at most of each sum; every group fits into a PSUM bank."""
    x = np.random.default_rng(n).standard_normal(n)
    assert np.abs(spectrum(n, x) - np.fft.fft(x)).max() <= 4 * n * 2.0**-53 * np.abs(x).sum()
    assert max(sum(run.columns for run in group) for group in folding.folding(n).groups) <= 512


def draw(rows, n, *, real=False):
    rng = np.random.default_rng(n)
    x = rng.standard_normal((rows, n)).astype(np.float32)
    return x if real else (x + 1j * rng.standard_normal((rows, n))).astype(np.complex64)


def error(kind, x, *args, target="trn2"):
    with xp.config(fallback="error"):
        found = np.asarray(getattr(scipy.fft, kind)(xp.asarray(x, device=f"sim:{target}"), *args).to_device("cpu"))
    wanted = getattr(scipy.fft, kind)(x.astype(np.complex128 if x.dtype.kind == "c" else np.float64), *args)
    assert found.shape == wanted.shape
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("n", LENGTHS)
def test_targets(target, n):
    """
    Of sums of 128 products in the order of the Tensor Engine, errors add up to about sqrt(128) / 4 roundings, and sums before are few.

    Rows fill partitions, with a rest, and are several beside each other where they are short.
    """
    rows = 300 if n <= 128 else 130
    assert error("fft", draw(rows, n), target=target) <= 4.5 * U
    assert error("irfft", draw(5, n // 2 + 1), n, target=target) <= 4.5 * U
    assert max(error(kind, draw(9, n, real=True), target=target) for kind in ("rfft", "ifft")) <= 4.5 * U


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_rows_that_fill_the_memory_on_chip(target):
    """Several tiles of the longest rows, of which few fit beside each other."""
    with options(races="strict"):
        assert error("fft", draw(257, 2048), target=target) <= 4.5 * U


@pytest.mark.parametrize("kind", mirroring.MIRRORED)
@settings(max_examples=6, deadline=None)
@given(n=st.integers(2, 400) | st.sampled_from((511, 1000, 1023)))
def test_symmetric_matrices(kind, n):
    """Of few numbers in float64: the products of sums are those of the matrix, n roundings at most of each."""
    plan, n_type, family = mirroring.mirrored(kind, n), ("-I", "-II", "-III", "-IV").index(kind[3:]) + 1, kind[:3].lower()
    matrix, x = getattr(scipy.fft, family)(np.eye(n), n_type), np.random.default_rng(n).standard_normal(n)
    made, folded, found = mirroring.mirrored_matrix(kind, matrix), np.full(plan.results, np.nan), np.full(n, np.nan)
    for one in plan.sums:
        source = folded if one.folded else x
        right = source[one.right + one.step * np.arange(one.numbers)] if one.sign else 0.0
        folded[one.into : one.into + one.numbers] = source[one.left : one.left + one.numbers] + one.sign * right

    def product(blocks, column, step, count):
        total = 0.0
        for number, block in enumerate(blocks):
            source, places = folded if block.folded else x, block.stride * np.arange(block.length)
            part = source[block.start + places]
            if block.other >= 0:
                cosine, sine = made[: block.length, plan.columns + plan.rotated[block] :][:, :2].T
                part = cosine * part + sine * source[block.other - places]
            total = total + part @ made[: block.length, column + number * step :][:, :count]
        return total

    for run in (run for group in plan.groups for run in group):
        even = product(run.cosines, run.cosine, run.cosine_step, run.frequencies)
        if run.sines:
            odd = product(run.sines, run.sine, run.sine_step, run.pairs)
            for first, step, values in (
                (run.first, run.step, even + odd),
                (run.first - run.step // 2, run.step, even - odd) if plan.rotated else (n - 1 - run.first, -1, even - odd),
            ):
                places = first + step * np.arange(run.pairs)
                found[places[(places >= 0) & (places < n)]] = values[(places >= 0) & (places < n)]
        else:
            found[run.first + run.step * np.arange(run.frequencies)] = even
    assert np.abs(found - x @ matrix).max() <= 4 * n * 2.0**-53 * np.abs(x).sum()


@pytest.mark.parametrize(
    "knobs",
    [
        {"pe_product": "split21"},
        {"pe_order": "permuted:3", "dve_order": "permuted:3", "two_op": "fused"},
        {"denormals_pe": "flush", "denormals_dve": "flush", "denormals_act": "flush", "denormals_pool": "flush"},
    ],
    ids=str,
)
def test_readings_of_the_documents(knobs):
    """Products of 21 bits round eight times as coarsely, which sums of random signs leave at about twice."""
    with options(knobs=Knobs(**knobs), races="strict"):
        for n in (16, 128, 512, 1000):
            assert error("fft", draw(130, n)) <= (10 if knobs.get("pe_product") else 4.5) * U


@pytest.mark.parametrize("kind", ["fft", "rfft", "irfft", "dct"])
def test_loops(kind, monkeypatch):
    """Where a program would be too long, the device counts chunks of rows."""
    monkeypatch.setattr(kernel._Rows, "_instructions", lambda _: 1 << 20)
    loop, counted = kernel.nl.fori_loop, []
    monkeypatch.setattr(kernel.nl, "fori_loop", lambda begin, end, body: (counted.append(end), loop(begin, end, body)))
    for rows, n in ((40000, 16), (7000, 128), (2700, 300)):
        x = draw(rows, n // 2 + 1 if kind == "irfft" else n, real=kind in ("rfft", "dct"))
        assert error(kind, x, *((n,) if kind == "irfft" else ())) <= 4.5 * U
    assert max(counted) > 1


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("n", [5, 16, 32, 48, 64, 128, 512])
def test_what_is_not_finite_stays_in_its_row(n, target):
    x = draw(260, n)
    x[3, n // 2], x[130, 0], x[259, n - 1] = np.nan, np.inf, complex(0, -np.inf)
    found = np.asarray(scipy.fft.fft(xp.asarray(x, device=f"sim:{target}")).to_device("cpu"))
    finite = np.isfinite(found)
    assert not finite[[3, 130, 259]].any()
    assert np.delete(finite, [3, 130, 259], axis=0).all()


def test_predicted_times_are_near_those_of_memory():
    """DMA's time for one read and one write is a share of the predicted one; real ones take 0.6 of complex ones, but for long cosines."""
    times = {}
    for rows, n, share in (
        (16384, 128, 0.9),
        (16384, 64, 0.8),
        (65536, 16, 0.8),
        (16384, 256, 0.8),
        (8192, 512, 0.8),
        (4096, 1024, 1 / 1.5),
    ):
        y = scipy.fft.fft(xp.asarray(np.zeros((rows, n), np.complex64), device="sim:trn2"))
        (program,) = xp.explain(y).steps
        times[n] = program.prediction.seconds
        assert 16 * rows * n / 368e9 >= share * times[n], n
    reals = ("rfft", 16384, 128, 0.6), ("dct", 16384, 128, 0.6), ("dct", 4096, 1024, 0.85), ("idct", 4096, 1024, 1.15)
    for kind, rows, n, share in reals:
        y = getattr(scipy.fft, kind)(xp.asarray(np.zeros((rows, n), np.float32), device="sim:trn2"))
        assert xp.explain(y).steps[0].prediction.seconds <= share * times[n]
