#!/usr/bin/env bash
# B7: what kills and power cuts cost, counted over 200 of each; README.md in this folder says what and why.
set -euo pipefail
cd "$(dirname "$0")/.."
numbers=$(mktemp)
trap 'rm -f "$numbers"' EXIT
if ! OFFLINE_BATCH_FAULTS=all OFFLINE_BATCH_NUMBERS="$numbers" swift test --filter KillTests >"$numbers.log" 2>&1; then
  tail -40 "$numbers.log"
  exit 1
fi
rm -f "$numbers.log"
cat "$numbers"
