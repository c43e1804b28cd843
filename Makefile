# make play and make test do all the set-up they need; everything lives in .venv.
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help

help:
	@echo "make play    install, start the server and open its page: all games, against friends and machines"
	@echo "make test    install and run all checks and tests"
	@echo "make lint-page  lint, format and type check of the page alone, where npm is installed"
	@echo "make format  format the code"
	@echo "make docs    write the generated pages and the page's types again"
	@echo "make clean   remove the virtual environment and all caches"

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Stich needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

.venv/play: .venv/made pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[serve]'
	touch $@

.venv/dev: .venv/made pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch .venv/play $@

play: .venv/play
	@$(BIN)/stich serve --log warning --database sqlite:///.venv/tables.db --open

test: .venv/dev lint-page
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile
	$(BIN)/python -m pytest -n auto --dist worksteal

# The page is plain JavaScript; only its checks come from npm. Node 20 or newer.
node_modules/made: package.json package-lock.json
	npm ci --silent
	touch $@

ifeq ($(shell command -v npm),)
lint-page:
	@echo "lint-page: skipped, npm is not installed; the page is linted and type-checked where it is"
else
lint-page: node_modules/made
	npm run --silent check
endif

format: .venv/dev
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	@if command -v npm >/dev/null; then $(MAKE) --silent node_modules/made && npm run --silent format; fi

docs: .venv/dev
	$(BIN)/python -m stich.cli.pages docs/games
	$(BIN)/python -m stich.serve.wire

clean:
	rm -rf .venv node_modules build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help play test lint-page format docs clean
