# `make run` and `make test` do all the set-up themselves; `make help` lists the rest.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.DEFAULT_GOAL := run
.PHONY: run test lint types docs bench calibrate serve browser java screenshots clean help

# In a terminal the page stays until Ctrl+C; elsewhere, and with CI set, one request proves that it answers.
run: $(READY) ## set up, then the main job: one game with its working, and the page
	@$(BIN)/arpad rate 1750 1950:win --born 2010 --explain
	@printf '\nThe same as a page:\n'
	@if [ -t 1 ] && [ -z "$$CI" ]; then $(BIN)/arpad serve --open; else $(BIN)/arpad serve --port 0 --once; fi

test: lint types browser java ## set up, then everything: lint, types, tests
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: $(READY) ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## mypy, strict
	$(BIN)/mypy

docs: $(READY) ## write the generated parts of docs/ anew
	$(BIN)/python docs/generate.py

bench: $(READY) ## speed, as ratios taken side by side
	$(BIN)/python bench/bench.py
	$(BIN)/python bench/web_bench.py
	$(BIN)/python bench/outlook_bench.py
	$(BIN)/python bench/event_bench.py
	$(BIN)/python bench/files_bench.py
	$(BIN)/python bench/bulk_bench.py
	$(BIN)/python bench/bulk_systems_bench.py
	$(BIN)/python bench/spark_bench.py
	$(BIN)/python bench/lists_bench.py

calibrate: $(READY) ## the chances against real games, as in docs/outlook.md
	$(BIN)/python bench/calibrate.py

serve: $(READY) ## the page and the API on this machine
	@$(BIN)/arpad serve

# Chromium comes from the system: installed where that may be done, else the browser tests are skipped; with CI set
# they are not.
browser: ## Chromium for the tests of the page
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get -qq update && apt-get -qq install -y chromium >/dev/null; } || \
	  { echo "Chromium is missing, so the browser tests are skipped; install it with: apt-get install chromium"; [ -z "$$CI" ]; }

# Spark runs on Java 17 or newer; the same holds.
java: ## Java for the tests of Spark
	@command -v java >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get -qq update && apt-get -qq install -y openjdk-17-jre-headless >/dev/null; } || \
	  { echo "Java is missing, so the tests of Spark are skipped; install it with: apt-get install openjdk-17-jre-headless"; [ -z "$$CI" ]; }

screenshots: $(READY) browser ## a picture of every page, light and dark, into screenshots/
	$(BIN)/python tests/helpers/chromium.py screenshots

clean: ## remove what the other targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis screenshots

help: ## this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 13

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Arpad needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,web]'
	$(BIN)/python -m compileall -q src
	@touch $@
