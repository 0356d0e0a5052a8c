/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Machines as a site tells them: which adapters are in one, and the NUMA node
 * that each is near.
 */
#ifndef WEFT_MACHINES_H
#define WEFT_MACHINES_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

struct weft_adapter {
	uint64_t guid;		/* of the node, of one of its ports, or of the
				 * system image that all nodes of a card have,
				 * in either order of bytes */
	char *machine;		/* a name, never NULL */
	int numa;		/* the NUMA node; -1: not known */
	const char *file;	/* one of weft_adapters.file */
	unsigned long line;
};

struct weft_adapters {
	uint32_t n, nfiles;
	struct weft_adapter *adapter;	/* [n] */
	char **file;		/* [nfiles] */
};
void weft_adapters_free(struct weft_adapters *adapters); /* zeroed is fine */

/* Adds an adapter; the name is copied.  0 or -ENOMEM. */
int weft_adapters_add(struct weft_adapters *adapters, uint64_t guid,
		      const char *machine, int numa, const char *file,
		      unsigned long line);

/* Finds how machines are told by a word, auto, name, system or node, as --hosts-by
 * has it.  Returns false, and leaves *by alone, for any other. */
bool weft_machines_rule(const char *word, enum weft_machines_by *by);

/*
 * Has adapters of one name be a machine, whatever else tells machines; those
 * that are not told are found as before.  Before anybody else has the fabric.
 * Warned about, a line a file: adapters that the fabric does not have.
 * -EINVAL: the fabric has none of them, or one is in two machines; -ENOMEM.
 * O((adapters + endports) x log endports).
 */
int weft_adapters_apply(const struct weft_adapters *adapters,
			struct weft_fabric *fabric, struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
