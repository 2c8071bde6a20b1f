#!/usr/bin/env bash
# Benchmarks Vitrine against pgbench and nginx. Called by `make bench`: QUICK=1 takes 3 minutes, FULL=1 adds a million rows.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ ! -x .build/release/vitrine ] && [[ " $* " != *" --program"* ]] && [[ " $* " != *" --help "* ]]; then
    scripts/build.sh
fi
exec python3 -B scripts/bench/measure.py "$@"
