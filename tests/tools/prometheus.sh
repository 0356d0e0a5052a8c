#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft check --prometheus: a file that the textfile collector takes, with the
# figures of --json; and the service that writes it regularly.
. "$WEFT_SRCDIR/tests/weft.sh"
json=$WEFT_BUILDDIR/tests/tools/json_get
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
failed=0

fail() {
	echo "$*"
	failed=$((failed + 1))
}

# Help and type come first, samples of a metric together, labels once.
check_format() {
	awk '
	/^# HELP / { help = $3; next }
	/^# TYPE / {
		if ($3 != help || $4 != "gauge" || seen[$3]++) exit bad = 1
		name = $3
		next
	}
	!/^weft_[a-z_]+\{fabric="([^"\\]|\\.)*",routes="[^"]*"(,sl="[0-9]+")?(,from="[^"]*",to="[^"]*")?\} [0-9.e+-]+$/ {
		exit bad = 1
	}
	{
		split($0, part, "{")
		key = $0
		sub(/} [^ ]*$/, "", key)
		if (part[1] != name || once[key]++) exit bad = 1
		n++
	}
	END { exit bad || n < 20 }' "$1" || fail "bad format: $(cat "$1")"
	command -v promtool >/dev/null || return
	promtool check metrics <"$1" || fail 'promtool does not take it'
}

# same METRIC KEY: the first sample is what --json has.
same() {
	got=$(sed -n "s/^weft_$1{.*} //p" weft.prom | head -n 1)
	want=$("$json" "0.$2" <weft.json)
	[ -n "$got" ] && [ "$got" = "$want" ] || fail "$1: $got, not $want"
}

weft check -q -e minhop -e updn --prometheus=weft.prom 'torus:4x4,hosts=2' \
	-o weft.json
[ $? -eq 1 ] || fail 'minhop on a torus is not fine'
check_format weft.prom
same hosts hosts
same unreachable_pairs unreachable
same lanes_with_credit_loops cyclic_vls
same hops_max max_hops
grep -q '^weft_fine{.*"minhop"} 0$' weft.prom || fail 'minhop is fine'
grep -q '^weft_fine{.*"updn"} 1$' weft.prom || fail 'updn is not fine'

# Points of failure: the root of a star, and the cables to it.
weft check -q -e minhop --prometheus=star.prom 'pgft:2;4,4;1,1;1,1' >/dev/null
check_format star.prom
grep -q '^weft_single_point_switches{.*} 1$' star.prom || fail 'no root'
grep -q '^weft_single_point_cables{.*} 4$' star.prom || fail 'no cables'

# Names that need escaping, one service level, standard output.
weft gen ring:3 >'a"b\c'
weft check -q -e updn --sl=2 --prometheus=- 'a"b\c' -o /dev/null >odd.prom
check_format odd.prom
grep -qF 'fabric="a\"b\\c",routes="updn",sl="2"} ' odd.prom || fail 'labels'

# Cables that come and go, where the plugin tells of them in its last whole line.
weft route -q -e updn -o dumps ring:3
weft check -q --prometheus=none.prom dumps >/dev/null
grep -q '^weft_flapping_[a-z]*{' none.prom && fail 'cables without a word of them'
cat >dumps/weft-sweeps.jsonl <<'END'
{"sweep": 1, "flapping": {"cables": 0, "list": []}}
{"sweep": 2, "flapping": {"cables": 2, "list": [{"ends": ["0x1:2", "0x2:3"], "times": 3, "there": true}, {"ends": ["0x1:4", "0x3:1"], "times": 5, "there": false}]}}
{"sweep": 3, "flap
END
truncate -s -1 dumps/weft-sweeps.jsonl
weft check -q --prometheus=flaps.prom dumps >/dev/null
check_format flaps.prom
grep -q '^weft_flapping_cables{.*} 2$' flaps.prom || fail 'not two cables'
grep -q '^weft_flapping_times{.*,from="0x1:4",to="0x3:1"} 5$' flaps.prom ||
	fail "no cable: $(grep flapping flaps.prom)"

# What cannot be leaves the former file as it was.
cp weft.prom before
for wrong in '-e updn none' '-e updn -e updn ring:3' \
	'--against ring:4 ring:3'; do
	# Words of their own.
	weft check -q $wrong --prometheus=weft.prom >out 2>&1
	[ $? -eq 2 ] || fail "$wrong: not an error"
	cmp -s weft.prom before || fail "$wrong: another file"
done
weft check -q -e updn ring:3 --prometheus=- >out 2>&1
[ $? -eq 2 ] || fail 'report and metrics in one stream'
weft check -q -e updn ring:3 --prometheus=/dev/full >out 2>&1
[ $? -eq 2 ] || fail 'a full disk'

# The service's own command, elsewhere.
service=$WEFT_SRCDIR/examples/weft-check.service
weft route -q -e psssp -o fabric ring:5
sed -n '/^ExecStart=.*weft check/,/[^\\]$/p' "$service" | sed \
	-e 's/^ExecStart=.usr.bin.//' -e 's|/var/lib/prometheus/node-exporter|.|' \
	-e 's|%t/weft/||' >command.sh
rm weft.prom
sh command.sh >out 2>&1
[ $? -eq 1 ] || fail "$(cat command.sh out)"
check_format weft.prom
if command -v systemd-analyze >/dev/null; then
	mkdir units
	sed "s|/usr/bin/weft|$(command -v weft)|; /^Documentation/d" \
		"$service" >units/weft-check.service
	cp "$WEFT_SRCDIR/examples/weft-check.timer" units
	systemd-analyze verify units/weft-check.service \
		units/weft-check.timer >out 2>&1 || fail "$(cat out)"
	grep weft-check out && fail 'systemd warns'
fi
echo "$failed failed"
[ $failed -eq 0 ]
