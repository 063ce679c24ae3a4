# Everything a fresh machine needs is set up on first use, in .venv; python3 must be 3.11 or later.
PYTHON ?= python3
BIN = .venv/bin
LEAST = $(addprefix tests/,api cli evaluate language lsp plot printing records sweep symbolic)

.PHONY: run test check thorough everything statements least fmt golden mutations fuzz bench docs pictures clean

run: .venv/installed       ## set up, then the main job: llama2-70b on eight H100
	@$(BIN)/formula-eval --model llama2-70b --tp 8

test: .venv/developing     ## set up, then the tests of the inner loop: all but the slow ones
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder -q -m "not slow"

check: .venv/developing    ## set up, then everything that must hold: style, types, layers, formulas, tests, least versions
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(MAKE) -j 2 everything statements
	$(MAKE) least

thorough: .venv/developing ## all tests with ten times as many samples of what they draw, which takes hours
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder -q --hypothesis-profile many

everything: .venv/developing # all tests, the files that take longest first
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder -q

statements: .venv/developing # what else must hold, beside the tests
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/formula-eval fmt --check
	$(BIN)/formula-eval check

least: .venv-least/installed ## with the least version of every package that pyproject.toml names: the README's commands, quick tests
	.venv-least/bin/pytest -n 2 --dist loadfile -q -W default -o cache_dir=.venv-least/cache -m "not slow" $(LEAST)

fmt: .venv/developing      ## rewrite code and formulas in their one form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/formula-eval fmt

golden: .venv/developing   ## keep the numbers of every formula as they are now, and say which moved
	PYTHONPATH=tests $(BIN)/python -m golden.rewrite

mutations: .venv/developing ## make one mistake at a time in every formula, and say how many are noticed, and by what
	$(BIN)/python -m benchmarks.mutations --survivors build/mutants.txt

SECONDS ?= 600
SEED ?= 1
WORKERS ?= 2
fuzz: .venv/developing     ## feed each reader broken inputs for SECONDS, from SEED; SURFACE= and INPUT= show one of them again
	PYTHONPATH=tests $(BIN)/python -m fuzz.run --seconds $(SECONDS) --seed $(SEED) --workers $(WORKERS) --surface="$(SURFACE)" --input "$(INPUT)"

bench: .venv/developing    ## measure speed, as ratios in one run
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/load.py
	$(BIN)/python benchmarks/edit.py
	$(BIN)/python benchmarks/throughput.py
	$(BIN)/python benchmarks/exports.py
	$(BIN)/python benchmarks/published.py
	$(BIN)/python benchmarks/sweep.py
	$(BIN)/python benchmarks/search.py

docs: .venv/developing     ## the site: tutorial, language, every quantity, in build/site
	$(BIN)/sphinx-build -W --keep-going -q -b html -d build/doctrees docs build/site

pictures: .venv/developing ## the pictures of page and workbook in the README, in docs/pictures
	$(BIN)/python -m benchmarks.pictures

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --no-compile --editable .
	@touch $@

.venv/developing: .venv/installed
	$(BIN)/pip install --quiet --no-compile --editable '.[dev]'
	@touch $@

.venv-least/plain: pyproject.toml tests/least_versions.py README.md # the pages read first, with nothing but the dependencies
	$(PYTHON) -m venv --clear .venv-least
	$(PYTHON) tests/least_versions.py > .venv-least/versions.txt
	.venv-least/bin/pip install --quiet --no-compile --constraint .venv-least/versions.txt --editable . pytest hypothesis
	.venv-least/bin/pytest -q -W default -o cache_dir=.venv-least/cache tests/docs/test_commands.py -k "README or tutorial"
	@touch $@

.venv-least/installed: .venv-least/plain
	.venv-least/bin/pip install --quiet --no-compile --constraint .venv-least/versions.txt --editable '.[all,lsp]' pytest-xdist
	@touch $@

clean:
	rm -rf .venv .venv-least build dist
