#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Two runs at a time in one tree do not meddle with each other's files, and leave
# none behind.  The producer is one that waits for the other run.
dir=$(mktemp -d "${TMPDIR:-/tmp}/weft-twice.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
mkdir "$dir/reproduce" && cp "$WEFT_SRCDIR"/tests/reproduce/* "$dir/reproduce" &&
	cd "$dir" || exit 99
unset OUT
status=0
cat >reproduce/nienaber <<'END'
. "$(dirname "$0")/lib.sh"
echo "mine $RUN" >"${OUT-reproduced}/twice.dat"
: >"here.$RUN"
n=0
while [ $(ls here.* | wc -l) -lt 2 ] && [ $n -lt 300 ]; do
	sleep 0.1
	n=$((n + 1))
done
sleep 0.3
grep -qx "mine $RUN" "${OUT-reproduced}/twice.dat" || echo "$RUN" >>mixed
[ $n -lt 300 ] || echo "$RUN waited" >>mixed
row "nienaber-t1-01" "$RUN"
END
for run in 1 2; do
	RUN=$run sh reproduce/run nienaber >"text.$run" 2>&1 &
done
wait
[ -e mixed ] && { echo "FAIL: mixed in runs" $(cat mixed); status=1; }
for run in 1 2; do
	grep -q '^nienaber: 1 figures' "text.$run" ||
		{ echo FAIL: run $run; cat "text.$run"; status=1; }
done
[ "$(wc -l <reproduced/ours.tsv)" = 1 ] || { echo FAIL: both; status=1; }
[ "$(ls -A reproduced | grep -c run)" = 0 ] || { ls -A reproduced; status=1; }
for file in reproduce.tsv index.html nienaber.tsv twice.dat; do
	[ -s "reproduced/$file" ] || { echo "FAIL: no $file"; status=1; }
done
exit $status
