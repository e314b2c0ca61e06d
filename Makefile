# `make run` and `make test` do all the set-up themselves; `make help` lists the rest.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.DEFAULT_GOAL := run
.PHONY: run test lint types docs bench clean help

run: $(READY) ## set up, then the main job: one game, with the working shown
	@$(BIN)/arpad rate 1750 1950:win --born 2010 --explain

test: lint types ## set up, then everything: lint, types, tests
	$(BIN)/python -m pytest -n auto

lint: $(READY) ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## mypy, strict
	$(BIN)/mypy

docs: $(READY) ## write the generated parts of docs/ anew
	$(BIN)/python docs/generate.py

bench: $(READY) ## speed, as ratios taken side by side
	$(BIN)/python bench/bench.py

clean: ## remove what the other targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

help: ## this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Arpad needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	$(BIN)/python -m compileall -q src
	@touch $@
