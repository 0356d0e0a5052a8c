#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every engine but the template loads into opensm, from its own plugin and from the
# one of all, and its tables reach everyone.  One that OpenSM has an engine of the
# same name for is weft-NAME there.  p2sssp refuses to keep a large subnet waiting.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
names=$("$WEFT" route --list --json | sed '/^  \]/q' |
	sed -n 's/^      "name": "\(.*\)",$/\1/p')
[ -n "$names" ] || fail "no engines"
for name in $names; do
	engine=$name lmc=0
	case $name in
	null) continue ;;
	minhop | updn) engine=weft-$name ;;
	opt | smodk) lmc=2 ;;
	esac
	plugin=$name
	case $name in e* | p*) plugin=all ;; esac
	[ -e "$plugins/libweft-$plugin.so" ] || plugin=all
	rm -rf "$out"
	"$osm" -p "$plugins" -c "event_plugin_name weft-$plugin" \
		-c "event_plugin_options weft.conf=$anew" \
		-e "$engine no_fallback" -c "lmc $lmc" -o "$out" \
		'pgft:2;4,6;1,4;1,1' >/dev/null || fail "$engine: not up"
	logged "$out" "$engine tables configured on all switches"
	logged "$out" "$name: routed 24 hosts, 10 switches"
	not_logged "$out" "$name: ERR"
	reachable "$out"
done

many='pgft:2;32,32;1,2;1,1'
"$osm" -p "$plugins" -c 'event_plugin_name weft-all' -e 'p2sssp' \
	-o "$out" "$many" >/dev/null || fail "p2sssp: not up"
logged "$out" 'p2sssp: ERR .*slow=yes'
logged "$out" 'minhop tables configured'
printf '[p2sssp]\nslow = yes\n' >"$work/weft.conf"
"$osm" -p "$plugins" -c 'event_plugin_name weft-all' -e 'p2sssp' \
	-c "event_plugin_options weft.conf=$work/weft.conf" \
	-o "$out" "$many" >/dev/null || fail "p2sssp, slow=yes: not up"
logged "$out" 'p2sssp tables configured'
