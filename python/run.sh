#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs what python/weft is tested by, and the example, with the library that was
# just built.
for python in /usr/bin/python3 python3; do
	$python -c 'import cffi, numpy' 2>/dev/null && break
	python=
done
[ -n "$python" ] || {
	echo 'no python3 with cffi and numpy'
	exit 77
}
library=$WEFT_BUILDDIR/.libs/libweft.so.0
[ -e "$library" ] || {
	echo 'no shared library'
	exit 77
}
# A library with sanitizers goes into no other program.
grep -q __asan_init "$library" && {
	echo 'the library has sanitizers'
	exit 77
}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
PATH=$WEFT_BUILDDIR:$PATH
PYTHONPATH=$WEFT_SRCDIR/python PYTHONDONTWRITEBYTECODE=1
WEFT_CDEF=$WEFT_BUILDDIR/python/weft/weft.cdef WEFT_LIBRARY=$library
MPLCONFIGDIR=$dir
export PYTHONPATH PYTHONDONTWRITEBYTECODE WEFT_CDEF WEFT_LIBRARY MPLCONFIGDIR
cd "$dir" || exit 99
$python "$WEFT_SRCDIR/python/test.py" || exit 1
$python -c 'import matplotlib' 2>/dev/null || {
	echo 'no matplotlib: the example is not run'
	exit 0
}
$python "$WEFT_SRCDIR/python/example.py" 'pgft:2;4,4;1,4;1,1' out.png || exit 1
[ "$(head -c 4 out.png | tail -c 3)" = PNG ]
