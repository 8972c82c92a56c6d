"""The README's examples run and print what they say they print."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from trnarray.conformance.suite import SUITES

ROOT = Path(__file__).parents[2]
# A block of Python, and what it prints, indented, right after it.
README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n((?:    [^\n]*\n)*)", README, re.DOTALL)


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_the_example_prints_what_follows_it(code, printed):
    result = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [line.removeprefix("    ") for line in printed.splitlines()]


def test_every_block_of_python_is_an_example():
    assert EXAMPLES
    assert len(EXAMPLES) == README.count("```") / 2


def test_commands_are_there():
    """The other blocks are commands: targets of the Makefile, and modules that can be run."""
    targets = set(re.findall(r"\bmake (\w+)", README))
    assert targets == {"demo", "docs", "test"}
    for target in targets:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, timeout=120, check=True)
    for module in re.findall(r"python -m ([\w.]+)", README):
        assert importlib.util.find_spec(f"{module}.__main__") or importlib.util.find_spec(module)
    for suite in re.findall(r"python -m trnarray.conformance (\w+)", README):
        assert suite in SUITES
