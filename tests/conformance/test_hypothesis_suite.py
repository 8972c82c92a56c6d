"""Suite hypothesis: run with few examples, that the table is complete, and that planted bugs are found."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

import trnarray
from trnarray.backends.device import CPU, Device
from trnarray.backends.host.standard import DIFFERENCES
from trnarray.backends.promotion import NEURON
from trnarray.conformance import __main__ as command
from trnarray.conformance.function_table import refusals
from trnarray.conformance.function_table.promise import promised
from trnarray.conformance.function_table.refusals import REFUSALS, Refusal
from trnarray.conformance.function_table.rows import EXEMPT, ROWS, public_functions
from trnarray.conformance.report import Report
from trnarray.conformance.suites.hypothesis import run_row, unnamed

# Each is a call for every dtype. `python -m trnarray.conformance hypothesis` takes more.
EXAMPLES = 4 if settings().max_examples > settings.get_profile("brief").max_examples else 2
TABLE = {}
for _row in ROWS:
    TABLE.setdefault(_row.name, []).append(_row)


@pytest.mark.parametrize("name", sorted(set(TABLE) & set(public_functions())))
def test_agrees_with_numpy(name):
    report = Report("hypothesis", "cpu")
    for row in TABLE[name]:
        run_row(report, row, CPU, EXAMPLES)
    assert not report.counts["failed"] + report.counts["errors"], report.table()


def test_the_table_names_every_function():
    assert not unnamed(public_functions()), "add a row, or list it in EXEMPT with a reason"


def test_the_table_would_miss_a_new_function(monkeypatch):
    monkeypatch.setattr(trnarray, "brand_new", lambda x: x, raising=False)
    monkeypatch.setattr(trnarray, "__all__", [*trnarray.__all__, "brand_new"])
    assert unnamed(public_functions()) == ["brand_new"]
    assert command.main(["hypothesis", "--only", "brand_new"]) == 1


def test_no_function_is_both_in_the_table_and_exempt():
    assert not set(TABLE) & set(EXEMPT)


def test_every_row_has_dtypes_and_a_reason_for_its_tolerance():
    assert not [row.name for row in ROWS if not row.dtypes or not row.tolerance.reason]


def test_every_listed_difference_is_in_the_table():
    rows = {row.name for row in ROWS if row.difference}
    aliases = {"acosh": "arccosh"}
    assert not [name for name in DIFFERENCES if not {name, aliases.get(name)} & rows]


def test_every_reference_is_independent_of_trnarray():
    for row in ROWS:
        function = row.numpy_function()
        module = getattr(function, "__module__", None) or ""
        assert not module.startswith(("trnarray._", "trnarray.backends")), row.name
        assert module != "trnarray", row.name


def plant(monkeypatch, name, bug):
    namespace, _, attribute = name.rpartition(".")
    owner = getattr(trnarray, namespace) if namespace else trnarray
    monkeypatch.setattr(owner, attribute, bug(getattr(owner, attribute)))


def found(name, max_examples=25):
    report = Report("hypothesis", "cpu")
    for row in TABLE[name]:
        run_row(report, row, CPU, max_examples)
    return report


def after(change):
    """Make a bug that changes the result, unless that is the caller's own array."""

    def plant_it(function):
        def bug(*args, **kwargs):
            result = function(*args, **kwargs)
            return result if "out" in kwargs else change(result)

        return bug

    return plant_it


def where_nan(function):
    def bug(x, *args, **kwargs):
        return trnarray.nan_to_num(function(x, *args, **kwargs), nan=0.0)

    return bug


def rounds_at_every_step(function):
    def bug(x, **kwargs):
        result = function(x, **kwargs)
        if x.dtype == result.dtype == trnarray.bfloat16 and x.shape == result.shape and x.ndim == 1:
            for i in range(1, x.size):
                result[i] = result[i - 1] + x[i]
        return result

    return bug


def forgets_views(function):
    def bug(x, *args, **kwargs):
        if isinstance(x, trnarray.Array) and x.ndim == 1 and x.strides and x.strides[0] < 0:
            x = x[::-1]
        return function(x, *args, **kwargs)

    return bug


def writes_to_its_operand(function):
    def bug(x, *args, **kwargs):
        result = function(x, *args, **kwargs)
        if x.size and x.flags.writeable:
            x[...] = x[...] * 0 + 1
        return result

    return bug


def ignores(keyword):
    def plant_it(function):
        def bug(*args, **kwargs):
            kwargs.pop(keyword, None)
            return function(*args, **kwargs)

        return bug

    return plant_it


def loses_the_object(function):
    def bug(*args, out=None, **kwargs):
        result = function(*args, **kwargs)
        if out is not None and isinstance(out, trnarray.Array) and out.ndim:
            out[...] = result
        return result

    return bug


def other_error(function):
    def bug(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except ValueError:
            raise TypeError("of another kind") from None

    return bug


def crash(function):
    def bug(*args, **kwargs):
        raise RuntimeError("an assertion inside")

    return bug


@pytest.mark.parametrize(
    ("name", "bug", "says"),
    [
        ("add", after(lambda r: r + 1 if r.dtype == np.int16 and r.size == 1 else r), "element"),
        ("exp", after(lambda r: r * (1 + 1e-6) if r.dtype == np.float64 else r), "element"),
        ("multiply", after(lambda r: trnarray.abs(r) if r.dtype == np.float32 else r), "element"),
        ("maximum", where_nan, "element"),
        ("cumulative_sum", rounds_at_every_step, "element"),
        ("sum", after(lambda r: r.astype(np.int32) if r.dtype == np.int64 else r), "gives dtype int32"),
        ("sum", ignores("keepdims"), "gives shape"),
        ("mean", ignores("axis"), "xp.mean("),
        ("sqrt", loses_the_object, "gives another object than that"),
        ("sin", ignores("out"), "another object"),
        ("flip", forgets_views, "element"),
        ("copysign", after(lambda r: r + 0.0 if r.dtype.kind == "f" else r), "element"),
        ("sort", writes_to_its_operand, "operand x0 after the call"),
        ("put", lambda function: lambda *args, **kwargs: None, "operand x0 after the call"),
        ("reshape", other_error, "raises TypeError"),
        ("concat", other_error, "raises TypeError"),
        ("roll", after(np.asarray), "not an Array"),
        ("unstack", after(list), "where NumPy gives"),
        ("linalg.qr", after(tuple), "where NumPy gives"),
        ("linalg.svd", after(lambda r: r._replace(U=r.U * -1) if hasattr(r, "U") else r), "element"),
        ("linalg.solve", after(lambda r: r * (1 + 1e-4)), "element"),
        ("fft.fft", after(trnarray.conj), "element"),
        ("array_equal", after(lambda r: not r), "where NumPy gives"),
        ("tile", crash, "RuntimeError: an assertion inside"),
    ],
)
def test_planted_bugs_are_found(monkeypatch, name, bug, says):
    plant(monkeypatch, name, bug)
    report = found(name)
    assert report.counts["failed"] + report.counts["errors"], name
    assert says in report.table()
    assert f"xp.{name}(" in report.table()


def test_the_smallest_call_is_shown(monkeypatch):
    plant(monkeypatch, "negative", lambda function: lambda x: x if x.ndim > 1 else function(x))
    report = found("negative", 30)
    assert report.counts["failed"]
    shown = [note.reason for note in report.notes if note.name == "negative[float64]"]
    assert len(shown) == 1
    assert "shape (1, 1), float64," in shown[0], shown[0]


def test_a_wrong_device_is_found(monkeypatch):
    monkeypatch.setattr(trnarray.Array, "device", property(lambda self: "elsewhere"))
    assert "gives an Array on elsewhere" in found("zeros", 2).table()


@pytest.mark.parametrize(("narrow", "wide"), [("float32", "float64"), ("complex64", "float64"), ("complex64", "complex128")])
def test_arrays_that_do_not_meet_keep_their_dtypes_on_devices(narrow, wide):
    """As those of `atleast_1d(x, y)`; where they meet, the wide one is promised."""
    narrow, wide = np.dtype(narrow), np.dtype(wide)
    assert set(promised(NEURON, narrow, {narrow, wide})) == {narrow, np.result_type(narrow, wide)}


def test_selection_must_name_something(capsys):
    assert command.main(["hypothesis", "--only", "no_such_function"]) == 2
    assert "no function is named no_such_function" in capsys.readouterr().err


def test_figures_and_determinism(tmp_path, capsys):
    first = command.main(["hypothesis", "--only", "add", "--only", "linalg.det", "--max-examples", "3"])
    shown = capsys.readouterr().out
    assert first == 0
    assert command.main(["hypothesis", "--only", "add", "--only", "linalg.det", "--max-examples", "3"]) == 0
    strip = [[line for line in text.splitlines() if "seconds" not in line] for text in (shown, capsys.readouterr().out)]
    assert strip[0] == strip[1]
    assert "functions  2" in shown


def test_templates_do_not_leak_into_calls():
    """A template in a list or a dictionary would reach the function undrawn."""
    for row in ROWS:
        assert not inspect.isfunction(row.calls)


def test_what_is_expected_to_be_refused_runs_on_the_host_as_the_page_says():
    lines = (Path(__file__).parents[2] / "docs/coverage.md").read_text().splitlines()
    table = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines if line.startswith(("| function |", "| `"))]
    columns = table[0][1:]
    cells = {row[0]: dict(zip(columns, row[1:], strict=True)) for row in table[1:] if len(row) == len(table[0])}
    for functions, dtypes, reason in REFUSALS:
        for name in functions.split():
            assert {cells[name][dtype.name] for dtype in dtypes} <= {"h", "p", "."}, (name, reason)


@pytest.mark.parametrize("reason", ["it has no kernel yet", "another one"])
def test_refusals_are_expected_for_their_reason_alone(reason, monkeypatch):
    known = next(row.dtypes for row in REFUSALS if "linalg.eigvals" in row.functions.split())[-2:]
    monkeypatch.setattr(refusals, "REFUSALS", (Refusal("linalg.eigvals", known, reason),))
    report = Report("hypothesis", "sim:trn2")
    run_row(report, TABLE["linalg.eigvals"][0], Device("sim:trn2"), 2, fallback="error")
    if reason == "another one":
        assert report.counts["xfailed"] == 0
        assert report.counts["errors"] >= len(known)
    else:
        assert report.counts["xfailed"] == len(known)
