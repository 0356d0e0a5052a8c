#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# SimGrid reads the platforms that weft export writes: its hosts, and for each
# pair the links of the route that the tables have, and as weft trace tells it.
. "$WEFT_SRCDIR/tests/weft.sh"
for python in /usr/bin/python3 python3; do
	$python -c 'import simgrid' >/dev/null 2>&1 && break
	python=
done
[ "$python" ] || { echo 'no python3-simgrid'; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
status=0

# Prints how many hosts there are, and host host links for each pair; and the
# time of two messages over a cable that they share, ten bytes for each unit of
# what it carries.
cat >read.py <<'END'
import sys
from simgrid import Engine, Comm, Actor

e = Engine(["read", "--cfg=network/model:CM02", "--log=root.thresh:critical"])
e.load_platform(sys.argv[1])
hosts = e.all_hosts
print("hosts", len(hosts))
for a in hosts:
    for b in hosts:
        if a.name != b.name:
            links, latency = a.route_to(b)
            print(a.name, b.name, len(links), "%.0f" % (latency * 1e9))
if len(sys.argv) > 2:
    def send():
        pair = sys.argv[2:]
        comms = [Comm.sendto_async(e.host_by_name(x), e.host_by_name(y), 40000000)
                 for x, y in zip(pair[::2], pair[1::2])]
        for c in comms:
            c.wait()
        print("ms", "%.3f" % (Engine.clock * 1e3))
    Actor.create("send", hosts[0], send)
    e.run()
END

# check FABRIC ENGINE PAIR...
check() {
	fabric=$1 engine=$2
	shift 2
	weft export -f simgrid -e "$engine" "$fabric" -o platform.xml &&
		$python read.py platform.xml "$@" >told || { status=1; return; }
	hosts=$(weft gen "$fabric" | grep -c '^Ca')
	grep -q "^hosts $hosts\$" told || status=1
	[ "$(grep -c '^host-' told)" = $((hosts * (hosts - 1))) ] || status=1
	# links, and 20 ns for each with 100 for each switch
	awk '/^host-/ && $4 != 20 + ($3 - 1) * 120 { print; bad = 1 }
	     END { exit bad }' told || status=1
	for to in host-0001 "host-000$((hosts - 1))"; do
		want=$(weft trace -q -e "$engine" "$fabric" host-0000 $to |
			sed -n 's/.*arrives through \([0-9]*\) switch.*/\1/p')
		got=$(awk -v to="$to" '$1 == "host-0000" && $2 == to {
			print $3 - 1 }' told)
		[ "$want" = "$got" ] || {
			echo "$fabric to $to: $got switches, not $want"
			status=1
		}
	done
}

check 'pgft:2;2,4;1,2;1,1' dmodk host-0000 host-0002 host-0001 host-0004
# both by spine 0: twice 40 MB at 4 GB/s
grep -q '^ms 20\.' told || { grep ms told; status=1; }
check ring:4,hosts=2 updn
check 'pgft:2;2,2;1,2;1,2' weave
exit $status
