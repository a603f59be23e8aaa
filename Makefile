# Everything a developer does with Kalends; `make` alone lists it.

PYTHON  ?= python3
PORT    ?= 8000
DATA    ?= ./data
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1); \
             if [ $$n -gt 4 ]; then echo 4; else echo $$n; fi)
T       ?= tests
# Two more than there are cores, since tests also wait for browsers, databases and clocks.
TEST_PROCESSES ?= $(shell n=$$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1); echo $$((n + 2)))
# Browsers and processes keep their own time: what fails is tried once more, and named at the end.
RERUNS  ?= 1
MINUTES ?= 30
SEED    ?= 1

BIN     := .venv/bin
# -qq prints errors only.
PIP     := -m pip --disable-pip-version-check --no-input -qq
INSTALL := $(BIN)/python $(PIP) install

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup serve test test-all fuzz soak pictures lighthouse conformance release check bench clean

help: ## list these targets
	@echo 'Kalends: make TARGET [VARIABLE=value]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile
	@echo 'Variables: PORT=$(PORT) DATA=$(DATA) WORKERS=$(WORKERS) T=$(T) (what to test) MINUTES=$(MINUTES) PYTHON=$(PYTHON)'

setup: .venv/.ready ## create the virtual environment .venv with Kalends in it

serve: .venv/.ready ## run the service on http://127.0.0.1:PORT, with its data in DATA
	@exec $(BIN)/kalends serve --host 127.0.0.1 --port $(PORT) --workers $(WORKERS) --data $(DATA) \
	  $(if $(filter-out 0 no,$(DEMO)),--demo)

# Most tests write a calendar of their own, and would wait for the disk: in memory, where it has two gigabytes for that.
test: export TMPDIR := $(or $(TMPDIR),$(if $(TEST_ALL),,$(shell \
  df -k --output=avail /dev/shm 2>/dev/null | awk 'NR == 2 && $$1 > 2000000 { print "/dev/shm" }')))
# Tests start hundreds of processes, which would compile every module again without bytecode on disk.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/.ready-dev .venv/npm/.ready .venv-bench/.ready ## run the tests, or some of them: make test T=tests/settings/test_settings.py
	@scripts/system-packages postgresql
	@scripts/system-packages wrk
	@scripts/system-packages chromium-headless-shell
	@command -v chromium-headless-shell >/dev/null || scripts/system-packages chromium
	@scripts/system-packages php-cli
	@scripts/system-packages iproute2
	@scripts/system-packages nginx
	@if [ -n "$$TEST_ALL" ]; then scripts/system-packages caddy buildah mmdebstrap; fi
	@$(BIN)/python -m pytest -q -n $(TEST_PROCESSES) --dist worksteal --reruns $(RERUNS) --rerun-show-tracebacks -raR $(T)

test-all: export TEST_ALL = 1
test-all: RERUNS = 0
test-all: test ## run every test on both stores, with all random calendars and examples; before a release

fuzz: .venv/.ready-dev ## send random requests in every role to both stores for MINUTES, made from the OpenAPI document
	@scripts/system-packages postgresql
	@$(BIN)/python -m tests.contract.fuzzing --minutes $(MINUTES)


soak: .venv/.ready-dev ## run under mixed load for MINUTES while parts are killed, the disk fills and the clock jumps
	@scripts/system-packages postgresql
	@$(BIN)/python -m tests.product.soak --minutes $(MINUTES) --seed $(SEED)

pictures: .venv/.ready-dev ## take the pictures in docs/ again, from the demo calendar
	@scripts/system-packages chromium
	@$(BIN)/python -m tests.site.pictures

lighthouse: .venv/.ready-dev .venv/lighthouse/.ready ## score the public pages of the demo with Lighthouse; at least 95 of 100
	@scripts/system-packages chromium
	@$(BIN)/python -m tests.site.lighthouse

conformance: .venv/.ready-dev .venv/conformance/.ready ## run the conformance suite of the Model Context Protocol
	@$(BIN)/python -m tests.features.assistants.conformance

release: .venv/.ready-dev ## build wheel, sdist, bill of materials, checksums and notes in dist/, twice with the same bytes
	@$(BIN)/python scripts/release.py

check: .venv/.ready-dev ## check style, formatting, types and that everything is translated
	@echo 'ruff check';  $(BIN)/ruff check --quiet .
	@echo 'ruff format'; $(BIN)/ruff format --check --quiet . \
	  || { echo 'Some files are not formatted: $(BIN)/ruff format .' >&2; exit 1; }
	@echo 'mypy';        $(BIN)/mypy --no-error-summary
	@echo 'catalogs';    $(BIN)/python scripts/catalogs.py --check

bench: .venv/.ready .venv-bench/.ready ## measure the service against baselines; BENCH=--quick takes six minutes
	@scripts/system-packages wrk
	@scripts/system-packages postgresql
	@scripts/system-packages nginx
	@$(BIN)/python bench/run.py $(BENCH)

clean: ## remove .venv and everything that can be rebuilt; DATA stays
	@rm -rf .venv .venv-bench .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist src/*.egg-info
	@find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
	@echo 'Clean. $(DATA) was left alone.'

# An empty environment with pinned versions of pip and of the build backend. On Debian without python3-venv,
# `python -m venv` works only without pip; the system's pip then installs into it.
.venv/.made: requirements-build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo 'Kalends needs Python 3.11 or newer: install python3, or name one with PYTHON=…' >&2; exit 1; }
	@echo 'Creating .venv'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 \
	  || $(PYTHON) -m venv --clear .venv >/dev/null 2>&1 \
	  || $(PYTHON) -m venv --clear --without-pip .venv
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; then $(INSTALL) --require-hashes -r $<; \
	elif $(PYTHON) -m pip --python $(BIN)/python --version >/dev/null 2>&1; then \
	  $(PYTHON) $(PIP) --python $(BIN)/python install --require-hashes -r $<; \
	else \
	  echo 'This Python cannot create an environment with pip: apt-get install python3-venv (or python3-pip)' >&2; \
	  exit 1; \
	fi
	@touch $@

.venv/.ready: .venv/.made requirements.txt requirements.in pyproject.toml
	@echo 'Installing the dependencies of Kalends'
	@$(INSTALL) --require-hashes -r requirements.txt
	@echo 'Installing Kalends'
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# Dependencies of the benchmark's baselines, kept apart from those of Kalends.
.venv-bench/.ready: requirements-bench.txt .venv/.made
	@echo 'Creating .venv-bench with the dependencies of the baselines'
	@$(PYTHON) -m venv --clear --without-pip .venv-bench
	@$(BIN)/python $(PIP) --python .venv-bench/bin/python install --require-hashes -r $<
	@touch $@

.venv/.ready-dev: .venv/.ready requirements-dev.txt
	@echo 'Installing the development dependencies'
	@$(INSTALL) --require-hashes -r requirements-dev.txt
	@touch $@

.venv/lighthouse/.ready: tests/product/lighthouse/package.json .venv/.made
	@command -v npm >/dev/null || scripts/system-packages npm
	@mkdir -p $(@D) && cp $< $(@D)/package.json
	@echo 'Installing Lighthouse'
	@npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error >/dev/null
	@touch $@

.venv/conformance/.ready: tests/product/conformance/package.json .venv/.made
	@command -v npm >/dev/null || scripts/system-packages npm
	@mkdir -p $(@D) && cp $< $(@D)/package.json
	@echo 'Installing the conformance suite'
	@npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error >/dev/null
	@touch $@

# Checkers of the HTML pages, from npm's registry. Without them, the tests that need them are skipped and say so.
.venv/npm/.ready: tests/package.json .venv/.made
	@command -v npm >/dev/null || scripts/system-packages npm
	@mkdir -p $(@D) && cp $< $(@D)/package.json
	@if ! command -v npm >/dev/null; then exit 0; fi; \
	echo 'Installing the checkers of the HTML pages'; \
	if npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error >/dev/null; \
	then touch $@; else echo 'npm failed; the tests that need axe-core and html-validate will be skipped.'; fi
