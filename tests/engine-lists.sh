#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The build system has the engines of engines.def.
exec sh "$WEFT_SRCDIR/scripts/engine-lists" --check
