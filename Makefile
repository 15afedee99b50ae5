# Two commands do everything on a machine that has Python 3.11 or newer with pip:
#   make demo    plays the main job from end to end, without network or key
#   make test    runs every check and test
# Both keep their own virtual environment in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types unit bench clean

demo: $(VENV)/installed
	$(BIN)/gene run examples/weather.gene

test: lint types unit

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

unit: $(VENV)/dev
	$(BIN)/pytest -q

bench: $(VENV)/installed
	$(BIN)/python -m benchmarks

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/dev: pyproject.toml $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build dist *.egg-info
