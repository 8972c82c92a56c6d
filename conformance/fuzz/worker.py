"""The process that makes the calls: it can be lost to a crash or a hang, and tells before each call which one it is."""

from __future__ import annotations

import contextvars
import faulthandler
import json
import os
import resource
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

import trnarray

from ...backends.device import parse_device
from .calls import Call, draw
from .side import THEIRS, Side, arrays_of, our_side, settle
from .targets import Target, targets
from .verdict import Ending, judge

__all__ = ["Server", "main"]

_MEMORY: Final = 1 << 30
"""How many bytes a call may take beyond what the process has."""


def main() -> None:
    """
    Make calls, in child processes.

    The command line has the device, the seed, the number of calls, which part of how many this process makes, the limit of seconds for a
    call, and two files: for what is told, as lines of JSON, and for the stack of a call that was lost.
    """
    device, seed, count, part, parts, seconds, told, stack = sys.argv[1:]
    server = Server(targets(), device, int(seed), float(seconds), Path(told), Path(stack))
    server.make(range(int(part), int(count), int(parts)))


class Server:
    """
    Makes calls in children of this process, which has imported everything and computed nothing.

    Parameters
    ----------
    every : sequence of Target
        What is called.
    device : str
        Where.
    seed : int
        Which calls.
    seconds : float
        The limit for each side of a call.
    told, stack : Path
        The files.
    """

    def __init__(self, every: Sequence[Target], device: str, seed: int, seconds: float, told: Path, stack: Path) -> None:
        self.targets, self.device, self.seed, self.seconds = every, parse_device(device), seed, seconds
        self.told, self.stack, self.kept = told, stack, ""

    def make(self, numbers: Sequence[int]) -> None:
        """Make calls, in as many children as are lost."""
        first = 0
        while first < len(numbers):
            status = self._serve(numbers[first:])
            if status == 0:
                return
            last = self._last()
            alike = last["side"] == "theirs" or self._serve([last["number"]], only="theirs") != 0
            lost = {"lost": last["side"], "number": last["number"], "call": last["call"], "status": status, "alike": alike}
            with self.told.open("a", encoding="utf-8") as report:
                report.write(json.dumps(lost | {"stack": self.kept}) + "\n")
            first = numbers.index(last["number"]) + 1

    def _serve(self, numbers: Sequence[int], only: str = "") -> int:
        """Make calls in a new child, and give its exit status; keep the stack of a call that was lost for good."""
        child = os.fork()
        if not child:
            with self.told.open("a", encoding="utf-8") as report, self.stack.open("w", encoding="utf-8") as stack:
                self._run(numbers, only, report, stack)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if not only:
            self.kept = self.stack.read_text("utf-8").partition("Extension modules:")[0][:1500]
        return status

    def _last(self) -> Any:
        """Give what was told last of a call that began."""
        return next(entry for entry in map(json.loads, reversed(self.told.read_text("utf-8").splitlines())) if "side" in entry)

    def _run(self, numbers: Sequence[int], only: str, report: TextIO, stack: TextIO) -> None:
        """Make calls in this process, where memory is limited and the standard files lead nowhere."""
        _confine(stack)
        ours = our_side(self.device)
        settings = trnarray.get_config()._replace(fallback="allow", default_device=self.device)._asdict()
        trnarray.set_config(**settings)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for number in numbers:
                call = draw(self.targets[number % len(self.targets)], self.seed, number // len(self.targets))
                mine = other = None
                if only != "theirs":
                    mine = self._side(number, call, "ours", call.target.ours, ours, report, stack)
                if only:
                    call.keywords.pop("device", None)  # which only ours have
                if call.target.theirs is not None:
                    other = self._side(number, call, "theirs", call.target.theirs, THEIRS, report, stack)
                faulthandler.cancel_dump_traceback_later()
                trnarray.set_config(**settings)
                if mine is not None and (finding := judge(call, mine, other)) is not None:
                    lines = traceback.format_exception(mine.error, limit=-4)[1:-1] if finding.sort == "internal" else []
                    entry = {"finding": finding.sort, "number": number, "call": str(call), "what": finding.what, "reason": finding.reason}
                    report.write(json.dumps(entry | {"stack": "".join(lines)}) + "\n")
            os.chdir("/")

    def _side(
        self, number: int, call: Call, name: str, get: Callable[[Any], Any], side: Side, report: TextIO, stack: TextIO
    ) -> Ending:
        report.write(json.dumps({"number": number, "side": name, "call": str(call)}) + "\n")
        report.flush()
        faulthandler.dump_traceback_later(self.seconds, exit=True, file=stack)
        try:
            contextvars.copy_context().run(_call, get, call, side)
        except BaseException as error:  # noqa: BLE001 - whatever a call raises is what is looked for
            return Ending(error)
        return Ending(None)


def _call(get: Callable[[Any], Any], call: Call, side: Side) -> None:
    """Make a call, and ask for the values of its result and of what it may have written to."""
    arguments = call.arguments(side)
    settle(get(arguments.receiver)(*arguments.positional, **arguments.keywords))
    for argument in (arguments.receiver, *arguments.positional, *arguments.keywords.values()):
        settle([*arrays_of(argument)])


def _confine(stack: TextIO) -> None:
    """Limit memory, silence warnings and the standard files, and write the stack where the process is lost."""
    faulthandler.enable(stack, all_threads=False)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    statm = Path("/proc/self/statm")
    if statm.exists():
        most = int(statm.read_text("ascii").split()[0]) * resource.getpagesize() + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")


if __name__ == "__main__":
    main()
