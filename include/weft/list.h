/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lists of nodes that an option takes (WEFT_OPT_LIST): which switches are
 * roots, what role each has, which ports are active.  A node is named by its
 * GUID or as its description names it; the list is in the option itself or in a
 * file, which weft_io_read_lists() reads.
 *
 * Lists outlive the nodes in them: who is not in the fabric is warned about and
 * left aside.  That nobody is there is an error, for it is likely to be the
 * wrong list, unless the list is lenient: then that is a warning, too, and an
 * engine goes on as if there were no list.
 */
#ifndef WEFT_LIST_H
#define WEFT_LIST_H

#include <weft/fabric.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

struct weft_list_entry {
	char *name;		/* NULL: the GUID counts */
	uint64_t guid;		/* of a node or a port */
	char *value;		/* said about the node; NULL = nothing */
	unsigned long line;	/* of the file, 0 = no file */
};

struct weft_list {
	const char *option;	/* whose list it is, for messages */
	char *file;		/* NULL: it stands in the option */
	bool lenient;
	bool quiet;		/* nothing is said about who is not there */
	uint32_t n;
	struct weft_list_entry *entry;
};

/* Which nodes may be meant. */
#define WEFT_LIST_SWITCHES 0x1
#define WEFT_LIST_ENDPORTS 0x2

/*
 * Finds the entries in a fabric: vertex[list->n] becomes the id of a switch,
 * that of an endport | WEFT_ENDPORT, or WEFT_NONE for who is not there, is not
 * the only one of that name, or has several ports of which none is given (an
 * entry's value is the number of the port).  Names are whole node descriptions,
 * or first words of them where no whole one fits.  0, or -EINVAL after an
 * error: nobody is there, and the list is not lenient.  O(entries x nodes).
 */
int weft_list_find(const struct weft_list *list,
		   const struct weft_fabric *fabric, unsigned kinds,
		   uint32_t *vertex, struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
