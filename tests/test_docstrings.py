"""The docstring of every public object, held to the numpydoc checks that pyproject.toml names."""

import importlib
import inspect
import pkgutil
import tomllib
import types
from pathlib import Path

import pytest

import trnarray

validate = pytest.importorskip("numpydoc.validate")

with (Path(__file__).parents[1] / "pyproject.toml").open("rb") as file:
    CHECKS = set(tomllib.load(file)["tool"]["numpydoc_validation"]["checks"])
# What users call documents all parameters with their types and the result, and has an example.
USER_CHECKS = CHECKS | {"PR01", "PR04", "RT01", "EX01"}
FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, property, staticmethod, classmethod)

MODULES = sorted(
    module.name
    for module in [types.SimpleNamespace(name="trnarray"), *pkgutil.walk_packages(trnarray.__path__, "trnarray.")]
    if not any(part.startswith("_") for part in module.name.split("."))
)
USER_MODULES = sorted({"trnarray", "trnarray.fft", "trnarray.linalg", "trnarray.random", "trnarray.special"} & set(MODULES))


class RuntimeValidator(validate.Validator):
    """A validator of live objects: functions made from tables have no source of their own to look into."""

    source_file_name = None
    source_file_def_line = None

    def __init__(self, obj_name):
        super().__init__(validate.get_doc_object(obj_name))


def members(cls):
    """Public methods and properties of the class, those of our base classes included."""
    ours = [vars(base) for base in reversed(cls.__mro__) if base.__module__.startswith("trnarray")]
    return {name: value for part in ours for name, value in part.items() if not name.startswith("_") and isinstance(value, FUNCTIONS)}


def public_objects(module):
    """The module, its public functions and classes, and their public members, each with its full name."""
    yield module.__name__, module
    for name, value in vars(module).items():
        if not name.startswith("_") and callable(value) and getattr(value, "__module__", "") == module.__name__:
            yield f"{module.__name__}.{name}", value
            if inspect.isclass(value):
                for member, attribute in members(value).items():
                    yield f"{module.__name__}.{name}.{member}", attribute


def user_objects():
    """What users call: the functions of the namespaces and the members of Array."""
    for module in map(importlib.import_module, USER_MODULES):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if callable(value) and not inspect.isclass(value) and not (value.__module__ or "").startswith("numpy"):
                yield f"{module.__name__}.{name}", value
    for name, value in members(getattr(trnarray, "Array", object)).items():
        yield f"trnarray.Array.{name}", value


def complaints(name, value, checks):
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    if any(parameter.startswith("**") for parameter in RuntimeValidator(value).signature_parameters):
        checks = checks - {"PR01", "PR02"}  # the keywords that are allowed are documented one by one
    errors = validate.validate(value, validator_cls=RuntimeValidator)["errors"]
    if inspect.ismodule(value):
        checks = checks - {"SS02"}  # one may begin with a name, as in "trnarray is ..."
    return [f"{name}: {code} {text}" for code, text in errors if code in checks or code == "GL08"]


@pytest.mark.parametrize("name", MODULES)
def test_public_objects_of(name):
    found = [line for target in public_objects(importlib.import_module(name)) for line in complaints(*target, CHECKS)]
    assert not found, f"{len(found)} complaints\n" + "\n".join(found)


def test_what_users_call_documents_parameters_result_and_example():
    found = [line for target in user_objects() for line in complaints(*target, USER_CHECKS)]
    assert not found, f"{len(found)} complaints\n" + "\n".join(found)


def test_bad_docstrings_are_found():
    def bad(x):
        """returns nothing"""

    def missing(x):
        pass

    assert {line.split()[1] for line in complaints("bad", bad, USER_CHECKS)} >= {"SS02", "SS03", "PR01", "EX01"}
    assert {line.split()[1] for line in complaints("missing", missing, USER_CHECKS)} == {"GL08"}
