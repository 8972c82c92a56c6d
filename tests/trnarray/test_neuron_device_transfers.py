"""What reaches a simulated NeuronCore and what leaves it: moves that are asked for, and errors for those that are not."""

import numpy as np
import pytest
import scipy.fft

import trnarray as xp
import trnarray.scipy


@pytest.fixture(params=["sim:trn1", "sim:trn2", "sim:trn3"])
def device(request):
    with xp.config(fallback="allow"):
        yield request.param


@pytest.fixture
def make(device):
    return lambda values, dtype=None: xp.asarray(values, dtype=dtype, device=device)


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "int64", "complex64", "complex128", "bool", "uint8"])
def test_moves_both_ways(device, dtype):
    here = xp.asarray([[0, 1, 2], [3, 4, 5]], dtype=dtype, device="cpu")
    there = here.to_device(device)
    assert (there.device, there.dtype, there.to_device(device) is there) == (device, dtype, True)
    back = there.T.to_device("cpu")
    assert (back.device, back.dtype, back.tolist()) == ("cpu", dtype, here.T.tolist())
    assert xp.isscalar(here[0, 0].to_device(device))
    assert xp.isscalar(there[0, 0].to_device("cpu"))


def test_asarray_follows_arrays(make, device):
    x = make([1, 2])
    for made in (xp.asarray([x, x]), xp.asarray([make(1)[()], 2]), xp.array(x), xp.array(x, dtype=xp.float32), xp.asarray([3], like=x)):
        assert made.device == device
    assert xp.asarray(x) is x
    with pytest.raises(ValueError, match="copy=False"):
        xp.asarray(np.zeros(2), device=device, copy=False)
    with pytest.raises(ValueError, match="to_device"):
        xp.asarray([x, xp.asarray([1, 2], device="cpu")])


def test_dlpack(make, device):
    x = make([1.0, 2.0])
    assert x.__dlpack_device__() == (18, 0)
    for refused in (x.__dlpack__, lambda: x.__dlpack__(dl_device=(18, 0)), lambda: x.__dlpack__(dl_device=(1, 0), copy=False)):
        with pytest.raises(BufferError):
            refused()

    class Fetched:
        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **_):
            return x.__dlpack__(dl_device=(1, 0))

    assert np.from_dlpack(Fetched()).tolist() == [1, 2]
    assert xp.from_dlpack(np.ones(3, np.float32), device=device).device == device
    assert xp.from_dlpack(x).device == device
    assert xp.from_dlpack(x, device="cpu").tolist() == [1, 2]
    with pytest.raises(ValueError, match="by a copy only"):
        xp.from_dlpack(x, device="cpu", copy=False)


def test_implicit_transfers_are_errors_with_a_remedy(make, device):
    x, a = make([1.0, 2.0]), np.ones(2, np.float32)
    with pytest.raises(xp.HostTransferError, match="x.to_device"):
        np.asarray(x)
    for mixed in (lambda: x + a, lambda: a + x, lambda: xp.add(a, x), lambda: x[np.array([0])], lambda: np.add(x, a)):
        with pytest.raises(xp.HostTransferError, match=rf"trnarray\.asarray\(x, device='{device}'\)"):
            mixed()
    with xp.config(host_transfer="allow"):
        assert np.asarray(x).tolist() == [1, 2]
        for mixed in (x + a, a + x, xp.add(a, x), np.add(a, x)):
            assert (mixed.device, mixed.tolist()) == (device, [2, 3])
        with pytest.raises(ValueError, match="copy=False"):
            np.asarray(x, copy=False)
    xp.reset_coverage()
    with xp.config(host_transfer="warn"), pytest.warns(xp.HostTransferWarning, match="asarray"):
        x + a


@pytest.mark.parametrize("setting", ["error", "allow"])
def test_an_ndarray_takes_no_result_of_a_device(make, setting):
    a, x = np.ones(2, np.float32), make([1.0, 2.0])
    with xp.config(host_transfer=setting), pytest.raises(TypeError):
        a += x
    assert a.tolist() == [1, 1]


def test_devices_do_not_mix(make, device):
    x = make([1.0, 2.0])
    for other in {"cpu", "sim:trn1", "sim:trn2", "sim:trn3"} - {device}:
        y = xp.asarray([1.0, 2.0], device=other)
        calls = [(xp.add, x, y), (xp.concat, [x, y]), (x.__setitem__, 0, y[0]), (xp.where, x > 1, x, y)]
        for function, *operands in calls:
            with pytest.raises(ValueError, match=rf"{device}.*to_device|to_device.*{device}"):
                function(*operands)


def test_numpy_functions_stay_on_the_device(make, device):
    x, y = make([1.0, 2.0]), make([3.0, 4.0])
    made = [np.add(x, y), np.sum(x), np.exp(x), np.where(x > 1, x, 0), np.concatenate([x, y]), np.zeros(3, like=x), np.asarray([1], like=x)]
    made += [np.add.reduce(x), np.add.accumulate(x), np.zeros_like(x), np.arange(3, like=x), np.fft.rfft(x), np.linalg.norm(x)]
    assert {item.device for item in made} == {device}
    assert np.add(x, 1, out=y) is y
    assert np.shape(x) == (2,)


def test_scipy_fft_stays_on_the_device(make, device):
    x = make([1.0, 2.0, 3.0, 4.0])
    for y in (trnarray.scipy.fft.fft(x), scipy.fft.fft(x)):
        assert (y.device, y.dtype, y.tolist()) == (device, "complex64", [10, -2 + 2j, -2, -2 - 2j])


def test_random_numbers_are_the_hosts_rounded_once(device):
    with xp.default_device(device):
        x = xp.random.default_rng(1).random(4)
    assert x.device == device
    drawn = xp.random.Generator(xp.random.PCG64(1), device=device).random(4)  # NumPy's bit generators draw NumPy's numbers
    np.testing.assert_array_equal(drawn.tolist(), np.random.default_rng(1).random(4).astype(np.float32))


SETTINGS = {
    "shapes": lambda x, s: (x.reshape(s(4, 3)), np.broadcast_to(x[0], s(2, 4)), np.resize(x, s(2, 2))),
    "axes": lambda x, s: (np.transpose(x, s(1, 0)), np.flip(x, s(0, 1)), np.moveaxis(x, s(0), s(1))),
    "two axes": lambda x, s: (np.tensordot(x, x, axes=s(s(0, 1), s(0, 1))), np.roll(x, s(1, 2), axis=s(0, 1))),
    "counts": lambda x, s: (np.tile(x, s(2, 1)), np.repeat(x, s(1, 0, 2), axis=0), np.pad(x, s(s(1, 0), s(0, 2)))),
    "places": lambda x, s: (*np.split(x, s(1, 2)), np.delete(x, s(0, 2), axis=1), np.diag(x, s(1)[0])),
    "bounds": lambda x, s: (np.histogram(x, s(0, 5, 12))[0], np.quantile(x, s(0, 1)), np.digitize(x, s(0, 5, 12))),
}


@pytest.mark.parametrize("call", list(SETTINGS))
def test_ndarrays_that_are_settings_stay_on_the_host(make, call):
    """No element of theirs is computed with."""
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    wanted = SETTINGS[call](x, lambda *items: np.array(items))
    with xp.config(host_transfer="error"):
        found = SETTINGS[call](make(x), lambda *items: np.array(items))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one.to_device("cpu").tolist(), other.tolist())
