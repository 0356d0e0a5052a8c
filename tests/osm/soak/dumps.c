// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads opensm's dumps; see dumps.h. */
#include "dumps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *check(void *p)
{
	if (p)
		return p;
	fputs("judge: out of memory\n", stderr);
	exit(99);
}

static FILE *open_in(const char *directory, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return fopen(path, "r");
}

uint32_t dumps_switch(const struct dumps *d, uint64_t guid)
{
	uint32_t s = 0;

	while (s < d->nsw && d->sw[s].guid != guid)
		s++;
	return s;
}

uint32_t dumps_host(const struct dumps *d, uint64_t guid)
{
	uint32_t h = 0;

	while (h < d->nhost && d->host[h].guid != guid)
		h++;
	return h;
}

static uint32_t switch_of(struct dumps *d, uint64_t guid)
{
	uint32_t s = dumps_switch(d, guid);

	if (s < d->nsw)
		return s;
	d->sw = check(realloc(d->sw, (s + 1) * sizeof(*d->sw)));
	memset(&d->sw[s], 0, sizeof(*d->sw));
	d->sw[s].guid = guid;
	d->sw[s].lft = check(malloc(LIDS));
	memset(d->sw[s].lft, NO_PORT, LIDS);
	return d->nsw++;
}

static uint32_t host_of(struct dumps *d, uint64_t guid)
{
	uint32_t h = dumps_host(d, guid);

	if (h < d->nhost)
		return h;
	d->host = check(realloc(d->host, (h + 1) * sizeof(*d->host)));
	memset(&d->host[h], 0, sizeof(*d->host));
	d->host[h].guid = guid;
	return d->nhost++;
}

/* --- opensm-subnet.lst --------------------------------------------------- */

/* One end of a link: "{ SW Ports:24 ... NodeGUID:... } LID:0001 PN:01 }". */
struct end {
	bool sw;
	uint64_t node, port;
	uint32_t lid;
	unsigned number;
};

static bool read_end(const char *text, struct end *e)
{
	const char *node = strstr(text, "NodeGUID:");
	const char *port = strstr(text, "PortGUID:");
	const char *lid = strstr(text, "} LID:");
	const char *number = lid ? strstr(lid, " PN:") : NULL;

	if (!node || !port || !number)
		return false;
	e->sw = !strncmp(text, "{ SW", 4);
	e->node = strtoull(node + 9, NULL, 16);
	e->port = strtoull(port + 9, NULL, 16);
	e->lid = strtoul(lid + 6, NULL, 16);
	e->number = strtoul(number + 4, NULL, 16);
	return e->lid < LIDS && e->number < PORTS;
}

static void take_link(struct dumps *d, const struct end *here,
		      const struct end *there)
{
	uint32_t s = switch_of(d, here->node), to;
	struct port *port;

	to = there->sw ? switch_of(d, there->node) : host_of(d, there->port);
	port = &d->sw[s].port[here->number];
	d->sw[s].lid = here->lid;
	if (here->number > d->sw[s].nports)
		d->sw[s].nports = here->number;
	*port = (struct port){ there->sw ? TO_SWITCH : TO_HOST, to,
			       there->number };
	if (there->sw)
		return;
	d->host[to].lid = there->lid;
	d->host[to].sw = s;
	d->host[to].port = here->number;
}

static bool read_subnet(struct dumps *d, const char *directory)
{
	FILE *in = open_in(directory, "opensm-subnet.lst");
	char *line = NULL;
	size_t room = 0;
	bool whole = in;

	while (whole && getline(&line, &room, in) > 0) {
		char *second = strstr(line, " } { ");
		struct end a, b;

		if (!second || !strchr(line, '\n')) {
			whole = false;
			break;
		}
		second[2] = '\0';
		second += 3;
		whole = read_end(line, &a) && read_end(second, &b);
		if (whole && a.sw)
			take_link(d, &a, &b);
		if (whole && b.sw)
			take_link(d, &b, &a);
	}
	free(line);
	if (in)
		fclose(in);
	return whole;
}

/* --- tables ----------------------------------------------------------- */

static bool read_lfts(struct dumps *d, const char *directory)
{
	FILE *in = open_in(directory, "opensm-lfts.dump");
	char *line = NULL;
	size_t room = 0;
	uint32_t s = d->nsw, tables = 0;

	while (in && getline(&line, &room, in) > 0) {
		const char *guid = strstr(line, "guid 0x");
		unsigned lid, port;

		if (!strncmp(line, "Unicast lids", 12) && guid) {
			s = dumps_switch(d, strtoull(guid + 7, NULL, 16));
			tables += s < d->nsw;
		} else if (s < d->nsw &&
			   sscanf(line, "0x%x %u", &lid, &port) == 2 &&
			   lid < LIDS && port < NO_PORT) {
			d->sw[s].lft[lid] = port;
		}
	}
	free(line);
	if (in)
		fclose(in);
	return tables == d->nsw;
}

static void read_sl2vl(struct dumps *d, const char *directory)
{
	FILE *in = open_in(directory, "opensm-sl2vl.dump");
	char *line = NULL, *p;
	size_t room = 0;
	uint32_t s = d->nsw;

	while (in && getline(&line, &room, in) > 0) {
		unsigned from, to;
		int n = 0;

		if (*line >= 'A' && *line <= 'Z') {
			s = strncmp(line, "Switch 0x", 9) ? d->nsw :
			    dumps_switch(d, strtoull(line + 9, NULL, 16));
			continue;
		}
		if (s == d->nsw || sscanf(line, "%u %u : %n", &from, &to,
					  &n) < 2 || !n || from >= PORTS ||
		    to >= PORTS)
			continue;
		if (!d->sw[s].vl)
			d->sw[s].vl = check(calloc(PORTS,
						   sizeof(*d->sw[s].vl)));
		p = line + n;
		for (unsigned sl = 0; sl < SLS; sl++)
			d->sw[s].vl[from][to][sl] = strtoul(p, &p, 10);
	}
	free(line);
	if (in)
		fclose(in);
}

/* --- weft-sl.dump ------------------------------------------------------- */

/* The sources that a group of lines is about. */
struct group {
	uint32_t *host;
	uint32_t n;
	bool closed;		/* runs have come: a source begins another */
};

static void add_source(struct dumps *d, struct group *g, uint64_t guid,
		       unsigned preset)
{
	uint32_t h = dumps_host(d, guid);

	if (g->closed)
		*g = (struct group){ g->host, 0, false };
	if (h == d->nhost)
		return;
	g->host[g->n++] = h;
	if (!d->host[h].sl)
		d->host[h].sl = check(malloc(LIDS));
	memset(d->host[h].sl, preset, LIDS);
}

static void take_run(struct dumps *d, struct group *g, const char *line)
{
	unsigned first, last, sl;

	if (sscanf(line, "%x-%x %u", &first, &last, &sl) < 3) {
		if (sscanf(line, "%x %u", &first, &sl) < 2)
			return;
		last = first;
	}
	g->closed = true;
	for (uint32_t i = 0; i < g->n && last < LIDS; i++)
		memset(d->host[g->host[i]].sl + first, sl, last - first + 1);
}

static void read_sls(struct dumps *d, const char *directory)
{
	FILE *in = open_in(directory, "weft-sl.dump");
	struct group g = { check(calloc(d->nhost + 1, sizeof(*g.host))), 0,
			   false };
	char *line = NULL;
	size_t room = 0;
	unsigned preset = 0;

	while (in && getline(&line, &room, in) > 0) {
		unsigned long long guid;

		if (sscanf(line, "lanes %u", &d->lanes) == 1 ||
		    sscanf(line, "default %u", &preset) == 1)
			continue;
		if (!strncmp(line, "form one", 8) ||
		    !strncmp(line, "from all", 8))
			for (uint32_t h = 0; h < d->nhost; h++)
				add_source(d, &g, d->host[h].guid, preset);
		else if (sscanf(line, "from %llx", &guid) == 1)
			add_source(d, &g, guid, preset);
		else if (!strncmp(line, "0x", 2))
			take_run(d, &g, line);
	}
	free(g.host);
	free(line);
	if (in)
		fclose(in);
}

bool dumps_read(struct dumps *d, const char *directory, bool lanes)
{
	*d = (struct dumps){ .lanes = 1 };
	if (!read_subnet(d, directory) || !read_lfts(d, directory)) {
		dumps_free(d);
		return false;
	}
	if (lanes) {
		read_sls(d, directory);
		read_sl2vl(d, directory);
	}
	return true;
}

void dumps_free(struct dumps *d)
{
	for (uint32_t s = 0; s < d->nsw; s++) {
		free(d->sw[s].lft);
		free(d->sw[s].vl);
	}
	for (uint32_t h = 0; h < d->nhost; h++)
		free(d->host[h].sl);
	free(d->sw);
	free(d->host);
	*d = (struct dumps){ .nsw = 0 };
}
