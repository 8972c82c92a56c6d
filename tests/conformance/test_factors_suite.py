"""Suite factors: that it runs, and that it finds a residual that is too large."""

from trnarray.conformance import __main__ as command
from trnarray.conformance.suites import factors

OPTIONS = [
    *("factors", "--device", "sim:trn2", "--dtypes", "float32", "--only", "cholesky"),
    *("--orders", "0,3", "--matrices", "normal,Hilbert", "--systems", "0"),
]


def test_it_passes(capsys):
    assert command.main(OPTIONS) == 0
    assert "cholesky, float32, largest residual in n u" in capsys.readouterr().out


def test_it_finds_a_residual_that_is_too_large(monkeypatch, capsys):
    monkeypatch.setattr(factors, "CHECKS", {"cholesky": (factors.CHECKS["cholesky"][0], 1e-9)})
    assert command.main(OPTIONS) == 1
    assert "n u, above" in capsys.readouterr().out
