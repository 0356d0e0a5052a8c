#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Three subnets side by side, each with an opensm, an engine and weft-subnets:
# paths to other subnets are those of weft-routers.map, for eight clients at a
# time, while ports of routers come and go and the mapping changes.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

ask=$WEFT_BUILDDIR/tests/osm/gid_paths
needs "$ask"
clients=8 each=1250

site() {
	"$WEFT" subnets route -q -e eftree --map="$1" -o "$work/$1" \
		'subnets:3,routers=2,ports=2,of=pgft:2;4,4;1,2;1,1' \
		>/dev/null || fail "weft subnets route --map=$1"
}
site issr
site weave

# goals DIR MAP...: for each GID that the first mapping names, the LIDs of the
# router ports that the mappings name for it, in their order.
goals() {
	dumps=$1
	shift
	awk 'FILENAME ~ /lfts/ && $4 == "Router" {
		sub(/:$/, "", $6)
		for (n = i = 0; i < 4; i++)
			n = 16 * n + index("0123456789abcdef",
					   substr($1, 3 + i, 1)) - 1
		lid[$6] = n
	}
	FILENAME !~ /lfts/ && /^fec0/ && $1 !~ /\// {
		if (!($1 in text)) {
			text[$1] = ""
			order[count++] = $1
		}
		for (i = 2; i <= NF; i++)
			text[$1] = text[$1] " " lid[$i]
	}
	END { for (i = 0; i < count; i++) print order[i] text[order[i]] }' \
		"$dumps/opensm-lfts.dump" "$@"
}

# first GOALS: what gid_paths is to print, each GID by its first LID.
first() {
	awk '{ print $1, $2, 0, 255 }' "$1"
}

# subnet N: one of the three, whose answers are judged afterwards.
subnet() {
	me=$work/run$1
	mkdir "$me"
	cp "$work/issr/subnet-$1/weft-routers.map" "$me/map"
	router=R-0257444600000000
	for k in 1 2 3; do
		[ $k -eq "$1" ] || sgid=$(awk -v p="^fec0::$1:" '$1 ~ p {
			print $1; exit }' "$work/issr/subnet-$k/weft-routers.map")
	done
	printf '0xfec0000000000099 0x0257444600000102\n' >"$me/prefixes"
	cat >"$me/commands" <<END
collect up
run . $work/goals.sh; goals $me/out/up $me/map >$me/a; goals $me/out/up $me/map $work/weave/subnet-$1/weft-routers.map >$me/both; goals $me/out/up $work/weave/subnet-$1/weft-routers.map >$me/b
run $ask 0 $sgid $me/a >$me/answers.a
run for i in 1 2 3 4 5 6 7 8; do { $ask $each $sgid $me/both; echo ended; } >$me/client\$i 2>&1 & done
sim Unlink "$router"[$((2 * $1 - 1))]
sweep
sim ReLink "$router"[$((2 * $1 - 1))]
sweep
sim Unlink "R-0257444600000100"[$((2 * $1))]
sweep
run cp $work/weave/subnet-$1/weft-routers.map $me/next && mv $me/next $me/map
sweep
sim ReLink "R-0257444600000100"[$((2 * $1))]
sweep
run until [ "\$(cat $me/client* | grep -c ended)" -eq $clients ]; do sleep 0.1; done
run $ask 0 $sgid $me/b >$me/answers.b
run echo 'level fec0::1/64 1' >$me/map
sweep
run $ask 0 $sgid $me/b >$me/answers.broken
run { echo 'level fec0:0:0:2::/64 1 sl 1'; cat $work/weave/subnet-$1/weft-routers.map; } >$me/map
sweep
run $ask 0 $sgid $me/b >$me/answers.level
run echo fec0::99:0:0:0:1 >$me/far; $ask 0 $sgid $me/far >$me/answers.prefix
sim Unlink "$router"[$((2 * $1 - 1))]
sim Unlink "$router"[$((2 * $1))]
sweep
run $ask 0 $sgid $me/b >$me/answers.half
collect last
END
	"$osm" -i -p "$plugins" -e 'eftree no_fallback' -o "$me/out" \
		-c 'event_plugin_name weft-eftree weft-subnets' \
		-c "event_plugin_options routers.map=$me/map" \
		-c "subnet_prefix 0xfec000000000000$1" \
		-c "prefix_routes_file $me/prefixes" \
		"$work/issr/subnet-$1/fabric.ibnetdiscover" \
		<"$me/commands" >"$me/out.txt" 2>&1
	echo $? >"$me/status"
}

sed -n '/^goals() {/,/^}/p' "$0" >"$work/goals.sh"
for n in 1 2 3; do
	subnet $n &
done
wait

for n in 1 2 3; do
	me=$work/run$n
	[ "$(cat "$me/status")" = 0 ] || {
		cat "$me/out.txt" >&2
		fail "subnet $n: osm-run"
	}
	[ "$(wc -l <"$me/a")" -eq 32 ] || fail "subnet $n: not 32 GIDs"
	first "$me/a" | cmp - "$me/answers.a" || fail "subnet $n: issr"
	first "$me/b" | cmp - "$me/answers.b" || fail "subnet $n: weave"
	cmp "$me/answers.b" "$me/answers.broken" ||
		fail "subnet $n: a broken mapping is not passed over"
	[ "$(cat "$me"/client* | grep -c "^$each asked: .*none 0\$")" -eq \
		$clients ] || {
		cat "$me"/client* >&2
		fail "subnet $n: clients"
	}
	awk '{ print $1, $2, $1 ~ /^fec0::2:/, 255 }' "$me/b" |
		cmp - "$me/answers.level" || fail "subnet $n: levels"
	lid=$(awk '$4 == "Router" && $6 ~ /0257444600000102/ { print $1; exit }' \
		"$me/out/up/opensm-lfts.dump")
	case $n in
	1) grep -q "^fec0::99:0:0:0:1 $((lid)) 0 255\$" "$me/answers.prefix" ||
		fail "subnet $n: OpenSM's prefix route to a second port" ;;
	esac
	grep -c none "$me/answers.half" | grep -q '^0$' ||
		fail "subnet $n: no path without a router"
	log=$me/out/last/opensm.log
	for text in "ERR 5709: $me/map:1: \"sl\" and" 'stays in force' \
		'is down: [0-9]* lines' 'is there: [0-9]* lines'; do
		grep -q "weft-subnets: .*" "$log" && grep -q "$text" "$log" ||
			fail "subnet $n: no \"$text\" in opensm.log"
	done
	[ "$(grep -c 'ERR 5709' "$log")" -eq 1 ] ||
		fail "subnet $n: the same error more than once"
done
exit 0
