#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What all commands share: -q means the same everywhere, no help tells a default
# twice, and the cases of JSON and CSV have one name for the routes.
. "$WEFT_SRCDIR/tests/weft.sh"
man=$WEFT_SRCDIR/man
unset COLUMNS
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$dir/work" && cd "$dir/work" || exit 99
failed=0

fail() {
	echo "$*"
	failed=$((failed + 1))
}

# Each option on a line of its own, its help behind it.
unfolded() {
	awk '/^Options:/ { on = 1; next }
		/^[^ ]/ { on = 0 }
		on && /^  (-|    -)/ { if (line) print line; line = "" }
		on { sub(/^ +/, " "); line = line $0 }
		END { print line }' "$1"
}

commands=$(weft --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 16 ] || fail "commands: $commands"
for command in $commands; do
	weft "$command" --help-all >"$dir/help"
	unfolded "$dir/help" >"$dir/options"
	grep -q -e ' -q, --quiet  *no warnings and no progress bar$' \
		"$dir/options" || fail "weft $command --help: --quiet"
	grep -A 1 '^\.BR \\-q ", " \\-\\-quiet$' "$man/weft-$command.1" |
		grep -qx 'No warnings and no progress bar\.' ||
		fail "weft-$command.1: --quiet"
	grep -E 'default.*default' "$dir/options" &&
		fail "weft $command --help: a default twice"
done
for list in route analyze gen; do
	weft $list --list | grep -E '\(default.*\(default' &&
		fail "weft $list --list: a default twice"
done

# A fabric of which all warn, once or on each reading: ports without a LID.
weft gen 'pgft:2;4,4;1,4;1,1' | sed 's/ lid [0-9]* lmc [0-9]*//; s/ lid [0-9]*//' \
	>bare.net || exit 99
weft route -q -e minhop bare.net -o tables >/dev/null
weft route -q -e updn bare.net -o other >/dev/null

same_times() {
	sed -E 's/(in |"seconds": |,)[0-9]+\.[0-9]+([e.-][0-9-]+)*( s)?/TIME/g
		s/"(bytes|engine_seconds)": [0-9]+/BYTES/g; s/[0-9.]+ (s|MB)\b//g'
}

# Reports are the same with -q and without, in each form, and nothing else is
# said.
while read -r command; do
	for form in '' --json --csv; do
		weft $command $form >plain 2>err
		status=$?
		grep -qE -e "no option '$form'|leave out|has no table" err &&
			continue
		[ $status -le 1 ] || fail "$status: weft $command $form: $(cat err)"
		weft $command $form -q >quiet 2>err
		[ $? -eq $status ] || fail "another status: weft $command $form -q"
		[ -s err ] && fail "said: weft $command $form -q: $(cat err)"
		[ -s quiet ] || fail "nothing: weft $command $form -q"
		same_times <plain >plain.same
		same_times <quiet | cmp -s - plain.same ||
			fail "another report: weft $command $form -q"
		case $form in
		--json)
			json_get <quiet >/dev/null || fail "no JSON: $command" ;;
		*) continue ;;
		esac
		grep -q '"input"' quiet || continue
		for key in routes by; do
			grep -q "\"$key\": " quiet ||
				fail "no $key: weft $command --json"
		done
	done
	weft $command --csv >csv 2>/dev/null && grep -q ^input csv &&
		! head -n 1 csv | grep -q '\broutes\b' &&
		fail "no routes: weft $command --csv"
done <<END
check -e minhop bare.net
check tables
layer -n 0 -e minhop bare.net
layer -n 0 tables
diff -n 10 bare.net -e minhop -e updn
diff -n 10 tables other
analyze -n 10 -e minhop bare.net
analyze -n 10 -p shift tables
analyze -p basket -n 10 -e minhop bare.net
analyze --worst tables
analyze --saturation tables
analyze --per-host tables
trace tables host-0000 host-0007
trace tables --through leaf-000
faults tables
faults -e minhop tables
faults tables --plan spine-00
sim -e minhop bare.net --time 20
sim tables --time 20
gen ring:4
route -e minhop bare.net
END
for form in --json --csv; do
	weft compare -q -n 10 -e minhop -e updn bare.net $form >out 2>err || fail "compare $form"
	grep -q '\broutes\b' out || fail "no routes: compare $form"
	[ -s err ] && fail "compare -q $form: $(cat err)"
done
echo "$failed failed"
[ $failed -eq 0 ]
