"""The command line: ``python -m trnarray.conformance SUITE [--device D] [--max-examples N] [--json FILE]``."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path

from ..backends.device import parse_device
from ..backends.engine import engine_for
from ..backends.settings import get_default_device
from .report import Report
from .suite import SUITES, SuiteError, load_suite

__all__ = ["main"]

_PASSED, _FAILED, _UNUSABLE = 0, 1, 2


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


_positive.__name__ = "positive integer"  # argparse names it in its message


def _parser() -> ArgumentParser:
    width = max(map(len, SUITES)) + 2
    return ArgumentParser(
        prog="python -m trnarray.conformance",
        description="Check trnarray against the standards it promises.",
        epilog="suites:\n" + "\n".join(f"  {name:<{width}}{entry.summary}" for name, entry in SUITES.items()),
        formatter_class=RawDescriptionHelpFormatter,
        add_help=False,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one suite and report."""
    argv = sys.argv[1:] if argv is None else argv
    parser = _parser()
    parser.add_argument("suite", metavar="SUITE", choices=SUITES, help=", ".join(SUITES))
    parser.add_argument("--device", metavar="D", help="where to run (default: the default device)")
    parser.add_argument("--max-examples", metavar="N", type=_positive, help="examples per check (default: the suite's)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the counts and figures there")
    parser.add_argument("-h", "--help", action="help", help="show this help; after SUITE, with the suite's own options")
    try:
        named = next((item for item in argv if item in SUITES), None)
        if named is None:
            parser.parse_args(argv)  # tells which suites there are
        suite = load_suite(named or "")
        suite.add_arguments(parser)
        options = parser.parse_args(argv)
        try:
            device = get_default_device() if options.device is None else parse_device(options.device)
            engine_for(device)
        except ValueError as error:
            raise SuiteError(str(error)) from error
        if options.max_examples is None:
            options.max_examples = SUITES[options.suite].max_examples
        report = Report(options.suite, str(device))
        start = time.perf_counter()
        suite.run(report, device, options)
        report.seconds = time.perf_counter() - start
    except SuiteError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return _UNUSABLE
    print(report.table())
    if options.json is not None:
        options.json.write_text(json.dumps(report.to_json(), indent=2) + "\n", encoding="utf-8")
    return _PASSED if report.ok else _FAILED


if __name__ == "__main__":
    sys.exit(main())
