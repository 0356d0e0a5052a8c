/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Questions to the fabric, many of them under way at a time, over libibumad.
 *
 * There is one method, Get: what is built on this cannot change a fabric.
 */
#ifndef WEFT_CAPTURE_MADS_H
#define WEFT_CAPTURE_MADS_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/mad.h>

struct weft_diag;
struct weft__mads;

struct weft__mads_spec {
	const char *ca;	      /* NULL = the first with a port that is up */
	int port;	      /* 0 = the first that is up */
	unsigned timeout_ms;  /* of each attempt */
	unsigned retries;     /* attempts after the first */
	unsigned outstanding; /* questions under way at a time, 1.. */
};

/* What is asked.  To whom: LID-routed where to.lid is set, else along
 * to.drpath; a subnet management question that gets no answer by LID is asked
 * along the path, where there is one. */
struct weft__question {
	int class; /* IB_SMI_CLASS, IB_SA_CLASS, ... */
	unsigned attribute, modifier;
	uint64_t mask; /* of components, to the SA */
	ib_portid_t to;
	uint8_t data[IB_SA_DATA_SIZE];
};

enum weft__answer {
	WEFT__ANSWERED,
	WEFT__REFUSED, /* there is no such table */
	WEFT__SILENT,  /* no answer, however often it was asked */
};

/* Where questions come from and answers go. */
struct weft__asker {
	/* The next question and a number for it; false: there is none left. */
	bool (*next)(void *context, struct weft__question *q, uint32_t *number);
	/* data, NULL unless ANSWERED, is the attribute.  -errno ends it all. */
	int (*answered)(void *context, uint32_t number,
			enum weft__answer answer, const uint8_t *data);
	void *context;
};

/* Opens a port; 0 or -errno after an error with its remedy. */
int weft__mads_open(const struct weft__mads_spec *spec, struct weft__mads **out,
		    struct weft_diag *diag);
void weft__mads_close(struct weft__mads *mads); /* NULL is fine */

/* The port that was opened, and its subnet manager's LID and SL. */
struct weft__mads_port {
	const char *ca;
	int port;
	unsigned lid, sm_lid, sm_sl;
};
struct weft__mads_port weft__mads_port(const struct weft__mads *mads);

/* Asks all questions; answers come in any order.  0, -errno of answered(), or
 * -EIO after an error when the port itself fails. */
int weft__mads_ask(struct weft__mads *mads, const struct weft__asker *asker,
		   struct weft_diag *diag);

#endif
