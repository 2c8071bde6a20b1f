# Development tasks. Run `make` to list them.

ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-test setup-bench run build test journeys sanitize bench faults messages lint check

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup ## Build, then serve with a private database: make run ARGS="--port 9000"
	@scripts/build.sh
	@exec .build/release/vitrine dev $(ARGS)

build: setup ## Build the release binaries
	@scripts/build.sh

check: ## Check style, architecture and all tests without a database (under a minute after a small change)
	@exec scripts/check.sh $(ARGS)

test: setup-test ## Run the tests: style, Swift, journeys (about 35 minutes on two cores)
	@exec scripts/test.sh $(ARGS)

journeys: setup-test ## Run the longer tests: all random input, screenshots, languages, images, guides
	@exec scripts/journeys.sh

sanitize: setup-test ## Run the tests of C and threads under AddressSanitizer and ThreadSanitizer
	@exec scripts/sanitize.sh $(ARGS)

bench: setup-bench ## Benchmark against pgbench and nginx (make bench QUICK=1: 3 minutes)
	@QUICK=$(QUICK) exec scripts/bench.sh $(ARGS)

faults: setup-test ## Inject faults: kills, database restarts, drains, schedules, backups, shortages (4 minutes)
	@exec scripts/faults.sh $(ARGS)

messages: setup ## Collect the texts for translators, and update the translations
	scripts/build-tests.sh
	scripts/messages.py

lint: setup ## Check Swift style, sizes of files and functions, scales of styles, and script syntax
	@exec scripts/lint.sh

setup: ## Install missing build and runtime dependencies
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh test

setup-bench:
	@scripts/setup.sh bench
