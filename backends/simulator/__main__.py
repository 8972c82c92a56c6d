"""Running programs that import ``nki``: ``python -m trnarray.backends.simulator [--target T] (FILE | -m MODULE) [ARGUMENT ...]``."""

from __future__ import annotations

import os
import runpy
import sys
from argparse import REMAINDER, ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .surface import as_nki
from .target import TARGETS

__all__ = ["main"]

_RACES: Final = {"refused": True, "strict": "strict", "allowed": False}


def main(argv: Sequence[str] | None = None) -> None:
    """Run a program, or a module such as pytest, with the simulator in the place of ``nki``."""
    parser = ArgumentParser(
        prog="python -m trnarray.backends.simulator",
        description="Run a Python program that imports nki on the simulator, or a module, as in -m pytest tests.",
    )
    parser.add_argument("--target", choices=TARGETS, help="generation to simulate (default: NEURON_PLATFORM_TARGET_OVERRIDE, else trn3)")
    parser.add_argument("--uninitialized", choices=("error", "nan", "off"), default="error", help="what a read of unwritten memory does")
    parser.add_argument("--races", choices=_RACES, default="refused", help="what becomes of kernels whose accesses may race")
    parser.add_argument("-m", dest="module", action="store_true", help="PROGRAM is the name of a module")
    parser.add_argument("program", metavar="PROGRAM", help="a file, or a module")
    parser.add_argument("arguments", metavar="ARGUMENT", nargs=REMAINDER, help="what the program is given")
    chosen = parser.parse_args(argv)
    if not chosen.module and not Path(chosen.program).is_file():
        parser.error(f"there is no file {chosen.program}; name one, or a module as in -m {chosen.program}")
    if chosen.target is not None:
        os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"] = chosen.target  # other threads and the program itself look there
    with as_nki(chosen.target, uninitialized=chosen.uninitialized, races=_RACES[chosen.races]):
        sys.argv = [chosen.program, *chosen.arguments]
        if chosen.module:
            runpy.run_module(chosen.program, run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, str(Path(chosen.program).resolve().parent))
            runpy.run_path(chosen.program, run_name="__main__")


if __name__ == "__main__":
    main()
