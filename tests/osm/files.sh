#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Whatever has the name of a file that the plugins read or write, a link, a pipe,
# a device, a directory, opensm sweeps on and obeys, nothing is followed and no
# old dump stays; nor does one on a full disk.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
dump=$work/dump
victim=$work/victim
conf=$work/weft.conf
mkdir "$dump" "$work/etc"
echo precious >"$victim"
: >"$conf"
"$WEFT" gen 'pgft:2;4,4;1,4;1,1' >"$work/tree" || fail "weft gen"

# Commands of osm-run, in the dump directory: put KIND NAME..., note WHAT.
cat >"$work/put" <<'END'
kind=$1
shift
for name; do
	rm -rf "$name"
	case $kind in
	link) ln -s "$victim" "$name" ;;
	new) ln -s "$victim.new" "$name" ;;
	fifo) mkfifo "$name" ;;
	folder) mkdir "$name" ;;
	zero) mknod "$name" c 1 5 ;;
	full) mknod "$name" c 1 7 ;;
	nul) printf '# comment\n\000\n' >"$name" ;;
	large) truncate -s 64M "$name" ;;
	esac || exit 1
done
END
# (The threads that write are done a little after the sweep.)
cat >"$work/note" <<'END'
sleep 0.5
ls -la "$dump" >"$notes.$1.ls"
cp "$OSM_TMP_DIR/opensm.log" "$notes.$1.log"
END
notes=$work/note
export dump victim notes

kinds='link new fifo folder'
mknod "$work/device" c 1 3 2>/dev/null && [ -c "$work/device" ] &&
	kinds="$kinds zero full"

# The dumps: the name that was used once for a temporary file, too.
{
	for kind in $kinds; do
		cat <<-END
			run cd "$dump" && sh "$work/put" $kind weft-sl.dump weft-paths.dump weft-sweeps.jsonl weft-paths.dump.new
			sweep
			sweep
			run sh "$work/note" $kind
		END
	done
	cat <<-END
		run rm -rf "$dump"/weft-*
		sweep
		run sh "$work/note" end
	END
} >"$work/script"
"$osm" -p "$plugins" -c 'event_plugin_name weft-all' -e smodk -c 'lmc 2' \
	-c "dump_files_dir $dump" -t 30 -o "$out" -i "$work/tree" \
	<"$work/script" || fail "dumps"
[ "$(cat "$victim")" = precious ] || fail "the victim: $(cat "$victim")"
[ ! -e "$victim.new" ] || fail "a file was made through a link"
for kind in $kinds; do
	case $kind in
	link | new) files=2 not=jsonl ;;
	*) files=0 not='sl.dump paths.dump jsonl' ;;
	esac
	[ "$(grep -cE '^-.* weft-(sl|paths).dump$' "$notes.$kind.ls")" -eq \
		$files ] || fail "$kind: $(cat "$notes.$kind.ls")"
	for name in $not; do
		grep -q "smodk: WARNING: .*$name was not written: .*take it away" \
			"$notes.$kind.log" || fail "$kind: no word of $name"
	done
done
[ "$(grep -cE '^-rw-r--r-- .* weft-(sl.dump|paths.dump|sweeps.jsonl)$' \
	"$notes.end.ls")" -eq 3 ] || fail "end: $(cat "$notes.end.ls")"
grep ' \.weft-' "$notes.end.ls" && fail "temporary files"

# The lists, the mapping and weft.conf itself; what was read before holds.
lists="roots objective guids map"
for name in $lists; do
	echo "$name" >"$work/etc/$name"
done
echo '0x1 nobody' | tee "$work/etc/roots" >"$work/etc/guids"
echo '1 shift' >"$work/etc/objective"
echo '* 0x12' >"$work/etc/map"
cp -r "$work/etc" "$work/good"
cat >"$conf" <<END
[weft]
router_weights = yes
[weave]
roots = $work/etc/roots
objective = $work/etc/objective
END
{
	for kind in fifo folder nul large $(echo "$kinds" | grep -o zero); do
		cat <<-END
			run cd "$work/etc" && sh "$work/put" $kind $lists
			sweep
			collect $kind
			run cd "$work" && rm -rf etc && cp -r good etc && cp "$conf" conf.good && sh "$work/put" $kind "$conf"
			sweep
			collect $kind-conf
			run cd "$work" && rm -rf "$conf" && cp conf.good "$conf"
		END
	done
	cat <<-END
		run cd "$work/etc" && for f in $lists; do ln -sf "$work/good/\$f" \$f; done
		sweep
		collect links
	END
} >"$work/script"
"$osm" -p "$plugins" -c 'event_plugin_name weft-weave weft-subnets' -e weave \
	-c "event_plugin_options weft.conf=$conf routers.map=$work/etc/map" \
	-c "root_guid_file $work/etc/guids" -t 30 -o "$out" -i "$work/tree" \
	<"$work/script" || fail "lists"
for kind in fifo folder nul large; do
	for name in roots map; do
		grep -q "ERR 570.*etc/$name.*" "$out/$kind/opensm.log" ||
			fail "$kind: no word of $name"
	done
	grep -q "ERR 5701: $conf: \|ERR 5701: $conf:2: " \
		"$out/$kind-conf/opensm.log" || fail "$kind: no word of weft.conf"
	rm "$out/$kind/opensm.log" "$out/$kind-conf/opensm.log"
done
tail -n 40 "$out/links/opensm.log" | grep 'ERR 570' && fail "links"

# A full disk, where one can be made.
mkdir "$work/disk"
mount -t tmpfs -o size=256k none "$work/disk" 2>/dev/null || {
	echo "no file system of that size can be mounted: not tried"
	exit 0
}
trap 'umount "$work/disk"; rm -rf "$work"' EXIT
"$WEFT" gen torus:4x4 >"$work/torus" || fail "weft gen"
weft_sm -e psssp -c 'qos TRUE' -c "dump_files_dir $work/disk" -t 60 -o "$out" \
	-i "$work/torus" <<END || fail "full disk"
run sleep 0.5; cp "$work/disk/weft-sl.dump" "$work/first"
run head -c 1000k /dev/zero >"$work/disk/fill" 2>/dev/null; df "$work/disk" | grep -q 100%
sim unlink "S-0257454600000001"[4]
sweep
run sleep 0.5; ls -a "$work/disk" >"$work/full"
run rm "$work/disk/fill"
sweep
run sleep 0.5; cp "$work/disk/weft-sl.dump" "$work/second"
collect disk
END
grep '^\.*weft-sl' "$work/full" && fail "full: $(cat "$work/full")"
logged "$out/disk" 'weft-sl.dump was not written: No space left'
cmp -s "$work/first" "$work/second" && fail "the torus has the same layers"
exit 0
