#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Routers in a subnet: every engine of ours routes their ports from all switches;
# OpenSM's ftree, sssp, dfsssp and nue leave them out.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

"$WEFT" subnets route -q -e eftree --map=static -o "$work/site" \
	'subnets:2,routers=2,ports=2,of=pgft:2;4,4;1,2;1,1' >/dev/null ||
	fail 'weft subnets route'
fabric=$work/site/subnet-1/fabric.ibnetdiscover
switches=$(grep -c '^Switch' "$fabric")

# entries DUMPS: for LIDs of routers, in all tables.
entries() {
	grep -c '^0x[0-9a-f]* [0-9]* .*# Router portguid' \
		"$1/opensm-lfts.dump"
}

for engine in $("$WEFT" route --list --json |
	awk -F'"' '/"name"/ && depth == 0 { print $4 }'); do
	case $engine in
	null) continue ;;
	minhop | updn) name=weft-$engine ;;
	*) name=$engine ;;
	esac
	"$osm" -p "$plugins" -c "event_plugin_name weft-all" \
		-c 'qos TRUE' -e "$name no_fallback" -o "$work/$engine" \
		"$fabric" >/dev/null 2>"$work/err" || {
		"$WEFT" route -q -e "$engine" "$fabric" >/dev/null 2>&1 ||
			continue
		cat "$work/err" >&2
		fail "$engine"
	}
	grep -q "$engine: routed" "$work/$engine/opensm.log" ||
		fail "$engine: not the engine that routed"
	[ "$(entries "$work/$engine")" -eq $((4 * switches)) ] ||
		fail "$engine: $(entries "$work/$engine") entries for routers"
	reachable "$work/$engine"
	echo "$engine" >>"$work/ours"
done
[ "$(wc -l <"$work/ours")" -ge 8 ] || fail "only $(cat "$work/ours")"

for engine in ftree sssp dfsssp nue; do
	"$osm" -e "$engine" -o "$work/$engine" "$fabric" >/dev/null 2>&1 ||
		continue
	[ "$(entries "$work/$engine")" -eq 0 ] ||
		fail "OpenSM's $engine routes routers now"
	stock=1
done
[ -n "${stock-}" ] || fail 'no engine of OpenSM ran'
exit 0
