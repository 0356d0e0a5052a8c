/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * weft-paths.dump: what its reader and its writer share.
 *
 *	# weft-paths 1
 *	0x0002c90300000011 0x0004 0 # node001 HCA-1
 *	0x0002c90300000021 0x0008 3 # node002 HCA-1
 *	end
 *
 * Port GUID, base LID, offset, name; weft-formats(5).
 */
#ifndef WEFT_IO_TABLES_PATHS_DUMP_H
#define WEFT_IO_TABLES_PATHS_DUMP_H

#define WEFT__PATHS_MAGIC "# weft-paths "
#define WEFT__PATHS_VERSION 1

#endif
