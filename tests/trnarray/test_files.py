"""Arrays in binary and in text files: what NumPy writes we read, and the other way round."""

import io

import numpy as np
import pytest

import trnarray
from trnarray import Array

from .numpy_reference import LOW, PLAIN, data, same

LINES = ["# a table", "1, 2,3", "", "4,5 , -6  # the end"]


@pytest.mark.parametrize("dtype", PLAIN, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3, 4)])
def test_npy(tmp_path, dtype, shape):
    x = data(shape, dtype)
    trnarray.save(tmp_path / "ours", trnarray.asarray(x).T)
    np.save(tmp_path / "theirs", x.T)
    assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes()
    same(trnarray.load(tmp_path / "theirs.npy"), np.load(tmp_path / "ours.npy"))


def test_npz(tmp_path):
    x, y = np.arange(3), np.ones((2, 2), np.complex64)
    for write in ("savez", "savez_compressed"):
        getattr(trnarray, write)(tmp_path / write, trnarray.asarray(x), y=trnarray.asarray(y))
        with trnarray.load(tmp_path / f"{write}.npz") as ours, np.load(tmp_path / f"{write}.npz") as theirs:
            assert list(ours) == ours.files == theirs.files == ["y", "arr_0"]
            assert len(ours) == 2
            assert "y" in ours
            for name, value in ours.items():
                same(value, theirs[name])
            with pytest.raises(KeyError):
                ours["no"]


def test_memory_mapped(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(4))
    x = trnarray.load(tmp_path / "x.npy", mmap_mode="r+")
    assert type(x) is Array
    x[0] = 7
    assert np.load(tmp_path / "x.npy")[0] == 7
    with pytest.raises(ValueError, match="read-only"):
        trnarray.load(tmp_path / "x.npy", mmap_mode="r")[0] = 1


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn"])
def test_dtypes_without_a_name_in_the_format_are_refused(tmp_path, name):
    x = trnarray.asarray([1.0, 2.0], dtype=name)
    for write in (lambda f: trnarray.save(f, x), lambda f: trnarray.savez(f, x=x), lambda f: trnarray.savez_compressed(f, x)):
        with pytest.raises(TypeError, match=f"no name for {name}"):
            write(tmp_path / "x")
    words = f"uint{8 * x.itemsize}"  # as the message says
    trnarray.save(tmp_path / "x.npy", x.view(words))
    assert trnarray.load(tmp_path / "x.npy").view(name).tolist() == [1, 2]


def test_what_is_no_number_is_refused(tmp_path):
    np.save(tmp_path / "x.npy", np.array(["a"]))
    with pytest.raises(TypeError, match="not supported"):
        trnarray.load(tmp_path / "x.npy")
    np.save(tmp_path / "y.npy", np.array([None]))
    with pytest.raises(ValueError, match="allow_pickle"):
        trnarray.load(tmp_path / "y.npy")
    with pytest.raises(TypeError, match="one numeric field"):
        trnarray.genfromtxt(["1 x"], names="a, b")


READS = {
    "loadtxt": lambda xp: xp.loadtxt(LINES, delimiter=","),
    "loadtxt of columns": lambda xp: xp.loadtxt(LINES, int, delimiter=",", usecols=(2, 0), unpack=True),
    "loadtxt of rows": lambda xp: xp.loadtxt(LINES, delimiter=",", skiprows=1, max_rows=1, ndmin=2),
    "loadtxt with converters": lambda xp: xp.loadtxt(LINES, delimiter=",", converters=lambda text: abs(float(text))),
    "loadtxt of quoted numbers": lambda xp: xp.loadtxt(['"1" 2'], quotechar='"', comments=None),
    "genfromtxt": lambda xp: xp.genfromtxt(LINES, delimiter=","),
    "genfromtxt finds the dtype": lambda xp: xp.genfromtxt(LINES, dtype=None, delimiter=",", autostrip=True),
    "genfromtxt fills": lambda xp: xp.genfromtxt(["1,,3", "x,5,-"], delimiter=",", filling_values=7, missing_values="-"),
    "genfromtxt of widths": lambda xp: xp.genfromtxt(["123456", "789012"], int, delimiter=(2, 4), unpack=True),
    "genfromtxt of parts": lambda xp: xp.genfromtxt(["1", "2", "3", "4"], skip_header=1, skip_footer=1, ndmin=2),
}


@pytest.mark.parametrize("name", READS)
def test_text_is_read_as_numpy_reads_it(name):
    same(READS[name](trnarray), READS[name](np))


@pytest.mark.parametrize("dtype", LOW, ids=str)
def test_text_of_low_precision_is_rounded_once(dtype):
    texts = ["1.00390625000000001", "0.1", "-3e-5"]  # the first is just above half way between two bfloat16
    want = np.array([float(text) for text in texts]).astype(dtype)
    for read in (trnarray.loadtxt, trnarray.genfromtxt):
        x = read(texts, dtype=dtype)
        assert x.dtype == dtype
        assert x.tolist() == want.tolist()


@pytest.mark.parametrize("x", [np.arange(6.0).reshape(2, 3) / 7, np.arange(3), np.array([1 + 2j, 3.5])], ids=str)
def test_text_is_written_as_numpy_writes_it(x):
    for options in ({}, {"header": "a b", "delimiter": ";", "newline": "\r\n"}, {"fmt": "%.3g"}):
        ours, theirs = io.StringIO(), io.StringIO()
        trnarray.savetxt(ours, trnarray.asarray(x), **options)
        np.savetxt(theirs, x, **options)
        assert ours.getvalue() == theirs.getvalue()


def test_text_of_low_precision():
    file = io.StringIO()
    trnarray.savetxt(file, trnarray.asarray([1.5, -2.0], dtype=trnarray.bfloat16), fmt="%g")
    assert file.getvalue() == "1.5\n-2\n"


def test_reading_takes_a_device():
    assert trnarray.loadtxt(["1"], like=trnarray.ones(1)).device == "cpu"
    with pytest.raises(TypeError, match="like="):
        trnarray.genfromtxt(["1"], like=3)


@pytest.mark.parametrize("file", [(1, 2), 3, None])
def test_fromfile_refuses_what_is_no_file(file):
    with pytest.raises(TypeError, match="reads a path or an open file"):
        trnarray.fromfile(file, like=trnarray.ones(1))
