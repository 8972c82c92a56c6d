"""The self-test of the self-test: under every setting of the simulator's knobs it finds out what the knobs say."""

import dataclasses
import json
import typing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trnarray.backends import simulator
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.launch.launcher import LaunchError
from trnarray.backends.neuron.launch.simulated import SimulatedLauncher
from trnarray.backends.neuron.selftest import Facts, facts, kept
from trnarray.backends.neuron.selftest.measure import _doubles, measure
from trnarray.backends.simulator import Knobs

LAUNCHERS = {target: SimulatedLauncher(target) for target in ("trn1", "trn2", "trn3")}
# Every value of each knob; where one has a seed, several.
VALUES = {
    **{name: typing.get_args(kind) for name, kind in typing.get_type_hints(Knobs).items() if typing.get_origin(kind) is typing.Literal},
    "pe_order": ("sequential", "permuted:0", "permuted:7"),
    "dve_order": ("sequential", "permuted:0", "permuted:7"),
    "dma_duplicates": ("last", "seeded:0", "seeded:5"),
    "rng_seed": (0, 1, 99),
}


def kind(value):
    """What of a knob shows: of a permutation, that it is one."""
    return "other" if ":" in value else value


def expected(knobs, target):
    """The facts under a setting, of what knobs say."""
    return {
        "pe_product": knobs.pe_product,
        "pe_bfloat16_products": True,
        "pe_float16_products": True,
        **dict.fromkeys(("pe_integer_sums", "act_integers", "pe_not_finite"), True),
        "pe_accumulator_bits": 24,
        "psum_accumulator_bits": 24,
        "dve_accumulator_bits": 24,
        "pe_order": kind(knobs.pe_order),
        "dve_order": kind(knobs.dve_order),
        **dict.fromkeys(("two_op_tensor_scalar", "two_op_scalar_tensor_tensor", "two_op_activation"), knobs.two_op),
        **{f"denormals_{engine}": getattr(knobs, f"denormals_{engine}") for engine in ("pe", "dve", "act", "pool")},
        "cast_rounding": "nearest-even",
        "cast_overflow": "saturate",
        "cast_remainder": True,
        "gpsimd_overflow": knobs.gpsimd_overflow,
        "gpsimd_integers": True,
        "dve_integer_bits": 24,
        "dve_bits": True,
        "doubles": knobs.gpsimd_overflow == "wrap",
        "act_out_of_range": knobs.act_out_of_range,
        "dma_duplicates": kind(knobs.dma_duplicates),
        "indirect_offsets": knobs.indirect_offsets if target == "trn3" and knobs.indirect_offsets != "same" else None,
    }


def check(knobs, target):
    with simulator.options(knobs=knobs):
        found = measure(LAUNCHERS[target])
    got = dataclasses.asdict(found)
    assert {name: got[name] for name in expected(knobs, target)} == expected(knobs, target)
    # 21 bits are kept, of which one or two errors in the last may be left.
    assert got["pe_product_bits"] == 24 if knobs.pe_product == "exact" else 20 <= got["pe_product_bits"] <= 23
    assert set(found.missing) == ({"indirection"} if got["indirect_offsets"] is None else set())
    assert 0 < got["launch_seconds"] < 10
    return found


def test_every_knob_has_values_here():
    assert set(VALUES) == {field.name for field in dataclasses.fields(Knobs)}


@pytest.mark.parametrize("target", LAUNCHERS)
def test_default_knobs(target):
    check(Knobs(), target)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in VALUES.items() for value in values])
def test_each_value_of_each_knob(name, value):
    check(Knobs(**{name: value}), "trn3")


@settings(max_examples=15)
@given(st.builds(Knobs, **{name: st.sampled_from(values) for name, values in VALUES.items()}), st.sampled_from(sorted(LAUNCHERS)))
def test_knobs_together(knobs, target):
    check(knobs, target)


def test_generators_that_start_elsewhere():
    found = {check(Knobs(rng_seed=seed), "trn2").rng_start for seed in VALUES["rng_seed"]}
    assert len(found) == len(VALUES["rng_seed"])
    assert None not in found


class Distorted(SimulatedLauncher):
    """A device that computes products wrongly, or does not compute some probe."""

    def __init__(self, name, distort):
        super().__init__("trn2")
        self.kernel, self.distort = name, distort

    def call(self, kernel, arrays):
        results = super().call(kernel, arrays)
        return [self.distort(result) for result in results] if kernel.__name__ == self.kernel else results


def keep(bits):
    """A distortion: float32 with so many bits of significand."""
    return lambda x: (x.view(np.uint32) & np.uint32(0xFFFFFFFF << (24 - bits) & 0xFFFFFFFF)).view(np.float32)


def test_devices_that_are_none_of_the_knobs():
    found = measure(Distorted("products", keep(8)))
    assert found.pe_product == "other"
    assert (found.pe_bfloat16_products, found.pe_float16_products) == (False, False)
    assert 6 <= found.pe_product_bits <= 8
    assert found.refusal("bfloat16") == "the self-test did not find products of bfloat16 exact on the Tensor Engine"
    found = measure(Distorted("products", np.nan_to_num))
    assert found.refusal("bfloat16") == "the self-test did not find infinities and NaN of the Tensor Engine as in IEEE arithmetic"
    found = measure(Distorted("whole_sums", lambda x: x - (x.dtype == np.int32) * (abs(x) > 1 << 22)))
    assert (found.pe_integer_sums, found.act_integers) == (True, False)
    assert found.refusal("bfloat16") == "the self-test did not find integers of these sums exact on the Scalar Engine"
    found = measure(Distorted("whole_sums", lambda x: np.where(abs(x) > 1 << 22, 0, x)))
    assert found.refusal("bfloat16") == "the self-test did not find sums of integers exact on the Tensor Engine"
    found = measure(Distorted("casts", np.zeros_like))
    assert (found.cast_rounding, found.cast_overflow, found.cast_remainder) == ("other", "other", False)
    assert "what a cast leaves exact" in found.refusal("bfloat16")
    found = measure(Distorted("sums", lambda x: np.where(x == 1, 0, x)))
    assert (found.dve_accumulator_bits, found.dve_order) == (8, "sequential")
    found = measure(Distorted("integers", lambda x: x.astype(np.float32).astype(np.int64)))
    assert (found.gpsimd_integers, found.dve_bits, found.dve_integer_bits) == (False, False, 24)
    assert measure(Distorted("unseeded", lambda x: np.random.default_rng().integers(1 << 31, size=x.shape))).rng_start is None


@pytest.mark.parametrize("wrong", range(4))
def test_float64_that_is_wrong(wrong):
    """One bit of a product, of usual numbers or beside others, and an exponential that is off by more than rounding."""

    def distort(x):
        places.append(len(places))
        return x ^ np.uint32(places[-1] in (wrong, wrong + 4)) * np.uint32(16)

    places = []
    assert measure(Distorted("doubles", distort), (_doubles,)).doubles is False
    places = [0] * 99
    assert measure(Distorted("doubles", distort), (_doubles,)).doubles is True


def test_wide_accumulators():
    def wide(x):
        return np.ones_like(x) if x.shape == (126, 1) else x

    found = measure(Distorted("chained", wide))
    assert found.psum_accumulator_bits == 29
    assert "sums of 30 bits on the Tensor Engine (but 24)" in found.refusal("bfloat16", 30)


def test_what_cannot_run_is_said():
    def refuse(x):
        raise LaunchError("no such instruction\nwith details")

    found = measure(Distorted("integers", refuse))
    assert found.missing["integers"] == "no such instruction"
    assert found.gpsimd_overflow is found.dve_integer_bits is None
    assert found.pe_product == "exact"


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty cache directory."""
    monkeypatch.setenv("TRNARRAY_CACHE_DIR", str(tmp_path))
    kept._known.clear()
    yield tmp_path
    kept._known.clear()


def test_facts_are_kept(cache, monkeypatch):
    found = facts("sim:trn2")
    (path,) = (cache / "selftest").iterdir()
    assert path == kept.place("sim:trn2")
    assert json.loads(path.read_text())["pe_product"] == "exact"
    monkeypatch.setattr(kept, "_measured", lambda launcher: pytest.fail("it was measured before"))
    assert facts(Device("sim:trn2")) is found
    kept._known.clear()  # another process
    assert facts("sim:trn2") == found
    path.write_text("{}")
    kept._known.clear()
    with pytest.raises(pytest.fail.Exception):
        facts("sim:trn2")
    with pytest.raises(pytest.fail.Exception):
        facts("sim:trn2", anew=True)


def test_facts_are_those_of_knobs_and_versions(cache, monkeypatch):
    assert facts("sim:trn2").pe_product == "exact"
    with simulator.options(knobs=Knobs(pe_product="split21")):
        assert facts("sim:trn2").pe_product == "split21"
    assert facts("sim:trn2").pe_product == "exact"
    monkeypatch.setattr(kept, "installed", lambda name: "99")
    facts("sim:trn2")
    assert len(list((cache / "selftest").iterdir())) == 3


def test_a_cache_that_cannot_be_written_is_said(cache):
    (cache / "selftest").write_text("a file")
    with pytest.warns(RuntimeWarning, match="self-test of sim:trn2 found cannot be kept"):
        assert facts("sim:trn2").pe_product == "exact"


def test_the_host_has_none():
    with pytest.raises(ValueError, match="'cpu' has no self-test"):
        facts("cpu")


def test_facts_travel():
    found = Facts(dve_bits=False, launch_seconds=0.5, missing={"a": "b"})
    assert Facts.of_json(found.to_json()) == found
    with pytest.raises(ValueError, match="no facts"):
        Facts.of_json("[]")
    assert engine_for(Device("sim:trn2")).launcher.conditions == str(Knobs())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gpsimd_overflow", "nonsense"), ("pe_product", True), ("pe_product_bits", True), ("pe_product_bits", 2.5), ("pe_product_bits", -1),
        ("dve_bits", 1), ("launch_seconds", float("nan")), ("launch_seconds", "1"), ("pe_order", ["sequential"]), ("rng_start", {}),
    ],
)  # fmt: skip
def test_kept_facts_are_checked_one_by_one(name, value):
    good = Facts(gpsimd_overflow="wrap", pe_product_bits=24, launch_seconds=0.5, rng_start=2**32 - 1, dve_bits=False)
    assert Facts.of_json(good.to_json()) == good
    with pytest.raises(ValueError, match=f"{name} is "):
        Facts.of_json(json.dumps(json.loads(good.to_json()) | {name: value}))

