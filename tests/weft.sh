# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Sourced: $WEFT is the command that was built, and weft by PATH, too, without the
# script that libtool puts in front of it, which takes longer than most of what tests
# run.
WEFT=$WEFT_BUILDDIR/.libs/weft
if [ -x "$WEFT" ]; then
	LD_LIBRARY_PATH=$WEFT_BUILDDIR/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export LD_LIBRARY_PATH
else
	WEFT=$WEFT_BUILDDIR/weft
fi
PATH=$WEFT_BUILDDIR/tests/tools:${WEFT%/*}:$PATH
