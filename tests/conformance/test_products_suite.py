"""Suite products: that it runs, and that it finds a bound that does not hold."""

from trnarray.conformance import __main__ as command
from trnarray.conformance.suites import products


def test_it_passes(capsys):
    assert command.main(["products", "--device", "sim:trn2", "--max-examples", "10", "--seed", "1"]) == 0
    assert "largest error, float64, of the bound" in capsys.readouterr().out


def test_it_finds_a_bound_that_does_not_hold(monkeypatch, capsys):
    monkeypatch.setattr(products, "product_bound", lambda *_: 2.0**-60)
    assert command.main(["products", "--device", "sim:trn2", "--max-examples", "4", "--seed", "1"]) == 1
    assert "exceeds" in capsys.readouterr().out
