"""What a prediction is shown as: the table, the trace that Perfetto opens, the roofline plot."""

import json
import math
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import Abstract
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.cost import predict, roofline_plot
from trnarray.backends.simulator.cost.perfetto import sequence, trace
from trnarray.backends.simulator.cost.roofline import roofs
from trnarray.backends.simulator.cost.units import duration

LINE_BYTES = 512 * 4


@simulator.jit
def product(x, y):
    """Rows of tiles are loaded, multiplied, copied and stored: every kind of queue, with overlap."""
    out = nl.ndarray((128, 4 * 512), "float32", nl.shared_hbm)
    weights = nl.ndarray((128, 128), "float32")
    nisa.dma_copy(weights, x)
    for k in range(4):
        moving = nl.ndarray((128, 512), "float32")
        nisa.dma_copy(moving, y[:, 512 * k : 512 * (k + 1)])
        sums = nl.ndarray((128, 512), "float32", nl.psum)
        nisa.nc_matmul(sums, weights, moving)
        result = nl.ndarray((128, 512), "float32")
        nisa.activation(result, nl.exp, sums)
        nisa.tensor_tensor(result, result, moving, nl.add)
        nisa.dma_copy(out[:, 512 * k : 512 * (k + 1)], result)
    return out


@simulator.jit
def looped(x, count):
    def body(i):
        tile = nl.ndarray((128, 512), "float32")
        nisa.dma_copy(tile, x[nl.ds(0, 128)])
        nisa.tensor_scalar(tile, tile, nl.add, 1.0)
        nisa.dma_copy(out, tile)

    out = nl.ndarray((128, 512), "float32", nl.shared_hbm)
    nl.fori_loop(0, count, body)
    return out


@pytest.fixture(scope="module")
def prediction():
    with simulator.options("trn2"):
        return product.predict(Abstract((128, 128), "float32"), Abstract((128, 2048), "float32"))


@pytest.fixture(scope="module")
def looping():
    with simulator.options("trn2"):
        return looped.predict(Abstract((128, 512), "float32"), 5000)


def events_of(prediction, kind):
    return [event for event in trace(prediction)["traceEvents"] if event["ph"] == kind]


def check_rules(document):
    """The rules of the Trace Event format for the kinds of events that are used: X, M, C, s and f."""
    document = json.loads(json.dumps(document, allow_nan=False))
    assert isinstance(document["traceEvents"], list)
    assert document["displayTimeUnit"] in ("ms", "ns")
    lines, names, flows = {}, {}, {}
    for event in document["traceEvents"]:
        assert isinstance(event["name"], str)
        assert isinstance(event["pid"], int)
        if event["ph"] == "M":
            (key,) = event["args"]
            assert (event["name"], key) in {
                ("process_name", "name"),
                ("process_sort_index", "sort_index"),
                ("thread_name", "name"),
                ("thread_sort_index", "sort_index"),
            }
            assert ("tid" in event) == event["name"].startswith("thread")
            assert names.setdefault((event["name"], event["pid"], event.get("tid")), event) is event, "named twice"
            continue
        assert isinstance(event["ts"], int | float)
        assert event["ts"] >= 0
        assert ("process_name", event["pid"], None) in names, "metadata comes before its events"
        if event["ph"] == "X":
            assert event["dur"] >= 0
            assert ("thread_name", event["pid"], event["tid"]) in names
            lines.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
        elif event["ph"] == "C":
            assert event["args"]
            assert all(isinstance(value, int | float) and value >= 0 for value in event["args"].values())
        else:
            assert event["ph"] in "sf"
            assert event["ph"] == "s" or event["bp"] == "e"
            flows.setdefault((event["cat"], event["name"], event["id"]), []).append(event)
    for slices in lines.values():
        slices.sort()
        for (_, end), (start, _) in pairwise(slices):
            assert start >= end - 1e-5, "slices of one line must nest or not meet"  # both are rounded to a picosecond
    for pair in flows.values():
        start, finish = pair
        assert (start["ph"], finish["ph"]) == ("s", "f")
        assert start["ts"] <= finish["ts"]
        for end in pair:
            assert any(low - 1e-5 <= end["ts"] <= high + 1e-5 for low, high in lines[end["pid"], end["tid"]]), "an arrow begins in a slice"
    return document


def test_a_trace_obeys_the_format(prediction, looping):
    for each in (prediction, looping):
        check_rules(trace(each))


def test_the_checker_finds_what_is_wrong(prediction):
    document = json.loads(json.dumps(trace(prediction)))
    first, second = [event for event in document["traceEvents"] if event["ph"] == "X" and "tensor" in event["cat"]][:2]
    second["ts"] = first["ts"] + first["dur"] / 2
    with pytest.raises(AssertionError, match="must nest or not meet"):
        check_rules(document)


def test_every_instruction_has_a_slice_with_its_line(prediction):
    slices = events_of(prediction, "X")
    assert len(slices) == len(prediction.intervals) == prediction.instructions
    spans = sorted((event["ts"] / 1e6, event["dur"] / 1e6) for event in slices)
    wanted = sorted((interval.start, interval.end - interval.start) for interval in prediction.intervals)
    for (ts, dur), (start, length) in zip(spans, wanted, strict=True):
        assert ts == pytest.approx(start, abs=1e-12)
        assert dur == pytest.approx(length, abs=2e-12)
    assert {event["args"]["source"].rpartition(" in ")[2] for event in slices} == {"product"}
    assert all("test_pictures.py:" in event["args"]["source"] for event in slices)


def test_tracks_are_engines_and_queues(prediction):
    processes = {event["pid"]: event["args"]["name"] for event in events_of(prediction, "M") if event["name"] == "process_name"}
    assert list(processes.values()) == ["core 0: engines", "core 0: DMA queues", "core 0: memory"]
    tracks = {(processes[e["pid"]], e["args"]["name"]) for e in events_of(prediction, "M") if e["name"] == "thread_name"}
    engines = {name for process, name in tracks if process == "core 0: engines"}
    assert engines == {"tensor", "vector", "scalar"}
    queues = {name for process, name in tracks if process == "core 0: DMA queues"}
    assert {"dma loads", "dma loads (2)", "dma stores"} <= queues  # loads overlap


def test_occupancy_is_that_of_the_tiles_in_use(prediction):
    counters = {}
    for event in events_of(prediction, "C"):
        counters.setdefault(event["name"], []).append((event["ts"], event["args"]["in use"]))
    assert set(counters) == {"SBUF bytes per partition", "PSUM bytes per partition"}
    for name, samples in counters.items():
        region = name[:4].lower()
        assert [ts for ts, _ in samples] == sorted(ts for ts, _ in samples)
        assert samples[-1][1] == 0
        for ts, used in samples[:-1]:
            middle = ts / 1e6 + 1e-12
            alive = {}
            for interval in prediction.intervals:
                for view in interval.instruction.touched():
                    if view._storage.buffer.value == region:
                        low, high = alive.get(view._storage, (math.inf, 0.0))
                        alive[view._storage] = min(low, interval.start), max(high, interval.end)
            assert used == sum(storage.nbytes for storage, (low, high) in alive.items() if low <= middle < high)
    assert max(used for _, used in counters["PSUM bytes per partition"]) >= LINE_BYTES


def test_the_critical_path_is_drawn(prediction):
    marked = [event for event in events_of(prediction, "X") if "critical path" in event["args"]]
    assert len(marked) == len({id(step.instruction) for step in prediction.critical_path})
    assert len(events_of(prediction, "s")) == len(events_of(prediction, "f")) == len(marked) - 1


def test_skipped_iterations_are_one_slice(looping):
    (slice_,) = [event for event in events_of(looping, "X") if event["cat"] == "loop"]
    assert slice_["args"]["iterations"] == looping.skipped[0].iterations
    assert f"{looping.skipped[0].iterations} iterations of test_pictures.py:" in slice_["name"]


def test_any_number_of_transfers_may_overlap():
    @simulator.jit
    def many(x):
        out = nl.ndarray((128, 200), "float32", nl.shared_hbm)
        tiles = [nl.ndarray((128, 1), "float32") for _ in range(200)]
        for k, tile in enumerate(tiles):
            nisa.dma_copy(tile, x[:, k : k + 1], dge_mode=nisa.dge_mode.none)
        for k, tile in enumerate(tiles):
            nisa.dma_copy(out[:, k : k + 1], tile, dge_mode=nisa.dge_mode.none)
        return out

    with simulator.options("trn2"):
        document = check_rules(trace(many.predict(Abstract((128, 200), "float32"))))
    assert sum(event["name"] == "thread_name" for event in document["traceEvents"]) > 70


def test_a_trace_needs_intervals():
    with simulator.options("trn2"):
        bare = predict(product.program(Abstract((128, 128), "float32"), Abstract((128, 2048), "float32")), keep=False)
    with pytest.raises(ValueError, match="keep=True"):
        trace(bare)


def test_files(prediction, tmp_path):
    prediction.write_trace(tmp_path / "trace.json")
    document = check_rules(json.loads((tmp_path / "trace.json").read_text()))
    assert document["otherData"]["target"] == "trn2"
    assert "nothing was measured" in document["otherData"]["nature"]
    prediction.write_roofline(tmp_path / "roofline.svg")
    assert ET.parse(tmp_path / "roofline.svg").getroot().tag.endswith("svg")


def test_two_cores_have_tracks_of_their_own():
    @simulator.jit
    def both(x):
        out = nl.ndarray((256, 512), "float32", nl.shared_hbm)
        tile = nl.ndarray((128, 512), "float32")
        rows = nl.ds(128 * nl.program_id(0), 128)
        nisa.dma_copy(tile, x[rows])
        nisa.dma_copy(out[rows], tile)
        return out

    with simulator.options("trn2"):
        document = check_rules(trace(both[2].predict(Abstract((256, 512), "float32"))))
    names = [event["args"]["name"] for event in document["traceEvents"] if event["name"] == "process_name"]
    assert [name for name in names if name.endswith("engines")] == ["core 0: engines", "core 1: engines"]


def test_the_report_says_it_all(prediction, looping):
    text = prediction.report()
    assert text.splitlines()[0] == "product on trn2 (predicted, nothing was measured)"
    assert f"{duration(prediction.seconds)}, between {duration(prediction.low)} and {duration(prediction.high)}" in text
    words = ("rests on guesses", f"{prediction.bound}: at least", "tensor", "1.11 MB read, 1.05 MB written", "SBUF", "PSUM", "pe_product")
    assert not [word for word in words if word not in text]
    lines = text.splitlines()
    steps = lines[lines.index(next(line for line in lines if line.startswith("critical path"))) + 2 :]
    assert all("test_pictures.py:" in line for line in steps)
    shares = [float(line.split("%")[0]) for line in steps]
    assert shares == sorted(shares, reverse=True)
    assert len(prediction.report(steps=2).splitlines()) == len(lines) - len(steps) + 2
    assert "instructions  15000" in looping.report()


def test_a_calibrated_report_names_its_source(prediction):
    text = replace(prediction, calibration="instance X", measured=("dma_start",)).report()
    assert "figures of instance X" in text.splitlines()[0]
    assert "calibration   instance X: dma_start" in text


def circles(svg):
    return [(float(node.get("cx")), float(node.get("cy"))) for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle")]


def test_points_are_where_their_rates_are(prediction):
    quick = replace(prediction, seconds=prediction.seconds / 2, low=prediction.low / 2, high=prediction.high)
    dense = replace(prediction, arithmetic=8 * prediction.arithmetic)
    (x0, y0), (x1, y1), (x2, y2) = circles(roofline_plot({"a": prediction, "quick": quick, "dense": dense}))
    assert x1 == pytest.approx(x0)
    assert y1 < y0  # higher up
    assert y0 - y2 == pytest.approx(3 * (y0 - y1), abs=0.2)  # three times a factor of two; coordinates have one decimal
    assert x2 > x0
    limits = roofs(prediction.target)
    at_roof = replace(prediction, arithmetic=max(limits.compute.values()), seconds=1.0, low=1.0, high=1.0, hbm_read=1e9, hbm_written=0.0)
    svg = roofline_plot({"at the roof": at_roof})
    ((_, y),) = circles(svg)
    lines = [node for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}line") if node.get("stroke") == "#0b5394"]
    assert [float(line.get("y1")) for line in lines] == [pytest.approx(y, abs=0.1)]


def test_labels_are_escaped(prediction):
    assert "a &lt;b&gt; &amp; c" in roofline_plot({"a <b> & c": prediction})


def test_plots_that_make_no_sense(prediction):
    with pytest.raises(ValueError, match="no predictions to plot"):
        roofline_plot({})
    with pytest.raises(ValueError, match="one plot for each target"):
        roofline_plot({"a": prediction, "b": replace(prediction, target=simulator.TARGETS["trn1"])})
    with pytest.raises(ValueError, match="needs both"):
        roofline_plot({"a": replace(prediction, arithmetic=0.0)})


def test_schedules_one_after_the_other_keep_their_own_tracks(prediction):
    first = trace(prediction)["traceEvents"]
    laid = sequence([("load", prediction), ("host", None), ("again", prediction)])
    events = laid["traceEvents"]
    assert set(laid["otherData"]) == {"load", "again"}
    assert len(events) == 2 * len(first) + 1
    later = events[len(first) + 1 :]
    processes = [{event["pid"] for event in part} for part in (first, later)]
    assert not processes[0] & processes[1]
    shift = 1e6 * prediction.seconds
    for before, after in zip(first, later, strict=True):
        if "ts" in before:
            assert after["ts"] - before["ts"] == pytest.approx(shift, abs=1e-5)  # both are written to six places
    assert events[len(first)] == {"name": "host", "ph": "i", "s": "g", "ts": round(shift, 6), "pid": max(processes[0]), "tid": 0}
    arrows = [{event["id"] for event in part if event["ph"] == "s"} for part in (first, later)]
    assert arrows[0]
    assert not arrows[0] & arrows[1]
    names = {event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert names == {f"{title}, core 0: {what}" for title in ("load", "again") for what in ("engines", "DMA queues", "memory")}
