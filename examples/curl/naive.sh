#!/bin/sh
# Reads a price as it is first written: naive.sh [BASE_URL ACCESS_KEY SECRET_KEY]
. "$(dirname "$0")/signing.sh"

query=$(signed)
while :; do
  echo "BTC costs $(curl --silent "$base_url/api/upgrade/v2/hl/tickers/coin/BTC?$query" | price_in)"
  sleep "${PAUSE_S:-1}"
done
