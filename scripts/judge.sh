#!/usr/bin/env bash
# The judges that are too large for every run (Tests/judges/README.md): starts a demo portal, makes a map of it, lets the judge look at both.
#
#     judge.sh qgis|arcgis|kerberos BIN_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
judges=$here/Tests/judges
bin=$(cd "$2" && pwd)

if [ "$1" = kerberos ]; then
    exec /usr/bin/python3 "$judges/negotiate.py" "$bin/offline-batch" "$bin/demo-portal"
fi

work=$(mktemp -d)
portal=
finish() {
    if [ -n "$portal" ]; then kill "$portal" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap finish EXIT
cd "$work"

flags=(--port 0 --ready-file ready.json --data hamlet --job-seconds 0.2)
certificate=
if [ "$1" = arcgis ]; then
    # Esri's client speaks https only.
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -keyout key.pem -out ca.pem -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost 2>/dev/null
    flags+=(--host localhost --tls-cert ca.pem --tls-key key.pem)
    certificate="portal: { tls: { caFile: ca.pem } }"
fi
"$bin/demo-portal" "${flags[@]}" >portal.log 2>&1 &
portal=$!
for _ in $(seq 300); do
    [ -e ready.json ] && break
    sleep 0.1
done
address() { sed -E "s/.*\"$1\": ?\"([^\"]+)\".*/\1/" ready.json; }

cat >manifest.yaml <<END
version: 1
name: judged
webMap: acc027394bc84c2fb04d1ed317aac674
areas: [{ id: downtown, envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 } }]
scale: { min: 40000, max: 8000 }
output: { directory: out }
$certificate
END
OFFLINE_BATCH_PORTAL=$(address portal) "$bin/offline-batch" run manifest.yaml >run.log 2>&1 || { cat run.log; exit 1; }

case $1 in
qgis) /usr/bin/python3 "$judges/portal-qgis.py" "$(address server)" out/downtown/current ;;
arcgis)
    "$here/.venv-arcgis/bin/python" "$judges/map-document.py" out/downtown/current
    "$here/.venv-arcgis/bin/python" "$judges/arcgis-api.py" "$(address portal)" "$(address server)"
    ;;
*) echo "judge.sh: $1 is no judge" >&2 && exit 64 ;;
esac
