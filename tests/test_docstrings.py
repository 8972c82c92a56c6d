"""Docstrings: in full for our own public API, a line and a reference for mirrored functions, a sentence for internal ones."""

import ast
import importlib
import inspect
import re
import sys
import tomllib
import types
from pathlib import Path

import pytest

validate = pytest.importorskip("numpydoc.validate")

ROOT = Path(__file__).parents[1]
with (ROOT / "pyproject.toml").open("rb") as file:
    CHECKS = set(tomllib.load(file)["tool"]["numpydoc_validation"]["checks"])
OURS = CHECKS | {"PR01", "PR04", "RT01"}  # all parameters with their types, and the result
MIRRORED = re.compile(r"See `((numpy|scipy|nki)[\w.]*)`")
FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, property, staticmethod, classmethod)
SECTIONS = re.compile(r"^ *(Parameters|Other Parameters|Returns|Yields|Raises)\n *-+$", re.MULTILINE)


class RuntimeValidator(validate.Validator):
    """A validator of live objects: functions made from tables have no source of their own to look into."""

    source_file_name = None
    source_file_def_line = None

    def __init__(self, obj_name):
        super().__init__(validate.get_doc_object(obj_name))


def function_of(value):
    """The function behind a property, a static method, a class method or a decorator."""
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    return inspect.unwrap(value.fget if isinstance(value, property) else value)


def members(cls):
    """Public methods and properties of the class, those of our base classes included."""
    ours = [vars(base) for base in reversed(cls.__mro__) if base.__module__.startswith("trnarray")]
    return {name: value for part in ours for name, value in part.items() if not name.startswith("_") and isinstance(value, FUNCTIONS)}


def public_objects():
    """What the API reference shows, with the members of its classes; each with its full name."""
    reference = importlib.import_module("api_reference")
    for part in reference.pages().values():
        for page in part:
            if page.namespace.startswith("trnarray.polynomial"):
                continue  # classes that NumPy makes
            namespace = importlib.import_module(page.namespace)
            for name in page.names:
                value = getattr(namespace, name)
                if isinstance(value, types.ModuleType) or not callable(value) or not (value.__module__ or "").startswith("trnarray"):
                    continue
                yield f"{page.namespace}.{name}", value
                if inspect.isclass(value):
                    for member, attribute in members(value).items():
                        yield f"{page.namespace}.{name}.{member}", attribute


@pytest.fixture(scope="module")
def public():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs"))
        found = dict(public_objects())
    sys.modules.pop("api_reference", None)
    return found


def complaints(name, value):
    """What is wrong with a public docstring: one that refers to another library's needs no sections of its own."""
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    checks = OURS
    if inspect.isclass(value) or name.startswith("trnarray.backends."):
        checks = CHECKS
    elif MIRRORED.search(inspect.getdoc(value) or ""):
        checks = CHECKS - {"GL02", "PR02"}  # on one line; with the parameters that only ours has
    if any(parameter.startswith("**") for parameter in RuntimeValidator(value).signature_parameters):
        checks = checks - {"PR01", "PR02"}  # the keywords that are allowed are documented one by one
    errors = validate.validate(value, validator_cls=RuntimeValidator)["errors"]
    return [f"{name}: {code} {text}" for code, text in errors if code in checks or code == "GL08"]


def test_public_objects(public):
    found = [line for target in public.items() for line in complaints(*target)]
    assert not found, f"{len(found)} complaints\n" + "\n".join(found)


def test_what_a_docstring_refers_to_is_there(public):
    importlib.import_module("scipy.sparse.linalg")
    for name, value in public.items():
        for path, package in MIRRORED.findall(inspect.getdoc(value) or ""):
            if package == "nki":
                continue  # AWS's, which is not installed
            names, found = path.split("."), None
            for last in range(len(names), 0, -1):
                try:
                    found = importlib.import_module(".".join(names[:last]))
                except ImportError:
                    continue
                for attribute in names[last:]:
                    found = getattr(found, attribute, None)
                break
            assert found is not None, f"{name} refers to {path}"


def functions(path):
    """Every function of a file with its docstring and where it is."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name not in ("__new__", "__init__"):
            yield node, ast.get_docstring(node)


def test_internal_functions_say_it_in_a_sentence(public):
    """Sections of parameters and results are for what the reference shows; internal functions have types."""
    shown = {(code.co_filename, code.co_name) for value in public.values() if (code := getattr(function_of(value), "__code__", None))}
    names = {(str(Path(file).resolve()), name) for file, name in shown}
    found = []
    for folder in ("backends", "conformance", "trnarray"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if folder == "trnarray" and path.relative_to(ROOT / folder).parts[0] in ("backends", "conformance"):
                continue
            for node, text in functions(path):
                if text and SECTIONS.search(text) and (str(path.resolve()), node.name) not in names:
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert not found, f"{len(found)} internal functions have sections of parameters or results\n" + "\n".join(found)


def test_bad_docstrings_are_found():
    def bad(x):
        """returns nothing"""

    def missing(x):
        pass

    def mirrored(x):
        """Return x. See `numpy.positive`."""

    assert {line.split()[1] for line in complaints("bad", bad)} >= {"SS02", "SS03", "PR01"}
    assert {line.split()[1] for line in complaints("missing", missing)} == {"GL08"}
    assert complaints("mirrored", mirrored) == []
