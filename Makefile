# Each target does its own set-up: .venv from the locked set, Node from its wheel, the server by npm ci.
PYTHON ?= python3
BIN := .venv/bin
UV_VERSION := 0.13.9

.PHONY: demo test long check model-check fuzz setup clean appworld alfworld

demo: setup
	$(BIN)/controlscope panel run panels/specs/demo.toml --out runs/demo
	$(BIN)/controlscope panel report runs/demo
	@for engine in alfworld appworld; do \
		if [ -e .$$engine/.ready ]; then \
			$(BIN)/controlscope panel run panels/specs/$$engine-mini.toml --limit 2 --out runs/demo-$$engine \
			&& $(BIN)/controlscope panel report runs/demo-$$engine || exit; \
		else echo "skipped: $$engine-mini, as its engine is not installed here: make $$engine"; fi; done

test: setup
	$(BIN)/pytest -n auto -m "not long"

long: setup
	$(BIN)/pytest -n auto

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto -m "not long"

# A small model on this machine; it checks the protocol and is no evidence about the method.
model-check: setup
	$(BIN)/uv sync --frozen --inexact --quiet --group model-check
	$(BIN)/pytest tests/model_check/check_model.py

# The ALFWorld engine, which compiles for minutes (build-essential, cmake), and our own games for it.
alfworld: .alfworld/.ready

.alfworld/.ready: .venv/.ready $(wildcard panels/households/*.py)
	CMAKE_POLICY_VERSION_MINIMUM=3.5 $(BIN)/uv sync --frozen --inexact --quiet --extra alfworld
	rm -rf .alfworld
	$(BIN)/python -m panels.households.generate .alfworld/households
	touch $@

# Coverage-guided, a minute each; the hypothesis tests of the same entrances are part of `test`.
fuzz: setup
	$(BIN)/uv sync --frozen --inexact --quiet --group fuzz
	for entrance in protocol operation spec log; do \
		$(BIN)/python tests/fuzzing/fuzz.py $$entrance -max_total_time=60 || exit 1; done

setup: .venv/.ready

.venv/.ready: pyproject.toml uv.lock executors/mcp/package.json executors/mcp/package-lock.json
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "ControlScope needs Python 3.11 or later with venv and pip (Debian: apt-get install python3-venv), or PYTHON=/path/to/python3"; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv sync --frozen --inexact --quiet
	$(BIN)/python -m executors.mcp.install
	touch $@

# AppWorld cannot share an environment with the rest; nothing it unpacks or builds is committed.
appworld: .appworld/.ready

.appworld/.ready: executors/appworld/requirements.txt \
		$(wildcard panels/suites/appworld-mini/*.py panels/suites/appworld-mini/scenarios/*/*.py)
	test -x .appworld/venv/bin/python || $(PYTHON) -m venv .appworld/venv
	.appworld/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $<
	APPWORLD_CACHE=$(CURDIR)/.appworld/cache .appworld/venv/bin/appworld install
	APPWORLD_CACHE=$(CURDIR)/.appworld/cache APPWORLD_ROOT=$(CURDIR)/.appworld/mini \
		.appworld/venv/bin/python -W ignore panels/suites/appworld-mini/build.py .appworld/mini
	touch $@

clean:
	rm -rf .venv .appworld .alfworld executors/mcp/node_modules runs
