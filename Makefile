# make play   sets up everything and starts the server      (takes PORT=8000 HOST=... DATABASE_URL=...)
# make test   sets up everything and runs all tests
# make check  looks for mistakes without running anything
# They need Python 3.11 or newer and make; everything else is installed into .venv. If there is npm, it is used.

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do command -v $$p && break; done)
PY := .venv/bin/python
# Packages are checked by hash; the lock lists all dependencies, so pip need not resolve any.
PIP_INSTALL := $(PY) -m pip install --disable-pip-version-check --no-input -qq
LOCK := $(PY) -m uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11
SAY := @echo facedown:
count = $$(cat $(1) | grep -c ==)
# What browsers load is made from these.
PAGES := $(shell find building static templates -type f -not -path "*/__pycache__/*" -not -path "static/vendor/*" -not -path "static/built/*")
# Only of the whole suite: PYTEST=tests/engine runs a part of it.
COVERAGE := --cov --cov-report=term-missing:skip-covered
CHECKS := lint format types boundaries names scripts

.PHONY: play test check $(CHECKS) setup machine lock screenshot bench soak chaos spy stuck faces hostile stalls clean
.DELETE_ON_ERROR:

play: .venv/.app static/vendor/.stamp
	@HOST="$${HOST:-0.0.0.0}" exec .venv/bin/facedown serve

test: setup machine check
	$(SAY) running the tests
	@$(PY) -m pytest -n auto --maxprocesses 4 --dist worksteal $(or $(PYTEST),$(COVERAGE))

# All of them run, two at a time, even if one finds something.
check: setup .venv/bin/biome
	$(SAY) checking
	@$(MAKE) --no-print-directory -k -j2 $(CHECKS)

lint:
	@$(PY) -m ruff check -q

format:
	@$(PY) -m ruff format -q --check

types:
	@$(PY) -m mypy --no-error-summary

boundaries:
	@$(PY) tools/boundaries.py

names:
	@$(PY) tools/names.py

scripts:
	@.venv/bin/biome check --error-on-warnings

setup: .venv/.dev .venv/.app static/vendor/.stamp

# Programs that the tests use and pip cannot install: Chromium, nginx, Caddy.
machine: .venv/.dev
	@sh tests/support/machine.sh

screenshot: setup
	$(PY) tools/screenshot.py

bench: setup
	$(PY) -m bench

soak: setup
	$(PY) -m bench.soak --minutes $${MINUTES:-30}

# Kills servers and disturbs their database while programs play; docs/trust.md.
chaos: setup
	$(PY) -m tests.chaos --count $${COUNT:-30} --minutes $${MINUTES:-5}

# What a seat could learn that it should not; GAMES=500 for a real campaign.
spy: setup
	$(PY) -m tests.spy pace --games $${GAMES:-20}
	$(PY) -m tests.spy leaks --games $${GAMES:-20} --minutes $${MINUTES:-30}

# Whether every table can be brought to its end, whatever has happened there.
stuck: setup
	$(PY) -m tests.stuck --tables $${TABLES:-100}

# Pages of random games; SEED=301 for others, MOST=100 for more positions of each.
faces: setup
	$(PY) -m tests.faces --games $${GAMES:-300} --minutes $${MINUTES:-60} --seed $${SEED:-1} --most $${MOST:-25}

# Wrong messages over sockets, while a table plays.
hostile: setup
	$(PY) -m tests.hostile --messages $${MESSAGES:-100000} --sockets $${SOCKETS:-1000} --tables $${TABLES:-10000}

# The tests while their processes are stopped for a moment, now and then: which of them need a fast machine?
stalls: setup machine
	$(PY) tools/stalls.py -n 4 --dist worksteal -q $(PYTEST)

# Rewrites the lock files; UPGRADE=--upgrade takes newer versions.
lock: .venv/.dev
	$(LOCK) $(UPGRADE) pyproject.toml -o requirements/run.txt
	$(LOCK) $(UPGRADE) requirements/build.in -o requirements/build.txt
	$(LOCK) $(UPGRADE) requirements/node.in -o requirements/node.txt
	$(LOCK) $(UPGRADE) pyproject.toml requirements/dev.in -c requirements/run.txt -c requirements/build.txt -o requirements/dev.txt

clean:
	rm -rf .venv static/vendor static/built build dist tests/failures .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

# Some systems ship Python without ensurepip: then the system's pip installs pip into the environment.
.venv/.made:
	@test -n "$(PYTHON)" || { echo "Facedown needs Python 3.11 or newer; none was found." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Facedown needs Python 3.11 or newer, $(PYTHON) is older; say which: make PYTHON=..." >&2; exit 1; }
	$(SAY) making .venv with $(PYTHON)
	@rm -rf .venv
	@$(PYTHON) -m venv .venv 2>/dev/null || { rm -rf .venv && $(PYTHON) -m venv --without-pip .venv \
		&& $(PYTHON) -m pip --python .venv/bin/python install -q pip; }
	@touch $@

.venv/.run: .venv/.made requirements/run.txt requirements/build.txt
	$(SAY) installing $(call count,requirements/run.txt requirements/build.txt) packages
	@$(PIP_INSTALL) --require-hashes --no-deps -r requirements/run.txt -r requirements/build.txt
	@touch $@

.venv/.dev: .venv/.run requirements/dev.txt
	$(SAY) installing $(call count,requirements/dev.txt) packages for checks and tests
	@$(PIP_INSTALL) --require-hashes --no-deps -r requirements/dev.txt
	@touch $@

static/vendor/.stamp: .venv/.run hatch_build.py package.json package-lock.json .npmrc $(PAGES)
	$(SAY) making what the pages load: scripts, style sheets, icons
	@$(PY) hatch_build.py
	@touch $@

.venv/bin/biome: .venv/.app tools/biome.py package-lock.json
	$(SAY) fetching Biome
	@$(PY) tools/biome.py $@
	@touch $@

# Editable install of our own packages; needed again only when pyproject.toml changes.
.venv/.app: .venv/.run pyproject.toml | static/vendor/.stamp
	$(SAY) installing the program as .venv/bin/facedown
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
