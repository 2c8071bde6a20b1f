#!/usr/bin/env bash
# Installs the programs without their symbols, and what they read, in a folder: scripts/install.sh FOLDER [PROGRAMS].
#
# Symbols are more than half of a program, and only debuggers read them. They go to bin/.debug, where gdb, perf and
# llvm-symbolizer look. Without objcopy, as on a server without the toolchain, programs keep their symbols.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:?usage: scripts/install.sh FOLDER [PROGRAMS]}
programs=${2:-.build/release}
objcopy=$(command -v llvm-objcopy || command -v objcopy || true)
[ -n "$objcopy" ] || echo "install: objcopy is missing, so the programs keep their symbols" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install -d "$target/bin" "$target/share/vitrine"
for program in vitrine vitrine-media; do
    if [ -n "$objcopy" ]; then
        install -d "$target/bin/.debug"
        "$objcopy" --only-keep-debug "$programs/$program" "$work/$program.debug"
        "$objcopy" --strip-all "$programs/$program" "$work/$program"
        "$objcopy" --add-gnu-debuglink="$work/$program.debug" "$work/$program"
        install -m 0644 "$work/$program.debug" "$target/bin/.debug"
        install "$work/$program" "$target/bin"
    else
        install "$programs/$program" "$target/bin"
    fi
done
cp -r Config Templates "$target/share/vitrine"
