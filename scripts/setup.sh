#!/bin/sh
# Installs what building and running need, and with "test" or "bench" what those need. Says nothing if nothing is missing.
set -eu
cd "$(dirname "$0")/.."

build_packages="libmicrohttpd-dev libpq-dev libxml2-dev libgumbo-dev libcmark-gfm-dev libsodium-dev
    libcurl4-openssl-dev libssl-dev libqrencode-dev libicu-dev libvips-dev libjemalloc-dev pkg-config make"
libraries="libmicrohttpd libpq libxml-2.0 gumbo libcmark-gfm libsodium libcurl libcrypto libqrencode icu-i18n vips jemalloc"
test_packages="chromium python3-venv systemd faketime"
python_packages="psycopg[binary] playwright axe-playwright-python standardwebhooks Pillow aiosmtpd schemathesis openapi-spec-validator feedparser"
bench_packages="wrk nginx-light"
no_cluster=/etc/postgresql-common/createcluster.d/vitrine-setup.conf
no_nginx=/etc/systemd/system/nginx.service
venv=.vitrine/venv

say() {
    printf 'setup: %s\n' "$*" >&2
}

fail() {
    say "$*"
    exit 1
}

check_swift() {
    command -v swift >/dev/null 2>&1 ||
        fail "swift is not on PATH. Install the Swift 6.3 toolchain from https://www.swift.org/install and add its bin directory to PATH."
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    major=${version%%.*}
    minor=${version#*.}
    if [ "${major:-0}" -lt 6 ] || { [ "$major" -eq 6 ] && [ "${minor:-0}" -lt 2 ]; }; then
        fail "Swift ${version:-of an unknown version} is too old. Install the Swift 6.3 toolchain from https://www.swift.org/install."
    fi
}

# PostgreSQL may come from elsewhere than Debian's "postgresql": what counts is a server of version 15 or later.
has_postgres() {
    for initdb in /usr/lib/postgresql/*/bin/initdb; do
        release=${initdb#/usr/lib/postgresql/}
        release=${release%%/*}
        if [ -x "$initdb" ] && [ "$release" -ge 15 ] 2>/dev/null &&
            [ -e "/usr/share/postgresql/$release/extension/pg_trgm.control" ]; then
            return 0
        fi
    done
    return 1
}

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing_packages() {
    for package in $build_packages $extra_packages; do
        is_installed "$package" || printf '%s ' "$package"
    done
    has_postgres || printf 'postgresql postgresql-contrib '
}

# On other systems only the libraries can be looked for, and only the person there can install them.
# shellcheck disable=SC2086 # a list of words
check_without_apt() {
    absent=""
    for library in $libraries; do
        pkg-config --exists "$library" 2>/dev/null || absent="$absent $library"
    done
    [ -z "$absent" ] || fail "this is not Debian or Ubuntu, so nothing is installed here. Missing:$absent." \
        "Install what your system calls these Debian packages:" $build_packages postgresql postgresql-contrib
    command -v initdb >/dev/null 2>&1 || has_postgres || fail "PostgreSQL 15 or later is missing (no initdb on PATH)."
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Installing PostgreSQL would make and start a cluster for the whole machine, and installing nginx would open port 80.
# Both are kept from it while they are installed here, and only if they were not there before.
hold_services() {
    case " $1 " in *" postgresql "*)
        if [ ! -e "$no_cluster" ]; then
            as_root mkdir -p "${no_cluster%/*}"
            printf 'create_main_cluster = false\n' | as_root tee "$no_cluster" >/dev/null
            held="$held $no_cluster"
        fi ;;
    esac
    case " $1 " in *" nginx-light "*)
        if [ -d /run/systemd/system ] && [ ! -e "$no_nginx" ] && [ ! -L "$no_nginx" ]; then
            as_root ln -s /dev/null "$no_nginx"
            held="$held $no_nginx"
        fi ;;
    esac
}

release_services() {
    for file in $held; do
        as_root rm -f "$file"
        if [ "$file" = "$no_nginx" ]; then
            as_root systemctl daemon-reload || true
            as_root systemctl disable nginx >/dev/null 2>&1 || true
        fi
    done
    held=""
}

install_packages() {
    by_hand="apt-get install $*"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        fail "missing: $*. You are not root and there is no sudo; as root, run: $by_hand"
    fi
    say "installing $*"
    as_root true || fail "sudo did not let you in; as root, run: $by_hand"
    trap release_services EXIT
    trap 'exit 130' INT TERM
    hold_services "$*"
    as_root apt-get update -q || fail "the package lists cannot be fetched. Is there a network? Later, run: $by_hand"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" ||
        fail "not everything could be installed. To see why, run: $by_hand"
    release_services
}

install_python() {
    if [ -x $venv/bin/python ] && $venv/bin/python -c 'import psycopg, playwright, axe_playwright_python, standardwebhooks, PIL, aiosmtpd, schemathesis, openapi_spec_validator, feedparser' 2>/dev/null; then
        return
    fi
    say "installing $python_packages into $venv"
    python3 -m venv $venv || fail "no Python environment could be made in $venv."
    # shellcheck disable=SC2086
    $venv/bin/pip install --quiet --disable-pip-version-check $python_packages ||
        fail "the Python packages cannot be fetched. Is there a network? Later, run: $venv/bin/pip install $python_packages"
}

extra_packages=""
held=""
needs_python=no
for purpose in "$@"; do
    case "$purpose" in
    test)
        extra_packages="$extra_packages $test_packages"
        needs_python=yes ;;
    bench) extra_packages="$extra_packages $bench_packages" ;;
    *) fail "unknown purpose \"$purpose\". Usage: scripts/setup.sh [test] [bench]" ;;
    esac
done

check_swift
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
    missing=$(missing_packages)
    # shellcheck disable=SC2086
    [ -z "$missing" ] || install_packages $missing
else
    check_without_apt
fi
[ $needs_python = no ] || install_python
