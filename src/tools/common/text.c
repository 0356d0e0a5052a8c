// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Text for people, and strings for JSON. */
#include "tools/common/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define MOST_COLUMNS 80		/* of running text */
#define LEAST_COLUMNS 40
#define LEAST_TEXT 24		/* beside what stands on the left */

static const struct weft_endport *endport(const struct weft_fabric *f,
					  uint32_t vertex)
{
	return &f->ep[vertex & ~WEFT_ENDPORT];
}

const char *tool_vertex_name(const struct weft_fabric *f, uint32_t vertex)
{
	return weft_is_switch(vertex) ? f->sw[vertex].name :
					f->node[endport(f, vertex)->node].name;
}

uint64_t tool_vertex_guid(const struct weft_fabric *f, uint32_t vertex)
{
	return weft_is_switch(vertex) ? f->sw[vertex].guid :
					endport(f, vertex)->guid;
}

unsigned tool_vertex_lid(const struct weft_fabric *f, uint32_t vertex)
{
	return weft_is_switch(vertex) ? f->sw[vertex].lid :
					endport(f, vertex)->lid;
}

/* Whether another vertex has the same name: one of several ports of a node,
 * or one of the many nodes that nobody named. */
static bool is_repeated(const struct weft_fabric *f, uint32_t vertex)
{
	const char *name = tool_vertex_name(f, vertex);

	for (uint32_t s = 0; s < f->nsw; s++)
		if (s != vertex && !strcmp(f->sw[s].name, name))
			return true;
	for (uint32_t n = 0; n < f->nnodes; n++)
		if (!strcmp(f->node[n].name, name) &&
		    (f->node[n].nendports > 1 || weft_is_switch(vertex) ||
		     endport(f, vertex)->node != n))
			return true;
	return false;
}

const char *tool_text_vertex(const struct weft_fabric *f, uint32_t vertex,
			     char *buf, size_t size)
{
	const char *name = tool_vertex_name(f, vertex);
	uint64_t guid = tool_vertex_guid(f, vertex);
	size_t n;

	if (!*name) {
		snprintf(buf, size, "0x%016" PRIx64, guid);
		return buf;
	}
	weft_diag_printable(buf, size, name);
	n = strlen(buf);
	if (is_repeated(f, vertex))
		snprintf(buf + n, size - n, " (0x%016" PRIx64 ", lid %u)",
			 guid, tool_vertex_lid(f, vertex));
	return buf;
}

const char *tool_text_channel(const struct weft_fabric *f, uint32_t channel,
			      char *buf, size_t size)
{
	uint32_t from = weft_channel_switch(f, channel);
	char name[160], peer[160], port[8] = "";

	if (from == WEFT_NONE)
		from = (channel - f->first_injection) | WEFT_ENDPORT;
	else
		snprintf(port, sizeof(port), ":%u",
			 (unsigned)(uint8_t)(channel - f->first_channel[from]));
	snprintf(buf, size, "%s%s -> %s",
		 tool_text_vertex(f, from, name, sizeof(name)), port,
		 tool_text_vertex(f, f->peer[channel], peer, sizeof(peer)));
	if (weft_is_switch(f->peer[channel])) {
		size_t n = strlen(buf);

		snprintf(buf + n, size - n, ":%u", f->peer_port[channel]);
	}
	return buf;
}

unsigned tool_text_width(FILE *out)
{
	const char *said = getenv("COLUMNS");
	struct winsize size;
	int fd = fileno(out);
	uint64_t n;

	if (said && weft_number_uint(said, INT16_MAX, &n) && n)
		return n;
	if (fd >= 0 && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return 80;
}

unsigned tool_text_fit(FILE *out, int left, int width)
{
	int room = (int)tool_text_width(out) - 1 - left;

	return room < width ? 1 : room / width;
}

static int wrap_at(FILE *out)
{
	unsigned n = tool_text_width(out);

	return n > MOST_COLUMNS ? MOST_COLUMNS :
	       n < LEAST_COLUMNS ? LEAST_COLUMNS : n;
}

void tool_text_wrap(FILE *out, int used, int indent, const char *text)
{
	bool first = true;
	int columns = wrap_at(out);

	if (columns - indent < LEAST_TEXT) {
		indent = columns - LEAST_TEXT - 8;
		fprintf(out, "\n%*s", indent, "");
		used = indent;
	}
	while (*text) {
		int n = strcspn(text, " ");

		if (!first && used + 1 + n > columns - 1) {
			fprintf(out, "\n%*s", indent, "");
			used = indent;
		} else if (!first) {
			fputc(' ', out);
			used++;
		}
		fwrite(text, 1, n, out);
		used += n;
		text += n;
		text += strspn(text, " ");
		first = false;
	}
	fputc('\n', out);
}

void tool_text_bar(FILE *out, double share, int width)
{
	int n = share * width + 0.5;

	if (n > 0)
		fputs("  ", out);
	while (n-- > 0)
		fputc('#', out);
}

json_t *tool_json_guid(uint64_t guid)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, guid);
	return json_string(text);
}

json_t *tool_json_vertex(const struct weft_fabric *f, uint32_t vertex,
			 unsigned lid)
{
	if (vertex == WEFT_NONE)
		return json_null();
	return json_pack("{s:o, s:o, s:i}",
			 "name", tool_json_string(tool_vertex_name(f, vertex)),
			 "guid", tool_json_guid(tool_vertex_guid(f, vertex)),
			 "lid", lid);
}

json_t *tool_json_node(const struct weft_fabric *f, uint32_t vertex)
{
	return tool_json_vertex(f, vertex, vertex == WEFT_NONE ? 0 :
				tool_vertex_lid(f, vertex));
}

json_t *tool_json_channel(const struct weft_fabric *f, uint32_t channel)
{
	uint32_t sw = weft_channel_switch(f, channel);

	return json_pack("{s:o, s:i, s:o, s:i}", "switch",
			 tool_json_node(f, sw),
			 "port", (int)(channel - f->first_channel[sw]),
			 "peer", tool_json_node(f, f->peer[channel]),
			 "peer_port", (int)f->peer_port[channel]);
}

/* Each byte as the code point of that number. */
static json_t *from_latin1(const char *text)
{
	char *utf8 = malloc(2 * strlen(text) + 1), *p = utf8;
	json_t *string;

	if (!utf8)
		return NULL;
	for (; *text; text++) {
		unsigned char c = *text;

		if (c >= 0x80) {
			*p++ = 0xc0 | c >> 6;
			c = 0x80 | (c & 0x3f);
		}
		*p++ = c;
	}
	*p = '\0';
	string = json_string(utf8);
	free(utf8);
	return string;
}

void tool_text_csv(FILE *out, const char *text)
{
	weft_io_csv_quoted(out, text);
	fputc(',', out);
}

json_t *tool_json_string(const char *text)
{
	json_t *string = json_string(text);

	return string ? string : from_latin1(text);
}

void tool_json_print(FILE *out, json_t *root)
{
	json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
	fputc('\n', out);
	json_decref(root);
}

/* Adds the figures of an object to flat, under their keys with before. */
static void flatten(json_t *object, const char *before, json_t *flat)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		char whole[128];

		snprintf(whole, sizeof(whole), "%s%s%s", before,
			 *before ? "." : "", key);
		if (json_is_object(value))
			flatten(value, whole, flat);
		else if (!json_is_array(value))
			json_object_set(flat, whole, value);
	}
}

static void put_value(FILE *out, const json_t *value)
{
	if (json_is_string(value))
		weft_io_csv_quoted(out, json_string_value(value));
	else if (json_is_integer(value))
		fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		fprintf(out, "%.10g", json_real_value(value));
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "yes" : "no", out);
}

void tool_json_csv(FILE *out, json_t *cases)
{
	json_t *columns = json_object(), *rows = json_array(), *one, *unused;
	const char *key, *gap = "";
	size_t i;

	json_array_foreach(cases, i, one)
	{
		json_t *flat = json_object();

		flatten(one, "", flat);
		json_object_update(columns, flat);
		json_array_append_new(rows, flat);
	}
	json_object_foreach(columns, key, unused)
	{
		fprintf(out, "%s%s", gap, key);
		gap = ",";
	}
	fputc('\n', out);
	json_array_foreach(rows, i, one)
	{
		gap = "";
		json_object_foreach(columns, key, unused)
		{
			fputs(gap, out);
			put_value(out, json_object_get(one, key));
			gap = ",";
		}
		fputc('\n', out);
	}
	json_decref(columns);
	json_decref(rows);
	json_decref(cases);
}
