// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Puts sentences together; see words.h. */
#include "core/text/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void weft__words_add(struct weft__words *w, const char *format, ...)
{
	va_list args;
	int n;

	if (w->cut || !w->size)
		return;
	va_start(args, format);
	n = vsnprintf(w->buf + w->used, w->size - w->used, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= w->size - w->used)
		w->cut = true;
	else
		w->used += n;
}

void weft__words_end(struct weft__words *w)
{
	if (w->cut && w->size > 3)
		strcpy(w->buf + w->size - 4, "...");
}

void weft__words_name(struct weft__words *w, const char *name, uint64_t guid)
{
	weft__words_add(w, "\"");
	for (; *name; name++)
		weft__words_add(w, "%c",
				isprint((unsigned char)*name) ? *name : '?');
	weft__words_add(w, "\" (0x%016" PRIx64 ")", guid);
}

void weft__words_cable(struct weft__words *w, const struct weft_fabric *f,
		       uint32_t channel)
{
	uint32_t end[] = { channel, f->reverse[channel] };

	for (unsigned i = 0; i < 2; i++) {
		uint32_t s = weft_channel_switch(f, end[i]);

		if (i)
			weft__words_add(w, " - ");
		weft__words_name(w, f->sw[s].name, f->sw[s].guid);
		weft__words_add(w, ":%" PRIu32, end[i] - f->first_channel[s]);
	}
}

const char *weft__rate_text(char buf[WEFT__RATE_SIZE], unsigned width,
			    enum weft_speed speed)
{
	if (width && speed)
		snprintf(buf, WEFT__RATE_SIZE, "%ux %s", width,
			 weft_speed_name(speed));
	else if (width)
		snprintf(buf, WEFT__RATE_SIZE, "%ux of unknown speed", width);
	else if (speed)
		snprintf(buf, WEFT__RATE_SIZE, "%s of unknown width",
			 weft_speed_name(speed));
	else
		strcpy(buf, "unknown");
	return buf;
}
