"""Elements left undefined on purpose, what errors say of the simulation, and looking at tiles in the eager mode."""

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import Knobs, isa, language
from trnarray.backends.simulator.errors import KernelError, UninitializedReadError

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def padded(declared, dtype="float32", where=slice(3, 4)):
    def kernel(x):
        tile, out = language.ndarray((2, 4), dtype), language.ndarray((2, 4), dtype, language.shared_hbm)
        if declared:
            simulator.undefined(tile[:, where])
        isa.dma_copy(tile[:, :3], x)
        isa.tensor_copy(tile, tile)
        isa.dma_copy(out, tile)
        return out

    return simulator.jit(kernel)


@pytest.mark.parametrize("eager", [False, True])
def test_declared_padding_is_poisoned_and_may_be_read(eager):
    with simulator.options(eager=eager):
        found = padded(True)(X)
    np.testing.assert_array_equal(found, np.concatenate([X, np.full((2, 1), np.nan, np.float32)], axis=1))


@pytest.mark.parametrize("eager", [False, True])
def test_the_rest_is_still_tracked(eager):
    with simulator.options(eager=eager):
        with pytest.raises(UninitializedReadError, match=r"element \(0, 3\)"):
            padded(False)(X)
        with pytest.raises(UninitializedReadError, match=r"element \(0, 3\)"):
            padded(True, where=slice(2, 3))(X)


def test_integers_hold_four():
    assert (padded(True, "int32")(X.astype(np.int32))[:, 3] == 4).all()


def test_declared_after_it_was_written_keeps_values():
    @simulator.jit
    def kernel(x):
        tile, out = language.ndarray((2, 4), x.dtype), language.ndarray((2, 4), x.dtype, language.shared_hbm)
        isa.dma_copy(tile[:, :3], x)
        simulator.undefined(tile)
        isa.dma_copy(out, tile)
        return out

    for eager in (False, True):
        with simulator.options(eager=eager):
            found = kernel(X)
        np.testing.assert_array_equal(found[:, :3], X)
        assert np.isnan(found[:, 3]).all()


def test_anew_in_each_iteration():
    @simulator.jit
    def kernel(x):
        out = language.ndarray((3, 2, 4), x.dtype, language.shared_hbm)

        def body(i):
            tile = language.ndarray((2, 4), x.dtype)
            simulator.undefined(tile[:, 3:])
            isa.dma_copy(tile[:, :3], x)
            isa.dma_copy(out.select(0, i), tile)
            isa.memset(tile, 0.0)

        language.fori_loop(0, 3, body)
        return out

    assert np.isnan(kernel(X)[:, :, 3]).all()


def test_outside_of_a_kernel_it_does_nothing_and_run_time_indices_are_refused():
    marker = object()
    assert simulator.undefined(marker) is marker

    @simulator.jit
    def kernel(x):
        tile, index = language.ndarray((2, 4, 2), x.dtype), isa.register_alloc(0)
        simulator.undefined(tile.select(1, index))

    with pytest.raises(KernelError, match="run-time index"):
        kernel(X)


@pytest.mark.parametrize("eager", [False, True])
def test_errors_say_how_it_was_simulated(eager):
    with simulator.options("trn2", eager=eager, knobs=Knobs(two_op="fused")), pytest.raises(KernelError) as caught:
        padded(False)(X)
    (note,) = caught.value.__notes__
    assert note.startswith("simulated as trn2, uninitialized=error")
    assert "two_op=fused" in note


def test_tiles_show_their_elements_in_the_eager_mode(capsys):
    @simulator.jit
    def kernel(x, dtype):
        tile = language.ndarray((2, 4), dtype)
        isa.dma_copy(tile[:, :3], x)
        print(tile)
        print(tile[:, 1:2])

    with simulator.options(eager=True):
        kernel(X.astype(ml_dtypes.bfloat16), language.bfloat16)
    assert "[[0.0 1.0 2.0 --]\n [3.0 4.0 5.0 --]]" in capsys.readouterr().out
    kernel(X, language.float32)
    assert "[[" not in capsys.readouterr().out.replace("[[4, 2]", "")


@pytest.mark.parametrize("eager", [False, True])
def test_device_print_in_both_modes(eager, capsys):
    @simulator.jit
    def kernel(x):
        tile = language.ndarray((2, 3), x.dtype)
        isa.dma_copy(tile, x)
        language.device_print("tile ", tile)

    with simulator.options(eager=eager):
        kernel(X)
    assert capsys.readouterr().out == f"tile {X}\n"


def test_eager_mode_stops_where_python_does():
    """A breakpoint sees every value computed so far: Python runs the kernel line by line."""
    seen = []

    @simulator.jit
    def kernel(x):
        tile = language.ndarray((2, 3), x.dtype)
        isa.dma_copy(tile, x)
        seen.append(str(tile))  # where breakpoint() would stop
        isa.tensor_scalar(tile, tile, language.add, 1.0)
        seen.append(str(tile))

    with simulator.options(eager=True):
        kernel(X)
    assert "[0.0 1.0 2.0]" in seen[0]
    assert "[1.0 2.0 3.0]" in seen[1]


def test_eager_mode_declines_logical_cores_of_two():
    with simulator.options("trn2", eager=True), pytest.raises(ValueError, match="one core"):
        padded(True)[2](X)


def test_errors_name_tensors_rather_than_show_them():
    @simulator.jit
    def kernel(x):
        tile = language.ndarray((2, 3), x.dtype)
        isa.dma_copy(tile, x)
        tile.indirect(tile, num_elem=0)

    with simulator.options("trn3", eager=True), pytest.raises(simulator.NkiConstraintError) as caught:
        kernel(X)
    assert "[[" not in str(caught.value)
