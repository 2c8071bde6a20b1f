# What can be done with Vitrine. `make` alone lists it.

ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-test setup-bench run build test bench faults lint

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup ## Build, then serve with a database of its own: make run ARGS="--port 9000"
	@scripts/build.sh
	@exec .build/release/vitrine dev $(ARGS)

build: setup ## Build the programs for release
	@scripts/build.sh

test: setup-test ## Run all tests
	@exec scripts/test.sh $(ARGS)

bench: setup-bench ## Measure against pgbench and nginx: make bench QUICK=1 takes 3 minutes
	@QUICK=$(QUICK) exec scripts/bench.sh $(ARGS)

faults: setup-test ## Try faults: kills, restarts of the database, drains, schedules, backups, shortages (4 minutes)
	@exec scripts/faults.sh $(ARGS)

lint: setup ## Check the style of Swift files and the syntax of scripts
	swift format lint --strict --parallel --recursive Package.swift Sources Tests
	@for script in scripts/*.sh; do bash -n "$$script" || exit 1; done
	@if command -v shellcheck >/dev/null; then shellcheck scripts/*.sh; fi

setup: ## Install what building and running need; silent when nothing is missing
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh test

setup-bench:
	@scripts/setup.sh bench
