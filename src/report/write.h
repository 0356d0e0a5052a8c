/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sections of the page, each by what it is about. */
#ifndef WEFT_REPORT_WRITE_H
#define WEFT_REPORT_WRITE_H

#include "report/report.h"

#include <stdio.h>

/* The page as a whole. */
void weft__report_write(const struct weft__report *r, FILE *out);

/* write_glance.c */
void weft__report_glance(const struct weft__report *r, FILE *out);
/* write_verdict.c */
void weft__report_check(const struct weft__report *r, FILE *out);
void weft__report_loops(const struct weft__report *r, FILE *out);
/* write_fabric.c */
void weft__report_fabric(const struct weft__report *r, FILE *out);
/* write_picture.c */
void weft__report_picture(const struct weft__report *r, FILE *out);
/* write_traffic.c */
void weft__report_patterns(const struct weft__report *r, FILE *out);
void weft__report_bisections(const struct weft__report *r, FILE *out);
void weft__report_lanes(const struct weft__report *r, FILE *out);
/* write_links.c */
void weft__report_links(const struct weft__report *r, FILE *out);
/* write_multicast.c */
void weft__report_multicast(const struct weft__report *r, FILE *out);
/* write_weak.c */
void weft__report_weak(const struct weft__report *r, FILE *out);

/* write_engines.c */
void weft__report_engines(const struct weft__report *r, FILE *out);
/* write_ports.c */
void weft__report_ports(const struct weft__report *r, FILE *out);
/* write_since.c */
void weft__report_since(const struct weft__report *r, FILE *out);
/* write_conf.c */
void weft__report_conf(const struct weft__report *r, FILE *out);

/* --- words.c -------------------------------------------------------------- */

#define WEFT__NAME 384

/* Names as the spec says, in a buffer that lasts as long as its block. */
#define WEFT__VERTEX(r, v)                                                     \
	weft__report_vertex((r), (v), (char[WEFT__NAME]){ 0 })
#define WEFT__CHANNEL(r, ch)                                                   \
	weft__report_channel((r), (ch), (char[2 * WEFT__NAME]){ 0 })
const char *weft__report_vertex(const struct weft__report *r, uint32_t vertex,
				char buf[WEFT__NAME]);
const char *weft__report_channel(const struct weft__report *r, uint32_t channel,
				 char buf[2 * WEFT__NAME]);

/* "and N more: weft check --top=N shows all", where a list was cut. */
void weft__report_more(FILE *out, uint64_t all, uint64_t shown,
		       const char *command);
/* part / all, 0 of nothing. */
double weft__report_share(uint64_t part, uint64_t all);

#endif
