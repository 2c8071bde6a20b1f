#!/usr/bin/env bash
# Tries faults on a real daemon and a database of its own: kills, restarts, drains. Called by `make faults`.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh
# What starts a database and a daemon is the same as for the measurements.
PYTHONPATH=scripts/bench exec python3 -B scripts/faults/try_faults.py --program .build/release/vitrine "$@"
