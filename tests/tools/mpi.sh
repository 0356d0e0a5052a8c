#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft analyze --mpi: the same result by any number of processes.
PATH=$WEFT_BUILDDIR:$PATH
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
# what fails ends for all
mpirun -n 2 weft analyze -e psssp ring:4 -p bisect --ranks 9 --mpi \
	>out 2>err && status=1
grep -q 'only 4 hosts' err || { cat err; status=1; }
exit $status
