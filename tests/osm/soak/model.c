// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fabric in the simulator; see model.h. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *p, size_t n, size_t size)
{
	/* room for twice as many at each power of two */
	if (n & (n - 1))
		return p;
	p = realloc(p, (n ? 2 * n : 1) * size);
	if (p)
		return p;
	fputs("events: out of memory\n", stderr);
	exit(99);
}

static uint32_t find(const struct model *m, const char *id)
{
	uint32_t i = 0;

	while (i < m->nnodes && strcmp(m->node[i].id, id))
		i++;
	return i;
}

/* --- reading ---------------------------------------------------------- */

static bool read_node(struct model *m, const char *line)
{
	struct node n;
	char kind[8];

	if (sscanf(line, "%7[A-Za-z] %u \"%39[^\"]\"", kind, &n.nports,
		   n.id) < 3)
		return false;
	n.sw = !strcmp(kind, "Switch");
	m->node = grown(m->node, m->nnodes, sizeof(n));
	m->node[m->nnodes++] = n;
	return true;
}

/* A port of the node last read; each cable is taken from one of its ends. */
static void read_port(struct model *m, uint32_t here, const char *line)
{
	const char *far = strchr(line, '"');
	unsigned port, far_port;
	char id[40];
	uint32_t to;

	if (sscanf(line, "[%u]", &port) < 1 || !far ||
	    sscanf(far, "\"%39[^\"]\"[%u]", id, &far_port) < 2)
		return;
	to = find(m, id);
	if (to == m->nnodes || !m->node[to].sw)
		return;
	if (!m->node[here].sw) {
		m->plug = grown(m->plug, m->nplugs, sizeof(*m->plug));
		m->plug[m->nplugs++] = (struct plug){ here, to, port, far_port,
						      true };
	} else if (here < to || (here == to && port < far_port)) {
		m->cable = grown(m->cable, m->ncables, sizeof(*m->cable));
		m->cable[m->ncables++] = (struct cable){
			{ here, to }, { port, far_port }, true
		};
	}
}

void model_read(struct model *m, const char *path)
{
	char line[4096];
	FILE *in = fopen(path, "r");
	uint32_t here = 0;

	if (!in) {
		perror(path);
		exit(99);
	}
	while (fgets(line, sizeof(line), in))
		read_node(m, line);
	rewind(in);
	while (fgets(line, sizeof(line), in)) {
		char id[40];

		if (sscanf(line, "%*[A-Za-z] %*u \"%39[^\"]\"", id) == 1)
			here = find(m, id);
		else if (*line == '[')
			read_port(m, here, line);
	}
	fclose(in);
	for (uint32_t i = 0; i < m->nnodes; i++)
		if (m->node[i].sw) {
			m->sw = grown(m->sw, m->nsw, sizeof(*m->sw));
			m->sw[m->nsw++] = i;
		}
}

/* xorshift64* */
uint32_t model_below(struct model *m, uint32_t n)
{
	m->state ^= m->state >> 12;
	m->state ^= m->state << 25;
	m->state ^= m->state >> 27;
	return (m->state * 0x2545f4914f6cdd1dull >> 32) % n;
}

/* Marks the switches that that of a host is joined with. */
static bool *reach(const struct model *m, uint32_t sm)
{
	bool *seen = calloc(m->nnodes, sizeof(*seen)), more = true;

	if (!seen)
		exit(99);
	seen[m->plug[sm].sw] = true;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < m->ncables; i++) {
			const struct cable *c = &m->cable[i];

			if (!c->up || seen[c->node[0]] == seen[c->node[1]])
				continue;
			seen[c->node[0]] = seen[c->node[1]] = more = true;
		}
	}
	return seen;
}

bool model_joined(const struct model *m, uint32_t a, uint32_t b)
{
	bool *seen = reach(m, a), joined = seen[m->plug[b].sw];

	free(seen);
	return joined && m->plug[a].up && m->plug[b].up;
}

void model_count(const struct model *m, uint32_t sm, uint32_t *hosts,
		 uint32_t *switches)
{
	bool *seen = reach(m, sm);

	*hosts = *switches = 0;
	for (uint32_t i = 0; i < m->nplugs; i++)
		*hosts += m->plug[i].up && seen[m->plug[i].sw];
	for (uint32_t i = 0; i < m->nsw; i++)
		*switches += seen[m->sw[i]];
	free(seen);
}

/* --- changes ---------------------------------------------------------- */

void model_set(struct model *m, uint32_t cable, bool up)
{
	struct cable *c = &m->cable[cable];

	if (c->up == up)
		return;
	c->up = up;
	printf(" %s \"%s\"[%u];", up ? "relink" : "unlink",
	       m->node[c->node[0]].id, c->port[0]);
}

void model_set_host(struct model *m, uint32_t plug, bool up)
{
	struct plug *p = &m->plug[plug];

	if (p->up == up)
		return;
	p->up = up;
	printf(" %s \"%s\"[%u];", up ? "relink" : "unlink",
	       m->node[p->node].id, p->port);
}

static void clear(const struct model *m, const struct plug *p)
{
	printf(" clear \"%s\"[%u];", m->node[p->node].id, p->port);
}

static void plug_in(const struct model *m, const struct plug *p)
{
	printf(" link \"%s\"[%u] \"%s\"[%u];", m->node[p->node].id, p->port,
	       m->node[p->sw].id, p->sw_port);
}

void model_swap(struct model *m, uint32_t a, uint32_t b)
{
	struct plug *p = &m->plug[a], *q = &m->plug[b], was = *p;

	clear(m, p);
	clear(m, q);
	p->sw = q->sw;
	p->sw_port = q->sw_port;
	q->sw = was.sw;
	q->sw_port = was.sw_port;
	plug_in(m, p);
	plug_in(m, q);
}

static bool is_taken(const struct model *m, uint32_t sw, unsigned port)
{
	for (uint32_t i = 0; i < m->nplugs; i++)
		if (m->plug[i].sw == sw && m->plug[i].sw_port == port)
			return true;
	for (uint32_t i = 0; i < m->ncables; i++)
		for (unsigned k = 0; k < 2; k++)
			if (m->cable[i].node[k] == sw &&
			    m->cable[i].port[k] == port)
				return true;
	return false;
}

bool model_move(struct model *m, uint32_t plug, uint32_t sw)
{
	unsigned port = 1;

	while (port <= m->node[sw].nports && is_taken(m, sw, port))
		port++;
	if (port > m->node[sw].nports)
		return false;
	clear(m, &m->plug[plug]);
	m->plug[plug].sw = sw;
	m->plug[plug].sw_port = port;
	plug_in(m, &m->plug[plug]);
	return true;
}

void model_guid(struct model *m, uint32_t plug)
{
	struct node *n = &m->node[m->plug[plug].node];
	uint64_t guid = 0x0002c9ff00000000ull + 16 * ++m->guids;

	printf(" guid \"%s\"[1] 0x%llx; guid \"%s\" 0x%llx;", n->id,
	       (unsigned long long)guid + 1, n->id, (unsigned long long)guid);
}
