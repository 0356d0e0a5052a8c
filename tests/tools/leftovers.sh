#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A command that fails or is ended leaves what was there as it was, and nothing
# beside it: whichever command, wherever it fails, whatever ends it.
. "$WEFT_SRCDIR/tests/weft.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$dir/in" "$dir/work" && cd "$dir/work" || exit 99
failed=0
ran=0
ulimit -c 0
fabric="torus:4x4,hosts=2"
lanes="$fabric -e weave"

fail() {
	echo "$*"
	failed=$((failed + 1))
}

list() { # everything in the folder, and what is in it
	{ find . && find . -type f -exec cksum {} +; } | sort
}

# What was there before: a file in the place of each output, and folders.
prepare() {
	rm -rf "$dir/work"/* && mkdir old || exit 99
	for f in a b c old/opensm-lfts.dump old/weft-sl.dump \
		old/opensm-sl2vl.dump old/weft-paths.dump \
		old/fabric.ibnetdiscover; do
		echo "before $f" >$f
	done
	list >"$dir/before"
}

unchanged() { # WHAT COMMAND
	ran=$((ran + 1))
	list >"$dir/after"
	cmp -s "$dir/before" "$dir/after" && return
	fail "$1: $2"
	diff "$dir/before" "$dir/after"
}

weft route -q -e minhop $fabric -o "$dir/in/tables" >/dev/null || exit 99
weft route -q -e updn $fabric -o "$dir/in/other" >/dev/null || exit 99
weft analyze -q -n 20 -p shift -e minhop $fabric --links "$dir/in/loads.csv" >/dev/null ||
	exit 99

# All that write, each into files that are there and into some that are not:
# more than 2 KB in at least one of them, and all of it at the end.
cat >"$dir/commands" <<END
gen $fabric -o a
gen $fabric -o new
route $lanes -o new
route $lanes -o new/
route --force $lanes -o old
route --force -e opt --lmc=2 pgft:2;4,4;1,4;1,1 -o old
layer -n 0 -e updn $fabric -o a
layer $dir/in/tables -n 0 -o new
layer --force $dir/in/tables -n 0 -o old
check --top=100 $dir/in/tables --prometheus=a -o b
check $dir/in/tables --prometheus=new -o b
analyze -n 20 -p shift $dir/in/tables --links=a --histogram=b -o new
analyze -n 20 -p shift $dir/in/tables --links=new --histogram=b -o c
analyze $dir/in/tables --json --per-host=100 -o a
trace $dir/in/tables --through sw-0-0 -o a
show $fabric -o a.svg
show $fabric -o new.svg
report -n 20 $dir/in/tables -o a.html
compare -n 20 $fabric -e updn -e minhop -o a.html
compare -n 20 $fabric -e updn -e minhop -e psssp -e weave --json -o b
plot loads $dir/in/tables -o a.svg
faults $dir/in/tables --csv -o a
diff $dir/in/other $dir/in/tables --json --top=100 -o a
export $fabric -f graphml -o a
export $dir/in/tables -f omnetpp -o new
subnets route -e eftree -o new subnets:3,routers=2,ports=2,of=pgft:2;4,4;1,4;1,1
subnets report -e eftree -o a.html subnets:3,routers=2,ports=2,of=pgft:2;4,4;1,4;1,1
subnets check -e eftree --json -o b subnets:12,routers=2,ports=2,of=pgft:2;4,4;1,4;1,1
sim -e updn $fabric --time 50 --json --latencies --details=a -o b
sim -e updn $fabric --time 50 --json --latencies --details=new -o b
END

# All end well where nothing is in the way.
while read -r command; do
	prepare
	weft $command >"$dir/out" 2>&1
	[ $? -le 1 ] || { fail "weft $command"; cat "$dir/out"; }
	list | cmp -s - "$dir/before" && fail "writes nothing: $command"
	find . -name '.*weft-*' | grep . && fail "left: $command"
done <"$dir/commands"

# A disk that is full, early and late.
for blocks in 0 4; do
	while read -r command; do
		prepare
		(ulimit -f $blocks; weft $command) >"$dir/out" 2>&1 </dev/null
		[ $? -le 1 ] || unchanged "files of $blocks blocks" "$command"
	done <"$dir/commands"
done

# A full file system, where one may be made.
cat >"$dir/on-full" <<'END'
mount -t tmpfs -o size=8k none "$1" && cd "$1" && echo before >a || exit 77
find . >"$2/before"
shift 2
weft "$@" >/dev/null 2>&1
[ $? -ne 2 ] || find . | cmp - "$OLDPWD/before"
END
while read -r command; do
	rm -f "$dir/before"
	(cd "$dir" && unshare -m sh on-full "$dir/work" "$dir" $command) \
		>/dev/null 2>&1 </dev/null ||
		[ ! -e "$dir/before" ] || fail "a full disk: $command"
done <"$dir/commands"

# The second output of several cannot be made, or not be given its name.
while read -r command; do
	prepare
	case $command in
	*--histogram=* | *--details=* | *--prometheus=*) ;;
	*) continue ;;
	esac
	ended=$(echo "$command" | sed 's/-o [a-z]*$/-o nosuch\/x/')
	weft $ended >/dev/null 2>&1
	[ $? -eq 2 ] || fail "not refused: $ended"
	unchanged 'no such folder' "$ended"
	ended=$(echo "$command" | sed 's/-o [a-z]*$/-o old/')
	weft $ended >/dev/null 2>&1
	[ $? -eq 2 ] || fail "not refused: $ended"
	unchanged 'a folder in the way' "$ended"
done <"$dir/commands"
several="subnets:3,routers=2,ports=2,of=pgft:2;4,4;1,4;1,1"
prepare
mkdir new && echo before >new/subnet-2 && list >"$dir/before"
weft subnets route -e eftree -o new "$several" >/dev/null 2>&1
[ $? -eq 2 ] || fail 'subnet-2 is a file'
unchanged 'a file in the way' 'subnets route'
prepare
rm old/weft-sl.dump
mkdir old/weft-sl.dump && list >"$dir/before"
weft route --force $lanes -o old >/dev/null 2>&1
[ $? -eq 2 ] || fail 'weft-sl.dump is a folder'
unchanged 'a folder in the way' 'route'
prepare
weft diff "$dir/in/other" "$dir/in/tables" -o a --order a >/dev/null 2>"$dir/err"
[ $? -eq 2 ] || fail 'two outputs of one name'
grep -q 'two outputs have this name' "$dir/err" || fail 'two outputs: not said'
unchanged 'the same name twice' 'diff'

# The end by a signal, while an output after the first waits for a reader, or
# an input for who writes it.
mkfifo "$dir/pipe"
while read -r signal command; do
	prepare
	case $command in
	route*)
		rm old/opensm-sl2vl.dump
		ln -s "$dir/pipe" old/opensm-sl2vl.dump
		list >"$dir/before" ;;
	esac
	timeout -k 5 -s $signal 0.4 weft $command >/dev/null 2>&1
	[ $? -eq 124 ] || fail "SIG$signal does not end: $command"
	unchanged "SIG$signal" "$command"
done <<END
INT analyze -n 20 -p shift $dir/in/tables --links=a --histogram=$dir/pipe
TERM analyze -n 20 -p shift $dir/in/tables --links=a --histogram=$dir/pipe
HUP sim -e updn $fabric --time 50 --details=$dir/pipe -o a
PIPE sim -e updn $fabric --time 50 --details=$dir/pipe -o a
QUIT check $dir/in/tables --prometheus=a -o $dir/pipe
SEGV check $dir/in/tables --prometheus=new -o $dir/pipe
USR1 check $dir/pipe -o new
XCPU diff $dir/pipe $dir/in/tables -o a
ALRM faults $dir/pipe -o new
ABRT compare -e updn $dir/pipe -o a
INT route --force $lanes -o old
TERM route --force $lanes -o old
PIPE route --force $lanes -o old
BUS route --force $lanes -o old
END

# A reader of the report that goes away: no tables without a word about them.
prepare
{ weft route --force $lanes -o old; echo $? >"$dir/status"; } 2>/dev/null |
	sleep 0.01
[ "$(cat "$dir/status")" -eq 0 ] || unchanged SIGPIPE route

# At any time: a set of files is all old or all new.
while read -r command; do
	prepare
	weft $command >/dev/null 2>&1
	list >"$dir/complete"
	for delay in 0.03 0.06 0.1 0.15 0.2 0.3; do
		prepare
		timeout -k 5 -s INT $delay weft $command >/dev/null 2>&1
		list | cmp -s - "$dir/complete" ||
			unchanged "after $delay s" "$command"
	done
done <<END
gen torus:12x12x12,hosts=4 -o a
route --force -e minhop torus:7x7x7,hosts=3 -o old
subnets route -e eftree --force -o new $several
END
echo "$ran commands, $failed failed"
[ $failed -eq 0 ] && [ $ran -ge 60 ]
