"""The README's examples run and print what they say they print."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A block of Python, and what it prints, indented, right after it.
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n((?:    [^\n]*\n)*)", (ROOT / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_the_example_prints_what_follows_it(code, printed):
    result = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [line.removeprefix("    ") for line in printed.splitlines()]


def test_there_is_an_example():
    assert EXAMPLES
