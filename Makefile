# `make run` and `make test` set up what they need themselves, and no more; `make help` lists the rest.
PYTHON ?= python3
VENV   ?= .venv
EXTRAS ?= web
BIN    := $(VENV)/bin
PAGE   := $(VENV)/.ready-$(EXTRAS)
TOOLS  := $(VENV)/.ready-dev

.DEFAULT_GOAL := run
.PHONY: run serve site test test-slow coverage programs lint types docs docs-site bench fuzz calibrate build release-check lock licences audit browser java nginx caddy node postgresql poppler screenshots \
        translations clean help
.SECONDARY:

# In a terminal the page stays until Ctrl+C; elsewhere, and with CI set, one request proves that it answers.
run: $(PAGE) ## set up the page and the command, then rate one game with its working and open the page
	@$(BIN)/arpad rate 1750 1950:win --born 2010 --explain
	@printf '\nThe same as a page:\n'
	@if [ -t 1 ] && [ -z "$$CI" ]; then $(BIN)/arpad serve --open; else $(BIN)/arpad serve --port 0 --once; fi

serve: $(PAGE) ## the page and the API on this machine; EXTRAS=web,charts,lists adds charts and rating lists
	@$(BIN)/arpad serve

# Which tests are slow is one table in tests/conftest.py. What needs a browser, Spark or a server has one test in `make test` too.
# Property tests run twice: with 20 examples in `make test`, with all of theirs in `make test-slow`.
PYTEST := $(BIN)/python -m pytest -n auto

test: lint types programs ## set up everything, then lint, types and the quick tests: about ten minutes on two cores
	$(PYTEST) -m "not slow" --hypothesis-profile=quick

test-slow: $(TOOLS) programs ## the other tests: real tournaments, every page, Spark, the static site, all examples
	$(PYTEST) -m "slow or hypothesis"

# Comparisons with masses of real figures are left out: they would take three times as long and reach no further line.
coverage: $(TOOLS) programs ## all tests once, with the branches that none of them reaches
	$(PYTEST) --ignore tests/real --cov --cov-report=term

programs: browser java nginx caddy node postgresql poppler

lint: $(TOOLS) ## ruff and codespell
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell

types: $(TOOLS) ## mypy, strict
	$(BIN)/mypy

docs: $(TOOLS) ## rewrite the generated parts of docs/
	$(BIN)/python docs/generate.py

site: $(TOOLS) node ## the page as static files that a browser calculates by itself, into dist/site
	$(BIN)/python static_site/build_site.py

docs-site: $(VENV)/.ready-docs ## the documentation as a website, into site/
	$(BIN)/zensical build --clean --strict

bench: $(TOOLS) ## speed, as ratios measured side by side
	$(BIN)/python bench/bench.py
	$(BIN)/python bench/web_bench.py
	$(BIN)/python bench/load_bench.py
	$(BIN)/python bench/outlook_bench.py
	$(BIN)/python bench/event_bench.py
	$(BIN)/python bench/chances_bench.py
	$(BIN)/python bench/files_bench.py
	$(BIN)/python bench/desk_bench.py
	$(BIN)/python bench/paste_bench.py
	$(BIN)/python bench/bulk_bench.py
	$(BIN)/python bench/bulk_systems_bench.py
	$(BIN)/python bench/spark_bench.py
	$(BIN)/python bench/lists_bench.py
	$(BIN)/python bench/site_bench.py
	$(BIN)/python bench/ledger_bench.py
	$(BIN)/python bench/publish_bench.py

SECONDS ?= 600
fuzz: $(TOOLS) ## fuzz every reader and door, SECONDS=600 each; the inputs are counted in docs/reliability.md
	$(BIN)/python tests/fuzz/run.py $(SECONDS)
	$(BIN)/python docs/generate.py

build: $(PAGE) ## what is released, into dist/: the source and the wheel, the same bytes wherever SOURCE_DATE_EPOCH is the same
	$(BIN)/python -m hatchling build --clean

release-check: $(PAGE) ## whether TAG=v1.0.0 may be released from here: see docs/release.md
	@$(BIN)/python tools/release.py check $(TAG)

translations: $(TOOLS) ## how much each language has of the messages, and what is wrong with it
	@$(BIN)/python tools/translations.py

lock: $(VENV)/.ready-supply ## the locks of all sets of extras, from pyproject.toml and constraints.txt
	PATH="$(BIN):$$PATH" $(BIN)/python tools/supply.py lock

licences: $(VENV)/.ready-all ## the licence of every package that an extra brings
	@$(BIN)/python tools/supply.py licences

audit: $(VENV)/.ready-supply ## known weaknesses of the locked packages
	$(BIN)/pip-audit --require-hashes --disable-pip --requirement locks/dev.txt

calibrate: $(TOOLS) ## fit the model of chances again and compare it with real games, as in docs/chances.md
	$(BIN)/python bench/fit_chances.py
	$(BIN)/python bench/chances_drift.py
	$(BIN)/python bench/fit_typical.py
	$(BIN)/python bench/fit_reliability.py
	$(BIN)/python bench/calibrate.py
	$(BIN)/python bench/chances_calibration.py
	$(BIN)/python bench/chances_cells.py

# Chromium, Java, nginx, Caddy, Node.js, PostgreSQL and Poppler come from the system. `make test` says so before it installs one, and does it only as root with
# apt-get at hand. Elsewhere the tests that need it are skipped, but never with CI set.
# $(call system-package,how to find it,the package,what needs it)
system-package = { $(1); } >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing $(2) with apt-get, for $(3)." && \
	  apt-get -qq update && apt-get -qq install -y $(2) >/dev/null; } || \
	{ echo "Not installed, but needed for $(3): apt-get install $(2)"; [ -z "$$CI" ]; }

browser: ## Chromium, for the tests of the page
	@$(call system-package,command -v "$${CHROMIUM:-chromium}" || command -v chromium-browser,chromium,the browser tests)

nginx: ## nginx, for the test of a server behind it
	@$(call system-package,command -v nginx || command -v /usr/sbin/nginx,nginx-light,the test of a server behind nginx)

caddy: ## Caddy, for the test of a server behind it
	@$(call system-package,command -v caddy,caddy,the test of a server behind Caddy)

postgresql: ## PostgreSQL, for the test of a ledger in it
	@$(call system-package,command -v initdb || ls /usr/lib/postgresql/*/bin/initdb,postgresql,the test of a ledger in PostgreSQL)

poppler: ## pdftotext, for the tests of documents
	@$(call system-package,command -v pdftotext,poppler-utils,the tests of documents)

node: ## Node.js with npm, for the static site and the test of a TypeScript client
	@$(call system-package,command -v node && command -v npm,nodejs npm,the static site and the test of a TypeScript client)

java: ## Java 17 or newer, for the tests of Spark
	@$(call system-package,command -v java,openjdk-17-jre-headless,the Spark tests)

screenshots: $(TOOLS) browser ## a picture of every page, light and dark, into screenshots/
	$(BIN)/python tests/helpers/chromium.py screenshots

clean: ## remove what the other targets made
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache .coverage screenshots site

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 13

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Arpad needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# One environment, one stamp for each set of extras: .ready-web for the page, .ready-dev for everything. What is
# installed has the hashes of its lock, and nothing else: a lock is complete, so pip looks for no dependencies, of which
# an older pip would take a newer release than the lock has.
$(VENV)/.ready-%: pyproject.toml locks/%.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement 'locks/$*.txt'
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

locks/%.txt:
	@echo "The extras '$*' have no lock yet: add them to SETS in tools/supply.py, then run make lock."; exit 1
