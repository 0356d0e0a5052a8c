// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The channels between switches as comma-separated values. */
#include <weft/io.h>

#include "io/text.h"

#include <inttypes.h>

static void put_end(FILE *out, const struct weft_switch *sw, unsigned port)
{
	fprintf(out, "0x%016" PRIx64 ",", sw->guid);
	weft__put_csv_field(out, sw->name);
	fprintf(out, ",%u,", port);
}

static void put_channel(FILE *out, const struct weft_fabric *f, uint32_t s,
			uint32_t ch, const uint64_t *load)
{
	put_end(out, &f->sw[s], ch - f->first_channel[s]);
	put_end(out, &f->sw[f->peer[ch]], f->peer_port[ch]);
	fprintf(out, "%u,%s,%u", f->width[ch], weft_speed_name(f->speed[ch]),
		f->capacity[ch]);
	if (load)
		fprintf(out, ",%" PRIu64, load[ch]);
	putc('\n', out);
}

int weft_io_write_links_csv(FILE *out, const struct weft_fabric *fabric,
			    const uint64_t *load, struct weft_diag *diag)
{
	fprintf(out, "from_guid,from_name,from_port,to_guid,to_name,to_port,"
		"width,speed,mbps%s\n", load ? ",load" : "");
	for (uint32_t s = 0; s < fabric->nsw; s++)
		for (uint32_t i = fabric->adj_first[s];
		     i < fabric->adj_first[s + 1]; i++)
			put_channel(out, fabric, s, fabric->adj[i], load);
	return weft__finish_output(out, diag);
}
