// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The picture: switches and cables, with load, credit loops and errors. */
#include "report/write.h"

#include "draw/draw.h"
#include "draw/heat.h"
#include "page/page.h"

#include <stdlib.h>

/* Whether a port counts errors that came while the capture ran. */
static bool has_errors(const struct weft_port_counters *p)
{
	for (unsigned i = 0; i < WEFT_COUNTERS; i++)
		if (weft_counter_is_error(i) && (p->grew >> i & 1) &&
		    p->growth[i])
			return true;
	return false;
}

/* Marks channels, errors before loops, and says what marks mean that there
 * are. */
static void mark_channels(const struct weft__report *r, uint8_t *mark,
			  struct weft__overlay *overlay)
{
	const struct weft_fabric *f = r->spec->fabric;
	const struct weft_proof *p = &r->proof;

	for (uint32_t i = 0; i < p->ncycles; i++)
		for (uint32_t k = 0; k < p->cycle[i].n; k++)
			mark[p->cycle[i].channel[k]] = WEFT__MARK_LOOP;
	if (p->ncycles)
		overlay->said[WEFT__MARK_LOOP] = "in a credit loop";
	for (uint32_t ch = 0; ch < r->counters.nch && ch < f->first_injection;
	     ch++) {
		if (!has_errors(&r->counters.port[ch]))
			continue;
		mark[ch] = WEFT__MARK_ERROR;
		overlay->said[WEFT__MARK_ERROR] = "errors came meanwhile";
	}
}

static void draw(const struct weft__report *r, float *heat, uint8_t *mark,
		 FILE *out)
{
	bool loops = r->proof.ncycles;
	struct weft__overlay overlay = {
		.heat = r->has_traffic && !loops ? heat : NULL,
		.load = r->proof.channel_load,
		.unit = "route",
		.cold = WEFT__HEAT_COLD,
		.hot = WEFT__HEAT_HOT,
		.mark = mark,
	};
	const struct weft__drawing drawing = {
		.fabric = r->spec->fabric,
		.shape = &r->shape,
		.overlay = &overlay,
		.embedded = true,
	};

	weft__draw_heat(r->spec->fabric, &r->shape, r->proof.channel_load,
			heat);
	mark_channels(r, mark, &overlay);
	fputs("<figure>\n"
	      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of the fabric\">\n",
	      out);
	if (weft__draw_svg(&drawing, out, r->diag))
		weft__page_text(out, "p", "note", "There is no picture.");
	fputs("</div>\n", out);
	weft__page_text(
		out, "figcaption", NULL, "%s",
		loops ? "Switches and the cables between them; marked, those of a credit loop."
			:
			"Switches and the cables between them, by their load for their speed, against others of their level, when all hosts send to all.");
	fputs("</figure>\n", out);
}

void weft__report_picture(const struct weft__report *r, FILE *out)
{
	uint32_t n = r->spec->fabric->first_injection;
	float *heat = calloc(n + (size_t)1, sizeof(*heat));
	uint8_t *mark = calloc(n + (size_t)1, 1);

	if (heat && mark)
		draw(r, heat, mark, out);
	free(heat);
	free(mark);
}
