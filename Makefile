# Two commands do everything on a fresh machine: make demo, make test.
# Needed: Python 3.11 or newer, make, and a package registry.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	{ echo $$p; break; }; done)
VENV := .venv
# How large the campaigns are: about four hours in all on two cores
# (docs/reference/campaigns.md).
KILL_MINUTES ?= 25
SIMULATED_ROWS ?= 500000
ROUGH_ROWS ?= 100000
PEOPLE_ROWS ?= 2000000
LIVES ?= 3000
IO_SECONDS ?= 600
POWER_ROWS ?= 10
HOSTILE_SEEDS ?= 15
TOKEN_WORKERS ?= 4
RECEIPTS ?= 5000
CANARY_MONTHS ?= 10
MACHINE_MONTHS ?= 30
FUZZED_WORKBOOKS ?= 100000
BIN := $(VENV)/bin
unexport PYTHONPATH
# What is compiled once is there for the other processes, and for the next run.
unexport PYTHONDONTWRITEBYTECODE
EXPORT = $(TOOLS)/bin/python -m uv export --quiet --locked --all-extras --no-emit-project \
	--no-annotate --no-header
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# A wheel that is built afterwards has the site, since it lies in the package.
SITE := src/kawe/pages
SPHINX := $(BIN)/python -m sphinx -c docs -d build/doctrees
CAMPAIGNS := PYTHONPATH=tests $(BIN)/python -m campaigns
# What makes a release has an environment of its own: no tool of it is tested with.
TOOLS := .venv-release
RELEASE := PYTHONPATH=tools $(TOOLS)/bin/python -m release
TRIALS := PYTHONPATH=tests $(TOOLS)/bin/python -m trials
# Whom a bundle is for, such as win_amd64 and 3.12; this computer, if nobody says.
PLATFORM ?=
PYTHON_VERSION ?=
# What pip-audit must do for a release: AUDIT=--must.
AUDIT ?=

.PHONY: demo test pythons image-lines check subjects lint types layers docs linkcheck \
	pictures site-pictures bench \
	campaign faults coverage templates tutorial lock lowest wheel books clean dist bundle \
	app sbom audit sums release changelog workflows image

demo: $(VENV)/.stamp-run  ## Run the main job against a service on this machine.
	$(BIN)/kawe demo --output kawe-demo

test: $(VENV)/.stamp-dev  ## Run the tests.
	$(BIN)/python -m pytest --numprocesses 4 --dist loadfile --no-loadscope-reorder --durations 10

pythons: | $(BIN)/python  ## Unit and contract tests on every other Python of this machine.
	$(BIN)/python tools/other_pythons.py build/pythons

image-lines: $(VENV)/.stamp-dev  ## The lines of the Dockerfile that install, in a folder of their own.
	PYTHONPATH=tests:tools $(BIN)/python -m trials.image build/image

check: lint types layers subjects docs  ## Everything that is not a test.

subjects: $(VENV)/.stamp-dev  ## The subjects of new commits have at most 72 characters.
	$(BIN)/python tools/check_subjects.py

lint: $(VENV)/.stamp-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.stamp-dev
	$(BIN)/mypy

layers: $(VENV)/.stamp-dev
	$(BIN)/lint-imports --no-cache

docs: $(VENV)/.stamp-dev  ## Check the pages, and make the site that kawe help opens.
	$(BIN)/python tools/check_docs.py
	rm -rf $(SITE)
	$(SPHINX) -W --keep-going -n -q -b html . $(SITE)

pictures: $(VENV)/.stamp-dev  ## Take the pictures of the pages again, of real runs.
	PYTHONPATH=tests:tools $(BIN)/python tools/take_pictures.py

site-pictures: docs  ## Look at every page of the site, two widths, light and dark.
	PYTHONPATH=tests:tools $(BIN)/python tools/look_at_site.py

linkcheck: $(VENV)/.stamp-dev  ## Follow the links of the pages to other sites.
	$(SPHINX) -q -b linkcheck . build/linkcheck

bench: $(VENV)/.stamp-dev  ## Print ratios; no test.
	$(BIN)/python bench/run.py

campaign: $(VENV)/.stamp-dev  ## The long version of the fault tests; writes figures.
	$(BIN)/python -m pytest -m campaign -s
	$(BIN)/python -m pytest --numprocesses 3 --dist loadfile -q \
		--randomly-seed $$(date +%s) --hypothesis-profile searching \
		tests/properties tests/contracts tests/unit tests/places tests/xlsx
	$(CAMPAIGNS).kill --minutes $(KILL_MINUTES)
	$(CAMPAIGNS).io_faults 10 --every 20 --seconds $(IO_SECONDS)
	$(CAMPAIGNS).power_loss $(POWER_ROWS) --seeds 2 --most 12 --recoveries 25
	$(CAMPAIGNS).wire_cuts 1
	$(CAMPAIGNS).simulate --rows $(SIMULATED_ROWS) --faults 5
	$(CAMPAIGNS).simulate --rows $(ROUGH_ROWS) --seed 5000000 --faults 5-20 \
		--oddities 30 --record simulation-rough
	$(CAMPAIGNS).simulate --people --rows $(PEOPLE_ROWS)
	$(CAMPAIGNS).two_computers
	$(CAMPAIGNS).machines --months $(MACHINE_MONTHS)
	$(CAMPAIGNS).machines --shared --months 1 --rows 125 --accounts 40
	$(CAMPAIGNS).machines --shared --namespaces --months 4 --rows 50 --accounts 6
	$(CAMPAIGNS).look
	$(CAMPAIGNS).state_machine --examples $(LIVES) --steps 100
	$(CAMPAIGNS).hostile_variants --seeds $(HOSTILE_SEEDS)
	$(CAMPAIGNS).tokens --workers $(TOKEN_WORKERS)
	$(CAMPAIGNS).receipts --receipts $(RECEIPTS)
	$(CAMPAIGNS).canary --months $(CANARY_MONTHS)
	$(CAMPAIGNS).watch --kills 5
	$(CAMPAIGNS).year_end
	$(CAMPAIGNS).fuzz_workbooks $(FUZZED_WORKBOOKS) 7
	$(CAMPAIGNS).fuzz_twin
	$(CAMPAIGNS).planted
	$(BIN)/python tools/write_figures.py

faults: $(VENV)/.stamp-dev  ## The short version of the campaigns: a quarter of an hour.
	$(CAMPAIGNS).simulate --people --rows 8000 --seed 1000000 --record ''
	$(BIN)/python -m pytest --numprocesses 3 --dist loadscope -q -m short_campaign

# What tests of commands and the desk reach is not counted: that runs in processes of
# its own.
coverage: $(VENV)/.stamp-dev  ## How much of the rules units and contracts alone reach.
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q tests/unit tests/contracts tests/flows tests/properties \
		tests/places tests/xlsx
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --fail-under=88 \
		--include='src/kawe/domain/*,src/kawe/flows/*,src/kawe/kinds/*,src/kawe/journal/*,src/kawe/service/acts.py'

templates: $(VENV)/.stamp-dev  ## Write templates, samples and references again.
	$(BIN)/python tools/write_templates.py
	$(BIN)/python tools/write_samples.py
	$(BIN)/python tools/write_openapi.py
	$(BIN)/python tools/write_result_schema.py
	$(BIN)/python tools/write_columns.py
	$(BIN)/python tools/write_commands.py
	$(BIN)/python tools/write_input_cases.py
	$(BIN)/python tools/two_readers.py

tutorial: $(VENV)/.stamp-dev  ## Type the tutorial, and write what it shows again.
	PYTHONPATH=tests:tools $(BIN)/python tools/write_tutorial.py

lock: $(TOOLS)/.stamp  ## Write uv.lock anew, and from it what is installed; UPGRADE=--upgrade.
	$(TOOLS)/bin/python -m uv lock --quiet $(UPGRADE)
	$(EXPORT) --no-dev --output-file constraints.txt
	$(EXPORT) --group dev --output-file constraints-dev.txt
	$(EXPORT) --no-dev --group release --output-file constraints-release.txt

wheel: $(VENV)/.stamp-dev  ## Try the wheel: each way to install, documented commands.
	PYTHONPATH=tests $(BIN)/python -m trials.wheel build/wheel
	PYTHONPATH=tests:tools $(BIN)/python -m trials.documented build/wheel

books: $(VENV)/.stamp-dev  ## Open results in LibreOffice; pictures of every printed page.
	PYTHONPATH=tests $(BIN)/python -m trials.books build/books

lowest: | $(BIN)/python  ## Run the wheel at the lowest versions that pyproject.toml allows.
	$(BIN)/python tools/lowest.py build/lowest

dist: docs $(TOOLS)/.stamp  ## Build sdist and wheel twice, equal; into dist/, as all below.
	$(RELEASE).dist

bundle: dist  ## kawe and all it needs for an office without a registry.
	$(RELEASE).bundle --platform "$(PLATFORM)" --python "$(PYTHON_VERSION)"
	$(if $(PLATFORM)$(PYTHON_VERSION),,$(TRIALS).bundle "$$(ls -t dist/*-bundle-*.zip | head -1)")

app: dist  ## A folder that needs no Python.
	$(RELEASE).app
	$(TRIALS).app "$$(ls -t dist/kawe-*-app-* | head -1)"

sbom: dist  ## What kawe consists of here, as CycloneDX.
	$(RELEASE).sbom

audit: $(TOOLS)/.stamp  ## Known weaknesses of the locked versions; AUDIT=--must.
	$(RELEASE).audit $(AUDIT)

sums: $(TOOLS)/.stamp
	$(RELEASE).sums

release: $(TOOLS)/.stamp  ## All that is published: tools/release/README.md.
	rm -rf dist
	$(MAKE) check workflows
	$(MAKE) bundle sbom audit
	$(MAKE) sums

changelog: $(VENV)/.stamp-dev  ## Move changes/ into CHANGELOG.md: VERSION=0.2.0.
	@test -n "$(VERSION)" || { echo "Say which: make changelog VERSION=0.2.0"; exit 2; }
	PYTHONPATH=tools $(BIN)/python -m release.changelog "$(VERSION)"

workflows: $(TOOLS)/.stamp  ## Check the workflows of GitHub and the Dockerfile.
	$(TOOLS)/bin/check-jsonschema --builtin-schema vendor.github-workflows \
		.github/workflows/*.yml
	$(TOOLS)/bin/zizmor --offline --quiet --no-progress .github/workflows
	$(TOOLS)/bin/hadolint Dockerfile

image: dist  ## The image for servers and training; needs Docker.
	docker build --tag kawe .

clean:
	rm -rf $(VENV) $(TOOLS) kawe-demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The pip of an older Python looks at every file of every release: a minute in place of
# twenty seconds.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "kawe needs Python 3.11 or newer with venv."; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@sed -n '/^pip==/,/[^\\]$$/p' constraints-release.txt >$(VENV)/pip.txt
	@$(PIP) --require-hashes --requirement $(VENV)/pip.txt || \
		echo "The pip that came with Python goes on; it takes longer."

# What is tested is what uv.lock says, and with hashes: pip takes no other file.
$(VENV)/.stamp-run: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --require-hashes --requirement constraints.txt
	$(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.stamp-dev: pyproject.toml constraints-dev.txt | $(BIN)/python
	$(PIP) --require-hashes --requirement constraints-dev.txt
	$(PIP) --no-deps --editable .
	@touch $@

$(TOOLS)/.stamp: pyproject.toml constraints-release.txt
	@test -n "$(PYTHON)" || { echo "kawe needs Python 3.11 or newer with venv."; exit 2; }
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes --requirement constraints-release.txt
	@touch $@
