#!/usr/bin/env bash
# Measures offline-batch against the demo portal on this machine; README.md in this folder says what and why.
#
#   Benchmarks/run.sh BINARIES_DIR [B0 B1 B2 B8 B9]  all of them unless some are named
set -euo pipefail
binaries=$(cd "$1" && pwd)
shift
wanted=${*:-B0 B1 B2 B8 B9}
work=$(mktemp -d)
portal=
trap 'stop_portal; rm -rf "$work"' EXIT

# The value of a member of a JSON file: number_or_text FILE EXPRESSION-IN-PYTHON (the document is d).
json() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }
now() { date +%s.%N; }
calculate() { awk "BEGIN { printf \"$1\", $2 }"; }

start_portal() {
  rm -f "$work/ready.json" "$work/journal"
  "$binaries/demo-portal" --port 0 --ready-file "$work/ready.json" --data hamlet "$@" >"$work/portal.log" 2>&1 &
  portal=$!
  for _ in $(seq 300); do [ -s "$work/ready.json" ] && break; sleep 0.1; done
  OFFLINE_BATCH_PORTAL=$(json "$work/ready.json" 'd["portal"]')
  export OFFLINE_BATCH_PORTAL
}

stop_portal() {
  [ -n "$portal" ] || return 0
  kill "$portal" 2>/dev/null || true
  wait "$portal" 2>/dev/null || true
  portal=
}

# COLUMNS x ROWS small neighbouring areas in the middle of the demo town, and a manifest that takes the water map for
# each of them: one replica, one package of tiles and one of vector tiles.
write_manifest() {
  awk -v columns="$1" -v rows="$2" 'BEGIN {
    width = 0.020 / columns; height = 0.015 / rows
    printf "{\"type\":\"FeatureCollection\",\"features\":["
    for (r = 0; r < rows; r++) for (c = 0; c < columns; c++) {
      x = -88.160 + c * width; y = 41.765 + r * height; e = x + width * 0.8; n = y + height * 0.8
      printf "%s{\"type\":\"Feature\",\"properties\":{\"NAME\":\"area-%02d-%02d\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[%.6f,%.6f],[%.6f,%.6f],[%.6f,%.6f],[%.6f,%.6f],[%.6f,%.6f]]]}}",
        (r + c ? "," : ""), r, c, x, y, e, y, e, n, x, n, x, y
    }
    print "]}"
  }' >"$work/areas.geojson"
  cat >"$work/manifest.yaml" <<END
version: 1
name: benchmark
webMap: acc027394bc84c2fb04d1ed317aac674
areas:
  - features: { file: areas.geojson, id: NAME }
scale: { min: 5000, max: 1000 }
output: { directory: out }
END
}

# Runs a command; sets seconds, status and peak (MB), as the kernel tells the process that waits for it.
measure() {
  read -r seconds peak status < <(python3 -c '
import os, sys, time
streams = [(os.POSIX_SPAWN_OPEN, number, path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
           for number, path in enumerate(sys.argv[1:3], start=1)]
began = time.monotonic()
child = os.posix_spawn(sys.argv[3], sys.argv[3:], os.environ, file_actions=streams)
_, status, usage = os.wait4(child, 0)
print("%.3f %d %d" % (time.monotonic() - began, usage.ru_maxrss // 1024, os.waitstatus_to_exitcode(status)))
' "$work/stdout" "$work/stderr" "$@")
}

B0() {
  local slots=4 job_seconds=2
  start_portal --slots $slots --job-seconds $job_seconds
  write_manifest 8 5
  measure "$binaries/offline-batch" run "$work/manifest.yaml"
  stop_portal
  if [ "$status" != 0 ]; then
    echo "B0 failed with exit code $status"; tail -20 "$work/stderr" "$work/stdout"; return 1
  fi
  local jobs critical
  jobs=$(json "$work/out/report.json" 'sum(j["kind"] in ("replica", "tiles", "vectorTiles") for j in d["jobs"])')
  critical=$(calculate '%.1f' "$jobs * $job_seconds / $slots")
  echo "B0 ratio $(calculate '%.3f' "$seconds / $critical") (goal ≤ 1.05), peak memory $peak MB:" \
    "$jobs server jobs of $job_seconds s in $slots slots took $seconds s, the slots alone need $critical s"
}

B1() {
  start_portal
  local url="$OFFLINE_BATCH_PORTAL/sharing/rest/portals/self?f=json" rate tool
  if command -v wrk >/dev/null; then
    tool="wrk"
    rate=$(wrk -t 1 -c 16 -d 5s "$url" | awk '/Requests\/sec/ { print int($2) }')
  elif command -v ab >/dev/null; then
    tool="ab"
    rate=$(ab -q -k -c 16 -n 30000 "$url" 2>/dev/null | awk '/Requests per second/ { print int($4) }')
  else
    # One curl is slower than the portal: the number is what curl can do.
    tool="curl, which is the slower one"
    local count=10000 start
    for _ in $(seq $count); do printf 'url = "%s"\noutput = /dev/null\n' "$url"; done >"$work/urls"
    start=$(now)
    curl --silent --parallel --parallel-max 16 --config "$work/urls"
    rate=$(calculate '%d' "$count / ($(now) - $start)")
  fi
  stop_portal
  echo "B1 $rate requests/s of the demo portal (floor 5000), measured with $tool"
}

B2() {
  local delay=0.1
  printf -- '- path: "**"\n  delay: %s\n' $delay >"$work/faults.yaml"
  start_portal --journal "$work/journal" --faults "$work/faults.yaml"
  write_manifest 10 10
  measure "$binaries/offline-batch" plan "$work/manifest.yaml" --json
  stop_portal
  if [ "$status" != 0 ]; then
    echo "B2 failed with exit code $status"; tail -20 "$work/stderr"; return 1
  fi
  local requests exports trips
  requests=$(wc -l <"$work/journal")
  exports=$(json "$work/stdout" 'sum(j["kind"] in ("replica", "tiles", "vectorTiles") for j in d["jobs"])')
  trips=$(calculate '%.2f' "$requests * $delay")
  local delayed=$seconds
  start_portal
  measure "$binaries/offline-batch" plan "$work/manifest.yaml" --json
  stop_portal
  echo "B2 ratio $(calculate '%.2f' "$delayed / $trips") (goal ≤ 1.00): planning $exports server jobs took $delayed s and" \
    "$requests requests, which one after the other take $trips s; $seconds s without the delay (goal ≤ 5), peak memory $peak MB"
}

# A night on which nothing changed, of 500 areas, after the night that made them.
B8() {
  start_portal --slots 8 --job-seconds 0.2 --journal "$work/journal"
  write_manifest 25 20
  measure "$binaries/offline-batch" run "$work/manifest.yaml"
  local full=$seconds asked
  if [ "$status" != 0 ]; then
    stop_portal; echo "B8 failed with exit code $status"; tail -20 "$work/stderr" "$work/stdout"; return 1
  fi
  asked=$(wc -l <"$work/journal")
  measure "$binaries/offline-batch" run "$work/manifest.yaml"
  stop_portal
  if [ "$status" != 0 ]; then
    echo "B8 failed with exit code $status"; tail -20 "$work/stderr" "$work/stdout"; return 1
  fi
  local requests exports areas
  requests=$(($(wc -l <"$work/journal") - asked))
  exports=$(tail -n +$((asked + 1)) "$work/journal" | grep -cE '"path":"[^"]*/(createReplica|exportTiles)"' || true)
  areas=$(json "$work/out/report.json" 'sum(a["state"] == "unchanged" for a in d["areas"])')
  echo "B8 ratio $(calculate '%.1f' "$full / $seconds") (goal ≥ 20), peak memory $peak MB: $areas areas unchanged in $seconds s with" \
    "$requests requests and $exports exports; making them took $full s"
}

# A run on an output that another run is at work on: how long until it says so. It asks a portal of its own, whose journal tells
# whether it asked anything.
B9() {
  start_portal --slots 1 --job-seconds 5 --journal "$work/journal"
  write_manifest 25 20
  "$binaries/offline-batch" run "$work/manifest.yaml" >"$work/first.log" 2>&1 &
  local first=$! slowest=0 wrong=0 asked
  for _ in $(seq 300); do [ -s "$work/journal" ] && break; sleep 0.1; done
  local holder_portal=$portal
  start_portal --journal "$work/other-journal"
  for _ in $(seq 10); do
    measure "$binaries/offline-batch" run "$work/manifest.yaml"
    slowest=$(calculate '%.3f' "($seconds > $slowest ? $seconds : $slowest)")
    grep -q "process $first on .*, since 20" "$work/stderr" "$work/stdout" && [ "$status" = 75 ] || wrong=$((wrong + 1))
  done
  stop_portal
  asked=$(wc -l <"$work/other-journal")
  kill "$first"
  wait "$first" || true
  portal=$holder_portal
  stop_portal
  echo "B9 ${slowest} s at most (goal ≤ 1) in 10 runs of 500 areas beside another, with $asked requests; $wrong of them did not end with 75" \
    "naming holder and start"
  [ "$wrong" = 0 ] && [ "$asked" = 0 ]
}

echo "$(nproc) cores, $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo), load $(cut -d' ' -f1 /proc/loadavg)"
failed=0
for name in $wanted; do "$name" || failed=1; done
exit $failed
