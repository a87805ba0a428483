#!/usr/bin/env bash
# Debian's systemd as the first process of a small system of its own: whether the units that `schedule --systemd` writes do what
# docs/operations.md says, in the sandbox that they ask for. Takes the folder of the release binaries. Needs root: namespaces.
set -euo pipefail
cd "$(dirname "$0")/../.."
binaries=$1
root=$PWD/.build/systemd-root
checks=0
failed=0

# What the binaries need of Debian, and systemd.
packages=systemd,systemd-sysv,dbus,ca-certificates,libyaml-0-2,libcurl4,libsqlite3-0,libgeos-c1v5,libproj25,proj-data,libarchive13
packages+=,libsimdjson14,libssl3,zlib1g,libexpat1,liblerc4,libmicrohttpd12,libcairo2,libjpeg62-turbo,libstdc++6,fonts-dejavu-core
if [ ! -e "$root/complete" ]; then
    rm -rf --one-file-system "$root"
    debootstrap --variant=minbase --include="$packages" bookworm "$root" >"$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
    touch "$root/complete"
fi

# In namespaces of its own; nothing of it is seen outside, and it ends with its first process.
boot() {
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    local name numbers
    for name in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
        read -r name numbers <<<"$name"
        # shellcheck disable=SC2086
        mknod -m 666 "$root/dev/$name" c $numbers
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
    mount -t tmpfs tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
        mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    else
        mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
        mkdir "$root/sys/fs/cgroup/systemd" "$root/sys/fs/cgroup/unified"
        mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup/unified"
        mount -t cgroup -o none,name=systemd,xattr cgroup "$root/sys/fs/cgroup/systemd"
    fi
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    # systemd hands credentials over through a mount that must come through.
    mount --make-rshared "$root"
    hostname night
    cd "$root"
    exec chroot "$root" /usr/bin/env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd \
        systemd.unit=multi-user.target
}
export root
export -f boot

# Runs a command in that system.
in_night() {
    nsenter --target "$init" --mount --uts --ipc --net --pid --cgroup --root --wd \
        env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

check() {
    local name=$1
    shift
    checks=$((checks + 1))
    if "$@"; then echo "ok       $name"; else echo "FAILED   $name"; failed=$((failed + 1)); fi
}

wait_for() {
    for _ in $(seq 300); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
    echo "gave up waiting for: $*"
    return 1
}

# A system that was never started, with the binaries, a portal, an account and a manifest.
rm -rf "$root/srv/maps" "$root/srv/portal" "$root/etc/offline-batch" "$root"/etc/systemd/system/{offline-batch-*,maps-*,portal.service}
rm -rf "$root"/var/log/journal "$root"/var/lib/systemd/timers
: >"$root/etc/machine-id"
install -m 755 "$binaries/offline-batch" "$binaries/demo-portal" "$root/usr/local/bin/"
grep -q '^gis:' "$root/etc/passwd" || chroot "$root" useradd --create-home gis
for unit in systemd-udevd systemd-resolved systemd-timesyncd systemd-networkd apt-daily.timer apt-daily-upgrade.timer; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
    [[ $unit == *.timer ]] || ln -sf /dev/null "$root/etc/systemd/system/$unit.service"
done
mkdir -p "$root/srv/maps" "$root/srv/portal" "$root/etc/offline-batch/credentials" "$root/var/log/journal"
printf demo >"$root/etc/offline-batch/credentials/portal-password"
chmod 600 "$root/etc/offline-batch/credentials/portal-password"
cat >"$root/srv/maps/water.yaml" <<'YAML'
version: 1
name: water
portal:
  url: http://127.0.0.1:8080/portal
  auth: { user: { name: demo, password: { credential: portal-password } } }
webMap: acc027394bc84c2fb04d1ed317aac674
areas:
  - { id: downtown, envelope: { xmin: -88.160, ymin: 41.765, xmax: -88.140, ymax: 41.780 } }
scale: { min: 40000, max: 20000 }
output: { directory: out/water, keep: 7 }
YAML
cat >"$root/etc/systemd/system/portal.service" <<'UNIT'
[Service]
ExecStart=/usr/local/bin/demo-portal --port 8080 --job-seconds 3 --ready-file /srv/portal/ready --journal /srv/portal/journal
UNIT
cat >"$root/etc/systemd/system/maps-failed.service" <<'UNIT'
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'echo told >> /srv/portal/alerts'
UNIT

unshare --fork --pid --mount --uts --ipc --cgroup --net --propagation private bash -c boot >"$root.log" 2>&1 </dev/null &
shell=$!
trap 'kill -9 "${init:-$shell}" 2>/dev/null; wait 2>/dev/null' EXIT
wait_for pgrep -P "$shell"
init=$(pgrep -P "$shell")
wait_for in_night systemctl is-system-running
in_night systemctl start portal
wait_for test -s "$root/srv/portal/ready"

unit=offline-batch-water.service
result() { in_night systemctl show --value --property "$1" "$unit"; }
lines() { in_night journalctl --quiet --no-pager --output cat "$@"; }
submissions() { grep -cE '"path":"[^"]*/(createReplica|exportTiles)"' "$root/srv/portal/journal" || true; }

echo "$(in_night systemctl --version | head -1), $(in_night systemctl is-system-running)"

# The steps of docs/operations.md, "The first night": all that the account owns is the output.
in_night install -d -o gis /srv/maps/out/water
check "plan by hand, with the credential" in_night sh -c "systemd-run --quiet --pipe --wait -p User=gis \
    -p LoadCredential=portal-password:/etc/offline-batch/credentials/portal-password offline-batch plan /srv/maps/water.yaml >/dev/null"
check "without it, the plan says what to do" in_night sh -c \
    "su gis -c 'offline-batch plan /srv/maps/water.yaml' 2>&1 | grep -q systemd-run"
in_night offline-batch schedule --systemd --user gis --at 02:15 --on-failure maps-failed.service \
    -o /etc/systemd/system /srv/maps/water.yaml >/dev/null
in_night systemctl daemon-reload
in_night systemctl enable --now --quiet offline-batch-water.timer
before=$(in_night date +%s)

echo "== a night that is stopped, and goes on"
in_night systemctl start --no-block "$unit"
wait_for grep -q '"path":"[^"]*/jobs/' "$root/srv/portal/journal"
check "the unit says how far it is" in_night sh -c "systemctl show --value --property StatusText $unit | grep -q ' of '"
sent=$(submissions)
began=$SECONDS
in_night systemctl stop "$unit" 2>/dev/null
check "systemctl stop ends it in ten seconds" test $((SECONDS - began)) -le 10
check "it ends as SIGTERM asks (143)" test "$(result ExecMainStatus)" = 143
check "nothing is published" test ! -e "$root/srv/maps/out/water/downtown/current"
wait_for test -s "$root/srv/portal/alerts"
check "OnFailure= hears of it" test "$(wc -l <"$root/srv/portal/alerts")" = 1
sleep 1
good=$(in_night date +%s)
check "the next start ends well, in the sandbox, with its credential" in_night systemctl start "$unit"
check "a map is published" test -e "$root/srv/maps/out/water/downtown/current/inventory.json"
check "no server job was submitted twice" test "$(submissions)" -le 3 -a "$sent" -ge 1
check "a good night says nothing" test -z "$(lines --since "@$good" --identifier offline-batch)"
check "files belong to the account" test -z "$(find "$root/srv/maps/out/water" ! -user "$(stat -c %u "$root/home/gis")")"
check "nothing was written elsewhere" test -z "$(find "$root" -xdev -newermt "@$before" -user "$(stat -c %u "$root/home/gis")" -type f ! -path '*/srv/maps/out/*')"

echo "== another start on the same day"
sent=$(submissions)
check "a second start of the day does nothing and ends well" in_night systemctl start "$unit"
check "and asks the servers for nothing" test "$(submissions)" = "$sent"

echo "== the portal is away"
in_night systemctl stop portal
# Of this very night, without --once-a-day.
mkdir -p "$root/etc/systemd/system/$unit.d"
printf '[Service]\nExecStart=\nExecStart=/usr/local/bin/offline-batch run --quiet /srv/maps/water.yaml\n' \
    >"$root/etc/systemd/system/$unit.d/again.conf"
in_night systemctl daemon-reload
check "the unit fails" test "$(in_night systemctl start "$unit" >/dev/null 2>&1; echo $?)" != 0
check "with 69" test "$(result ExecMainStatus)" = 69
wait_for test "$(wc -l <"$root/srv/portal/alerts")" = 2
check "OnFailure= hears of that, too" test "$(wc -l <"$root/srv/portal/alerts")" = 2
check "the journal says what and what next" test -n "$(lines --unit "$unit" | grep '69')"
check "the last good map is still there" test -e "$root/srv/maps/out/water/downtown/current/inventory.json"

echo "== a watchdog that is fed, and a machine that was off"
in_night systemctl start portal
printf '[Service]\nType=notify\nWatchdogSec=4\nExecStart=\nExecStart=/usr/local/bin/offline-batch run --quiet --refresh /srv/maps/water.yaml\n' \
    >"$root/etc/systemd/system/$unit.d/again.conf"
mkdir -p "$root/etc/systemd/system/offline-batch-water.timer.d"
printf '[Timer]\nRandomizedDelaySec=0\n' >"$root/etc/systemd/system/offline-batch-water.timer.d/now.conf"
in_night systemctl daemon-reload
in_night systemctl stop offline-batch-water.timer "$unit" 2>/dev/null
in_night touch -d '2 days ago' /var/lib/systemd/timers/stamp-offline-batch-water.timer
maps=$(find "$root/srv/maps/out/water/downtown/generations" -mindepth 1 -maxdepth 1 | wc -l)
in_night systemctl start offline-batch-water.timer
wait_for test "$(result ActiveState)" != inactive
wait_for in_night sh -c "systemctl show --value --property ActiveState $unit | grep -qE 'inactive|failed'"
check "the missed night is made up for" test "$(find "$root/srv/maps/out/water/downtown/generations" -mindepth 1 -maxdepth 1 | wc -l)" = $((maps + 1))
check "under a watchdog of four seconds" test "$(result Result)" = success

echo "== a night that takes longer than a night"
printf '[Service]\nTimeoutStartSec=2\nExecStart=\nExecStart=/usr/local/bin/offline-batch run --quiet --refresh /srv/maps/water.yaml\n' \
    >"$root/etc/systemd/system/$unit.d/again.conf"
in_night systemctl daemon-reload
in_night systemctl start "$unit" >/dev/null 2>&1 || true
check "is ended by its unit" test "$(result Result)" = timeout
check "softly: its state is saved" test "$(result ExecMainStatus)" = 143
sent=$(submissions)
printf '[Service]\nExecStart=\nExecStart=/usr/local/bin/offline-batch run --quiet /srv/maps/water.yaml\n' \
    >"$root/etc/systemd/system/$unit.d/again.conf"
in_night systemctl daemon-reload
check "and the next goes on" in_night systemctl start "$unit"
check "with the jobs that the servers have" test "$(submissions)" = "$sent"

echo "$checks checks, $failed failed"
[ "$failed" -eq 0 ]
