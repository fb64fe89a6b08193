# Each target makes .venv and installs what it needs on first use.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint type bench clean

.venv/.installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	touch $@

demo: .venv/.installed
	$(BIN)/veridical run apartment -o demo
	$(BIN)/veridical verify demo/data
	$(BIN)/veridical estimate demo/data --method stereo-vo
	$(BIN)/veridical evaluate demo/data
	$(BIN)/veridical report demo/data -o demo/report.html

test: .venv/.installed
	$(BIN)/python -m pytest

lint: .venv/.installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

type: .venv/.installed
	$(BIN)/mypy

bench: .venv/.installed
	$(BIN)/python -m benchmarks.run

clean:
	rm -rf demo .venv
