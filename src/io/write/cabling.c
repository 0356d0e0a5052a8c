// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: cabling, the list of cables by racks
 *
 * A rack holds the switches whose names have the same beginning, with their
 * hosts: the group, box or row that descriptions name (rack_of()), or that many
 * switches in the order of GUIDs.  Cables are listed by rack: those within it,
 * then those to each other rack, every cable once.
 */
#include <weft/diag.h>
#include <weft/io.h>

#include "core/text/words.h"
#include "io/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct cable {
	uint32_t rack[2]; /* [0] <= [1] */
	uint32_t sw;	  /* the first end */
	uint32_t channel; /* that leaves it there */
	bool turned;	  /* the far end comes first */
};

struct cabling {
	const struct weft_fabric *f;
	char **name; /* [nracks] */
	uint32_t nracks;
	uint32_t *rack;	     /* [nsw] */
	struct cable *cable; /* [n] */
	uint32_t n, within;
};

static bool has_digit(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isdigit((unsigned char)s[i]))
			return true;
	return false;
}

/*
 * Returns how much of a switch's name stands for its rack: all before the last
 * part, if that still has a number or is of several words ("g3-sw1", "sw-0-2",
 * "a-leaf-07"), without a word that only says what it is; without the letter of
 * "rack-07b"; else all.
 */
static size_t rack_of(const char *name)
{
	size_t n = strlen(name), end = n;

	while (end && name[end - 1] != '-')
		end--;
	if (end > 1 &&
	    (has_digit(name, end - 1) || memchr(name, '-', end - 1))) {
		n = end - 1;
		for (end = n; end && name[end - 1] != '-';)
			end--;
		return end > 1 && !has_digit(name + end, n - end) ? end - 1 : n;
	}
	if (n > 1 && isalpha((unsigned char)name[n - 1]) &&
	    isdigit((unsigned char)name[n - 2]))
		return n - 1;
	return n;
}

static uint32_t find_rack(struct cabling *c, const char *name, size_t length)
{
	for (uint32_t i = c->nracks; i-- > 0;)
		if (strlen(c->name[i]) == length &&
		    !memcmp(c->name[i], name, length))
			return i;
	c->name[c->nracks] = strndup(name, length);
	return c->name[c->nracks] ? c->nracks++ : WEFT_NONE;
}

static bool find_racks(struct cabling *c, unsigned per_rack)
{
	for (uint32_t s = 0; s < c->f->nsw; s++) {
		const char *name = c->f->sw[s].name;
		char number[24];

		if (per_rack) {
			snprintf(number, sizeof(number), "rack-%u",
				 s / per_rack + 1);
			c->rack[s] = find_rack(c, number, strlen(number));
		} else {
			c->rack[s] = find_rack(c, name, rack_of(name));
		}
		if (c->rack[s] == WEFT_NONE)
			return false;
	}
	return true;
}

static int compare_cables(const void *x, const void *y)
{
	const struct cable *a = x, *b = y;

	for (unsigned i = 0; i < 2; i++)
		if (a->rack[i] != b->rack[i])
			return a->rack[i] < b->rack[i] ? -1 : 1;
	return a->channel < b->channel ? -1 : a->channel > b->channel;
}

static void list_cables(struct cabling *c)
{
	const struct weft_fabric *f = c->f;

	for (uint32_t s = 0; s < f->nsw; s++) {
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p), to = f->peer[ch];
			uint32_t t =
				to == WEFT_NONE ? s : weft_vertex_switch(f, to);
			struct cable *x = &c->cable[c->n];

			if (to == WEFT_NONE || to == s ||
			    (weft_is_switch(to) && to < s))
				continue;
			*x = (struct cable){ { c->rack[s], c->rack[t] },
					     s,
					     ch,
					     c->rack[t] < c->rack[s] };
			if (x->turned) {
				x->rack[0] = c->rack[t];
				x->rack[1] = c->rack[s];
			}
			c->within += x->rack[0] == x->rack[1];
			c->n++;
		}
	}
	qsort(c->cable, c->n, sizeof(*c->cable), compare_cables);
}

/* One end of a cable; side 0 is in the first rack. */
static const char *end_name(const struct cabling *c, const struct cable *x,
			    unsigned side, unsigned *port)
{
	const struct weft_fabric *f = c->f;
	uint32_t to = f->peer[x->channel];

	if (side == x->turned) {
		*port = x->channel - f->first_channel[x->sw];
		return f->sw[x->sw].name;
	}
	*port = f->peer_port[x->channel];
	return weft_is_switch(to) ?
		       f->sw[to].name :
		       f->node[f->ep[to & ~WEFT_ENDPORT].node].name;
}

static void link_text(const struct cabling *c, const struct cable *x,
		      char *text, size_t size)
{
	unsigned width = c->f->width[x->channel];
	enum weft_speed speed = c->f->speed[x->channel];

	if (width && speed)
		snprintf(text, size, "%ux%s", width, weft_speed_name(speed));
	else
		snprintf(text, size, "%s", WEFT__RATE(width, speed));
}

static bool same_racks(const struct cable *a, const struct cable *b)
{
	return a->rack[0] == b->rack[0] && a->rack[1] == b->rack[1];
}

/* Returns how many cables join the racks of the i-th one, which is the first of
 * them. */
static uint32_t count_same(const struct cabling *c, uint32_t i)
{
	uint32_t n = 1;

	while (i + n < c->n && same_racks(&c->cable[i], &c->cable[i + n]))
		n++;
	return n;
}

static void put_text(const struct cabling *c, FILE *out)
{
	char link[32], end[2][200];

	fprintf(out,
		"%" PRIu32 " racks, %" PRIu32 " cables: %" PRIu32
		" within racks, %" PRIu32 " between racks\n",
		c->nracks, c->n, c->within, c->n - c->within);
	for (uint32_t i = 0; i < c->n; i++) {
		const struct cable *x = &c->cable[i];

		if (!i || !same_racks(x - 1, x)) {
			fprintf(out, "\n%s", c->name[x->rack[0]]);
			if (x->rack[0] != x->rack[1])
				fprintf(out, " to %s", c->name[x->rack[1]]);
			fprintf(out, ": %" PRIu32 "\n", count_same(c, i));
		}
		for (unsigned side = 0; side < 2; side++) {
			unsigned port;
			const char *name = end_name(c, x, side, &port);

			snprintf(end[side], sizeof(end[side]), "%s:%u", name,
				 port);
		}
		link_text(c, x, link, sizeof(link));
		fprintf(out, "  %-28s %-28s %s\n", end[0], end[1], link);
	}
}

static const char *end_type(const struct cabling *c, const struct cable *x,
			    unsigned side)
{
	uint32_t far = c->f->peer[x->channel];

	return side == x->turned || weft_is_switch(far) ? "switch" : "host";
}

static void put_csv(const struct cabling *c, FILE *out)
{
	fputs("rack_a,node_a,port_a,rack_b,node_b,port_b,link,type_a,type_b\n", out);
	for (uint32_t i = 0; i < c->n; i++) {
		const struct cable *x = &c->cable[i];
		char link[32];

		for (unsigned side = 0; side < 2; side++) {
			unsigned port;
			const char *name = end_name(c, x, side, &port);

			weft__put_csv_field(out, c->name[x->rack[side]]);
			putc(',', out);
			weft__put_csv_field(out, name);
			fprintf(out, ",%u,", port);
		}
		link_text(c, x, link, sizeof(link));
		fprintf(out, "%s,%s,%s\n", link, end_type(c, x, 0),
			end_type(c, x, 1));
	}
}

static json_t *text_json(const char *text)
{
	char *copy = weft__utf8_copy(text);
	json_t *json = copy ? json_string(copy) : NULL;

	free(copy);
	return json;
}

static int put_json(const struct cabling *c, FILE *out)
{
	json_t *cables = json_array(), *root;
	int bad;

	for (uint32_t i = 0; i < c->n; i++) {
		const struct cable *x = &c->cable[i];
		unsigned port[2];
		const char *name[2];
		char link[32];

		for (unsigned side = 0; side < 2; side++)
			name[side] = end_name(c, x, side, &port[side]);
		link_text(c, x, link, sizeof(link));
		json_array_append_new(
			cables,
			json_pack("{s:[oo], s:[oo], s:[ii], s:s}", "racks",
				  text_json(c->name[x->rack[0]]),
				  text_json(c->name[x->rack[1]]), "nodes",
				  text_json(name[0]), text_json(name[1]),
				  "ports", (int)port[0], (int)port[1], "link",
				  link));
	}
	root = json_pack("{s:I, s:I, s:I, s:o}", "racks", (json_int_t)c->nracks,
			 "within", (json_int_t)c->within, "between",
			 (json_int_t)(c->n - c->within), "cables", cables);
	bad = root ? json_dumpf(root, out, JSON_INDENT(2)) : -1;
	json_decref(root);
	putc('\n', out);
	return bad ? -ENOMEM : 0;
}

int weft_io_write_cabling(FILE *out, const struct weft_fabric *f,
			  unsigned per_rack, enum weft_cabling_format format,
			  struct weft_diag *diag)
{
	struct cabling c = {
		.f = f,
		.name = calloc(f->nsw + 1ull, sizeof(*c.name)),
		.rack = calloc(f->nsw + 1ull, sizeof(*c.rack)),
		.cable = calloc(f->nlinks + 1ull, sizeof(*c.cable)),
	};
	int err = c.name && c.rack && c.cable && find_racks(&c, per_rack) ?
			  0 :
			  -ENOMEM;

	if (!err) {
		list_cables(&c);
		if (format == WEFT_CABLING_JSON)
			err = put_json(&c, out);
		else if (format == WEFT_CABLING_CSV)
			put_csv(&c, out);
		else
			put_text(&c, out);
	}
	for (uint32_t i = 0; i < c.nracks; i++)
		free(c.name[i]);
	free(c.name);
	free(c.rack);
	free(c.cable);
	return err ? weft_no_memory(diag) :
		     weft__finish_output(out, diag);
}
