#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The published figures that take seconds; "make reproduce" for all.
exec "$WEFT_BUILDDIR/tests/reproduce/fattrees" quick
