// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft check --redundancy: what machines with several ports depend on. */
#include "tools/check/redundancy.h"

#include <inttypes.h>

static void weak_text(const struct weft_fabric *f, const struct weft_weak *w,
		      char *buf, size_t size)
{
	const struct weft_node *node =
		&f->node[f->ep[weft_machine_endport(f, w->machine)].node];

	snprintf(buf, size,
		 "\"%s\" (0x%016" PRIx64 ") depends on \"%s\" (0x%016" PRIx64
		 ") from %" PRIu32 " switch%s, needlessly from %" PRIu32,
		 node->name, node->guid,
		 f->sw[w->sw].name, f->sw[w->sw].guid, w->sources,
		 w->sources == 1 ? "" : "es", w->needless);
}

void tool_redundancy_print(const struct weft_fabric *f,
			   const struct weft_redundancy *r, uint32_t most,
			   FILE *out)
{
	char text[512];

	fprintf(out, "  nodes with one port     %" PRIu32 "\n", r->single);
	fprintf(out, "  nodes with several      %" PRIu32 "\n", r->several);
	fprintf(out, "    that depend on one switch  %" PRIu32
		", needlessly %" PRIu32 "\n", r->weak_machines,
		r->needless_machines);
	for (uint32_t i = 0; i < r->n && i < most; i++) {
		weak_text(f, &r->weak[i], text, sizeof(text));
		fputs("    ", out);
		tool_text_wrap(out, 4, 6, text);
	}
}

void tool_lids_print(const struct weft_lid_redundancy *r, FILE *out)
{
	if (!r->pairs)
		return;
	fprintf(out, "  pairs with several LIDs %s\n",
		WEFT_COUNT(r->pairs, NULL));
	fprintf(out, "    all LIDs by one cable %s\n",
		WEFT_COUNT(r->cable, NULL));
	fprintf(out, "    all LIDs by one switch in between  %s\n",
		WEFT_COUNT(r->sw, NULL));
}

json_t *tool_lids_json(const struct weft_lid_redundancy *r)
{
	return json_pack("{s:I, s:I, s:I}", "pairs", (json_int_t)r->pairs,
			 "by_one_cable", (json_int_t)r->cable,
			 "by_one_switch", (json_int_t)r->sw);
}

json_t *tool_redundancy_json(const struct weft_fabric *f,
			     const struct weft_redundancy *r, uint32_t most)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < r->n && i < most; i++) {
		const struct weft_weak *w = &r->weak[i];
		uint32_t e = weft_machine_endport(f, w->machine);

		json_array_append_new(array, json_pack(
			"{s:o, s:o, s:i, s:i}",
			"node", tool_json_guid(f->node[f->ep[e].node].guid),
			"switch", tool_json_guid(f->sw[w->sw].guid),
			"sources", w->sources, "needless", w->needless));
	}
	return json_pack("{s:i, s:i, s:i, s:i, s:i, s:o}", "single", r->single,
			 "several", r->several, "weak", r->weak_machines,
			 "needless", r->needless_machines, "finding_count", r->n,
			 "findings", array);
}
