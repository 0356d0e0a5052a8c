#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft analyze --mpi, weft sim --mpi: the same result by any number of processes.
. "$WEFT_SRCDIR/tests/weft.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99

weft analyze -e psssp ring:4 -p bisect --mpi -n 1 >out 2>err
grep -q 'without MPI' err && { cat err; exit 77; }
command -v mpirun >/dev/null || { echo "no mpirun"; exit 77; }
# More processes than processors, and by root, as in containers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
status=0

judge() {
	"$@" weft analyze -e psssp torus:4x4,hosts=3 -p permutation \
		-p shift -p tree -m "$mapping" -n 700 --json --threads 1 \
		--links links --histogram histogram $mpi >out || status=1
	cat links histogram >>out
}

for mapping in random guid; do
	mpi=
	judge env
	mv out alone
	mpi=--mpi
	for n in 1 2 3; do
		judge mpirun -n $n
		cmp alone out && echo "$mapping: $n processes agree" || status=1
	done
done

# simulate ARGUMENT...: the same report, details and exit status
simulate() {
	weft sim "$@" --threads 1 --details details >alone
	ended=$?
	cat details >>alone
	for n in 1 2 3; do
		rm details
		mpirun -n $n weft sim "$@" --threads 2 --details details \
			--mpi >out 2>err
		[ $? = $ended ] || { echo "status is not $ended"; status=1; }
		cat details >>out
		cmp alone out || { cat err; status=1; }
	done
	echo "sim $*: 1, 2 and 3 processes"
}

tree='pgft:2;4,4;1,2;1,1'
printf '0 4\n1 5\n' >flows
printf '0 0 1 1000\n- 1 2 1000 after 1\n' >chain
simulate -e weave "$tree" --load 20,90 --seeds 3 --time 200
simulate -e weave -e updn "$tree" --load 20,90 --time 200 --json \
	--trace host-0000,host-0015,2
simulate -e weave "$tree" -p shift -p bisect -p ring --bytes 10000 --csv
simulate -e weave "$tree" -p shift -p ring --sync rank --bytes 10000 --json
simulate -e weave -e updn "$tree" --flows flows --flow-sls 0,1
simulate -e weave "$tree" --replay chain --json
simulate -e minhop ring:4,hosts=2 --load 20,100,100 --latencies --json
simulate -e eftree subnets:2 --load 20,40,60

# a sweep is one report of all its runs
weft sim -e updn chain:2,hosts=4 --sweep sizes --json >alone || status=1
for n in 1 2 3; do
	mpirun -n $n weft sim -e updn chain:2,hosts=4 --sweep sizes --json \
		--mpi >out && cmp alone out || status=1
done

# what fails ends for all
mpirun -n 2 weft analyze -e psssp ring:4 -p bisect --ranks 9 --mpi \
	>out 2>err && status=1
grep -q 'only 4 hosts' err || { cat err; status=1; }
mpirun -n 2 weft sim -e weave ring:4 --load 20,50 --buffer 0 --mpi >out 2>err
[ $? = 2 ] || status=1
[ "$(grep -c 'has no credits' err)" = 1 ] || { cat err; status=1; }
mpirun -n 2 weft sim -e weave ring:4 -p ring -p nonsense --mpi >out 2>err &&
	status=1
grep -q "no pattern 'nonsense'" err || { cat err; status=1; }
# And what is interrupted, with what there is by then.  The signal may come before
# weft has begun, and mpirun waits a second, all of it, before it kills: a busy
# machine gets more of both.
for to in out -; do
	for seconds in 2 6 18; do
		rm -f out
		OMPI_MCA_odls_base_sigkill_timeout=$((seconds / 2)) \
		timeout -s INT $seconds mpirun -n 2 weft sim -q -e weave \
			ring:4 --load 20,40 --time 100000000 --threads 1 \
			--mpi -o $to >said 2>err
		[ -f out ] || mv said out
		[ -s out ] && break
	done
	[ "$(grep -c INTERRUPTED out)" = 2 ] || {
		echo "interrupted after $seconds s:"
		cat out err
		status=1
	}
done
exit $status
