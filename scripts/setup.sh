#!/bin/sh
# Installs missing dependencies for building and running, and with "test" or "bench" for those, too.
set -eu
cd "$(dirname "$0")/.."

build_packages="libmicrohttpd-dev libpq-dev libxml2-dev libgumbo-dev libcmark-gfm-dev libsodium-dev
    libcurl4-openssl-dev libssl-dev libqrencode-dev zlib1g-dev libbrotli-dev libicu-dev libvips-dev librsvg2-dev
    libjemalloc-dev libseccomp-dev libjs-leaflet fonts-inter-variable
    fonttools python3-brotli pkg-config gettext make python3-venv"
libraries="libmicrohttpd libpq libxml-2.0 gumbo libcmark-gfm libsodium libcurl libcrypto libqrencode zlib libbrotlienc icu-i18n vips
    librsvg-2.0 jemalloc libseccomp"
test_packages="chromium systemd curl rsync pgbouncer nginx-light"
python_packages=scripts/python-packages.txt
browser_packages=scripts/browser-packages.txt
vendor=Templates/static/vendor
bench_packages="wrk nginx-light"
no_cluster=/etc/postgresql-common/createcluster.d/vitrine-setup.conf
no_service=/etc/systemd/system
venv=.vitrine/venv

log() {
    printf 'setup: %s\n' "$*" >&2
}

fail() {
    log "$*"
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

# PostgreSQL may come from another source than the Debian package: any server of version 15 or later is fine.
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

# Other systems: only check for the libraries; the user must install them.
# shellcheck disable=SC2086 # a list of packages
check_without_apt() {
    missing_libraries=""
    for library in $libraries; do
        pkg-config --exists "$library" 2>/dev/null || missing_libraries="$missing_libraries $library"
    done
    [ -z "$missing_libraries" ] || fail "automatic installation needs Debian or Ubuntu. Missing:$missing_libraries." \
        "Install the equivalents of these Debian packages:" $build_packages postgresql postgresql-contrib
    command -v initdb >/dev/null 2>&1 || has_postgres || fail "PostgreSQL 15 or later is missing (no initdb on PATH)."
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Installing PostgreSQL would create and start a system-wide cluster, and installing nginx or PgBouncer would open a port. All are
# prevented during this installation, unless they were installed before.
mask_services() {
    case " $1 " in *" postgresql "*)
        if [ ! -e "$no_cluster" ]; then
            as_root mkdir -p "${no_cluster%/*}"
            printf 'create_main_cluster = false\n' | as_root tee "$no_cluster" >/dev/null
            masked="$masked $no_cluster"
        fi ;;
    esac
    for service in nginx pgbouncer; do
        case " $1 " in *" $service "* | *" $service-light "*)
            file=$no_service/$service.service
            if [ -d /run/systemd/system ] && [ ! -e "$file" ] && [ ! -L "$file" ]; then
                as_root ln -s /dev/null "$file"
                masked="$masked $file"
            fi ;;
        esac
    done
}

unmask_services() {
    for file in $masked; do
        as_root rm -f "$file"
        if [ "${file%/*}" = "$no_service" ]; then
            as_root systemctl daemon-reload || true
            as_root systemctl disable "${file##*/}" >/dev/null 2>&1 || true
        fi
    done
    masked=""
}

install_packages() {
    command="apt-get install $*"
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
        fail "missing: $*. Installing them requires root or sudo. As root, run: $command"
    fi
    log "installing $*"
    as_root true || fail "sudo failed. As root, run: $command"
    trap unmask_services EXIT
    trap 'exit 130' INT TERM
    mask_services "$*"
    as_root apt-get update -q || fail "the package lists can't be downloaded. Check the network, then run: $command"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" ||
        fail "the installation failed. To see the error, run: $command"
    unmask_services
}

make_venv() {
    [ -x $venv/bin/pip ] || python3 -m venv $venv || fail "the Python environment $venv can't be created."
}

# What pages load in the browser, from Python packages that contain it as it is.
install_editor() {
    cmp -s $browser_packages $vendor/.packages && return
    log "installing the packages of $browser_packages into $vendor"
    make_venv
    wheels=$(mktemp -d)
    command="$venv/bin/pip download --require-hashes --no-deps -r $browser_packages"
    $venv/bin/pip download --quiet --disable-pip-version-check --require-hashes --no-deps --dest "$wheels" -r $browser_packages ||
        fail "the editor of the pages can't be downloaded. Check the network, then run: $command"
    python3 -m zipfile -e "$wheels"/django_prose_editor-*.whl "$wheels"
    mkdir -p $vendor
    cp "$wheels/django_prose_editor/static/django_prose_editor/editor.js" $vendor/prose-editor.js
    cp "$wheels"/django_prose_editor-*.dist-info/licenses/LICENSE $vendor/prose-editor-license.txt
    rm -r "$wheels"
    cp $browser_packages $vendor/.packages
}

install_python() {
    cmp -s $python_packages $venv/installed.txt && return
    log "installing the packages of $python_packages into $venv"
    make_venv
    command="$venv/bin/pip install --require-hashes -r $python_packages"
    $venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $python_packages ||
        fail "the Python packages can't be downloaded. Check the network, then run: $command"
    cp $python_packages $venv/installed.txt
}

extra_packages=""
masked=""
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
install_editor

# The map of positions, from its Debian package.
install_map() {
    source=/usr/share/javascript/leaflet
    [ -e $source/leaflet.esm.min.js ] || { log "without libjs-leaflet, positions are entered without a map"; return; }
    mkdir -p $vendor/leaflet/images
    cp $source/leaflet.esm.min.js $source/leaflet.css $vendor/leaflet/
    cp $source/images/* $vendor/leaflet/images/
    cp /usr/share/doc/libjs-leaflet/copyright $vendor/leaflet/license.txt
}

# The typeface of pages, in parts by script: browsers load those that a page uses. Other scripts use fonts of the system.
install_fonts() {
    source=/usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf
    fonts=$vendor/fonts
    command -v pyftsubset >/dev/null 2>&1 && [ -e $source ] || { log "without fonts-inter-variable and fonttools, pages use a font of the system"; return; }
    [ $fonts/inter-greek.woff2 -nt scripts/setup.sh ] && return
    mkdir -p $fonts
    fonttools varLib.instancer --quiet --output $fonts/inter.ttf $source wght=400:700
    subset latin "0-FF,131,152-153,2BB-2BC,2C6,2DA,2DC,2000-206F,20AC,2122,2190-2193,2212,2215,2260,2264-2265,FEFF,FFFD"
    subset latin-ext "100-130,132-151,154-2BA,2BD-2C5,2C7-2D9,2DB,2DD-2FF,300-36F,1E00-1EFF,2070-209F,20A0-20AB,20AD-20C0,2113"
    subset cyrillic "400-52F,1C80-1C88,2116"
    subset greek "370-3FF,1F00-1FFF"
    rm $fonts/inter.ttf
    cp /usr/share/doc/fonts-inter-variable/copyright $fonts/license.txt
}

subset() {
    pyftsubset $fonts/inter.ttf --output-file="$fonts/inter-$1.woff2" --flavor=woff2 --unicodes="$2" \
        --layout-features="kern,liga,calt,ccmp,locl,mark,mkmk,tnum,cv05,cv11,case"
}
install_fonts
install_map
[ $needs_python = no ] || install_python
