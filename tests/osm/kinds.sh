#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# OpenSM's lists of compute and I/O nodes, and weft.conf's kinds: shifts among the
# compute nodes meet nobody, as with OpenSM's own ftree; without a list they do.  A
# list that cannot be read leaves what was said before in force.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

json=$WEFT_BUILDDIR/tests/tools/json_get
out=$work/out
conf=$work/weft.conf
named="event_plugin_options weft.conf=$conf"
printf '' >"$conf"

# The third host of each of eight leaves keeps data for the other four.
"$WEFT" gen 'pgft:2;5,8;1,4;1,1' >"$work/net" || fail "weft gen"
names Ca | awk 'NR % 5 == 3' >"$work/io.ids"
names Ca | awk 'NR % 5 != 3' >"$work/cn.ids"
for list in cn io; do
	awk -F'"' 'NR == FNR { want[$1] = 1; next }
		/^Ca/ { here = $2 in want; if (here) print $4 >names }
		here && /^\[1\]\(/ {
			split($1, guid, /[()]/)
			print "0x" guid[2]
		}' names="$work/$list.names" "$work/$list.ids" "$work/net" \
		>"$work/$list"
done
[ "$(wc -l <"$work/cn")" -eq 32 ] && [ "$(wc -l <"$work/io")" -eq 8 ] ||
	fail "lists"

# shifts DIR: what the slowest stream gets in shifts among the compute nodes
shifts() {
	"$WEFT" analyze -q -i "$1" --host-file="$work/cn.names" -p shift --json |
		"$json" patterns.0.slowest || fail "weft analyze $1"
}

# sm ENGINE OPTION...
sm() {
	engine=$1
	shift
	"$osm" -p "$plugins" -c 'event_plugin_name weft-all' -c "$named" \
		-e "$engine" -o "$out" "$@"
}

set -- -c "cn_guid_file $work/cn" -c "io_guid_file $work/io"
for engine in weave eftree beft psssp; do
	sm "$engine" "$@" "$work/net" || fail "$engine"
	not_logged "$out" 'guid_file has no effect'
	[ "$(shifts "$out")" = 1.0 ] || fail "$engine: $(shifts "$out")"
done
sm psssp "$work/net" || fail "without lists"
[ "$(shifts "$out")" = 1.0 ] && fail "without lists: 1"

# The same by names, and a file that is spoilt later.
sed 's/.*/"&" storage/' "$work/io.names" >"$work/kinds"
printf '[weft]\nstanding = no\nkinds = %s\n' "$work/kinds" >"$conf"
sm eftree -i "$work/net" <<END || fail "kinds"
collect first
run echo storage >>"$work/kinds"
sweep
collect spoilt
END
[ "$(shifts "$out/first")" = 1.0 ] || fail "kinds: $(shifts "$out/first")"
logged "$out/spoilt" 'eftree: ERR 5701: .*/kinds:9: not a host, or a pattern'
logged "$out/spoilt" 'the options read before stay in force'
[ "$(shifts "$out/spoilt")" = 1.0 ] || fail "spoilt: $(shifts "$out/spoilt")"

# A file says which adapters are one host's, as for the command.  One that is spoilt
# leaves what was said before in force; one of strangers changes nothing.
awk 'NR % 2 { a = $0; next } { print a, "m" NR; print $0, "m" NR }' "$work/cn" \
	>"$work/pairs"
cp "$work/pairs" "$work/machines"
printf '[weft]\nstanding = no\nhosts_by = %s\n' "$work/machines" >"$conf"
sm psssp -i "$work/net" <<END || fail "hosts_by"
collect told
run echo "none of these" >>"$work/machines"
sweep
collect spoilt
run echo "0x1234 nobody" >"$work/machines"
sweep
collect strangers
END
offline "$out/told" --hosts-by="$work/pairs"
offline "$out/spoilt" --hosts-by="$work/pairs"
logged "$out/spoilt" 'psssp: ERR 5701: .*/machines:33: '
logged "$out/spoilt" 'the options read before stay in force'
offline "$out/strangers"
logged "$out/strangers" 'psssp: ERR .*none of these adapters is in the fabric'
rows "$out/told/opensm-lfts.dump" >"$work/rows.told"
rows "$out/strangers/opensm-lfts.dump" | cmp -s - "$work/rows.told" &&
	fail "hosts_by: the file changes nothing"
exit 0
