#!/bin/sh
# Starts a server on a free port, runs the tests of a client and the conformance suite against it,
# and leaves reports. The code is that of the first of them that failed.
#
#   TESTS       what runs the client's tests; they find the server by TAPEWRIGHT_URL
#   SERVE       flags of `tapewright serve`, such as `--scenario stale-book`
#   CONFORM     flags of `tapewright conform`; it judges the server unless they name a --target,
#               and is left out by `no`
#   REPORTS     the folder of reports, for TESTS as well
#   TAPEWRIGHT  what starts the program
#
# In a GitHub workflow, the suite also writes annotations and the summary of the job.
set -eu
export REPORTS="${REPORTS:-tapewright-reports}"
tapewright=${TAPEWRIGHT:-npx -y tapewright}
ready=$REPORTS/server.json
mkdir -p "$REPORTS"
# An earlier run's address is not waited on, and the file is there before the server has begun.
: >"$ready"

# Flags and the program are several words each.
# shellcheck disable=SC2086
$tapewright serve --port 0 --json ${SERVE:-} >"$ready" 2>"$REPORTS/server.log" &
server=$!
trap 'kill "$server" 2>/dev/null || :; wait "$server" 2>/dev/null || :' EXIT

until grep -q baseUrl "$ready"; do
  kill -0 "$server" 2>/dev/null || { cat "$REPORTS/server.log" >&2; exit 1; }
  sleep 0.2
done
TAPEWRIGHT_URL=$(sed -n 's/.*"baseUrl":"\([^"]*\)".*/\1/p' "$ready")
export TAPEWRIGHT_URL

code=0
if [ -n "${TESTS:-}" ]; then
  sh -c "$TESTS" || code=$?
  echo "the client's tests ended with code $code"
fi
if [ "${CONFORM:-}" != no ]; then
  case " ${CONFORM:-}" in
    *" --target"* | *" --control"*) target= ;;
    *) target="--control $TAPEWRIGHT_URL/_control" ;;
  esac
  judged=0
  # shellcheck disable=SC2086
  $tapewright conform $target ${CONFORM:-} --report "junit=$REPORTS/conformance.xml" \
    ${GITHUB_STEP_SUMMARY:+--report github} || judged=$?
  if [ "$code" -eq 0 ]; then code=$judged; fi
fi
exit "$code"
