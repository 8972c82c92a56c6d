"""The pages of the site: their examples run, their links lead somewhere, and every page can be reached."""

import doctest
import re
from pathlib import Path

import pytest

import trnarray as xp

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path.name for path in DOCS.glob("*.md") if path.name != "rosetta_table.md")  # which is made from rosetta.csv
# These have tests of their own, beside those of what they describe.
WITH_EXAMPLES = [name for name in PAGES if ">>> " in (DOCS / name).read_text() and name not in {"neuron.md", "simulator.md"}]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_run(name, request):
    request.addfinalizer(lambda: xp.set_default_device(None))
    found = doctest.testfile(str(DOCS / name), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


def test_links_within_the_repository_lead_somewhere():
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(DOCS / name for name in PAGES)]:
        text = re.sub(r"^```.*?^```|`[^`]*`", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
        links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text)
        # Pages of the API reference are made by the build, where a link to one that is not made is an error.
        broken = [link for link in links if not link.startswith("api/") and not (path.parent / link).exists()]
        assert not broken, f"{path.name}: {broken}"


def test_every_page_is_in_a_table_of_contents():
    contents = "\n".join(part for name in PAGES for part in re.findall(r"```{toctree}\n(.*?)```", (DOCS / name).read_text(), re.DOTALL))
    listed = set(re.findall(r"^(?:.* <)?([\w/]+)>?$", contents, re.MULTILINE))
    assert {Path(name).stem for name in PAGES} - {"index"} <= listed


def test_the_settings_are_the_ones_there_are():
    rows = re.findall(r"^\| `(\w+)` \| what|^\| `(\w+)` \|", (DOCS / "settings.md").read_text(), re.MULTILINE)
    assert {name for row in rows for name in row} >= set(xp.Settings._fields)
