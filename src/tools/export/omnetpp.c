// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A fabric with its tables for the InfiniBand flit-level model of OMNeT++
 * (ib_flit_sim): the network as .ned, the tables as .fdbs, which switch has
 * which of them as .ini.
 *
 * Ports count from 0 there, and 255 is no port.  A table is a line with the
 * ports for LIDs 0, 1, 2, ...  The modules of hosts begin with H_ and those of
 * switches with SW_, which the model's own .ini files rely on.
 */
#include "tools/export/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_PORT 255

struct export {
	const struct weft_fabric *f;
	const struct weft_lft *lft;
	const char *name;
};

/* Name of the channel type of a cable: "Wire4xHDR". */
static const char *wire(const struct weft_fabric *f, uint32_t channel,
			char *buf, size_t size)
{
	char speed[16];

	snprintf(speed, sizeof(speed), "%s",
		 weft_speed_name(f->speed[channel]));
	for (char *c = speed; *c; c++)
		if (*c == '?')
			*c = 'X';
	snprintf(buf, size, "Wire%ux%s", f->width[channel], speed);
	return buf;
}

/* A type of channel for each kind of cable, data rates as weft has them. */
static void write_wires(const struct export *x, FILE *out)
{
	const struct weft_fabric *f = x->f;
	bool done[256] = { false };
	char name[32];

	for (uint32_t c = 0; c < f->nch; c++) {
		unsigned kind = (f->width[c] & 15) << 4 | (f->speed[c] & 15);

		if (f->peer[c] == WEFT_NONE || done[kind])
			continue;
		done[kind] = true;
		fprintf(out, "channel %s extends IBWire\n{\n    width = %u;\n"
			"    speed = %.6gGbps;\n    overhead = 1;\n}\n\n",
			wire(f, c, name, sizeof(name)),
			f->width[c] ? f->width[c] : 1,
			f->capacity[c] / 1000. /
			(f->width[c] ? f->width[c] : 1));
	}
}

/* A comment with a name, which may hold anything. */
static void write_comment(const char *name, FILE *out)
{
	char text[256];

	fprintf(out, " // %s\n", weft_diag_printable(text, sizeof(text), name));
}

static void write_modules(const struct export *x, FILE *out)
{
	const struct weft_fabric *f = x->f;

	for (uint32_t e = 0; e < f->nep; e++) {
		fprintf(out, "        H_%u: HCA { parameters: srcLid = %u; }",
			f->ep[e].lid, f->ep[e].lid);
		write_comment(f->node[f->ep[e].node].name, out);
	}
	for (uint32_t s = 0; s < f->nsw; s++) {
		fprintf(out, "        SW_%" PRIu32
			": Switch { parameters: numSwitchPorts = %u; gates: port[%u]; }",
			s,
			f->sw[s].nports, f->sw[s].nports);
		write_comment(f->sw[s].name, out);
	}
}

static void write_cables(const struct export *x, FILE *out)
{
	const struct weft_fabric *f = x->f;
	char name[32];

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t c = weft_channel(f, s, p), peer = f->peer[c];

			if (peer == WEFT_NONE)
				continue;
			wire(f, c, name, sizeof(name));
			if (!weft_is_switch(peer))
				fprintf(out,
					"        H_%u.port <--> %s <--> SW_%" PRIu32 ".port[%u];\n",
					f->ep[peer & ~WEFT_ENDPORT].lid, name,
					s, p - 1);
			else if (peer > s || (peer == s &&
					      f->peer_port[c] > p))
				fprintf(out, "        SW_%" PRIu32
					".port[%u] <--> %s <--> SW_%" PRIu32
					".port[%u];\n", s, p - 1, name, peer,
					f->peer_port[c] - 1u);
		}
}

static void write_ned(const struct export *x, FILE *out)
{
	fputs("import ib_model.*;\n\n", out);
	write_wires(x, out);
	fprintf(out, "network %s\n{\n    submodules:\n", x->name);
	write_modules(x, out);
	fputs("    connections allowunconnected:\n", out);
	write_cables(x, out);
	fputs("}\n", out);
}

static void write_fdbs(const struct export *x, FILE *out)
{
	for (uint32_t s = 0; s < x->f->nsw; s++) {
		fprintf(out, "%" PRIu32 ": %d", s, NO_PORT);
		for (unsigned lid = 1; lid <= x->f->max_lid; lid++) {
			unsigned port = weft_lft_get(x->lft, s, lid);

			if (!port || port > x->f->sw[s].nports)
				port = NO_PORT + 1;
			fprintf(out, " %u", port - 1);
		}
		fputc('\n', out);
	}
}

static void write_ini(const struct export *x, FILE *out)
{
	fprintf(out, "[General]\nnetwork = %s\n**.pktFwdType = \"Pktfwd\"\n"
		"**.pktfwd.fdbsVecFile = \"%s.fdbs\"\n", x->name, x->name);
	for (uint32_t s = 0; s < x->f->nsw; s++)
		fprintf(out, "**.SW_%" PRIu32 ".pktfwd.fdbIndex = %" PRIu32
			"\n", s, s);
}

/* NED knows letters, digits and underscores. */
static bool is_identifier(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return *name && (*name < '0' || *name > '9') &&
		!name[strspn(name, letters)];
}

bool tool_export_omnetpp(struct tool *t, const struct tool_case *c,
			 const char *directory, const char *name)
{
	static const struct {
		const char *end;
		void (*write)(const struct export *x, FILE *out);
	} file[] = { { "ned", write_ned }, { "fdbs", write_fdbs },
		     { "fdbs.ini", write_ini } };
	const struct export x = { c->fabric, &c->routes->lft, name };

	if (!is_identifier(name)) {
		tool_usage(t,
			   "--name=%s: a network's name has letters, digits and underscores, and begins with none of the digits",
			   name);
		return false;
	}
	for (uint32_t e = 0; e < c->fabric->nep; e++)
		if (!c->fabric->ep[e].lid) {
			weft_diag_say(&t->diag, WEFT_ERROR,
				      "a host has no LID, which the model knows it by");
			return false;
		}
	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		char path[300];
		FILE *out;

		snprintf(path, sizeof(path), "%.200s.%s", name, file[i].end);
		out = tool_output_open_in(t, directory, path);
		if (!out)
			return false;
		file[i].write(&x, out);
	}
	return true;
}
