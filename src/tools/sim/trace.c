// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft sim --trace: one packet through all queues. */
#include "tools/common/places.h"
#include "tools/sim/sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool find_host(struct tool *t, const struct weft_fabric *f,
		      const char *text, uint32_t *ep)
{
	struct tool_place place;

	if (!tool_place_find(t, f, text, &place))
		return false;
	if (!weft_is_endport(place.vertex)) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "--trace: '%s' is a switch; packets are sent by hosts",
			      text);
		return false;
	}
	*ep = place.vertex & ~WEFT_ENDPORT;
	return true;
}

bool tool_sim_trace_read(struct tool *t, const char *text,
			 const struct weft_fabric *f,
			 struct weft_sim_spec *spec)
{
	char *from = strdup(text), *to, *number;
	uint64_t n = 1;
	bool ok;

	if (!from)
		return tool_no_memory(t);
	to = strchr(from, ',');
	number = to ? strchr(to + 1, ',') : NULL;
	if (to)
		*to++ = '\0';
	if (number) {
		*number++ = '\0';
		if (!weft_number_uint(number, UINT64_MAX, &n))
			n = 0;
	}
	ok = to && *from && *to && n;
	if (!ok)
		tool_usage(t,
			   "--trace takes FROM,TO or FROM,TO,N: two hosts, and which of the packets from one to the other, from 1 on, not '%s'",
			   text);
	else
		ok = find_host(t, f, from, &spec->trace_from) &&
		     find_host(t, f, to, &spec->trace_to);
	spec->trace_number = ok ? n : 0;
	free(from);
	return ok;
}

static const char *end_name(const struct tool_sim *s, uint32_t end, char *buf,
			    size_t size)
{
	const struct weft_fabric *f = s->c->fabric;

	return tool_text_vertex(
		f, end < f->nep ? end | WEFT_ENDPORT : end - f->nep, buf, size);
}

/* "host-0001 -> host-0005, its packet 17" */
static const char *other_text(const struct tool_sim *s,
			      const struct weft_sim_other *o, char *buf,
			      size_t size)
{
	char from[96], to[96];

	snprintf(buf, size, "%s -> %s, its packet %u",
		 end_name(s, o->from, from, sizeof(from)),
		 end_name(s, o->to, to, sizeof(to)), o->number);
	return buf;
}

static void print_wait(const struct tool_sim *s, double ns, const char *what,
		       const struct weft_sim_other *last, FILE *out)
{
	char text[240];

	fprintf(out, "    %10.1f ns  %s\n", ns, what);
	if (last->number) {
		fputs("                   ", out);
		tool_text_wrap(out, 19, 21,
			       other_text(s, last, text, sizeof(text)));
	}
}

static double ns_between(uint64_t from, uint64_t to)
{
	return to > from ? (to - from) / 1e3 : 0;
}

/* Prints what a packet waited for, until it left or the end of the run. */
static void print_waits(const struct tool_sim *s,
			const struct weft_sim_stop *at, uint64_t end, FILE *out)
{
	static const struct weft_sim_other nobody = { 0 };
	uint64_t first = at->first < end ? at->first : end;
	uint64_t left = at->out < end ? at->out : end;
	uint64_t wait = left > first ? left - first : 0;
	uint64_t busy = at->busy < wait ? at->busy : wait;
	bool in_host = at == s->result.trace.stop;
	char what[96];

	snprintf(what, sizeof(what), "behind %s in its queue%s",
		 WEFT_COUNT(at->ahead, "packet"),
		 at->ahead > 1 ? ", the last of them" : "");
	if (in_host)
		snprintf(what, sizeof(what),
			 "while its host sends others, the last of them");
	if (first > at->in && (in_host || at->ahead))
		print_wait(s, ns_between(at->in, first), what, &at->behind,
			   out);
	else if (first > at->in)
		print_wait(s, ns_between(at->in, first),
			   "until it can go on without a gap", &nobody, out);
	snprintf(what, sizeof(what), "while its output sends %s%s",
		 WEFT_COUNT(at->others, "other packet"),
		 at->others > 1 ? ", the last of them" : "");
	if (busy)
		print_wait(s, busy / 1e3, what, &at->before, out);
	if (wait > busy)
		print_wait(s, (wait - busy) / 1e3,
			   "for credits of the next buffer", &nobody, out);
}

static void print_stop(const struct tool_sim *s, const struct weft_sim_stop *at,
		       uint64_t end, FILE *out)
{
	char text[240], channel[200] = "its output is not known yet";

	if (at->channel != WEFT_NONE)
		tool_text_channel(s->c->fabric, at->channel, channel,
				  sizeof(channel));
	fprintf(out, "    at %12.3f us, VL %u  ", at->in / 1e6, at->lane);
	snprintf(text, sizeof(text), "%s", channel);
	tool_text_wrap(out, 29, 31, text);
	print_waits(s, at, end, out);
	if (at->out == UINT64_MAX)
		fputs("                   and is still there\n", out);
}

void tool_sim_trace_print(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim_spec *spec = s->spec;
	const struct weft_sim_trace *t = &s->result.trace;
	uint64_t end = t->lost < s->result.time ? t->lost : s->result.time;
	char from[96], to[96];

	fprintf(out, "  packet %s", WEFT_COUNT(spec->trace_number, NULL));
	fprintf(out, " from %s to %s\n",
		end_name(s, spec->trace_from, from, sizeof(from)),
		end_name(s, spec->trace_to, to, sizeof(to)));
	if (!t->n) {
		fputs("    was never sent\n", out);
		return;
	}
	for (uint32_t i = 0; i < t->n; i++)
		print_stop(s, &t->stop[i], end, out);
	if (t->delivered != UINT64_MAX)
		fprintf(out, "    at %12.3f us  arrived, after %.1f ns\n",
			t->delivered / 1e6,
			ns_between(t->stop[0].in, t->delivered));
	else if (t->lost != UINT64_MAX)
		fprintf(out, "    at %12.3f us  dropped: %s\n", t->lost / 1e6,
			weft_sim_drop_name(t->why));
}

static json_t *other_json(const struct tool_sim *s,
			  const struct weft_sim_other *o)
{
	char from[160], to[160];

	if (!o->number)
		return json_null();
	return json_pack(
		"{s:o, s:o, s:i}", "from",
		tool_json_string(end_name(s, o->from, from, sizeof(from))),
		"to", tool_json_string(end_name(s, o->to, to, sizeof(to))),
		"number", o->number);
}

static json_t *ns_json(uint64_t ps)
{
	return ps == UINT64_MAX ? json_null() : json_real(ps / 1e3);
}

static json_t *stop_json(const struct tool_sim *s,
			 const struct weft_sim_stop *at)
{
	char channel[200];

	return json_pack(
		"{s:o, s:i, s:o, s:o, s:o, s:f, s:i, s:o, s:i, s:o}", "channel",
		at->channel == WEFT_NONE ? json_null() :
					   tool_json_string(tool_text_channel(
						   s->c->fabric, at->channel,
						   channel, sizeof(channel))),
		"vl", at->lane, "in_ns", ns_json(at->in), "first_ns",
		ns_json(at->first), "out_ns", ns_json(at->out), "busy_ns",
		at->busy / 1e3, "ahead", at->ahead, "behind",
		other_json(s, &at->behind), "others", at->others, "before",
		other_json(s, &at->before));
}

json_t *tool_sim_trace_json(const struct tool_sim *s)
{
	const struct weft_sim_trace *t = &s->result.trace;
	json_t *stops = json_array();

	for (uint32_t i = 0; i < t->n; i++)
		json_array_append_new(stops, stop_json(s, &t->stop[i]));
	return json_pack("{s:i, s:i, s:o, s:o, s:o}", "number", t->number,
			 "bytes", t->bytes, "stops", stops, "delivered_ns",
			 t->n ? ns_json(t->delivered) : json_null(), "lost",
			 t->n && t->lost != UINT64_MAX ?
				 json_string(weft_sim_drop_name(t->why)) :
				 json_null());
}
