"""Checking a row: every variant under every setting of the knobs, on drawn kernels."""

from __future__ import annotations

import traceback
import zlib
from typing import Any, Final

import hypothesis
import numpy as np
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st

from ...backends.simulator import KernelError, Knobs, options
from ...backends.simulator.options import Options
from ...backends.simulator.program.program import Program
from ...backends.simulator.target import TARGETS
from ..report import Report
from .bench import Bench
from .experiment import Trial
from .row import ALTERNATIVES, Row

__all__ = ["check_row"]

_REPLAY: Final = "replay"
_OTHERS: Final = "other knobs"
_DEFAULT: Final = "default"
_POOL: Final = 1 << 24


def _settings(row: Row) -> dict[str, Knobs]:
    """Each setting that may matter to a row, and all that may not at once."""
    others = {name: value for name, value in ALTERNATIVES.items() if name not in row.knobs}
    changed: dict[str, dict[str, Any]] = {f"{name}={ALTERNATIVES[name]}": {name: ALTERNATIVES[name]} for name in row.knobs}
    changed |= {_DEFAULT: {}, _OTHERS: others}
    return {name: Knobs(**changes) for name, changes in changed.items()}


class _Sweep:
    """The checks of one variant: what failed, what differed."""

    def __init__(self, row: Row, target: str, variant: str) -> None:
        self.row, self.target, self.variant = row, TARGETS[target], variant
        self.settings = _settings(row)
        self.failing: dict[str, str] = {}
        self.mattered: set[str] = set()

    def example(self, data: st.DataObject) -> None:
        """Draw a kernel and check it."""
        pool, left = 0, 1  # several small numbers come from one that is drawn

        def integer(low: int, high: int) -> int:
            nonlocal pool, left
            count = high - low + 1
            if count > _POOL:
                return data.draw(st.integers(low, high))
            if left < count:
                pool, left = data.draw(st.integers(0, _POOL - 1)), _POOL
            pool, number = divmod(pool, count)
            left //= count
            return low + number

        try:
            with options(self.target):
                trial = self.row.build(Bench(integer, self.target, self.variant))
                program = trial.trace()
                missing = set(self.row.opcodes) - {i.opcode.name for i in program.instructions}
            if missing:
                self.failing.setdefault(_DEFAULT, f"the kernel has no {', '.join(missing)}")
            seed = integer(0, 2**16)
            for name, knobs in self.settings.items():
                if name not in self.failing:
                    self._setting(trial, program, name, knobs, seed)
            if _REPLAY not in self.failing:
                self._replay(trial, program, seed)
        except hypothesis.errors.HypothesisException:
            raise
        except Exception:  # noqa: BLE001  whatever a kernel raises is a finding
            self.failing.setdefault(_DEFAULT, traceback.format_exc(limit=-4))

    def _setting(self, trial: Trial, program: Program, name: str, knobs: Knobs, seed: int) -> None:
        stress = name.partition("=")[0] if "=" in name else None
        inputs = trial.data(np.random.default_rng(seed), stress)
        found = trial.run(program, inputs, Options(self.target, knobs))
        problem = trial.judge(inputs, found, knobs)
        if name == "indirect_offsets=own":  # whose default refuses programs in which it matters
            self._refused(trial, program, inputs, name)
        elif name != _DEFAULT:
            usual = trial.run(program, inputs, Options(self.target))
            same = all(a.tobytes() == b.tobytes() for a, b in zip(found, usual, strict=True))
            if name == _OTHERS and not same:
                problem = "a knob matters that the row does not name: " + self._culprits(trial, program, inputs, usual)
            elif not same:
                self.mattered.add(name)
        if problem is not None:
            self.failing[name] = f"{problem}\n{trial}"

    def _refused(self, trial: Trial, program: Program, inputs: Any, name: str) -> None:
        try:
            trial.run(program, inputs, Options(self.target))
        except KernelError:
            self.mattered.add(name)

    def _culprits(self, trial: Trial, program: Program, inputs: Any, usual: Any) -> str:
        found = []
        for name, value in ALTERNATIVES.items():
            if name not in self.row.knobs:
                changes: dict[str, Any] = {name: value}
                results = trial.run(program, inputs, Options(self.target, Knobs(**changes)))
                if any(a.tobytes() != b.tobytes() for a, b in zip(results, usual, strict=True)):
                    found.append(name)
        return ", ".join(found)

    def _replay(self, trial: Trial, program: Program, seed: int) -> None:
        """Check that a program run on other inputs gives what a fresh trace gives."""
        inputs = trial.data(np.random.default_rng(seed + 1), None)
        chosen = Options(self.target)
        again = trial.run(program, inputs, chosen)
        with options(self.target):
            fresh = trial.run(trial.trace(), inputs, chosen)
        if any(a.tobytes() != b.tobytes() for a, b in zip(again, fresh, strict=True)):
            self.failing[_REPLAY] = f"a replay differs from a fresh trace\n{trial}"


def check_row(report: Report, row: Row, target: str, max_examples: int, seed: int = 0) -> None:
    """Check a row on a target."""
    mattered: set[str] = set()
    variants = row.variants(TARGETS[target]) if TARGETS[target].generation >= row.since else ()
    for variant in variants:
        sweep = _Sweep(row, target, variant)
        settings = hypothesis.settings(
            max_examples=max_examples, phases=[Phase.generate], deadline=None, database=None, suppress_health_check=list(HealthCheck)
        )
        own = zlib.crc32(f"{row.name} {target} {variant} {seed}".encode())  # so that not all variants get the same draws
        hypothesis.seed(own)(settings(hypothesis.given(st.data())(sweep.example)))()
        mattered |= sweep.mattered
        for name in (*sweep.settings, _REPLAY):
            label = f"{row.name}[{target}, {variant}, {name}]"
            if name in sweep.failing:
                report.add(label, "failed", sweep.failing[name])
            else:
                report.add(label)
    for name in row.knobs if variants else ():
        setting = f"{name}={ALTERNATIVES[name]}"
        label = f"{row.name}[{target}, {setting} matters]"
        if setting in mattered:
            report.add(label)
        else:
            report.add(label, "failed", "no result differs from that of the default; the knob does nothing here, or no example shows it")
