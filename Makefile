# Everything a developer does with Kalends; `make` alone lists it.

PYTHON  ?= python3
PORT    ?= 8000
DATA    ?= ./data
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1); \
             if [ $$n -gt 4 ]; then echo 4; else echo $$n; fi)
T       ?= tests
MINUTES ?= 30

BIN     := .venv/bin
# -qq leaves only errors; a pip that complains about its own age helps nobody here.
PIP     := -m pip --disable-pip-version-check --no-input -qq
INSTALL := $(BIN)/python $(PIP) install

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup serve test test-all fuzz check bench clean

help: ## list these targets
	@echo 'Kalends: make TARGET [VARIABLE=value]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' Makefile
	@echo 'Variables: PORT=$(PORT) DATA=$(DATA) WORKERS=$(WORKERS) T=$(T) (what to test) MINUTES=$(MINUTES) PYTHON=$(PYTHON)'

setup: .venv/.ready ## make the virtual environment .venv with Kalends in it

serve: .venv/.ready ## run the service on http://127.0.0.1:PORT, with its data in DATA
	@$(if $(filter-out 0 no,$(DEMO)),$(BIN)/kalends demo --if-empty --data $(DATA))
	@exec $(BIN)/kalends serve --host 127.0.0.1 --port $(PORT) --workers $(WORKERS) --data $(DATA)

test: .venv/.ready-dev .venv/npm/.ready ## run the tests, or a part of them: make test T=tests/test_settings.py
	@scripts/system-packages chromium postgresql
	@$(BIN)/python -m pytest -q -n auto --dist worksteal $(T)

test-all: export TEST_ALL = 1
test-all: test ## run them with every random calendar and example, and all of them on both stores: before a release

fuzz: .venv/.ready-dev ## ask the service at random for MINUTES, as its own document says
	@$(BIN)/python -m tests.describing.fuzzing --minutes $(MINUTES)

check: .venv/.ready-dev ## check style, format and types
	@echo 'ruff check';  $(BIN)/ruff check --quiet .
	@echo 'ruff format'; $(BIN)/ruff format --check --quiet . \
	  || { echo 'Some files are not formatted: $(BIN)/ruff format .' >&2; exit 1; }
	@echo 'mypy';        $(BIN)/mypy --no-error-summary

bench: .venv/.ready .venv-bench/.ready ## measure the service beside others; BENCH=--quick for a first look
	@scripts/system-packages wrk postgresql
	@$(BIN)/python bench/run.py $(BENCH)

clean: ## remove .venv and everything that can be made again; DATA stays
	@rm -rf .venv .venv-bench .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist src/*.egg-info
	@find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
	@echo 'Clean. $(DATA) was left alone.'

# An empty environment, with pip and the build backend at known versions. Debian without
# python3-venv makes only one without pip; the system's pip can then fill it from outside.
.venv/.made: requirements-build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo 'Kalends needs Python 3.11 or newer: install python3, or name one with PYTHON=…' >&2; exit 1; }
	@echo 'Making .venv'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 \
	  || $(PYTHON) -m venv --clear .venv >/dev/null 2>&1 \
	  || $(PYTHON) -m venv --clear --without-pip .venv
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; then $(INSTALL) --require-hashes -r $<; \
	elif $(PYTHON) -m pip --python $(BIN)/python --version >/dev/null 2>&1; then \
	  $(PYTHON) $(PIP) --python $(BIN)/python install --require-hashes -r $<; \
	else \
	  echo 'This Python can make no environment with pip in it: apt-get install python3-venv (or python3-pip)' >&2; \
	  exit 1; \
	fi
	@touch $@

.venv/.ready: .venv/.made requirements.txt requirements.in pyproject.toml
	@echo 'Installing what Kalends needs'
	@$(INSTALL) --require-hashes -r requirements.txt
	@echo 'Installing Kalends'
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# What the baselines of the benchmark need, apart from what Kalends is pinned to.
.venv-bench/.ready: requirements-bench.txt
	@echo 'Making .venv-bench with what the baselines of the benchmark need'
	@$(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/python $(PIP) install --require-hashes -r $<
	@touch $@

.venv/.ready-dev: .venv/.ready requirements-dev.txt
	@echo 'Installing what tests and checks it'
	@$(INSTALL) --require-hashes -r requirements-dev.txt
	@touch $@

# Judges of the pages, from npm's registry. Where they cannot be had, the tests that ask them are skipped and say so.
.venv/npm/.ready: tests/package.json .venv/.made
	@command -v npm >/dev/null || scripts/system-packages npm
	@mkdir -p $(@D) && cp $< $(@D)/package.json
	@if ! command -v npm >/dev/null; then exit 0; fi; \
	echo 'Installing what judges the pages'; \
	if npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error >/dev/null; \
	then touch $@; else echo 'npm failed; the tests that need axe-core and html-validate will be skipped.'; fi
