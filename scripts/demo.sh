#!/usr/bin/env bash
# The main job against the demo portal: start it, take its map offline, show what was made, stop it.
set -euo pipefail
binaries=$1
cd "$(dirname "$0")/.."

work=$(mktemp -d)
"$binaries/demo-portal" --port 0 --ready-file "$work/ready.json" --journal "$work/journal.ndjson" &
portal=$!
trap 'kill $portal 2>/dev/null; wait $portal 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do [ -s "$work/ready.json" ] && break; sleep 0.1; done
OFFLINE_BATCH_PORTAL=$(sed -E 's/.*"portal" *: *"([^"]+)".*/\1/' < "$work/ready.json")
export OFFLINE_BATCH_PORTAL

echo "== offline-batch plan manifests/naperville.yaml"
"$binaries/offline-batch" plan manifests/naperville.yaml
echo
echo "== offline-batch run manifests/naperville.yaml"
"$binaries/offline-batch" run manifests/naperville.yaml
echo
echo "== The offline map of downtown, in manifests/out/naperville-water/downtown/current"
(cd manifests/out/naperville-water/downtown/current && find . -type f -printf '%9s  %p\n' | sort -k2)
echo
echo "== offline-batch status manifests/naperville.yaml"
"$binaries/offline-batch" status manifests/naperville.yaml
