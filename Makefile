# Everything a newcomer needs: `make demo` and `make test` set up what they use by themselves.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
# pip must finish one stamp before the next begins
.NOTPARALLEL:

# tests start hundreds of processes, each of which would compile agar anew
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# pip, without the chatter: its errors stay
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq install
# one pytest process per core, with one torch thread each (see conftest.py); PYTEST_ARGS adds to it
JOBS ?= 2
PYTEST_ARGS ?=
BENCH_ARGS ?=
PACKAGE_ARGS ?=
# pairs of `make matrix`, such as "3.12:2.11 3.13:*"; all without
ROW ?=
# the Python whose PyTorch sees the GPU: it is used as it is
GPU_PYTHON ?= python3
GPU_ARGS ?=
RUFF = $(BIN)/ruff format --check --output-format concise . && $(BIN)/ruff check .
# tests that run a second time in GRAPH_MODE
IN_GRAPHS := tests/core tests/nn tests/mint tests/optim tests/train tests/amp \
  tests/test_limits.py tests/test_limits_random.py

# A stamp is newer than the requirement files it was made from, so a second run installs nothing.
# It lies in the environment: removing the environment removes it.
READY_BASE := $(VENV)/.ready-base
READY_TEST := $(VENV)/.ready-test
READY_DOCS := $(VENV)/.ready-docs
READY_RELEASE := $(VENV)/.ready-release

.PHONY: help demo test smoke lint format typecheck docs bench gpu package matrix newcomers names stubs clean \
  distclean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(READY_BASE) ## run the guided tour, examples/demo.py
	$(BIN)/python examples/demo.py

# The type checker uses one core for a minute: it runs beside the first tests, and what it found is
# shown when they are done.
test: $(READY_TEST) ## all checks: format, lint, types, tests in both modes, documented examples
	$(RUFF)
	$(BIN)/basedpyright >$(VENV)/types.log 2>&1 & types=$$!; failed=0; \
	AGAR_TEST_MODE=graph $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q $(IN_GRAPHS) \
	  || failed=$$?; \
	wait $$types || { failed=$$?; cat $(VENV)/types.log; }; \
	exit $$failed
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q $(PYTEST_ARGS)

# only files with such tests are read: reading all of them takes half a minute
smoke: $(READY_TEST) ## the tests that take seconds
	$(BIN)/python -m pytest -m smoke -q $$(grep -rl --include='test_*.py' mark.smoke tests) $(PYTEST_ARGS)

lint: $(READY_TEST) ## format check, linter, type checker
	$(RUFF)
	$(BIN)/basedpyright

format: $(READY_TEST) ## rewrite the sources in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY_DOCS) ## build the site into site/, warnings are errors
	$(BIN)/sphinx-build -j auto --fail-on-warning --keep-going --quiet docs site
	@echo "documentation: site/index.html"

bench: $(READY_BASE) ## run the benchmarks beside torch; BENCH_ARGS=--quick for a short look
	$(BIN)/python benchmarks/eager.py $(BENCH_ARGS)
	$(BIN)/python benchmarks/random_numbers.py

gpu: ## tests and benchmark on a GPU, with the torch of GPU_PYTHON; GPU_ARGS=--help
	PYTHONPATH=src $(GPU_PYTHON) scripts/gpu.py $(GPU_ARGS)

package: $(READY_RELEASE) ## wheel and sdist into dist/, checked and tried in a fresh environment
	$(BIN)/python scripts/package.py $(PACKAGE_ARGS)

matrix: $(READY_RELEASE) ## tests with pairs of Python and PyTorch; ROW="3.12:2.11" for some of them
	$(BIN)/python scripts/package.py --no-try
	$(BIN)/python scripts/matrix.py --uv $(BIN)/uv $(foreach row,$(ROW),'$(row)')

newcomers: $(READY_RELEASE) ## the first steps of three people in a fresh environment, with their times
	$(BIN)/python scripts/package.py --no-try
	$(BIN)/python scripts/newcomers.py

names: $(READY_TEST) ## rewrite the recorded list of public names
	$(BIN)/python tests/test_public_names.py --update

stubs: $(READY_TEST) ## rewrite the stub files, and the index of what is loaded late
	$(BIN)/python scripts/late_index.py
	$(BIN)/python scripts/stubs.py

clean: ## remove what builds and checks left, keep the environment
	rm -rf build dist site docs/api docs/tutorials/*.ipynb docs/runs .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## remove the environment too
	rm -rf $(VENV)

# --- environment ---------------------------------------------------------------------------------

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "agar needs Python 3.10 or newer as '$(PYTHON)'." >&2; \
	  echo "Point to one with: make PYTHON=python3.12 $(or $(MAKECMDGOALS),test)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments: its venv module is not installed." >&2; \
	  echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(READY_BASE): requirements/base.txt pyproject.toml | $(VENV)/.created
	@echo "Installing the pinned requirements into $(VENV); the first time takes a few minutes."
	$(PIP) -r requirements/base.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(READY_TEST): requirements/test.txt $(READY_BASE)
	$(PIP) -r requirements/test.txt
	@touch $@

$(READY_DOCS): requirements/docs.txt $(READY_BASE)
	$(PIP) -r requirements/docs.txt
	@touch $@

$(READY_RELEASE): requirements/release.txt | $(VENV)/.created
	$(PIP) -r requirements/release.txt
	@touch $@
