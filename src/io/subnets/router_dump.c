// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads weft-router.dump; see weft-formats(5).
 *
 * The dump names ports by number and GUID; what it says of subnets and LIDs is
 * for people, and for checking that it is of this fabric.
 */
#include "io/source.h"
#include "subnets/map/router_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const struct weft_subnets *s;
	struct weft_router_map *m;
	const char *path;
	struct weft_diag *diag;
	uint32_t router; /* whose lines these are; WEFT_NONE: none yet */
	bool *seen;	 /* [nrouters] */
	bool hashed;	 /* a hash was told */
};

static int wrong(const struct reader *r, const struct weft__line *line,
		 const char *what, const char *word, size_t length)
{
	weft_diag_at(r->diag, WEFT_ERROR, r->path, line->number, "'%.*s' is %s",
		     (int)(length < 60 ? length : 60), word, what);
	return -EINVAL;
}

/* Begins with a router: "router GUID "NAME"". */
static int read_router(struct reader *r, struct weft__line *line)
{
	const struct weft_subnets *s = r->s;
	struct weft__line at;
	uint64_t guid;
	const char *word;
	size_t length;

	weft__skip_blanks(line);
	at = *line;
	length = weft__skip_word(&at, &word);
	if (!weft__skip_0x(line, &guid))
		return wrong(r, line, "no GUID of a router", word, length);
	for (r->router = 0;
	     r->router < s->nrouters && s->router[r->router].guid != guid;
	     r->router++)
		;
	if (r->router == s->nrouters)
		return wrong(r, line, "no router of these subnets", word,
			     length);
	if (r->seen[r->router])
		return wrong(r, line, "there twice", word, length);
	r->seen[r->router] = true;
	return 0;
}

static int read_hash(struct reader *r, struct weft__line *line)
{
	const char *word;
	size_t length = weft__skip_word(line, &word);
	bool mix = length == 3 && !strncmp(word, "mix", 3);
	enum weft_router_map_hash hash = mix ? WEFT_HASH_MIX : WEFT_HASH_SUM;

	if (!mix && (length != 3 || strncmp(word, "sum", 3)))
		return wrong(r, line, "no hash: these are sum and mix", word,
			     length);
	if (r->hashed && r->m->hash != hash)
		return wrong(r, line,
			     "another hash than that of the router before: all have one",
			     word, length);
	r->m->hash = hash;
	r->hashed = true;
	return 0;
}

/* Returns the port of the current router with a number; WEFT_NONE: none. */
static uint32_t port_of(const struct reader *r, uint64_t number)
{
	const struct weft_router *q = &r->s->router[r->router];

	for (uint32_t p = q->first; p < q->first + q->n; p++)
		if (r->s->port[p].port == number)
			return p;
	return WEFT_NONE;
}

/* Reads the number of a port of the current router. */
static int read_number(const struct reader *r, struct weft__line *line,
		       uint32_t *port)
{
	const char *word;
	size_t length = weft__skip_word(line, &word);
	struct weft__line text = { .p = word, .end = word + length };
	uint64_t n;

	if (!length) {
		weft_diag_at(r->diag, WEFT_ERROR, r->path, line->number,
			     "ends where the number of a port should be");
		return -EINVAL;
	}
	if (!weft__skip_uint(&text, WEFT_MAX_PORTS, &n) || !weft__at_end(&text))
		return wrong(r, line, "no number of a port", word, length);
	*port = port_of(r, n);
	if (*port == WEFT_NONE)
		return wrong(r, line, "no port of this router that is cabled",
			     word, length);
	return 0;
}

/* Reads "port NUMBER GUID ...", and looks whether it is the same port here. */
static int read_port(struct reader *r, struct weft__line *line)
{
	uint32_t port;
	uint64_t guid;
	int err = read_number(r, line, &port);

	if (err)
		return err;
	weft__skip_blanks(line);
	if (!weft__skip_0x(line, &guid) ||
	    guid != weft_subnets_guid(r->s, r->s->port[port].subnet,
				      r->s->port[port].ep)) {
		weft_diag_at(r->diag, WEFT_ERROR, r->path, line->number,
			     "port %u of router %s has the GUID 0x%016" PRIx64,
			     r->s->port[port].port,
			     r->s->router[r->router].name,
			     weft_subnets_guid(r->s, r->s->port[port].subnet,
					       r->s->port[port].ep));
		return -EINVAL;
	}
	return 0;
}

/* Returns the host with a GID; WEFT_NONE if there is none. */
static uint32_t find_host(const struct weft_subnets *s, uint64_t prefix,
			  uint64_t guid)
{
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t ep;

		if (s->subnet[i].prefix != prefix)
			continue;
		ep = weft_fabric_endport_by_guid(s->subnet[i].fabric, guid);
		return ep == WEFT_NONE ? WEFT_NONE : s->subnet[i].host_of[ep];
	}
	return WEFT_NONE;
}

/* Reads "GID NUMBER". */
static int read_entry(struct reader *r, struct weft__line *line,
		      const char *word, size_t length)
{
	uint64_t prefix, guid;
	uint32_t host, port;
	char text[64];
	int err;

	snprintf(text, sizeof(text), "%.*s",
		 (int)(length < sizeof(text) ? length : sizeof(text) - 1),
		 word);
	if (length >= sizeof(text) || weft_gid_parse(text, &prefix, &guid))
		return wrong(r, line,
			     "neither \"router\", \"hash\", \"port\" nor a GID",
			     word, length);
	host = find_host(r->s, prefix, guid);
	err = read_number(r, line, &port);
	if (err)
		return err;
	if (host == WEFT_NONE)
		weft_diag_at(r->diag, WEFT_WARNING, r->path, line->number,
			     "%s is no host of these subnets", text);
	else
		r->m->out[(size_t)r->router * r->s->nhosts + host] = port;
	return 0;
}

static int read_line(struct reader *r, struct weft__line *line)
{
	const char *word;
	size_t length = weft__skip_word(line, &word);

	if (!length || *word == '#')
		return 0;
	if (length == 6 && !strncmp(word, "router", 6))
		return read_router(r, line);
	if (r->router == WEFT_NONE)
		return wrong(r, line, "before the first line \"router GUID\"",
			     word, length);
	if (length == 4 && !strncmp(word, "hash", 4))
		return read_hash(r, line);
	if (length == 4 && !strncmp(word, "port", 4))
		return read_port(r, line);
	return read_entry(r, line, word, length);
}

int weft__router_dump_parse(const struct weft__source *source,
			    const struct weft_subnets *s,
			    struct weft_router_map *m, struct weft_diag *diag)
{
	size_t n = (size_t)s->nrouters * s->nhosts;
	struct reader r = { .s = s,
			    .m = m,
			    .path = source->name,
			    .diag = diag,
			    .router = WEFT_NONE,
			    .seen = calloc(s->nrouters + 1ull, 1) };
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft__line line;
	int err = 0;

	if (!m->out)
		m->out = malloc((n + 1) * sizeof(*m->out));
	if (!r.seen || !m->out)
		err = weft_no_memory(diag);
	else
		memset(m->out, 0xff, n * sizeof(*m->out));
	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(&r, &line);
	for (uint32_t i = 0; !err && i < s->nrouters; i++)
		if (!r.seen[i])
			weft_diag_at(diag, WEFT_WARNING, source->name, 0,
				     "says nothing of router %s, which draws among its ports then",
				     s->router[i].name);
	free(r.seen);
	return err;
}

int weft_router_dump_read(const char *path, const struct weft_subnets *s,
			  struct weft_router_map *map, struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	err = weft__router_dump_parse(&source, s, map, diag);
	weft__source_close(&source);
	return err;
}
