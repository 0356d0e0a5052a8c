#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Cables that run below what they could, under avoid_throttled_links: no route
# while there are others, and used where nothing else leads.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
slow=$WEFT_BUILDDIR/tests/osm/.libs/narrow.so
needs "$slow"
[ -z "${WEFT_PRELOAD-}" ] || {
	echo "SKIP: two libraries to preload" >&2
	exit 77
}
UMAD2SIM=$slow:$UMAD2SIM

# routed SLOW ENGINE FABRIC [OPTION]...: everybody reaches everybody.
routed() {
	SLOW=$1 engine=$2 net=$3
	export SLOW
	shift 3
	rm -rf "$out"
	"$osm" -p "$plugins" -c 'event_plugin_name weft-all' \
		-e "$engine no_fallback" -o "$out" "$@" "$net" ||
		fail "$engine, $net, $SLOW"
	logged "$out" "$engine tables configured"
	not_logged "$out" 'ERR 57'
	reachable "$out"
}
avoid='avoid_throttled_links TRUE'

# The only cable between two switches.
cat >"$work/pair" <<'END'
switchguid=0x10000100(10000100)
Switch	4 "S-0000000010000100"		# "sw-a" base port 0 lid 0 lmc 0
[1]	"H-0000000010000300"[1](10000301)		# "host-a" lid 0 4xEDR
[2]	"S-0000000010000200"[2]		# "sw-b" lid 0 4xEDR

switchguid=0x10000200(10000200)
Switch	4 "S-0000000010000200"		# "sw-b" base port 0 lid 0 lmc 0
[1]	"H-0000000010000400"[1](10000401)		# "host-b" lid 0 4xEDR
[2]	"S-0000000010000100"[2]		# "sw-a" lid 0 4xEDR

caguid=0x10000300
Ca	1 "H-0000000010000300"		# "host-a"
[1](10000301) 	"S-0000000010000100"[1]		# lid 0 lmc 0 "sw-a" lid 0 4xEDR

caguid=0x10000400
Ca	1 "H-0000000010000400"		# "host-b"
[1](10000401) 	"S-0000000010000200"[1]		# lid 0 lmc 0 "sw-b" lid 0 4xEDR
END
for engine in weave eftree psssp; do
	routed all $engine "$work/pair" -c "$avoid"
	logged "$out" "$engine: WARNING: 1 degraded cable in use, .*\"sw-a\" (0x0000000010000100):2 - \"sw-b\" (0x0000000010000200):2, 1x .*throttled"
	not_logged "$out" 'in .* parts'
done

# All cables of a tree: routes as if nothing were wrong, over all of them.
tree='pgft:2;4,4;1,2;1,1'
"$WEFT" gen "$tree" >"$work/tree" || fail "weft gen"
for engine in weave eftree weft-minhop; do
	routed all $engine "$work/tree"
	rm -rf "$work/whole"
	mv "$out" "$work/whole"
	not_logged "$work/whole" 'degraded cable'
	logged "$work/whole" "WARNING: 8 cables between switches below what both ends have enabled: .*, 1x [A-Z]* in place of 4x [A-Z]*; .* and 5 more"
	routed all $engine "$work/tree" -c "$avoid"
	logged "$out" "WARNING: 8 degraded cables in use, .*; and 5 more"
	same_rows "$out/opensm-lfts.dump" "$work/whole/opensm-lfts.dump" \
		"$engine, all throttled"
done

# One cable up from the first leaf: nobody's route, and named.
set -- $(awk -F'["()]' '/^switchguid/ { guid = $2 }
	/^Switch/ { leaf = "" }
	/^\[.*"H-/ { leaf = guid }
	/^\[.*"S-/ && leaf != "" {
		split($1, p, /[][]/)
		print leaf, p[2]
		exit
	}' "$work/tree")
[ $# -eq 2 ] || fail "no leaf"
guid=$(printf '0x%016x' "0x$1")
for engine in weave eftree weft-minhop; do
	routed "$guid:$2" $engine "$work/tree" -c "$avoid"
	logged "$out" "WARNING: 1 degraded cable not in use: .*($guid):$2"
	not_logged "$out" 'degraded cables* in use'
	rows "$out/opensm-lfts.dump" >"$work/rows"
	grep -q "^$guid " "$work/rows" || fail "no table of $guid"
	grep "^$guid .* $2\$" "$work/rows" && fail "$engine: routes by port $2"
done

# Both cables of that leaf: the leaf is reached, and no other slow cable used.
routed "$guid:$2,$guid:$(($2 + 1))" eftree "$work/tree" -c "$avoid"
logged "$out" 'WARNING: 2 degraded cables in use'

# A speed that the simulator does not know, on one cable among others: it is read as
# the slowest, and named once.
SLOW=0:0
"$WEFT" gen 'pgft:2;4,8;1,4;1,1,speed=hdr' >"$work/tree" || fail "weft gen"
sed '/leaf-002/,/^$/ { /spine-01/ s/HDR/NDR/; }
/^Switch.*"spine-01"/,/^$/ { /leaf-002/ s/HDR/NDR/; }' "$work/tree" >"$work/ndr"
[ "$(grep -c NDR "$work/ndr")" -eq 2 ] || fail "not one cable"
rm -rf "$out"
"$osm" -p "$plugins" -c 'event_plugin_name weft-all' -e eftree -o "$out" \
	-i "$work/ndr" <<END || fail "a speed of a later day"
sweep
collect later
END
logged "$out/later" 'eftree: WARNING: 1 cable between switches slower than most between the same levels: .*leaf-002.*spine-01.*, 4x SDR; '
[ "$(grep -c 'eftree: WARNING' "$out/later/opensm.log")" -eq 1 ] ||
	fail 'not one warning'
exit 0
