// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Words that several sections use. */
#include "report/write.h"

#include "page/page.h"

void weft__report_more(FILE *out, uint64_t all, uint64_t shown,
		       const char *command)
{
	if (all > shown)
		weft__page_text(out, "p", "note", "And %s more; %s lists them.",
				WEFT_COUNT(all - shown, NULL), command);
}

const char *weft__report_vertex(const struct weft__report *r, uint32_t vertex,
				char buf[WEFT__NAME])
{
	return r->spec->names.vertex(r->spec->fabric, vertex, buf, WEFT__NAME);
}

const char *weft__report_channel(const struct weft__report *r, uint32_t channel,
				 char buf[2 * WEFT__NAME])
{
	return r->spec->names.channel(r->spec->fabric, channel, buf,
				      2 * WEFT__NAME);
}

double weft__report_share(uint64_t part, uint64_t all)
{
	return all ? (double)part / all : 0;
}
