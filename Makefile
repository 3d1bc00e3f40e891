# Two commands do everything on a fresh machine: make demo, make test.
# Needed: Python 3.11 or newer, make, and a package registry.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	{ echo $$p; break; }; done)
VENV := .venv
# How long a campaign may kill: 15,000 kills take about an hour.
KILL_MINUTES ?= 60
# Rows in a campaign's simulation; a million take half an hour of two processors.
SIMULATED_ROWS ?= 1000000
BIN := $(VENV)/bin
unexport PYTHONPATH

.PHONY: demo test check lint types layers docs bench campaign coverage templates clean

demo: $(VENV)/.stamp-run  ## Run the main job against a service on this machine.
	$(BIN)/kawe demo --output kawe-demo

test: $(VENV)/.stamp-dev  ## Run every test.
	$(BIN)/python -m pytest

check: lint types layers docs  ## Everything that is not a test.

lint: $(VENV)/.stamp-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.stamp-dev
	$(BIN)/mypy

layers: $(VENV)/.stamp-dev
	$(BIN)/lint-imports --no-cache

docs: $(VENV)/.stamp-dev
	$(BIN)/python tools/check_docs.py

bench: $(VENV)/.stamp-dev  ## Print ratios; no test.
	$(BIN)/python bench/run.py

campaign: $(VENV)/.stamp-dev  ## The long version of the fault tests; prints figures.
	$(BIN)/python -m pytest -m campaign -s
	$(BIN)/python tools/kill.py --minutes $(KILL_MINUTES)
	$(BIN)/python tools/io_faults.py 50 --every 40 --seconds 3600
	$(BIN)/python tools/power_loss.py 20 --seeds 3 --most 32
	$(BIN)/python tools/wire_cuts.py 1
	$(BIN)/python tools/simulate.py --rows $(SIMULATED_ROWS) --faults 5
	$(BIN)/python tools/state_machine.py --examples 20000 --steps 100
	$(BIN)/python tools/hostile_variants.py
	$(BIN)/python tools/tokens.py
	$(BIN)/python tools/fuzz_twin.py

coverage: $(VENV)/.stamp-dev
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q tests/unit tests/contracts tests/flows tests/properties
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --fail-under=99 \
		--include='src/kawe/domain/*,src/kawe/flows/*,src/kawe/journal/*,src/kawe/service/classify.py'

templates: $(VENV)/.stamp-dev  ## Write templates, samples and references again.
	$(BIN)/python tools/write_templates.py
	$(BIN)/python tools/write_samples.py
	$(BIN)/python tools/write_openapi.py
	$(BIN)/python tools/write_columns.py
	$(BIN)/python tools/write_input_cases.py
	$(BIN)/python tools/two_readers.py

clean:
	rm -rf $(VENV) kawe-demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "kawe needs Python 3.11 or newer with venv."; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.stamp-run: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]'
	@touch $@

# Dependency groups need pip 25.1.
$(VENV)/.stamp-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]' --group dev
	@touch $@
