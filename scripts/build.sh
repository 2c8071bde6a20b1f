#!/usr/bin/env bash
# Builds the programs for release. What Swift needs at run time is linked in: they start on a machine without the toolchain, and
# each call into it costs less.
set -euo pipefail
cd "$(dirname "$0")/.."

for product in vitrine vitrine-media; do
    swift build -c release --static-swift-stdlib --product "$product" --explicit-target-dependency-import-check error
done
