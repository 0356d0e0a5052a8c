#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Without libibumad all but the tests that need it is built, configure says so,
# and these tests are skipped.
set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

(cd "$work" && ac_cv_header_infiniband_umad_h=no \
	"$WEFT_SRCDIR/configure" >log 2>&1) || {
	tail -n 5 "$work/log" >&2
	fail "configure"
}
grep -q 'libibumad): no$' "$work/log" || fail "configure says nothing"

(cd "$work" && make -n check TESTS= >commands 2>&1) || fail "make -n check"
grep -q 'tests/osm/topology' "$work/commands" || fail "not all commands"
for program in mcast_join path_sls kernel narrow; do
	grep -q "tests/osm/$program" "$work/commands" &&
		fail "$program would be built"
done

WEFT_BUILDDIR=$work
export WEFT_BUILDDIR
for test in layers multicast; do
	sh "$WEFT_SRCDIR/tests/osm/$test.sh" 2>"$work/skipped"
	[ $? -eq 77 ] || fail "$test is not skipped"
done
