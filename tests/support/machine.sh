#!/bin/sh
# Installs the programs that the tests use and pip cannot install: Chromium, nginx and Caddy.
# Tries Debian packages first, then Playwright's download of the browser. Reports what is still missing.
# A Chromium without windows is preferred: tests take less time with it.
set -u
cd "$(dirname "$0")/../.."
PATH="$PATH:/usr/sbin:/sbin"

have() { command -v "$1" >/dev/null 2>&1; }
have_browser() { have chromium-headless-shell || have chromium || have chromium-browser || have google-chrome; }
no_shell=.venv/.no-headless-shell # it was looked for in vain

wanted=""
have chromium-headless-shell || { have_browser && [ -e $no_shell ]; } || wanted="$wanted chromium-headless-shell fonts-liberation"
have nginx || wanted="$wanted nginx-light"
have caddy || wanted="$wanted caddy"
[ -z "$wanted" ] && exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
if have apt-get && { [ -z "$as_root" ] || $as_root true 2>/dev/null; }; then
    echo "Installing$wanted for the tests ..."
    # Prevent Debian from starting nginx and Caddy as services.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
        $as_root sh -c "printf '#!/bin/sh\nexit 101\n' > $policy && chmod 755 $policy"
        trap '$as_root rm -f $policy' EXIT
    fi
    $as_root apt-get update -qq || true
    # One at a time: a missing package must not prevent the others.
    add() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null; }
    for package in $wanted; do
        add "$package" || true
    done
    have_browser || add chromium || true
fi
have chromium-headless-shell || touch $no_shell

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
