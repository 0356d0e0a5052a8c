#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The real opensm is stopped, or killed, and started again: the tables stand as if
# it had never been away, with a cable that fails before, meanwhile and after.  A
# file that is not its own, or not whole, is named in the log, and no harm.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
"$WEFT" gen 'pgft:3;3,3,4;1,3,3;1,1,1' >"$work/net" || fail 'weft gen'
leaf=$(names Switch | head -n 1)
one=$(cable "$leaf")
two=$(cable "$leaf" 2)
sm=$(names Ca | head -n 1)
seed=$WEFT_SRCDIR/tests/fuzz/seeds/fuzz_stored/home
known='what stood before is known: '
unknown='what stood before is not known: '

# tables A B WHAT: those of two collections are the same, byte for byte.
tables() {
	cmp "$out/$1/opensm-lfts.dump" "$out/$2/opensm-lfts.dump" || fail "$3"
}

# told N TEXT DIR: that many lines of a log have a text.
told() {
	n=$(grep -c -e "$2" "$out/$3/opensm.log")
	[ "$n" -eq "$1" ] || fail "$3: $n lines \"$2\" instead of $1"
}

again="start $sm
await"

# all at once: who returns home does not wait for another sweep
printf '[weft]\nsafe_order = no\n' >"$work/any.conf"
for engine in psssp weave; do
	rm -rf "$out"
	"$osm" -p "$plugins" -c "event_plugin_name weft-$engine" \
		-c "event_plugin_options weft.conf=$work/any.conf" \
		-e "$engine no_fallback" -o "$out" -i "$work/net" <<END ||
collect start
stop
$again
collect calm
sim unlink "$leaf"[$one]
sweep
collect cut
stop
$again
collect before
stop
sim relink "$leaf"[$one]
$again
collect meanwhile
sim unlink "$leaf"[$one]
sweep
collect after
kill
$again
collect killed
kill
sim unlink "$leaf"[$two]
$again
collect more
sim relink "$leaf"[$one]
sweep
sim relink "$leaf"[$two]
sweep
collect home
END
		fail "$engine"
	tables start calm "$engine: a restart changes tables"
	tables cut before "$engine: a restart changes tables that are mended"
	tables start meanwhile "$engine: not home after a restart"
	tables cut after "$engine: home is another one after restarts"
	tables after killed "$engine: killed, it changes tables"
	tables start home "$engine: not home in the end"
	told 0 'routed anew' home
	told 5 "$engine: $known" home
	not_logged "$out/home" "$engine: \(ERR\|WARNING\)"
	# what changes with one more cable out is what it must
	spec=$engine
	[ "$engine" = psssp ] || spec=$engine:lanes=1
	rm -rf "$work/kept"
	"$WEFT" route -q -e "$spec" --keep "$out/cut" --home "$out/start" \
		-o "$work/kept" "$out/more/opensm-subnet.lst" >/dev/null ||
		fail "$engine: weft route --keep"
	same_rows "$out/more/opensm-lfts.dump" \
		"$work/kept/opensm-lfts.dump" "$engine: a cable and a restart"
done

# What is no file of this fabric and engine.  stored: the file, once opensm is up.
conf=$work/weft.conf
: >"$conf"
rm -rf "$out"
stored="\$(cat $work/where)"
weft_sm -e 'psssp no_fallback' -c "event_plugin_options weft.conf=$conf" \
	-o "$out" -i "$work/net" <<END || fail 'files'
run echo "\$OSM_TMP_DIR/cache/weft-standing" >"$work/where"
stop
run cp "$stored" "$work/whole"; head -c 500 "$work/whole" >"$stored"
$again
collect cut
stop
run cp "$seed" "$stored"
$again
collect engine
stop
run printf '[psssp]\npasses = 2\n' >"$conf"
$again
collect options
stop
run rm "$stored"; mkfifo "$stored"
$again
sweep
collect pipe
stop
run [ -p "$stored" ] && rm "$stored" && ln -s "$work/whole" "$stored"
$again
collect link
stop
run [ -f "$stored" ] && ! [ -h "$stored" ] || exit 1
$again
run printf '[weft]\nstanding = no\n' >"$conf"
sweep
collect none
run ! [ -e "$stored" ] || exit 1
END
told 1 "psssp: WARNING: .*weft-standing: $unknown.*has 500 of its" cut
told 1 "psssp: WARNING: .*$unknown.*these tables are eftree's" engine
told 1 'psssp: routed anew: options have changed' options
told 1 "psssp: WARNING: .*$unknown.*this is a pipe" pipe
told 1 'psssp: WARNING: .*weft-standing was not written: ' pipe
told 1 "psssp: WARNING: .*$unknown.*this is a symbolic link" link
told 4 "$unknown" none
not_logged "$out/none" 'psssp: ERR'

# The file of an engine of its own, for another fabric.
rm -rf "$out"
"$osm" -p "$plugins" -c 'event_plugin_name weft-eftree' \
	-e 'eftree no_fallback' -o "$out" -i "$work/net" <<END ||
run echo "\$OSM_TMP_DIR/cache/weft-standing" >"$work/where"
stop
run cp "$seed" "$stored"
$again
collect other
END
	fail 'another fabric'
told 1 "eftree: WARNING: .*$unknown.*of another fabric" other
