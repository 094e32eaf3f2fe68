# `make help` lists what there is to do.
VENV := .venv
PY := $(VENV)/bin/python
PYTHON ?= python3
# Linux machines with a public network get the small CPU build of torch by
#   make setup TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
TORCH := torch==2.13.0
PIP_INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check
LLMOCK := .peers/llmock/bin/llmock
EMULATE := .peers/node_modules/emulate

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev peers run test check format bench eval attacks chaos chaos-short lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(VENV)/.runtime ## make .venv and install what the bot needs

$(VENV)/.runtime: requirements.lock pyproject.toml
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	$(PIP_INSTALL) --require-hashes --no-deps -r requirements.lock
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	touch $@

setup-dev: $(VENV)/.dev ## also install what tests and checks need

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.lock
	$(PIP_INSTALL) --require-hashes --no-deps -r requirements-dev.lock
	touch $@

peers: $(LLMOCK) $(EMULATE) ## install the peers that others wrote, each in its own environment (.peers/)

$(LLMOCK):
	$(PYTHON) -m venv .peers/llmock
	.peers/llmock/bin/python -m pip install --quiet --disable-pip-version-check llmock==0.2.2

$(EMULATE):
	npm install --silent --no-save --no-package-lock --prefix .peers emulate@0.11.2

run: setup ## index the sample and start the bot with everything embedded
	@$(PY) -m bot all

# One worker more than cores, at most five: about a third of a test's time is spent waiting for processes and servers.
WORKERS = $(shell $(PY) -c 'import os; print(min((os.cpu_count() or 1) + 1, 5))')

test: setup-dev ## run every test; what needs a missing part is skipped visibly (CI=true: a skip fails)
	@$(PY) -m coverage erase
	$(PY) -m pytest --numprocesses $(WORKERS) --dist worksteal --cov --cov-report=

check: setup-dev ## format, lint, types, import contracts, the recorded rewrites, and the coverage that `make test` left
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) -m scripts.check_recording
	@if [ -f .coverage ]; then $(PY) -m coverage report --fail-under=$(COVERAGE); else echo "no coverage data: run make test first"; fi

COVERAGE ?= 95

format: setup-dev ## format and mend what can be mended
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

bench: setup-dev ## measure speed against public libraries, ratios in one run
	env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE $(VENV)/bin/triage bench

eval: setup ## measure retrieval on the bundled sample
	$(VENV)/bin/triage index config/sample/articles config/sample/tickets.jsonl --out .triage/sample-eval --yes
	$(VENV)/bin/triage eval --index .triage/sample-eval --queries config/sample/questions.jsonl --fail-under hit@5=0.95

attacks: setup-dev ## plant every attack in every place, over fixed passages and through the whole product
	ATTACKS=full $(PY) -m pytest tests/attacks

CHAOS_RUN := $(PY) -m pytest tests/chaos -o python_files="chaos_*.py" -s

chaos: setup-dev ## kill, cut off and overload the bot in every way, 1 000 times at random (half an hour and more)
	CHAOS=full $(CHAOS_RUN)

chaos-short: setup-dev ## the same without random moments and with less load
	CHAOS=short $(CHAOS_RUN)

lock: setup-dev ## compile the two lock files again (pip-tools must be installed)
	$(PY) -m piptools compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --strip-extras \
	  --unsafe-package torch --output-file requirements.lock pyproject.toml
	$(PY) -m piptools compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --strip-extras \
	  --unsafe-package torch --extra dev --output-file requirements-dev.lock pyproject.toml

clean: ## remove what builds and tests left behind (the data folder stays)
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.*
