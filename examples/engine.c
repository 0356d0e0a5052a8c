// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * engine DESCRIPTION
 *
 * An engine outside weft's tree: a program defines a struct weft_engine, has a
 * fabric routed by it, and compares the tables with those of weft's own psssp.
 *
 * The engine takes shortest ways, and of several the one whose number is the
 * remainder of the LID: neighbouring LIDs are spread over the cables, whatever
 * these carry already.
 */
#include <weft/weft.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define FAR UINT32_MAX

/* Hops from every switch to root; queue[nsw] is scratch space. */
static void search(const struct weft_fabric *f, uint32_t root, uint32_t *hops,
		   uint32_t *queue)
{
	uint32_t head = 0, tail = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		hops[s] = FAR;
	hops[root] = 0;
	queue[tail++] = root;
	while (head < tail) {
		uint32_t s = queue[head++];

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t next = f->peer[f->adj[i]];

			if (hops[next] != FAR)
				continue;
			hops[next] = hops[s] + 1;
			queue[tail++] = next;
		}
	}
}

/* Port number n, modulo how many there are, of those that lead nearer. */
static uint8_t port_nearer(const struct weft_fabric *f, const uint32_t *hops,
			   uint32_t s, unsigned n)
{
	uint32_t near = 0, ch = WEFT_NONE;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		near += hops[f->peer[f->adj[i]]] + 1 == hops[s];
	n %= near;
	for (uint32_t i = f->adj_first[s]; ch == WEFT_NONE; i++)
		if (hops[f->peer[f->adj[i]]] + 1 == hops[s] && n-- == 0)
			ch = f->adj[i];
	return ch - weft_channel(f, s, 0);
}

static void route_lid(const struct weft_fabric *f, unsigned lid, uint32_t *hops,
		      uint32_t *queue, struct weft_lft *lft)
{
	uint32_t owner = weft_lid_owner(f, lid);
	uint32_t root;

	if (owner == WEFT_NONE)
		return;
	root = weft_vertex_switch(f, owner);
	search(f, root, hops, queue);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (s != root)
			weft_lft_row(lft, s)[lid] = port_nearer(f, hops, s,
								lid);
	weft_lft_row(lft, root)[lid] = weft_is_switch(owner) ? 0 :
		f->ep[owner & ~WEFT_ENDPORT].sw_port;
}

/* weft_route() sees to it that cables join all switches of the fabric. */
static int remainder_route(const struct weft_fabric *f,
			   const struct weft_options *options,
			   struct weft_routes *out, struct weft_diag *diag)
{
	uint32_t *hops = calloc(f->nsw + 1, sizeof(*hops));
	uint32_t *queue = calloc(f->nsw + 1, sizeof(*queue));
	int err = 0;

	(void)options;
	if (!hops || !queue || weft_lft_init(&out->lft, f->nsw, f->max_lid))
		err = weft_fail(diag, ENOMEM, "out of memory");
	for (unsigned lid = 1; lid <= f->max_lid && !err; lid++)
		route_lid(f, lid, hops, queue, &out->lft);
	if (!err)
		weft_layers_init(&out->layers);
	free(hops);
	free(queue);
	return err;
}

static const struct weft_engine remainder_engine = {
	.name = "remainder",
	.summary = "shortest ways by the remainder of the LID",
	.minimal = true,
	.route = remainder_route,
};

static int judge(const struct weft_engine *engine,
		 const struct weft_fabric *fabric, struct weft_diag *diag)
{
	const struct weft_proof_spec spec = { .minimal = true, .loads = true };
	struct weft_options *options = NULL;
	struct weft_routes routes = { 0 };
	struct weft_proof proof;
	int err = weft_options_new(&options, engine->options);

	if (!err)
		err = weft_route(engine, fabric, options, &routes, diag);
	if (!err)
		err = weft_proof_run(fabric, &routes, &spec, &proof, diag);
	if (!err) {
		printf("%s: unreachable %" PRIu64 ", longer than needed %"
		       PRIu64 ", most routes on a channel %" PRIu64 "\n",
		       engine->name, proof.unreachable, proof.nonminimal,
		       proof.load_max);
		weft_proof_free(&proof);
	}
	weft_routes_free(&routes);
	weft_options_free(options);
	return err;
}

int main(int argc, char **argv)
{
	const struct weft_engine *psssp = weft_engine_find("psssp");
	struct weft_diag diag = {
		.emit = weft_diag_stderr, .context = "engine",
	};
	struct weft_fabric *fabric = NULL;
	int err;

	if (argc != 2) {
		fprintf(stderr, "Usage: %s DESCRIPTION\n", argv[0]);
		return EXIT_FAILURE;
	}
	err = weft_gen(argv[1], &fabric, &diag);
	if (!err)
		err = judge(&remainder_engine, fabric, &diag);
	if (!err && psssp)
		err = judge(psssp, fabric, &diag);
	weft_fabric_free(fabric);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
