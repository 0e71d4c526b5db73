#!/bin/sh
# Reads a price again and again, whatever happens: client.sh [BASE_URL ACCESS_KEY SECRET_KEY]
set -eu
. "$(dirname "$0")/signing.sh"

# An answer that is one: HTTP 200, JSON, and the service's own code for success.
ask() {
  body=$(curl --silent --show-error --max-time 10 --write-out '\n%{http_code} %{content_type}' \
    "$base_url/api/upgrade/v2$1?$(signed)" 2>&1) || { said=$body; return 1; }
  said=$(printf %s "$body" | tail -n 1)
  body=$(printf %s "$body" | sed '$d')
  case $said in "200 application/json"*) ;; *) return 1 ;; esac
  case $body in '{"code":"0"'*) ;; *) said=$body; return 1 ;; esac
}

while :; do
  if ask /hl/tickers/coin/BTC; then
    echo "BTC costs $(printf %s "$body" | price_in)"
  else
    echo "no price ($said), asking again"
  fi
  sleep "${PAUSE_S:-1}"
done
