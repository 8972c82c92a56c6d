"""Lowerings that are recorded: the first call of a class of operands and the later ones, beside NumPy in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.engine import NeuronEngine
from trnarray.backends.neuron.graph.primitives import Result

DEVICE = xp.Device("sim:trn2")
_RNG = np.random.default_rng(19)
CALLS: dict[str, Callable[..., Any]] = {
    "sort": lambda np_, x: np_.sort(x),
    "sort of columns": lambda np_, x: np_.sort(x, axis=0),
    "argsort": lambda np_, x: np_.argsort(x, stable=True),
    "quantile": lambda np_, x: np_.quantile(x, 0.3, axis=1),
    "quantiles": lambda np_, x: np_.quantile(x, [0.0, 0.25, 1.0], axis=0, keepdims=True),
    "nanquantile": lambda np_, x: np_.nanquantile(x, 0.7, axis=1),
    "median": lambda np_, x: np_.median(x, axis=0),
    "fft": lambda np_, x: np_.fft.fft(x),
    "irfft": lambda np_, x: np_.fft.irfft(x, n=12),
}


def _engine() -> NeuronEngine:
    engine = engine_for(DEVICE)
    assert isinstance(engine, NeuronEngine)
    return engine


def _on_device(data: Any) -> xp.Array:
    return xp.asarray(data, device=DEVICE)


@pytest.mark.parametrize("name", CALLS)
def test_later_calls_of_a_class_give_their_own_values(name: str) -> None:
    _engine().builder.recordings.clear()
    for _ in range(3):
        data = _RNG.standard_normal((5, 8)).astype(np.float32)
        expected = CALLS[name](np, data.astype(np.float64))
        found = np.asarray(CALLS[name](xp, _on_device(data)).to_device("cpu"))
        # 40 sums of float32 at most stand behind each element, of numbers below 8
        np.testing.assert_allclose(found, expected, rtol=0, atol=40 * 8 * 2.0**-24)
        assert found.shape == expected.shape


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_one_node_for_each_plane(name: str) -> None:
    engine = _engine()
    engine.flush()
    data = _on_device(_RNG.standard_normal((5, 8)).astype(np.float32))
    result = CALLS[name](xp, data)
    nodes = [cell.node for cell in result._value.cells]
    assert all(type(node.primitive) is Result for node in nodes)
    assert {node.primitive.invocation.kernel.name for node in nodes} == {"recording"}  # type: ignore[union-attr]
    assert data._value.cells[0].node in nodes[0].inputs


@pytest.mark.parametrize("target", ["sim:trn1", "sim:trn3"])
def test_other_generations(target: str) -> None:
    data = _RNG.standard_normal(20).astype(np.float32)
    x = xp.asarray(data, device=target)
    for _ in range(2):
        np.testing.assert_array_equal(xp.sort(x).to_device("cpu"), np.sort(data))


def test_attributes_tell_classes_apart() -> None:
    data = np.asarray([[3.0, 1.0], [2.0, 5.0]], np.float32)
    x = _on_device(data)
    for axis, descending in ((0, False), (1, False), (0, True), (1, True)):
        expected = -np.sort(-data, axis=axis) if descending else np.sort(data, axis=axis)
        np.testing.assert_array_equal(xp.sort(x, axis=axis, descending=descending).to_device("cpu"), expected)
    for q in (0, 0.0, True, 0.5, [0.5], [0.5, 1]):
        found = xp.quantile(x, q, method="linear" if q is not True else "lower")
        np.testing.assert_array_equal(found.to_device("cpu"), np.quantile(data, q, method="lower" if q is True else "linear"))


def test_settings_tell_classes_apart() -> None:
    x = _on_device(np.asarray([3, 1, 2], np.int32))
    assert (xp.argsort(x).dtype, xp.median(x).dtype) == (xp.int32, xp.float32)
    with xp.config(defaults="numpy", fallback="allow"):
        assert xp.argsort(x).dtype == xp.int64
        assert xp.median(x).dtype == xp.float64


def test_dtypes_and_lengths_tell_classes_apart() -> None:
    for data in ([3, 1, 2], [3, 1, 2, 0], [True, False], [1.5, -1.0, np.nan]):
        for dtype in (np.int16, np.int32, np.uint8, np.float32):
            host = np.nan_to_num(np.asarray(data)).astype(dtype)
            np.testing.assert_array_equal(xp.sort(_on_device(host)).to_device("cpu"), np.sort(host))


def test_views_are_lowered_as_they_lie() -> None:
    data = _RNG.standard_normal((6, 10)).astype(np.float32)
    x = _on_device(data)
    for view, host in ((x[::2], data[::2]), (x.T, data.T), (x[1:, ::-1], data[1:, ::-1]), (x[3], data[3])):
        result = xp.sort(view)
        primitive = result._value.cells[0].node.primitive
        assert type(primitive) is not Result or primitive.invocation.kernel.name != "recording"
        np.testing.assert_array_equal(result.to_device("cpu"), np.sort(host))


def test_an_operand_written_to_later_keeps_its_value() -> None:
    x = _on_device(np.asarray([3.0, 1.0, 2.0], np.float32))
    xp.sort(x).to_device("cpu")
    result = xp.sort(x)
    x[:] = 0
    np.testing.assert_array_equal(result.to_device("cpu"), [1, 2, 3])


def test_results_can_be_written_to() -> None:
    data = np.asarray([3.0, 1.0, 2.0], np.float32)
    first = xp.sort(_on_device(data))
    second = xp.sort(_on_device(data))
    first[0] = 7
    np.testing.assert_array_equal(second.to_device("cpu"), [1, 2, 3])
    np.testing.assert_array_equal(first.to_device("cpu"), [7, 2, 3])


def test_bodies_of_loops() -> None:
    data = _RNG.standard_normal((4, 6)).astype(np.float32)

    def body(_: Any, state: Any) -> Any:
        return xp.sort(state * -1, axis=1) + xp.quantile(state, 0.25)

    expected = data.astype(np.float64)
    for _ in range(3):
        expected = np.sort(-expected, axis=1) + np.quantile(expected, 0.25)
    for _ in range(2):  # recorded in the body, and before
        found = xp.fori_loop(0, 3, body, _on_device(data))
        np.testing.assert_allclose(found.to_device("cpu"), expected, rtol=0, atol=30 * 2.0**-24)


def test_recordings_go_when_room_is_wanted() -> None:
    engine = _engine()
    xp.sort(_on_device(np.asarray([2.0, 1.0], np.float32)))
    assert engine.builder.recordings
    engine._release()
    assert not engine.builder.recordings


def test_explain_shows_the_stages_of_a_recording() -> None:
    x = _on_device(_RNG.standard_normal((4, 16)).astype(np.float32))
    stages = [stage.computes for _ in range(2) for stage in xp.explain(xp.sort(x)).steps[0].stages]
    assert stages[: len(stages) // 2] == stages[len(stages) // 2 :]
    assert any("sort" in stage for stage in stages)
    assert not any("recording" in stage for stage in stages)


def test_what_the_host_makes_is_not_recorded() -> None:
    """Results that are host data would be one buffer for all calls."""
    for _ in range(2):
        with xp.default_device(DEVICE):
            found = xp.fft.fftfreq(5, 0.5)
        expected = np.fft.fftfreq(5, 0.5)
        np.testing.assert_allclose(found.to_device("cpu"), expected, rtol=2.0**-24)
        found[0] = 9


def test_calls_that_wait_have_memory_of_their_own() -> None:
    x = _on_device(np.asarray([1.0, -1.0, 0.5], np.float32))
    first, second = xp.special.logsumexp(x), xp.special.logsumexp(x)
    assert first._value.detached
    np.testing.assert_allclose([float(first), float(second)], np.logaddexp.reduce([1.0, -1.0, 0.5]), rtol=4 * 2.0**-24)
