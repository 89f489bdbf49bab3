#!/bin/sh
# Installs what is missing, pinned: Debian packages (where root) and the Python wheels in .venv at the project's root.
# Quick when everything is there. Usage: verification/setup/install.sh
set -eu
cd "$(dirname "$0")/../.."
setup=verification/setup

list() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$1"; }

missing_packages() {
    list $setup/apt-packages.txt | while IFS= read -r pin; do
        name=${pin%%=*}
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || printf '%s\n' "$pin"
    done
}

install_packages() {
    command -v dpkg-query >/dev/null 2>&1 || {
        echo "tools: not a Debian system: install $(list $setup/apt-packages.txt | tr '\n' ' ')yourself; 'metaroce doctor' tells what misses" >&2
        return 0
    }
    pins=$(missing_packages)
    [ -n "$pins" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        echo "tools: not root, so these packages are left out: $(echo $pins); 'metaroce doctor' tells what misses" >&2
        return 0
    fi
    echo "tools: apt-get install $(echo $pins)" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086 # one word a package is meant
    apt-get install -y -qq --no-install-recommends $pins >/dev/null
}

install_wheels() {
    stamp=.venv/requirements.installed
    cmp -s $setup/requirements.txt "$stamp" && return 0
    echo "tools: python wheels into .venv: $(list $setup/requirements.txt | tr '\n' ' ')" >&2
    [ -x .venv/bin/python3 ] || python3 -m venv .venv
    .venv/bin/python3 -m pip install --quiet --disable-pip-version-check -r $setup/requirements.txt
    cp $setup/requirements.txt "$stamp"
}

install_packages
install_wheels
