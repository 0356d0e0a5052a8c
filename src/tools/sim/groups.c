// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What groups of hosts sent and received. */
#include "tools/common/record.h"
#include "tools/sim/sim.h"

#include <stdlib.h>

/* A group on paper: hosts of it that are ranks, Gbit/s of payload over the
 * whole time. */
struct row {
	const char *name, *slowest;
	uint32_t hosts;
	double sent, received, least;
};

static bool is_there(const void *record)
{
	return ((const struct row *)record)->hosts;
}

static const struct tool_field fields[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
	FIELD(hosts, COUNT, "hosts", .words = "hosts", .width = 9),
	FIELD(sent, REAL, "sent_gbps", .words = "sent", .width = 9, .digits = 3,
	      .when = is_there),
	FIELD(received, REAL, "received_gbps", .words = "received", .width = 9,
	      .digits = 3, .when = is_there),
	FIELD(least, REAL, "least_gbps", .words = "least", .width = 9,
	      .digits = 3, .when = is_there),
	FIELD(name, NAME, "group"),
	FIELD(slowest, NAME, "slowest"),
	TOOL_FIELDS_END
#undef FIELD
};

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sums up a group; a host has a rank at most. */
static struct row row_of(const struct tool_sim *s,
			 const struct weft_host_group *g)
{
	const struct weft_fabric *f = s->c->fabric;
	const struct weft_sim *r = &s->result;
	struct row row = { .name = g->name };

	for (uint32_t i = 0; i < r->hosts; i++) {
		const struct weft_sim_host *host = &r->host[i];
		double got = r->time ? host->received * 8e3 / r->time : 0;

		if (!bsearch(&host->ep, g->endport, g->n, sizeof(host->ep),
			     by_number))
			continue;
		row.received += got;
		row.sent += r->time ? host->sent * 8e3 / r->time : 0;
		if (!row.hosts++ || got < row.least) {
			row.least = got;
			row.slowest = f->node[f->ep[host->ep].node].name;
		}
	}
	if (row.hosts) {
		row.sent /= row.hosts;
		row.received /= row.hosts;
	}
	return row;
}

void tool_sim_groups_print(const struct tool_sim *s, FILE *out)
{
	char name[160], slowest[160];

	if (!s->groups)
		return;
	tool_record_heads(fields, out);
	fputs("  Gbit/s of a host of group, least of host\n", out);
	for (uint32_t i = 0; i < s->groups->n; i++) {
		const struct row row = row_of(s, &s->groups->group[i]);

		tool_record_row(fields, &row, out);
		fprintf(out, "  %s",
			weft_diag_printable(name, sizeof(name), row.name));
		if (row.slowest)
			fprintf(out, ", %s",
				weft_diag_printable(slowest, sizeof(slowest),
						    row.slowest));
		fputc('\n', out);
	}
}

json_t *tool_sim_groups_json(const struct tool_sim *s)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < s->groups->n; i++) {
		const struct row row = row_of(s, &s->groups->group[i]);

		json_array_append_new(array, tool_record_object(fields, &row));
	}
	return array;
}
