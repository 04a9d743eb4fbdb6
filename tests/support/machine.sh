#!/bin/sh
# Brings the programs that the tests use and pip cannot install: Chromium, nginx and Caddy.
# Debian's packages first; for the browser, Playwright's own download next. Says what is still missing.
set -u
cd "$(dirname "$0")/../.."
PATH="$PATH:/usr/sbin:/sbin"

have() { command -v "$1" >/dev/null 2>&1; }
have_browser() { have chromium || have chromium-browser || have google-chrome; }

wanted=""
have_browser || wanted="$wanted chromium"
have nginx || wanted="$wanted nginx-light"
have caddy || wanted="$wanted caddy"
[ -z "$wanted" ] && exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
if have apt-get && { [ -z "$as_root" ] || $as_root true 2>/dev/null; }; then
    echo "Installing$wanted for the tests ..."
    $as_root apt-get update -qq || true
    for package in $wanted; do
        # A policy of 101 keeps Debian from starting nginx and Caddy as services of this machine.
        $as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
            apt-get install -y -qq --no-install-recommends "$package" >/dev/null || true
    done
fi

if ! have_browser && ! .venv/bin/python -m tests.support.browser >/dev/null 2>&1; then
    echo "Fetching Playwright's Chromium ..."
    .venv/bin/python -m playwright install chromium || true
fi

missing=0
if ! have_browser && ! .venv/bin/python -m tests.support.browser; then
    echo "MISSING: a Chromium. Install the package 'chromium', or run: .venv/bin/python -m playwright install --with-deps chromium" >&2
    missing=1
fi
for program in nginx caddy; do
    have $program || { echo "MISSING: $program, used by tests/hosting. Install the package '$program'." >&2; missing=1; }
done
exit $missing
