#!/usr/bin/env bash
# Checks Swift style, sizes of files and functions, the scales of the style sheet, and script syntax. Called by `make lint` and `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."
swift format lint --strict --parallel --recursive Package.swift Plugins Sources Tests Examples
scripts/size.py
scripts/styles.py
for script in scripts/*.sh; do bash -n "$script"; done
if command -v shellcheck >/dev/null; then shellcheck scripts/*.sh; fi
