/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * weft-sl.dump: what its reader and its writer share.
 *
 *	# weft-sl 1
 *	form endport-lid
 *	default 0
 *	lanes 3
 *	from 0x0002c90300000011 0x0004
 *	from 0x0002c90300000021 0x0005
 *	0x0001-0x0003 0
 *	0x0004 2
 *	end
 *
 * The layout is explained in weft-formats(5).
 */
#ifndef WEFT_IO_TABLES_SL_DUMP_H
#define WEFT_IO_TABLES_SL_DUMP_H

#include <weft/layers.h>

#define WEFT__SL_DUMP_MAGIC "# weft-sl "
#define WEFT__SL_DUMP_VERSION 1
#define WEFT__SL_DUMP_ONE_WAY "one-way"	/* the fifth line, or not there */
#define WEFT__SL_FORMS 4

/* By enum weft_sl_form. */
static const char *const weft__sl_form_name[WEFT__SL_FORMS] = {
	[WEFT_SL_ONE] = "one",
	[WEFT_SL_DESTINATION] = "destination",
	[WEFT_SL_SWITCH_PAIR] = "switch-pair",
	[WEFT_SL_ENDPORT_LID] = "endport-lid",
};

#endif
