"""The pages of the API reference, made from the namespaces' own tables: their `__all__`.

Nothing is listed here by hand that a namespace lists itself, so that no name is forgotten: `tests/docs/test_api_reference.py`
compares. `conf.py` writes the pages before Sphinx reads them.
"""

import importlib
import inspect
import pkgutil
import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

import trnarray

# Names of the main namespace that no public module defines: where they are shown.
_PLACED: Final = {
    "Array": "array",
    "ndarray": "array",
    "from_dlpack": "array_conversion",
    "__array_api_version__": "constants",
    "__version__": "constants",
}
_ABOUT_NAMES: Final = frozenset({"numpy_names", "numpy_protocol"})  # modules that are data about the namespace, and no chapter of it
_NAMESPACES: Final = ("linalg", "fft", "random", "special", "emath", "polynomial", "lib", "testing", "kernel", "tensor", "chemistry")
_SIMULATOR: Final = "trnarray.backends.simulator"
_TITLES: Final = {
    "trnarray.backends.neuron.explain.report": "Explanations",
    _SIMULATOR: "Simulator: its names",
    f"{_SIMULATOR}.cost": "Cost model: its names",
    "file_io": "File input and output",
    "nan_functions": "NaN functions",
    "text_io": "Text input and output",
}


@dataclass(frozen=True)
class Page:
    """A page: where it goes, what it is called and introduced by, and the names on it, all found in one namespace."""

    file: str
    title: str
    summary: str
    namespace: str
    names: tuple[str, ...]

    def text(self) -> str:
        """Give the page in reStructuredText: a table of the names, and an entry for each."""
        values = {name: getattr(importlib.import_module(self.namespace), name) for name in self.names}
        listed = [name for name, value in values.items() if _directive(name, value) not in {"data", "module"}]
        parts = [self.title, "=" * len(self.title), "", self.summary, "", f".. currentmodule:: {self.namespace}", ""]
        if len(listed) > 1:
            parts += [".. autosummary::", "   :nosignatures:", "", *(f"   {name}" for name in listed), ""]
        for name, value in values.items():
            parts += _entry(self.namespace, name, value)
        return "\n".join(parts)


def pages() -> dict[str, tuple[Page, ...]]:
    """Give the pages of each part of the reference, parts by title."""
    namespaces = [importlib.import_module(f"trnarray.{name}") for name in _NAMESPACES]
    scipy = importlib.import_module("trnarray.scipy")
    # What a module has besides its own names is SciPy's, and documented there.
    own = [name for name in scipy.__all__ if name != "special" and "__all__" in vars(getattr(scipy, name))]
    return {
        "The main namespace": tuple(_main_namespace()),
        "Its namespaces": tuple(page for module in namespaces for page in _namespace(module)),
        "SciPy's": tuple(page for name in own for page in _namespace(getattr(scipy, name))),
        "Explanations, and the simulator": tuple(_others()),
    }


def write(folder: Path) -> None:
    """Write all pages and their index into a folder, and remove pages that are there no more."""
    folder.mkdir(exist_ok=True)
    parts = pages()
    texts = {f"{page.file}.rst": page.text() for part in parts.values() for page in part}
    texts["index.rst"] = _index(parts)
    for stale in {path.name for path in folder.iterdir()} - set(texts):
        (folder / stale).unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:  # what did not change need not be read by Sphinx again
            path.write_text(text, "utf-8")


def _index(parts: dict[str, tuple[Page, ...]]) -> str:
    lines = ["API reference", "=============", "", "Every public name, by chapter. The examples are run by the tests.", ""]
    for title, part in parts.items():
        lines += [title, "-" * len(title), "", ".. list-table::", "   :widths: 1 2", ""]
        for page in part:
            lines += [f"   * - :doc:`{page.file}`", f"     - {page.summary}"]
        lines += ["", ".. toctree::", "   :hidden:", "", *(f"   {page.file}" for page in part), ""]
    return "\n".join(lines)


def _main_namespace() -> list[Page]:
    """Make a page for each chapter, which is a module, and one for what is NumPy's own."""
    modules = {
        info.name: importlib.import_module(f"trnarray.{info.name}")
        for info in pkgutil.iter_modules(trnarray.__path__)
        if not info.ispkg and not info.name.startswith("_") and info.name not in {*_ABOUT_NAMES, *_NAMESPACES}
    }
    found: dict[str, list[str]] = {"array": []}
    for name in trnarray.__all__:
        value = getattr(trnarray, name)
        if not isinstance(value, types.ModuleType) or not value.__name__.startswith("trnarray."):  # namespaces have their own pages
            found.setdefault(_PLACED.get(name) or _chapter(name, value, modules), []).append(name)
    made = [Page("array", "The Array", "The array type, with its attributes and methods.", "trnarray", tuple(found.pop("array")))]
    numpys = found.pop("numpy", [])
    for chapter in sorted(found):
        title = _TITLES.get(chapter) or chapter.replace("_", " ").capitalize()
        made.append(Page(chapter, title, _first_line(modules[chapter]), "trnarray", tuple(found[chapter])))
    note = "Objects of the installed NumPy, which are about no array or take Arrays as they are. NumPy's documentation describes them."
    return [*made, Page("numpy_own", "NumPy's own", note, "trnarray", tuple(numpys))]


def _chapter(name: str, value: Any, modules: dict[str, types.ModuleType]) -> str:
    """Give the module that a name of the main namespace belongs to: the one that defines it, else the first that lists it."""
    listed = [chapter for chapter, module in modules.items() if name in getattr(module, "__all__", ())]
    defining = getattr(value, "__module__", None) or ""
    if not listed and (isinstance(value, types.ModuleType) or hasattr(np, name)):
        return "numpy"
    return next((chapter for chapter in listed if defining == f"trnarray.{chapter}"), listed[0])


def _namespace(module: types.ModuleType) -> list[Page]:
    """Make a page for a namespace, and one for each namespace in it."""
    names, inner = [], []
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, types.ModuleType) and hasattr(value, "__all__") and value.__name__.startswith(module.__name__):
            if module.__name__ != _SIMULATOR:  # NKI's own namespaces are AWS's to document
                inner += _namespace(value)
        else:
            names.append(name)
    short = module.__name__.removeprefix("trnarray.")
    title = _TITLES.get(module.__name__, module.__name__)
    return [Page(short.replace(".", "_"), title, _first_line(module), module.__name__, tuple(names)), *inner]


def _others() -> list[Page]:
    """Make the pages of explanations, of the simulator, and of its cost model without what the simulator's page has."""
    explanation, simulator, cost = (
        _namespace(importlib.import_module(name))[0]
        for name in ("trnarray.backends.neuron.explain.report", _SIMULATOR, f"{_SIMULATOR}.cost")
    )
    return [explanation, simulator, replace(cost, names=tuple(name for name in cost.names if name not in simulator.names))]


def _first_line(documented: object) -> str:
    return (inspect.getdoc(documented) or "").partition("\n")[0]


def _directive(name: str, value: Any) -> str:
    if isinstance(value, types.ModuleType):
        return "module"
    if inspect.isclass(value) and value.__name__ != name:
        return "data"  # another name of a class
    if _package(value) != "trnarray":
        return "data"  # a constant, a dtype, or an object of NumPy's
    return "class" if inspect.isclass(value) else "function" if callable(value) else "data"


def _entry(namespace: str, name: str, value: Any) -> list[str]:
    directive = _directive(name, value)
    if directive == "module":
        return [f"``{name}``", f"   The module ``{value.__name__}``.", ""]
    if directive == "data":
        return [f".. py:data:: {name}", "", f"   {_described(namespace, name, value)}", ""]
    members = [f"   :members: {', '.join(_members(value))}"] if directive == "class" and _members(value) else []
    return [f".. auto{directive}:: {namespace}.{name}", *members, ""]


def _members(cls: type) -> list[str]:
    """List the public methods and properties that are ours, inherited ones included."""
    ours = [vars(base) for base in cls.__mro__ if base.__module__.startswith("trnarray")]
    documented = (types.FunctionType, property, staticmethod, classmethod)
    return sorted({name for part in ours for name, value in part.items() if not name.startswith("_") and isinstance(value, documented)})


def _described(namespace: str, name: str, value: Any) -> str:
    """Describe a value that has no docstring of ours."""
    path = f"{namespace}.{name}".removeprefix("trnarray.")
    path = path if path.startswith("scipy.") else f"numpy.{path}"
    module, _, attribute = path.rpartition(".")
    try:
        counterpart = getattr(importlib.import_module(module), attribute, None)
    except ModuleNotFoundError:
        counterpart = None
    if inspect.isclass(value) and issubclass(value, np.generic):
        return _described_dtype(name, value)
    if counterpart is value and not isinstance(value, int | float | None):
        return f"The same object as ``{path}``."
    if _package(value) in {"numpy", "scipy"} and counterpart is not None:
        return f"``{path}`` on Arrays."
    if inspect.isclass(value) and getattr(trnarray, value.__name__, None) is value:
        return f"Another name of `trnarray.{value.__name__}`."
    if isinstance(value, Mapping):
        return f"A mapping with the keys {', '.join(f'``{key}``' for key in value)}."
    if _package(value) == "trnarray" and not isinstance(value, trnarray.Array):
        return _first_line(value)
    return f"``{value!r}``"


def _described_dtype(name: str, value: type[np.generic]) -> str:
    try:
        held = trnarray.empty(0, dtype=value).dtype.name
    except TypeError:
        return "A type of NumPy's, of which there are no Arrays; for ``issubdtype`` and the like."
    return "The dtype." if held == name else f"The dtype ``{held}`` under another name."


def _package(value: Any) -> str:
    return (getattr(value, "__module__", None) or "").partition(".")[0]
