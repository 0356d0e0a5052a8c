#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# examples/measure.c: it compiles with MPI, and what it measures of pairs that
# "weft measure" lists is read by weft compare.
. "$WEFT_SRCDIR/tests/weft.sh"
command -v mpicc >/dev/null || { echo "no mpicc"; exit 77; }
command -v mpirun >/dev/null || { echo "no mpirun"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
# More processes than processors, and by root, as in containers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
status=0

mpicc -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -O1 \
	-o measure "$WEFT_SRCDIR/examples/measure.c" || exit 1
weft measure -n 2 ring:4 -o pairs &&
	mpirun -n 4 ./measure -r -b 4096 -t 0.01 pairs rates || exit 1
grep -q '^bytes 4096$' rates || status=1
[ "$(grep -c '^host-.* host-.* [0-9.]*$' rates)" = 4 ] || status=1
grep -q ' 0\.00$' rates && status=1
weft compare --measured=rates -e updn ring:4 >report || status=1
grep -q '4 in 2 rounds' report || status=1
# all pairs go on to the end of a round: a ring of shifts sends and hears at once
weft measure -p shift:distance=1 ring:4 -o pairs &&
	mpirun -n 4 ./measure -r -b 4096 -t 0.01 pairs rates &&
	weft compare --measured=rates -e updn ring:4 >>report || status=1

# fails COMMAND...: with a reason
fails() {
	reason=$1
	shift
	"$@" >out 2>err && status=1
	grep -q "$reason" err || { cat err; status=1; }
}
fails 'less processes than hosts' mpirun -n 2 ./measure -r pairs rates
fails 'no process is on this host' mpirun -n 2 ./measure pairs rates
echo 'host-0000 host-0001' >bad
fails 'bad:1' mpirun -n 2 ./measure -r bad rates
[ $status = 0 ] || cat rates report
exit $status
