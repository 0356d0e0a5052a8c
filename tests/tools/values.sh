#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every command that tells facts has --json and --csv, and what CSV calls a
# column is the key of the same figure in JSON.
. "$WEFT_SRCDIR/tests/weft.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cp "${WEFT_SRCDIR:?}"/tests/fuzz/seeds/fuzz_stored/away "$dir" || exit 99
cd "$dir" || exit 99
failed=0
seen=" "
within=

fail() {
	echo "$*"
	failed=$((failed + 1))
}

# same COMMAND ARGUMENT...: each column is a key of JSON, but for those in
# $others, which other runs of it have; keys may be in an object of $within.
# "a_b" of CSV may be "a.b" of JSON; what is null may have any keys.
same() {
	seen="$seen$1 "
	weft "$@" --json >json 2>err
	[ $? -le 1 ] || fail "weft $* --json: $(cat err)"
	weft "$@" --csv >csv 2>err
	[ $? -le 1 ] || fail "weft $* --csv: $(cat err)"
	[ "$(wc -l <csv)" -ge 2 ] || fail "weft $*: no line of figures"
	json_get --keys <json | sort -u >keys
	head -n 1 csv | tr -d '"' | tr , '\n' |
		awk -v within=". $within" -v others=" $others " '
		BEGIN { n = split(within, place); place[1] = "" }
		NR == FNR {
			null = sub(/[.][*]$/, "")
			gsub(/[.]/, "_")
			has[$0] = 1
			if (null) any[$0] = 1
			next
		}
		{ gsub(/[.]/, "_") }
		index(others, " " $0 " ") { next }
		{
			found = 0
			for (i = 1; i <= n; i++) {
				key = place[i] $0
				found += key in has
				for (up in any)
					found += index(key, up "_") == 1
			}
			if (!found) print
		}' keys - >missing
	[ -s missing ] && fail "weft $* --csv: no such key in --json:" $(cat missing)
	within= others=
}

weft route -q -e psssp ring:4 -o net >/dev/null &&
	weft route -q -e updn ring:4 -o other >/dev/null || exit 99
within= others=
same route -e psssp ring:4
same route --keep net ring:4
same show net
within=verdict_
same check net
within=verdict_
same analyze -n 9 net
within="rows_ rows_parts_"
same compare -e psssp -e updn ring:4
within=bounds_
same bound ring:4
within="by_switch_ by_switch_switch_" others=kind
same diff net other
same report -n 9 --no-compare net
same plot engines net
same trace net host-0000 host-0002
same trace net host-0000 sw-2
within="sets_ sets_bandwidth_ sets_rerouted_"
others="rerouted_even rerouted_mean rerouted_least rerouted_least_host"
same faults -e psssp ring:4
same standing away
same place -e minhop ring:4 --size 2 --free 'host-000[0-3]' -p ring
same layer net -n 9
within=packets_ others="pattern rounds share model"
same sim net --load 50 --time 50
same subnets check -e eftree --routers=spine 'pgft:2;4,4;1,2;1,1'
same design --hosts 100
same config
same watch --once net

for command in $(weft --list-options | sed -n 's/^command	\([a-z]*\)	.*/\1/p'); do
	case $command in
	measure | export)	# write what other programs read
		continue ;;
	capture | gen)	# the first needs a fabric, the second prints one
		;;
	*)
		case $seen in *" $command "*) ;; *) fail "$command is not tried" ;; esac ;;
	esac
	for option in json csv; do
		weft "$command" --help-all | grep -q -e "--$option" ||
			fail "weft $command has no --$option"
	done
done
[ $failed -eq 0 ]
