"""Kernels of checkouts: what is found, loaded, run, compared and explained, on a tiny checkout of our own."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trnarray.backends.simulator import Knobs, NkiConstraintError
from trnarray.conformance.foreign_kernels import run
from trnarray.conformance.foreign_kernels.checkout import isolated, load, locate
from trnarray.conformance.foreign_kernels.comparison import difference
from trnarray.conformance.foreign_kernels.fragments import reason_not_to_run
from trnarray.conformance.foreign_kernels.inventory import inventory
from trnarray.conformance.foreign_kernels.sample import EXACT, Arguments, Explanation, Sample, Theirs, Tolerance
from trnarray.conformance.foreign_kernels.table import SAMPLES
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError

_PACKAGE_INIT = 'raise RuntimeError("the package is not needed")\n'
_SIBLING = "def limit():\n    return 128\n"
_KERNELS = """
import os
import nki
import nki.isa as nisa
import nki.language as nl
from .sibling import limit

os.environ["SAMPLES_TEST"] = "set by the checkout"


@nki.jit
def double(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=out, src=tile)
    return out


def double_tile(tile):
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    return tile


@nki.jit
def too_tall(a):
    tile = nl.ndarray((limit() + 1, 4), dtype=a.dtype, buffer=nl.sbuf)
    return tile


def reference(a):
    return a * 2
"""
_DOCUMENT = """
Title
=====

.. code-block:: python
   :linenos:

   @nki.jit
   def negate(a):
       out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
       tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
       nisa.dma_copy(dst=tile, src=a)
       nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=-1.0)
       nisa.dma_copy(dst=out, src=tile)
       return out

More text.
"""
_OLD = "import neuronxcc.nki as nki\n\n@nki.jit\ndef old(a):\n    pass\n"


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    package = tmp_path / "some-checkout" / "src" / "package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(_PACKAGE_INIT, encoding="utf-8")
    (package / "sibling.py").write_text(_SIBLING, encoding="utf-8")
    (package / "kernels.py").write_text(_KERNELS, encoding="utf-8")
    (package / "old.py").write_text(_OLD, encoding="utf-8")
    (tmp_path / "some-checkout" / "guide.rst").write_text(_DOCUMENT, encoding="utf-8")
    return tmp_path


def _inputs(rng: np.random.Generator) -> Arguments:
    return {"a": rng.integers(-9, 9, (8, 4)).astype(np.float32)}


def _sample(kernel: str = "double", **changes: Any) -> Sample:
    ours = {"file": "src/package/kernels.py", "root": "src", "inputs": _inputs, "reference": Theirs("reference")}
    return Sample(kernel=kernel, **ours | changes)


def _run(checkouts: Path, *samples: Sample, **options: Any) -> Report:
    report = Report("simulator", "sim:trn2")
    run(checkouts, report, samples={"ours": samples}, **options)
    return report


def test_a_kernel_matches_its_reference(checkouts: Path) -> None:
    report = _run(checkouts, _sample(targets=("trn1", "trn2", "trn3")))
    assert report.counts["passed"] == 3
    assert report.ok
    assert report.figures["ours"] == "1 ran, 1 matched"


def test_a_kernel_that_gives_something_else_fails(checkouts: Path) -> None:
    report = _run(checkouts, _sample(reference=lambda a: a * 3))
    assert report.counts["failed"] == 1
    assert "elements differ by more than 0" in report.notes[0].reason
    assert report.figures["ours"] == "1 ran, 0 matched, 1 did not match"


def test_a_code_block_of_a_document_runs(checkouts: Path) -> None:
    assert _run(checkouts, _sample("negate", reference=lambda a: -a, file="guide.rst", root=None)).ok


def test_a_code_block_of_a_docstring_runs(checkouts: Path) -> None:
    indented = "".join(f"    {line}\n" if line else "\n" for line in _DOCUMENT.rstrip().removesuffix("More text.").rstrip().splitlines())
    stub = checkouts / "some-checkout" / "stub.py"
    stub.write_text(f'def negate(a):\n    r"""Negate.\n{indented.rstrip()}"""\n    ...\n', encoding="utf-8")
    sample = _sample("negate", reference=lambda a: -a, file="stub.py", root=None, docstring=True)
    assert _run(checkouts, sample).ok


def test_an_example_without_a_function_runs_under_its_title(checkouts: Path) -> None:
    text = ".. code-block:: python\n\n   # nki.language.negative -- changes the sign\n   kept.append(np.negative(1))\n"
    (checkouts / "some-checkout" / "guide.rst").write_text(text, encoding="utf-8")
    with isolated():
        module = load(checkouts / "some-checkout", "guide.rst", prelude="import numpy as np\nkept = []\n", kernel="negative")
        module.negative()
        module.negative()
    assert module.kept == [-1, -1]


def test_a_document_may_define_a_kernel_several_times(checkouts: Path) -> None:
    (checkouts / "some-checkout" / "guide.rst").write_text(_DOCUMENT + _DOCUMENT.replace("-1.0", "-2.0"), encoding="utf-8")
    first = _sample("negate", reference=lambda a: -a, file="guide.rst", root=None)
    second = _sample("negate", reference=lambda a: -2 * a, file="guide.rst", root=None, occurrence=1)
    assert _run(checkouts, first, second).figures["ours"] == "2 ran, 2 matched"
    third = _run(checkouts, _sample("negate", file="guide.rst", root=None, occurrence=2))
    assert "2 code blocks of guide.rst define negate" in third.notes[0].reason


def test_a_code_block_keeps_the_line_numbers_of_its_document(checkouts: Path) -> None:
    prelude = "class nki:\n    jit = staticmethod(lambda f: f)\n"
    with isolated():
        module = load(checkouts / "some-checkout", "guide.rst", prelude=prelude, kernel="negate")
    line = _DOCUMENT.splitlines()[module.negate.__code__.co_firstlineno - 1]
    assert line.strip() == "@nki.jit"


def test_an_adapter_makes_a_kernel_of_a_function_on_tiles(checkouts: Path) -> None:
    def adapt(function: Any) -> Any:
        def kernel(a: Any) -> Any:
            import nki.isa as nisa  # type: ignore[import-not-found, unused-ignore]
            import nki.language as nl  # type: ignore[import-not-found, unused-ignore]

            tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=a)
            out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=out, src=function(tile))
            return out

        return kernel

    assert _run(checkouts, _sample("double_tile", adapt=adapt)).ok


def test_an_explanation_is_checked(checkouts: Path) -> None:
    rule = Explanation("rule", "a tile has at most 128 partitions", NkiConstraintError, "128")
    report = _run(checkouts, _sample("too_tall", explanation=rule))
    assert report.counts["xfailed"] == 1
    assert "at most 128 partitions" in report.notes[0].reason
    assert report.figures["ours"] == "0 ran, 0 matched, 1 against a documented rule"
    assert _run(checkouts, _sample("too_tall")).counts["failed"] == 1
    assert _run(checkouts, _sample("too_tall", explanation=Explanation("rule", "else", NkiConstraintError, "256"))).counts["failed"] == 1
    assert _run(checkouts, _sample("double", explanation=rule)).counts["failed"] == 1


def test_an_explained_mismatch_must_not_match(checkouts: Path) -> None:
    fault = Explanation("fault", "it doubles where it should triple")
    assert _run(checkouts, _sample(reference=lambda a: a * 3, explanation=fault)).counts["xfailed"] == 1
    assert _run(checkouts, _sample(explanation=fault)).counts["failed"] == 1


def test_what_is_not_there_is_skipped(checkouts: Path) -> None:
    report = _run(checkouts, _sample(file="nowhere.py"), _sample(needs=("no_such_package",)), only=("ours/*",))
    assert report.counts["skipped"] == 2
    assert not report.ok


def test_only_and_targets_choose(checkouts: Path) -> None:
    samples = (_sample(targets=("trn1", "trn2")), _sample(case="again"))
    assert _run(checkouts, *samples, targets=("trn1",)).counts["passed"] == 1
    assert _run(checkouts, *samples, only=("*again*",)).counts["passed"] == 1
    with pytest.raises(SuiteError, match="no sample is named nothing"):
        _run(checkouts, *samples, only=("nothing",))
    with pytest.raises(SuiteError, match="is not a folder"):
        _run(checkouts / "absent", *samples)


def test_options_that_relax_are_reported(checkouts: Path) -> None:
    report = _run(checkouts, _sample(options={"races": False}, case="loose"), _sample(options={"races": True}))
    named = {key: value for key, value in report.figures.items() if " with races" in key}
    assert list(named) == ["ours with races=False"]
    assert "loose" in named["ours with races=False"]
    assert named["ours with races=False"].endswith(" matched")
    assert "denormals_pe=keep" in report.figures["simulated with"]


def test_knobs_are_handed_on(checkouts: Path) -> None:
    def small(_: np.random.Generator) -> Arguments:
        return {"a": np.full((8, 4), 2.0**-140, np.float32)}

    def flushed(a: NDArray[Any]) -> NDArray[Any]:
        return a * 0

    sample = _sample(inputs=small, reference=flushed)
    assert not _run(checkouts, sample).ok
    assert _run(checkouts, sample, knobs=Knobs(denormals_dve="flush")).ok


def test_loading_leaves_nothing_behind(checkouts: Path) -> None:
    path, environment = list(sys.path), dict(os.environ)
    assert _run(checkouts, _sample()).ok
    assert sys.path == path
    assert dict(os.environ) == environment
    assert not [name for name in sys.modules if name.partition(".")[0] in ("package", "nki")]


def test_the_inventory_tells_old_kernels_from_new(checkouts: Path) -> None:
    assert {(item.kernel, item.old) for item in inventory(checkouts)} == {
        ("negate", False),
        ("double", False),
        ("too_tall", False),
        ("old", True),
    }
    report = _run(checkouts, _sample())
    assert [(note.name, note.reason) for note in report.notes] == [
        ("some-checkout/guide.rst:negate", "no sample is declared for it"),
        ("some-checkout/src/package/kernels.py:too_tall", "no sample is declared for it"),
    ]
    assert report.figures["without a sample"] == 2
    assert report.figures["excluded"] == "0 fragments and tests, 1 for neuronxcc.nki"
    assert not _run(checkouts, _sample(), only=("*double*",)).notes


def test_what_is_not_run_has_a_reason() -> None:
    assert reason_not_to_run("nki/deep-dives/nki-compiler.rst", "kernel").startswith("a fragment")
    assert reason_not_to_run("test/integration/nkilib/core/test_it.py", "any").startswith("a test")
    assert not reason_not_to_run("nki/deep-dives/nki-compiler.rst", "other")


def test_locate_takes_a_checkout_itself(checkouts: Path) -> None:
    assert locate(checkouts, "guide.rst") == locate(checkouts / "some-checkout", "guide.rst") == checkouts / "some-checkout"


@pytest.mark.parametrize(
    ("got", "want", "text"),
    [
        (np.ones(3), np.ones(3), ""),
        (np.ones(3), np.ones(4), "shape"),
        (np.ones(3), (np.ones(3), np.ones(3)), "1 results, not 2"),
        (np.array([1, np.nan]), np.array([1, 2.0]), "nan at (1,)"),
        (np.array([1, np.nan]), np.array([1, np.nan]), ""),
        (np.array([1, np.inf]), np.array([1, -np.inf]), "inf at (1,)"),
        (np.array([1, 2]), np.array([1, 3]), "1 of 2"),
    ],
)
def test_differences(got: NDArray[Any], want: Any, text: str) -> None:
    said = difference(got, want, EXACT)
    assert text in said if text else not said


def test_a_tolerance_is_relative_to_the_largest_magnitude() -> None:
    two_units = Tolerance(2, "bfloat16", "one rounding each way")
    assert not difference(np.array([100.0, 0.75]), np.array([100.0, 0.0]), two_units)
    assert difference(np.array([100.0, 0.80]), np.array([100.0, 0.0]), two_units)


def test_every_sample_is_declared_once_and_completely() -> None:
    samples = [sample for entries in SAMPLES.values() for sample in entries]
    assert len({(sample.file, sample.kernel, sample.occurrence, sample.case, sample.lnc) for sample in samples}) == len(samples)
    for sample in samples:
        assert sample.tolerance.reason
        assert sample.targets
