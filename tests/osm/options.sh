#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft.conf and routing_engine: what is refused, why, and what OpenSM does then.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
conf=$work/weft.conf
named="event_plugin_options weft.conf=$conf other_plugin --flag"
"$WEFT" gen ring:5,hosts=2 >"$work/ring" || fail "weft gen"

# An unknown key: the engine is not set up, the log says why, minhop serves.
printf '[weft]\ndeadlock = ignore\n\n[psssp]\nspeed = 9\n' >"$conf"
weft_sm -e psssp -c "$named" -o "$out" "$work/ring" || fail "unknown key"
logged "$out" "psssp: ERR 5701: $conf:5: .*speed"
logged "$out" "Failed to setup routing engine 'psssp'"
logged "$out" 'minhop tables configured'

# The same with a file that is not there.
rm "$conf"
weft_sm -e psssp -c "$named" -o "$out" "$work/ring" || fail "no file"
logged "$out" "psssp: ERR 5701: $conf: cannot open: No such file"
logged "$out" 'minhop tables configured'

# A credit loop: one warning and the tables, or a refusal, as the file says; it
# is read on every sweep, and what is wrong in it then changes nothing.
printf '[weft]\ndeadlock = ignore\n[psssp]\npasses = 2\n' >"$conf"
weft_sm -e 'psssp dor' -c "$named" -o "$out" -i "$work/ring" <<END ||
collect ignore
run printf '[weft]\ndeadlock = refuse\n' >$conf
sweep
collect refuse
run printf '[weft]\ndeadlock = nonsense\n' >$conf
sweep
collect nonsense
run printf '' >$conf
sweep
collect default
END
	fail "deadlock"
[ "$(grep -c 'WARNING: credit loop' "$out/ignore/opensm.log")" -eq 1 ] ||
	fail "not one warning"
logged "$out/ignore" 'WARNING: credit loop.* -> .*"sw-'
logged "$out/ignore" 'psssp tables configured'
not_logged "$out/ignore" 'ERR 57'
logged "$out/refuse" 'psssp: ERR 5705: credit loop.* -> .*"sw-'
logged "$out/refuse" 'dor tables configured'
logged "$out/nonsense" "psssp: ERR 5701: $conf:2: "
logged "$out/nonsense" 'stay in force'
[ "$(grep -c 'dor tables configured' "$out/nonsense/opensm.log")" -eq 2 ] ||
	fail "a mistake in weft.conf changed what is in force"
[ "$(grep -c 'psssp tables configured' "$out/default/opensm.log")" -eq 2 ] ||
	fail "weft.conf was not read again"
logged "$out/default" 'psssp: against credit loops: 1 of 1 lane in use'
[ "$(grep -c 'WARNING: credit loop' "$out/default/opensm.log")" -eq 1 ] ||
	fail "a credit loop was ignored by default"

# hop_weights_file: OpenSM's own hop counts by it, the engine's routes.
awk -F'[()]' '/^switchguid/ && ++n == 2 { print "0x" $2, 3, 9 }' \
	"$work/ring" >"$work/weights"
weights="hop_weights_file $work/weights"
weft_sm -e minhop -c "$weights" -o "$work/minhop" "$work/ring" &&
	weft_sm -e psssp -c "$weights" -o "$work/weighted" "$work/ring" &&
	weft_sm -e psssp -o "$out" "$work/ring" || fail "hop weights"
cmp "$work/minhop/opensm-lid-matrix.dump" \
	"$work/weighted/opensm-lid-matrix.dump" || fail "hop weights not heeded"
cmp -s "$out/opensm-lid-matrix.dump" \
	"$work/weighted/opensm-lid-matrix.dump" && fail "weights without effect"
cmp "$out/opensm-lfts.dump" "$work/weighted/opensm-lfts.dump" ||
	fail "hop weights change the engine's routes"

# no_fallback: the subnet stays down rather than that minhop routes it.
printf '[weft]\ndeadlock = refuse\n' >"$conf"
weft_sm -e 'psssp no_fallback' -c "$named" -u 'No routing engine able' \
	-o "$out" "$work/ring" || fail "no_fallback"
logged "$out" 'psssp: ERR 5705'
not_logged "$out" 'tables configured'

# The plugin of all engines, and two plugins that bring the same one.
"$osm" -p "$plugins" -c 'event_plugin_name weft-all' -e psssp -o "$out" \
	"$work/ring" || fail "weft-all"
logged "$out" 'psssp tables configured'
offline "$out"
"$osm" -p "$plugins" -c 'event_plugin_name weft-psssp weft-all' -e psssp \
	-o "$out" "$work/ring" || fail "two plugins"
logged "$out" 'psssp tables configured'

# The offline reference engines are nobody's business in a subnet manager.
"$osm" -p "$plugins" -c 'event_plugin_name weft-all' -e null -o "$out" \
	"$work/ring" || fail "null"
logged "$out" "cannot find or setup routing engine 'null'"

# Every option about routing that an engine does not heed is named, once; one that
# is set later, too.
cat >"$work/set" <<'END'
max_reverse_hops 2
quasi_ftree_indexing TRUE
connect_roots TRUE
ids_guid_file /no/file
guid_routing_order_file /no/file
guid_routing_order_no_scatter TRUE
port_shifting TRUE
port_search_ordering_file /no/file
port_prof_ignore_file /no/file
lid_matrix_dump_file /no/file
lfts_file /no/file
torus_config /no/file
do_mesh_analysis TRUE
lash_start_vl 1
nue_max_num_vls 4
nue_include_switches TRUE
root_guid_file /no/file
hop_weights_file /no/file
END
set -- -c "$(cat "$work/set")"
printf '' >"$conf"
weft_sm -e psssp "$@" -o "$out" -i "$work/ring" <<'END' || fail "options set"
sweep
run echo scatter_ports 7 >>"$OSM_TMP_DIR/opensm.conf"
sweep
sweep
run sed -i s/^max_reverse_hops.*// "$OSM_TMP_DIR/opensm.conf"
sweep
collect
END
for name in $(awk '{ print $1 }' "$work/set") scatter_ports; do
	n=$(grep -c "psssp: WARNING: OpenSM's option $name has no effect on" \
		"$out/opensm.log")
	[ "$n" -eq 1 ] || fail "$name: named $n times"
done
logged "$out" 'hop_weights_file .* unicast routes do not follow it'
logged "$out" 'scatter_ports .* engine random'
n=$(grep -c 'no effect on' "$out/opensm.log")
[ "$n" -eq $(($(wc -l <"$work/set") + 1)) ] || fail "$n options named"
not_logged "$out" 'more warnings'

# Routes to switches count where OpenSM is told so, unless weft.conf tells otherwise;
# an engine that does not balance by routes says so.
"$WEFT" gen 'xgft:2;4,8;1,4' >"$work/tree" || fail "weft gen"
tree_sm() {
	"$osm" -p "$plugins" -c 'event_plugin_name weft-all' "$@" -o "$out" \
		"$work/tree" || fail "$*"
	cp "$out/opensm-lfts.dump" "$work/tables"
}
counted='port_profile_switch_nodes TRUE'
tree_sm -e eftree
logged "$out" 'eftree tables configured'
mv "$work/tables" "$work/plain"
tree_sm -e eftree -c "$counted"
not_logged "$out" 'no effect'
cmp -s "$work/tables" "$work/plain" && fail "$counted: without effect"
printf '[eftree]\nswitches = no\n' >"$conf"
tree_sm -e eftree -c "$counted" -c "$named"
cmp "$work/tables" "$work/plain" || fail "switches=no"
tree_sm -e dmodk -c "$counted"
logged "$out" "OpenSM's option port_profile_switch_nodes has no effect on"

# None of them, or the defaults in words: nothing to tell.
weft_sm -e psssp -c 'scatter_ports 0' -c 'nue_max_num_vls 1' \
	-c 'lfts_file (null)' -c 'connect_roots FALSE' -o "$out" \
	"$work/ring" || fail "defaults"
not_logged "$out" 'no effect'
