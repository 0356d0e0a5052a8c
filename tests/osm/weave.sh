#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weave in the real opensm: links and switches fail one after the other.  Each
# time everyone reaches everyone without a credit loop, switches included, and
# the tables are those of weft route; in the end they are those of the start.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
lanes=1
more=

sound() {
	"$WEFT" check -q --hosts=all --switches "$1" \
		>"$work/check" || {
		cat "$work/check" >&2
		fail "$2: weft check $1"
	}
	rm -rf "$work/offline"
	"$WEFT" route -q -e "weave:lanes=$lanes$more" -o "$work/offline" \
		"$1/opensm-subnet.lst" >/dev/null || fail "weft route $1"
	same_rows "$1/opensm-lfts.dump" "$work/offline/opensm-lfts.dump" "$2"
}

# faults FABRIC [OPTION]...: through ibsim, whose switches have 8 lanes, in use
# where OpenSM has qos on.
faults() {
	fabric=$1
	shift
	lanes=1
	[ $# -eq 0 ] || lanes=8
	"$WEFT" gen "$fabric" >"$work/net" || fail "weft gen $fabric"
	first=$(names Switch | head -n 1)
	last=$(names Switch | tail -n 1)
	link="\"$first\"[$(cable "$first" 1)]"
	second="\"$first\"[$(cable "$first" 2)]"
	rm -rf "$out"
	"$osm" -p "$plugins" -c 'event_plugin_name weft-weave' \
		-c "event_plugin_options weft.conf=$anew" \
		-e 'weave no_fallback' "$@" -o "$out" -i "$work/net" <<END ||
collect start
sim unlink $link
sweep
collect one-link
sim unlink $second
sweep
collect two-links
sim unlink "$last"
sweep
collect switch
sim relink "$last"
sim relink $second
sim relink $link
sweep
collect again
END
		fail "$fabric"
	for t in start one-link two-links switch again; do
		sound "$out/$t" "$fabric, $t"
	done
	cmp "$out/start/opensm-lfts.dump" "$out/again/opensm-lfts.dump" ||
		fail "$fabric: the tables are not those of the start"
	not_logged "$out/again" 'weave: ERR'
	logged "$out/start" \
		'weave: routed .*; [a-z]*, worth [01]\.[0-9]*, work [0-9]* of'
}

faults 'pgft:3;3,3,4;1,3,3;1,1,1'
faults 'random:12x2,10,seed=4'
faults 'random:12x2,10,seed=4' -c 'qos TRUE'
faults 'torus:4x3x3,hosts=1' -c 'qos TRUE'

# What the tables shall be good at is read again in every sweep; a file that has
# a mistake changes nothing.
"$WEFT" gen 'pgft:3;3,3,4;1,3,3;1,1,1,fail-links=8%' >"$work/net" || fail 'weft gen'
conf=$work/weft.conf
site=$work/site
printf '[weft]\nstanding = no\n[weave]\nobjective = %s\n' "$site" >"$conf"
echo 1 shift >"$site"
rm -rf "$out"
"$osm" -p "$plugins" -c 'event_plugin_name weft-weave' \
	-c "event_plugin_options weft.conf=$conf" -e 'weave no_fallback' \
	-o "$out" -i "$work/net" <<END || fail objective
collect shift
run echo 2 bisect >$site
sweep
collect bisect
run echo 2 bisekt >$site
sweep
collect broken
run rm $site
sweep
collect none
END
lanes=1
for t in shift bisect broken none; do
	more=,objective=bisect
	[ $t != shift ] || more=,objective=shift
	sound "$out/$t" "objective, $t"
done
! cmp -s "$out/shift/opensm-lfts.dump" "$out/bisect/opensm-lfts.dump" ||
	fail 'the objective changes nothing'
not_logged "$out/bisect" 'weave: ERR\|weave: WARNING'
logged "$out/broken" "weave: ERR 5701: $site:1: no pattern 'bisekt'"
logged "$out/broken" 'weave: WARNING: the options read before stay in force'
logged "$out/none" "weave: ERR 5701: $site: cannot open: No such file"
