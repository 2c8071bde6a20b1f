#!/usr/bin/env bash
# Injects faults into a real daemon with a private database. Called by `make faults`.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh
# The benchmarks contain the code that starts databases and daemons.
PYTHONPATH=scripts/bench exec python3 -B scripts/faults/try_faults.py --program .build/release/vitrine "$@"
