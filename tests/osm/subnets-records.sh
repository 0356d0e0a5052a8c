#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What weft-subnets says of a path to another subnet is what OpenSM says by a
# prefix route to the same router port, with several LIDs, lanes, partitions and
# whatever a client may name; all else is as without the plugin.  Then, beside an
# engine of OpenSM's: levels, a mapping that is missing, and prefix routes to all
# ports of routers.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

PATH=$PATH:/usr/sbin
command -v saquery >/dev/null || {
	echo 'SKIP: saquery (infiniband-diags) is not installed' >&2
	exit 77
}

site() {
	"$WEFT" subnets route -q -e minhop --map=static -o "$work/$1" "$2" \
		>/dev/null || fail "weft subnets route $2"
}

# --- records -----------------------------------------------------------------

site torus 'subnets:2,routers=2,ports=1,of=torus:5x5,hosts=1'
fabric=$work/torus/subnet-1/fabric.ibnetdiscover
router=0x$(awk '/^Rt/ { split($0, q, "\""); print substr(q[2], 3); exit }' \
	"$fabric" | sed 's/0$/1/')
grep -q "$router" "$work/torus/subnet-1/weft-routers.map" ||
	fail "no router port $router"

# All hosts share a partition with the router, but for c, and b is a limited member.
# Port GUIDs are those of nodes + 1.
hosts=$(awk '/^Ca/ { split($0, q, "\""); print substr(q[2], 3) }' "$fabric" |
	sed 's/0$/1/')
# shellcheck disable=SC2086
set -- $hosts
a=$2 b=$3 c=$4
lab=
for host in $hosts; do
	case $host in
	"$b") lab="$lab, 0x$host=limited" ;;
	"$c") ;;
	*) lab="$lab, 0x$host" asker=$host ;;
	esac
done
cat >"$work/partitions" <<END1
Default=0x7fff, ipoib, defmember=limited : ALL, ALL_SWITCHES=full, SELF=full ;
lab=0x0001, defmember=full : $router$lab ;
half=0x0002, defmember=limited : 0x$a, $router, 0x$asker=full ;
alone=0x0003, defmember=full : 0x$a ;
END1

# gid SUBNET GUID: its GID, in that subnet.
gid() {
	echo "fec0::$1:$(echo "$2" | sed 's/^0x//; s/..../&:/g; s/:$//')"
}

# lid GUID: its first LID, by the dumps of $1.
cat >"$work/ask.sh" <<'END2'
lid() {
	echo $(($(awk -v p="0x${1#0x}:" '{
		for (i = 3; i < NF; i++)
			if ($i == "portguid" && $(i + 1) == p) {
				print $1
				exit
			}
	}' "$dumps/opensm-lfts.dump")))
}
ask() {
	echo "== $*"
	# No more than the first two: a third does not wholly fit into what
	# the simulator hands on.
	saquery PR "$@" 2>&1 | awk '/^PathRecord/ { n++ } n < 3'
}
END2
# the queries: of paths to the other subnet, then all others
cat >"$work/queries.sh" <<END3
dumps=\$1
. $work/ask.sh
far="--dgid $(gid 2 0257454701000101)"
to=\$(lid $router) from=\$(lid $a)
for host in $a $b $c $asker; do
	sgid=\$(echo $(gid 1 x) | sed "s/x/\$(echo \$host | sed 's/..../&:/g; s/:\$//')/")
	ask \$far --sgid \$sgid
	ask \$far --slid \$(lid \$host)
	ask \$far --slid \$((\$(lid \$host) + 1)) --dlid \$to
	for pkey in 0x8001 0x0001 0x8002 0x0002 0x8003 0x7fff 0xffff; do
		ask \$far --sgid \$sgid --pkey \$pkey
	done
done
for host in $(echo $hosts); do
	ask \$far --slid \$(lid \$host)
done
for sl in 0 1 2 3 4 5 6 7; do
	ask \$far --sgid $(gid 1 "$a") --sl \$sl
done
ask \$far
ask \$far --sgid $(gid 1 "$a") --slid \$from
ask \$far --sgid $(gid 1 "$b") --slid \$from
ask \$far --sgid $(gid 2 "$a")
ask \$far --sgid $(gid 1 0000000000000bad)
ask \$far --slid 9999
for dlid in \$to \$((to + 1)) \$((to + 2)) \$from 9999; do
	ask \$far --sgid $(gid 1 "$a") --dlid \$dlid
done
for option in '-n 1' '-n 2' '-r 1' '-M 5:2' '-M 9:2' '-R 1:2' '-R 3:0' '-Q 1'; do
	ask \$far --sgid $(gid 1 "$a") \$option
done
echo others
near="--dgid $(gid 1 "$a")"
ask \$near --sgid $(gid 1 "$asker")
ask \$near --sgid $(gid 1 "$c")
ask \$near
ask --slid \$from --dlid \$to
ask --slid \$from
ask --dgid fe80::$(echo "$a" | sed 's/..../&:/g; s/:$//') --slid \$to
ask --dgid ff12:401b:ffff::ffff:ffff --sgid $(gid 1 "$asker")
ask --dgid ff12:401b:ffff::1234 --sgid $(gid 1 "$asker")
true
END3

# records NAME OPTION...: the answers of an opensm with 8 lanes and LMC 1.
records() {
	name=$1
	shift
	mkdir "$work/$name"
	"$osm" -i -p "$plugins" -e 'weave no_fallback' -o "$work/$name/out" \
		-c 'qos TRUE' -c 'lmc 1' \
		-c "partition_config_file $work/partitions" \
		-c 'subnet_prefix 0xfec0000000000001' "$@" "$fabric" <<END4 ||
collect up
run sh $work/queries.sh $work/$name/out/up >$work/$name/answers
END4
		fail "$name: osm-run"
}

echo "* $router" >"$work/routes"
cp "$work/routes" "$work/map"
records opensm -c 'event_plugin_name weft-weave' \
	-c "prefix_routes_file $work/routes"
records weft -c 'event_plugin_name weft-weave weft-subnets' \
	-c "event_plugin_options routers.map=$work/map"
cmp "$work/opensm/answers" "$work/weft/answers" || {
	diff "$work/opensm/answers" "$work/weft/answers" | head -n 40 >&2
	fail 'answers are not those of OpenSM'
}
# ... which tells something only if some are records and others refusals, of two
# kinds, and if there are several service levels.
sed '/^others/,$d' "$work/weft/answers" >"$work/far"
grep -q 'hop_flow_raw.*0xFF' "$work/far" || fail 'no record with a hop limit'
grep -q REQ_INVALID "$work/far" || fail 'no query was refused'
awk '/^==/ && last ~ /^==/ { n++ } { last = $0 } END { exit !n }' \
	"$work/far" || fail 'no query is without a record'
[ "$(grep '^	*sl\.' "$work/far" | sort -u | wc -l)" -gt 1 ] ||
	fail 'all paths have one service level'

# --- levels, a mapping that is missing, prefix routes ------------------------

# All four router ports have a prefix route of their own.  Of two ports of one
# router OpenSM knows one, and none that was down while the other was there.
site tree 'subnets:2,routers=2,ports=2,of=pgft:2;4,4;1,2;1,1'
fabric=$work/tree/subnet-1/fabric.ibnetdiscover
awk '/^Rt/ { split($0, q, "\""); node = substr(q[2], 3, 15) }
	/^\[[0-9]*\]/ && node { print node substr($1, 2, 1) }
	/^$/ { node = "" }' "$fabric" >"$work/ports"
[ "$(wc -l <"$work/ports")" -eq 4 ] || fail 'not 4 router ports'
awk '{ print "0xfec00000000000a" NR " 0x" $1 }' "$work/ports" >"$work/prefixes"
awk '{ print "fec0::a" NR ":0:0:0:1 0x" $1 }' "$work/ports" >"$work/goals"
cat >"$work/lids.sh" <<END5
dumps=\$1
. $work/ask.sh
while read -r goal port; do
	echo "\$goal \$(lid \$port)"
done <$work/goals
END5

gids=$WEFT_BUILDDIR/tests/osm/gid_paths
needs "$gids"
sgid=$(gid 1 "$(awk '/^Ca/ { split($0, q, "\""); print substr(q[2], 3) }' \
	"$fabric" | sed -n '2s/0$/1/p')")
# flaps: each port in turn is taken away and put back, with sweeps.
flaps() {
	sed 's/^\(.*\)\(.\)$/\1 \2/' "$work/ports" | while read -r node port; do
		echo "sim Unlink \"R-${node}0\"[$port]"
		echo sweep
		echo "run $gids 0 $sgid $work/lids >>$work/down"
		echo "sim ReLink \"R-${node}0\"[$port]"
		echo sweep
		echo sweep
		echo "run $gids 0 $sgid $work/lids >>$work/again"
	done
}
level='fec0:0:0:a2::/64'
{
	cat <<END6
collect up
run sh $work/lids.sh $work/tree/out/up >$work/lids
run $gids 0 $sgid $work/lids >$work/first
END6
	flaps
	cat <<END7
run { cat $work/goals; echo level $level 1 sl 3; } >$work/late
sweep
run $gids 0 $sgid $work/lids >$work/levels
run . $work/ask.sh; for sl in 0 1 2 3; do ask --dgid fec0::a2:0:0:0:1 --sgid $sgid --sl \$sl; ask --dgid fec0::a1:0:0:0:1 --sgid $sgid --sl \$sl; done >$work/explicit
END7
} >"$work/commands"
"$osm" -i -p "$plugins" -e 'minhop no_fallback' -o "$work/tree/out" \
	-c 'qos TRUE' -c 'event_plugin_name weft-subnets' \
	-c "event_plugin_options routers.map=$work/late" \
	-c 'subnet_prefix 0xfec0000000000001' \
	-c "prefix_routes_file $work/prefixes" "$fabric" <"$work/commands" ||
	fail 'minhop: osm-run'

awk '{ print $1, $2, 0, 255 }' "$work/lids" >"$work/right"
cmp "$work/right" "$work/first" || fail 'prefix routes to all router ports'
cat "$work/right" "$work/right" "$work/right" "$work/right" |
	cmp - "$work/again" || fail 'prefix routes to ports that came back'
[ "$(grep -c none "$work/down")" -eq 4 ] || fail 'ports that are down'
sed '2s/ 0 255/ 3 255/' "$work/right" | cmp - "$work/levels" || fail levels
# An SL that is asked for has to be the level's.
awk '/^==/ { goal = $3; asked = $NF } /^	*sl\./ {
	sub(/.*0x/, "")
	print goal, asked, $0
}' "$work/explicit" >"$work/given"
sort >"$work/wanted" <<'END8'
fec0::a1:0:0:0:1 0 0
fec0::a1:0:0:0:1 1 1
fec0::a1:0:0:0:1 2 2
fec0::a1:0:0:0:1 3 3
fec0::a2:0:0:0:1 3 3
END8
sort "$work/given" | cmp - "$work/wanted" || fail 'levels and an SL asked for'
grep -q 'weft-subnets: WARNING: no mapping' "$work/tree/out/up/opensm.log" ||
	fail 'nothing said of a mapping that is missing'
exit 0
