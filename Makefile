# Every target sets itself up: Python >= 3.11 with venv, and make, are all it takes. Choose another Python with `make test PYTHON=python3.13`.
PYTHON ?= python3
PYTEST_ARGS ?=
JOBS ?= auto
DEVICE ?= cpu

VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
VENV := .venv/$(VERSION)
LOWEST := .venv/$(VERSION)-lowest
DOCS := .venv/$(VERSION)-docs
# An environment whose stamp is older than pyproject.toml is made anew.
READY := $(VENV)/ready
LOWEST_READY := $(LOWEST)/ready
DOCS_READY := $(DOCS)/ready
FOUND := 'import numpy; print(*numpy.show_config("dicts").get("SIMD Extensions", {}).get("found", []))'
# Few of the installed modules are ever imported: those are compiled then.
PIP := -m pip install -qq --disable-pip-version-check --no-compile
# Modules are compiled once, whatever the environment says; else each of the many processes of tests and suites compiles all that it imports.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo docs test conformance lint typecheck test-lowest lowest-ready clean check-python
.DELETE_ON_ERROR:

help:
	@echo 'make demo         five programs of NumPy, SciPy, scikit-learn and the Array API through trnarray (DEVICE=sim:trn2 on a simulated NeuronCore)'
	@echo 'make test         lint, type check, tests and doctests (PYTEST_ARGS="-k fft" passes options to pytest, JOBS=0 runs one process)'
	@echo 'make docs         the documentation, in docs/_build/html (warnings are errors)'
	@echo 'make conformance  the tests of NumPy, SciPy (fft, special, stats) and scikit-learn on trnarray'
	@echo 'make lint         ruff alone'
	@echo 'make typecheck    mypy alone'
	@echo 'make test-lowest  the tests on the lowest versions that pyproject.toml allows (Python 3.11 or 3.12)'
	@echo 'make clean        remove environments, builds and caches'

demo: $(READY)
	$(VENV)/bin/python docs/demo/tour.py --device $(DEVICE)

test: lint typecheck
	$(VENV)/bin/python -m pytest -n $(JOBS) --one-case-in 8 --one-other-case-in 3 $(PYTEST_ARGS)

docs: $(DOCS_READY)
	$(DOCS)/bin/python -m sphinx --fail-on-warning --keep-going --quiet --jobs auto docs docs/_build/html
	@echo 'Read it: docs/_build/html/index.html'

# SciPy may convert nothing. scikit-learn computes in float64 what it computes in float32.
conformance: $(READY)
	$(VENV)/bin/python -m trnarray.conformance numpy --jobs $(JOBS)
	$(VENV)/bin/python -m trnarray.conformance scipy --jobs $(JOBS) --host-transfer error --module fft --module special --module stats
	$(VENV)/bin/python -m trnarray.conformance sklearn --jobs $(JOBS) --select 'not float32'

lint: $(READY)
	$(VENV)/bin/ruff check
	$(VENV)/bin/python -m trnarray.conformance.lines

typecheck: $(READY)
	$(VENV)/bin/mypy

# NumPy computes without the vector instructions that it finds, as on another CPU. Kernels are compared with SciPy's special functions, whose
# lowest version is not exact enough to be a reference, and what lowering gives is compared by the newest; what traces both is tested. Suites are run by the newest Python, and so are their tests.
test-lowest: $(LOWEST_READY)
	NPY_DISABLE_CPU_FEATURES="$$($(LOWEST)/bin/python -c $(FOUND))" $(LOWEST)/bin/python -m pytest -n $(JOBS) -m 'not packaging and not slow' --hypothesis-profile=brief --one-case-in 16 --one-other-case-in 4 --ignore=tests/backends/neuron/kernels --ignore=tests/backends/neuron/lowering --ignore=tests/conformance $(PYTEST_ARGS)

lowest-ready: $(LOWEST_READY)

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis docs/_build docs/api docs/rosetta_table.md
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

check-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo 'trnarray needs Python 3.11 or newer, "$(PYTHON)" is $(or $(VERSION),not there): name one with `make PYTHON=python3.13 ...`' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo '"$(PYTHON)" lacks the venv module: install it (on Debian and Ubuntu `apt install python$(VERSION)-venv`)' >&2; exit 1; }

$(READY): pyproject.toml | check-python
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/python $(PIP) --editable '.[test,dev,demo]'
	@touch $@

# The lower bounds are written once, in pyproject.toml: here `>=` is read as `==`.
$(LOWEST_READY): pyproject.toml | check-python
	$(PYTHON) -m venv --clear $(LOWEST)
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
	  | sed 's/>=/==/' > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python $(PIP) --constraint $(LOWEST)/constraints.txt --editable '.[test,demo]'
	@touch $@

$(DOCS_READY): pyproject.toml | check-python
	$(PYTHON) -m venv --clear $(DOCS)
	$(DOCS)/bin/python $(PIP) --editable '.[docs]'
	@touch $@
