#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Names that nodes give themselves: no control character of them gets to a
# terminal, and with --spreadsheet no formula of them into a spreadsheet.
. "$WEFT_SRCDIR/tests/weft.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
escape=$(printf '\033')
failed=0

weft gen 'pgft:2;4,4;1,2;1,1' | sed "
	s/\"host-000\([0-9]\)\"/\"=cmd${escape}[31m|\1\"/
	s/\"host-001\([0-9]\)\"/\"@x${escape}[31m \1\"/
	s/\"leaf-/\"+${escape}l-/
	s/\"spine-/\"-${escape}s-/" >net
grep -q "$escape" net || exit 99
weft route -q -e minhop net -o tables >/dev/null || exit 99

while read -r line; do
	weft $line >out 2>err
	status=$?
	if [ $status -gt 1 ]; then
		echo "weft $line: exit status $status"
		cat err
		failed=1
	fi
	if cat out err | grep -a "$escape"; then
		echo "weft $line: a control character"
		failed=1
	fi
	case $line in
	*spreadsheet*) # without the names, all of these are numbers
		if grep -aE '(^|,)"?[=+@-][^0-9.]' out; then
			echo "weft $line: a formula"
			failed=1
		fi
		grep -qaE "(^|,)\"?'[=+@-]" out || {
			echo "weft $line: no name with a '"
			failed=1
		} ;;
	esac
done <<END
show -f csv net --spreadsheet
show net
export -f csv net --spreadsheet
export -f csv-nodes net --spreadsheet
export -f graphml net
export -f slurm-tree net
faults --csv --spreadsheet -e updn net
faults --host-links -e updn net
analyze --per-host --csv --spreadsheet -e updn net
analyze --worst -e updn net
check -v -e minhop net
check --against ring:3 net
trace --through 0x0257454600000001:5 -e updn net
trace --through 0x0257454600000001:5 --csv --spreadsheet -e updn net
trace -e updn net 7 8
diff tables net -e updn
route -v -e eftree net -o rt
layer -v -e psssp net -o lay
subnets check net -e updn
END
exit $failed
