// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads a mapping, weft-routers.map; see weft-formats(5). */
#include "io/source.h"
#include "subnets/router_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How much of a GID a line is about: more wins over less. */
enum scope { EVERYBODY, PREFIX, HOST, SCOPES };

/* A line that was read. */
struct entry {
	enum scope scope;
	uint64_t prefix, guid;
	uint32_t port; /* the first one that is named */
	unsigned long line;
};

struct reader {
	const struct weft_subnets *s;
	uint32_t subnet;
	const char *path;
	struct entry *entry;
	size_t n, room;
	struct weft_diag *diag;
};

static int wrong(const struct reader *r, unsigned long line, const char *what,
		 const char *word, size_t length)
{
	weft_diag_at(r->diag, WEFT_ERROR, r->path, line, "'%.*s' is %s",
		     (int)(length < 60 ? length : 60), word, what);
	return -EINVAL;
}

/* Finds the router port with a GUID among those of the subnet. */
static uint32_t find_port(const struct reader *r, uint64_t guid)
{
	const struct weft_subnets *s = r->s;

	for (uint32_t p = 0; p < s->nports; p++)
		if (s->port[p].subnet == r->subnet &&
		    weft_subnets_guid(s, r->subnet, s->port[p].ep) == guid)
			return p;
	return WEFT_NONE;
}

/* Reads the first word of a line: "*", a prefix or a GID. */
static int read_goal(const struct reader *r, const char *word, size_t length,
		     struct entry *e)
{
	char text[64];
	char *slash;

	if (length == 1 && *word == '*') {
		e->scope = EVERYBODY;
		return 0;
	}
	snprintf(text, sizeof(text), "%.*s",
		 (int)(length < sizeof(text) ? length : sizeof(text) - 1),
		 word);
	slash = strchr(text, '/');
	if (slash && strcmp(slash, "/64"))
		return wrong(r, e->line, "no prefix: these end in /64", word,
			     length);
	e->scope = slash ? PREFIX : HOST;
	if (slash)
		*slash = '\0';
	if (length >= sizeof(text) ||
	    weft_gid_parse(text, &e->prefix, &e->guid))
		return wrong(r, e->line,
			     "neither a GID, a prefix with /64, nor *", word,
			     length);
	return 0;
}

/* Reads the router ports of a line; the first one counts, others are for when
 * it is down. */
static int read_ports(const struct reader *r, struct weft__line *line,
		      struct entry *e)
{
	const char *word;
	size_t length;

	e->port = WEFT_NONE;
	while ((length = weft__skip_word(line, &word)) && *word != '#') {
		struct weft__line one = { .p = word, .end = word + length };
		uint64_t guid;
		uint32_t port;

		if (!weft__skip_0x(&one, &guid) || one.p != one.end)
			return wrong(r, e->line,
				     "no GUID: these are 0x and up to 16 "
				     "hexadecimal digits",
				     word, length);
		port = find_port(r, guid);
		if (port == WEFT_NONE)
			return wrong(r, e->line,
				     "no port of a router in this subnet", word,
				     length);
		if (e->port == WEFT_NONE)
			e->port = port;
	}
	if (e->port != WEFT_NONE)
		return 0;
	weft_diag_at(r->diag, WEFT_ERROR, r->path, e->line,
		     "no router port: give the GUID of one");
	return -EINVAL;
}

static int read_line(struct reader *r, struct weft__line *line)
{
	struct entry e = { .line = line->number };
	const char *word;
	size_t length = weft__skip_word(line, &word);
	int err;

	if (!length || *word == '#')
		return 0;
	err = read_goal(r, word, length, &e);
	if (!err)
		err = read_ports(r, line, &e);
	if (err)
		return err;
	if (r->n == r->room) {
		size_t room = r->room ? 2 * r->room : 256;
		struct entry *more = realloc(r->entry, room * sizeof(*more));

		if (!more)
			return weft_fail(r->diag, ENOMEM, "out of memory");
		r->entry = more;
		r->room = room;
	}
	r->entry[r->n++] = e;
	return 0;
}

static int by_goal(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	if (a->scope != b->scope)
		return (int)a->scope - (int)b->scope;
	if (a->prefix != b->prefix)
		return a->prefix < b->prefix ? -1 : 1;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* Finds the entry that a GID has in a scope; NULL if there is none. */
static const struct entry *find(const struct reader *r, enum scope scope,
				uint64_t prefix, uint64_t guid)
{
	struct entry key = { .scope = scope,
			     .prefix = scope == EVERYBODY ? 0 : prefix,
			     .guid = scope == HOST ? guid : 0 };
	size_t low = 0, high = r->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (by_goal(&r->entry[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == r->n || r->entry[low].scope != scope ||
	    r->entry[low].prefix != key.prefix ||
	    r->entry[low].guid != key.guid)
		return NULL;
	return &r->entry[low];
}

/* Looks for a goal that two lines name, and warns of hosts that nobody knows.
 */
static int check_goals(const struct reader *r)
{
	const struct weft_subnets *s = r->s;
	char gid[WEFT_GID_SIZE];

	for (size_t i = 0; i < r->n; i++) {
		const struct entry *e = &r->entry[i];
		bool known = e->scope == EVERYBODY;

		if (i && e[-1].scope == e->scope && e[-1].prefix == e->prefix &&
		    e[-1].guid == e->guid) {
			weft_diag_at(r->diag, WEFT_ERROR, r->path, e->line,
				     "line %lu is about the same", e[-1].line);
			return -EINVAL;
		}
		for (uint32_t k = 0; k < s->n && !known; k++)
			known = s->subnet[k].prefix == e->prefix &&
				(e->scope == PREFIX ||
				 weft_fabric_endport_by_guid(
					 s->subnet[k].fabric, e->guid) !=
					 WEFT_NONE);
		if (!known)
			weft_diag_at(r->diag, WEFT_WARNING, r->path, e->line,
				     "%s%s is in no subnet",
				     weft_gid_text(e->prefix, e->guid, gid),
				     e->scope == PREFIX ? "/64" : "");
	}
	return 0;
}

static void apply(const struct reader *r, struct weft_router_map *m)
{
	const struct weft_subnets *s = r->s;

	for (uint32_t h = 0; h < s->nhosts; h++) {
		const struct weft_place *to = &s->host[h];
		const struct entry *e = NULL;

		if (to->subnet == r->subnet)
			continue;
		for (int scope = HOST; scope >= EVERYBODY && !e; scope--)
			e = find(r, (enum scope)scope,
				 s->subnet[to->subnet].prefix,
				 weft_subnets_guid(s, to->subnet, to->ep));
		m->via[(size_t)r->subnet * s->nhosts + h] =
			e ? e->port : WEFT_NONE;
	}
}

int weft__router_map_parse(const struct weft__source *source,
			   const struct weft_subnets *s, uint32_t subnet,
			   struct weft_router_map *map, struct weft_diag *diag)
{
	struct reader r = {
		.s = s, .subnet = subnet, .path = source->name, .diag = diag
	};
	struct weft__lines lines = weft__lines_begin(source);
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line))
		err = read_line(&r, &line);
	if (!err && r.n)
		qsort(r.entry, r.n, sizeof(*r.entry), by_goal);
	if (!err)
		err = check_goals(&r);
	if (!err)
		apply(&r, map);
	free(r.entry);
	return err;
}

int weft_router_map_read(const char *path, const struct weft_subnets *s,
			 uint32_t subnet, struct weft_router_map *map,
			 struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	err = weft__router_map_parse(&source, s, subnet, map, diag);
	weft__source_close(&source);
	return err;
}
