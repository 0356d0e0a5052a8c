// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-shifts INPUT KINDS KIND: streams on the busiest cable between switches
 * when hosts of a kind, in the order of their names, send to the one that is
 * 1, 2, 3 ... behind them, round by round: the mean over all rounds, and the
 * most.  It walks the tables and shares nothing with the judge.
 * With "machines" as a fourth word a host is a machine, each adapter of which
 * sends to that of the same rail.
 *
 * INPUT is a dump directory, KINDS a file as weft-formats(5) has it.
 */
#include <weft/weft.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct weft_diag diag = {
	.emit = weft_diag_stderr, .context = "bench-shifts",
};

static const struct weft_fabric *fabric;	/* for compare() */

static const char *name_of(uint32_t e)
{
	return fabric->node[fabric->ep[e].node].name;
}

static int compare(const void *va, const void *vb)
{
	const uint32_t *a = va, *b = vb;
	int order = strcmp(name_of(*a), name_of(*b));

	return order ? order : (*a > *b) - (*a < *b);
}

/* Hosts of a kind by name. */
static uint32_t list_hosts(const struct weft_fabric *f, const char *kind,
			   uint32_t *host)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].kind == WEFT_HOST && f->ep[e].lid &&
		    !strcmp(f->use_name[f->ep[e].use], kind))
			host[n++] = e;
	fabric = f;
	qsort(host, n, sizeof(*host), compare);
	return n;
}

/* Adds the cables that a stream takes; false if it does not arrive. */
static bool add_stream(const struct weft_fabric *f, const struct weft_lft *lft,
		       uint32_t from, uint32_t to, uint32_t *streams,
		       uint32_t *most)
{
	uint32_t sw = f->ep[from].sw, hops = 0;

	while (hops++ < f->nsw) {
		unsigned port = weft_lft_get(lft, sw, f->ep[to].lid);
		uint32_t ch;

		if (!port || port > f->sw[sw].nports)
			return false;
		ch = weft_channel(f, sw, port);
		if (!weft_is_switch(f->peer[ch]))
			return f->peer[ch] == (to | WEFT_ENDPORT);
		if (++streams[ch] > *most)
			*most = streams[ch];
		sw = f->peer[ch];
	}
	return false;
}

/* Adds the streams of one round among n machines, by the ports of each rail. */
static uint32_t add_rails(const struct weft_input *in, const uint32_t *host,
			  uint32_t n, uint32_t shift, uint32_t *streams,
			  uint32_t *most)
{
	const struct weft_fabric *f = in->fabric;
	uint32_t lost = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t a = f->ep[host[i]].machine;
		uint32_t b = f->ep[host[(i + shift) % n]].machine;

		for (uint32_t x = f->machine_first[a];
		     x < f->machine_first[a + 1]; x++)
			for (uint32_t y = f->machine_first[b];
			     y < f->machine_first[b + 1]; y++) {
				uint32_t from = f->machine_endport[x];
				uint32_t to = f->machine_endport[y];

				if (f->ep[from].group == f->ep[to].group)
					lost += !add_stream(f, &in->routes.lft,
							    from, to, streams,
							    most);
			}
	}
	return lost;
}

/* Leaves the first adapter of each machine. */
static uint32_t leave_machines(const struct weft_fabric *f, uint32_t *host,
			       uint32_t n)
{
	uint8_t *seen = calloc(f->nmachines + 1ull, 1);
	uint32_t left = 0;

	for (uint32_t i = 0; seen && i < n; i++) {
		uint32_t m = f->ep[host[i]].machine;

		if (!seen[m]++)
			host[left++] = host[i];
	}
	free(seen);
	return left;
}

static int run(const struct weft_input *in, const char *kind, bool machines)
{
	const struct weft_fabric *f = in->fabric;
	uint32_t *host = malloc((f->nep + 1) * sizeof(*host)), n;
	uint32_t *streams = malloc((f->nch + 1) * sizeof(*streams));
	uint32_t worst = 0, lost = 0;
	double sum = 0;

	if (!host || !streams)
		return 1;
	n = list_hosts(f, kind, host);
	if (machines)
		n = leave_machines(f, host, n);
	for (uint32_t shift = 1; shift < n; shift++) {
		uint32_t most = 0;

		memset(streams, 0, f->nch * sizeof(*streams));
		if (machines)
			lost += add_rails(in, host, n, shift, streams, &most);
		for (uint32_t i = 0; i < n && !machines; i++)
			lost += !add_stream(f, &in->routes.lft, host[i],
					    host[(i + shift) % n], streams,
					    &most);
		sum += most;
		worst = most > worst ? most : worst;
	}
	if (lost)
		printf("lost %u\n", lost);
	else
		printf("%.2f %u\n", n > 1 ? sum / (n - 1) : 0, worst);
	free(host);
	free(streams);
	return 0;
}

int main(int argc, char **argv)
{
	struct weft_kinds *kinds = weft_kinds_new();
	struct weft_input in;
	int status = 1;

	if (argc != 4 && (argc != 5 || strcmp(argv[4], "machines"))) {
		fputs("usage: bench-shifts INPUT KINDS KIND [machines]\n", stderr);
		return 2;
	}
	if (weft_input_open(argv[1], false, &in, &diag))
		return 1;
	if (kinds && !weft_io_read_kinds(argv[2], kinds, &diag) &&
	    !weft_kinds_apply(kinds, in.fabric, &diag))
		status = run(&in, argv[3], argc == 5);
	weft_kinds_free(kinds);
	weft_input_close(&in);
	return status;
}
