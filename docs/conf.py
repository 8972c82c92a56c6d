"""How Sphinx builds the site: `make docs`."""

import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import api_reference  # noqa: E402  # these two are found by the line above
import rosetta  # noqa: E402

import trnarray  # noqa: E402

project = "trnarray"
author = "the trnarray authors"
project_copyright = "the trnarray authors; Apache License 2.0"
version = release = trnarray.__version__

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
exclude_patterns = ["_build", "demo", "rosetta_table.md"]
default_role = "autolink"

myst_heading_anchors = 3
autosummary_generate = False  # entries are on the chapters' pages
autodoc_member_order = "alphabetical"
autodoc_typehints = "none"  # numpydoc's sections say them
add_module_names = False
numpydoc_show_class_members = False  # autodoc lists them; tests/test_docstrings.py has numpydoc's checks

html_theme = "pydata_sphinx_theme"
html_title = "trnarray"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {
    "secondary_sidebar_items": {"**": ["page-toc"], "rosetta": [], "index": []},  # wide tables need the room
    "show_nav_level": 1,
    "navigation_with_keys": False,
}
html_show_sourcelink = False
html_copy_source = False


def strip_code(app: Sphinx, doctree: nodes.document) -> None:  # noqa: ARG001  # Sphinx's signature
    """Take away the empty line that ends an example: doctest needs it in Markdown, and readers do not."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext().rstrip()
        block.rawsource, block.children = text, [nodes.Text(text)]


def setup(app: Sphinx) -> None:
    """Register what is ours."""
    app.connect("doctree-read", strip_code)


api_reference.write(HERE / "api")
(HERE / "rosetta_table.md").write_text(rosetta.markdown(), "utf-8")
