#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The judge of published figures: what is the same, what may differ, what fails.
dir=$(mktemp -d "${TMPDIR:-/tmp}/weft-judging.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
judge=$WEFT_SRCDIR/tests/reproduce/judge
status=0

# published LINE...: "id value unit read kind rel", of metric gain where unit is gain
published() {
	printf 'id\tpaper\twhere\tsystem\tengine\ttraffic\tmetric\tx\tvalue\t%s\n' \
		'unit	read	kind	rel' >"$dir/published"
	for line; do
		echo "$line" | awk -v OFS='\t' '{
			metric = "x"
			if ($3 == "gain") { metric = "gain"; $3 = "%" }
			print $1, "p", "w", "s", "e", "t", metric, "-", $2, $3,
				$4, $5, $6 }' >>"$dir/published"
	done
}

causes() {
	printf 'id\tours\ttolerance\tcause\n' >"$dir/causes"
	for line; do
		echo "$line" | awk -v OFS='\t' '{
			id = $1; ours = $2; room = $3
			sub(/^[^ ]* [^ ]* [^ ]* /, "")
			print id, ours, room, $0 }' >>"$dir/causes"
	done
}

# expect STATUS VERDICT "id ours"...: of the first row
expect() {
	want=$1 verdict=$2
	shift 2
	: >"$dir/ours"
	for line; do
		echo "$line" | tr ' ' '\t' >>"$dir/ours"
	done
	awk -f "$judge" ${partial:+-v partial=1} -v out="$dir/out" \
		"$dir/published" "$dir/causes" "$dir/ours" >"$dir/text"
	got=$?
	seen=$(sed -n 2p "$dir/out" | cut -f7)
	if [ "$got" != "$want" ] || [ "${seen#"$verdict"}" = "$seen" ]; then
		echo "FAIL: $(sed -n 2p "$dir/published" | cut -f1,9-13):" \
			"ours $*: '$seen', status $got"
		status=1
	fi
}

causes
partial=
published 'a 50.0 share exact static eq'
expect 0 same 'a 50.4'
expect 1 FAILS 'a 51'
expect 1 FAILS
expect 1 FAILS 'a garbage'
expect 1 FAILS 'a -'
expect 0 'not run' 'a skip'
expect 1 same 'a 50' 'b 1'
expect 1 same 'a 50' 'a 50'
partial=yes
expect 0 'not run'
partial=
published 'a 50.0 share approx static eq'
expect 0 same 'a 52'
expect 1 FAILS 'a 53'
published 'a 12 count exact static eq'
expect 0 same 'a 12'
expect 1 FAILS 'a 11.95'
published 'a 90 % exact static gt'
expect 0 same 'a 99'
expect 1 FAILS 'a 80'
published 'a 1 sign approx static eq'
expect 0 same 'a 0.01'
expect 1 FAILS 'a -3'
published 'a 5.0 gain exact static eq'
expect 0 same 'a 6.9'
expect 1 FAILS 'a 7.5'
# what is no figure is no zero
published 'a 0 % exact bound eq'
expect 1 FAILS 'a garbage'
# a cause excuses the figure that it names, and only while it is needed
published 'a 50.0 share exact static eq'
causes 'a 70 1 the tables are not known'
expect 0 differs 'a 70.5'
expect 1 FAILS 'a 72'
expect 1 FAILS 'a 50'
causes 'a - 0 the figure is not in the text'
expect 0 differs 'a -'
expect 1 FAILS 'a 70'
causes
# bounds: five points, and no gain where there was a loss
published 'a 20 gain exact bound eq'
expect 0 same 'a 24'
expect 1 FAILS 'a 26'
published 'a 3 gain exact bound eq'
expect 1 FAILS 'a -1'
published 'a 1 sign approx bound eq'
expect 0 same 'a 3'
expect 1 FAILS 'a 0'
expect 1 FAILS 'a -1'
published 'a 0 sign approx bound eq'
expect 0 same 'a 0'
expect 1 FAILS 'a 1'
# simulated: ten per cent, or within the range; gains by ratio
published 'a 50 % exact sim eq'
expect 0 same 'a 54'
expect 1 FAILS 'a 56'
expect 0 same 'a 60 48 61'
expect 1 FAILS 'a 60 55 61'
published 'a 700 gain exact sim eq'
expect 0 same 'a 630'
expect 1 FAILS 'a 600'
published 'a 4 gain exact sim eq'
expect 0 same 'a 12'
expect 1 FAILS 'a -1'
published 'a 0 points approx sim eq'
expect 0 same 'a -4'
expect 1 FAILS 'a 6'
# a range that decides alone, and what stands beside it
published 'a 50 gain exact sim eq'
beside=$(printf 'a\t52\t48\t56\t30 otherwise\talone')
expect 0 same "$(echo "$beside" | tr ' ' _)"
cut -f9 "$dir/out" | grep -q '^30_otherwise$' || { echo 'FAIL: beside'; status=1; }
grep -q '^ *30_otherwise$' "$dir/text" || { echo 'FAIL: beside'; status=1; }
expect 1 FAILS 'a 56 52 60 - alone'
expect 0 same 'a 56 52 60 -'
# what is given is judged, too, and counted apart; shares are those of papers
published 'a 12 count exact given eq' 'b 12 count exact static eq' \
	'c 9 count exact static eq'
sed -i 's/^c	p/c	q/' "$dir/published"
causes 'c 8 0 not known'
expect 0 same 'a 12' 'b 12' 'c 8'
for line in 'given *1 rows: 1 same$' 'static p *1 rows: 1 same (100.0 % same)$' \
	'static q *1 rows: 1 differs (0.0 % same)$'; do
	grep -q "^$line" "$dir/text" || { echo "FAIL: $line"; status=1; }
done
causes
expect 1 FAILS 'a 13' 'b 12' 'c 9'
# run times never fail
published 'a 3.0 s exact time eq' 'b 4.0 s exact time eq'
expect 0 printed 'a 9' 'b 1'
grep -q '^b.*other order' "$dir/text" || { echo 'FAIL: times'; status=1; }
# The lists: a figure is in one of published.tsv and unrun.tsv, the latter with the
# reason; causes are of rows that there are.
dir_=$WEFT_SRCDIR/tests/reproduce
awk -F'\t' '
FNR == 1 { file++; next }
/^#/ { next }
file == 1 { unrun[$1] = 1; if (NF != 7 || $7 == "") bad = bad " " $1 }
file > 1 && $1 in unrun { bad = bad " " $1 }
END { if (bad) print "FAIL: unrun.tsv:" bad; exit bad != "" }
' "$dir_/unrun.tsv" "$dir_/published.tsv" "$dir_/published-sim.tsv" || status=1
for of in '' -sim; do
	awk -F'\t' -v of=$of '
	FNR == 1 { file++; next }
	file == 1 { row[$1] = 1; next }
	!/^#/ && (!($1 in row) || NF != 4 || $1 in seen) { bad = bad " " $1 }
	{ seen[$1] = 1 }
	END { if (bad) print "FAIL: causes" of ".tsv:" bad; exit bad != "" }
	' "$dir_/published$of.tsv" "$dir_/causes$of.tsv" || status=1
done
exit $status
