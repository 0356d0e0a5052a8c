// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * LMCs that tables tell where the topology does not.
 *
 * OpenSM's opensm-subnet.lst has the first LID of each port alone, its tables
 * have a row for each LID, with the port that it belongs to in the comment.
 * Read without that a subnet with LMC would look as if it had one path for each
 * pair.  Only rows of LIDs that nobody has in the topology are looked at
 * closely, those of one switch: all switches have the same LIDs.
 */
#include "io/tables/lmc_told.h"

#include "core/fabric/fabric_build.h"
#include "io/compressed.h"
#include "io/formats.h"
#include "io/notice.h"
#include "io/tables/switch_index.h"
#include "io/tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LMC 7
#define MAX_TABLE ((size_t)16 << 20)	/* bytes of one switch's rows */

enum defect { ELSEWHERE, NO_RANGE, DEFECTS };

struct teller {
	const struct weft_fabric *f;
	struct weft__switch_index index;
	struct weft__notice notice[DEFECTS];
	uint32_t *owner;	/* [WEFT_MAX_LID + 1] vertex that the rows tell
				 * of LIDs that nobody has in the fabric */
	uint8_t *lmc;		/* [nsw + nep] that the rows tell */
};

/* The one place in arrays of switches, then endports. */
static uint32_t index_of(const struct weft_fabric *f, uint32_t vertex)
{
	return weft_is_switch(vertex) ? vertex :
		f->nsw + (vertex & ~WEFT_ENDPORT);
}

static unsigned base_of(const struct weft_fabric *f, uint32_t vertex)
{
	return weft_is_switch(vertex) ? f->sw[vertex].lid :
		f->ep[vertex & ~WEFT_ENDPORT].lid;
}

static uint64_t guid_of(const struct weft_fabric *f, uint32_t vertex)
{
	return weft_is_switch(vertex) ? f->sw[vertex].guid :
		f->ep[vertex & ~WEFT_ENDPORT].guid;
}

static uint32_t vertex_of(const struct teller *t, uint64_t guid)
{
	uint32_t ep = weft_fabric_endport_by_guid(t->f, guid);

	return ep != WEFT_NONE ? ep | WEFT_ENDPORT :
		weft__switch_by_any_guid(&t->index, guid);
}

/* A LID that a row says belongs to a port which has others in the topology. */
static void take_row(struct teller *t, unsigned long line, uint32_t lid,
		     uint32_t vertex)
{
	unsigned base = base_of(t->f, vertex), lmc = 0;

	if (!base)
		return;
	while (lmc <= MAX_LMC && lid >= base + (1u << lmc))
		lmc++;
	if (lid < base || lmc > MAX_LMC) {
		weft__notice_add(&t->notice[ELSEWHERE], line, "LID 0x%04" PRIx32 " belongs to port 0x%016" PRIx64
			", which has LID 0x%04x in the topology: are the files of one time?",
			lid, guid_of(t->f, vertex), base);
		return;
	}
	t->owner[lid] = vertex;
	if (t->lmc[index_of(t->f, vertex)] < lmc)
		t->lmc[index_of(t->f, vertex)] = lmc;
}

/* "0x0031 004 # Channel Adapter portguid 0x...: 'name'" */
static void look_at_row(struct teller *t, struct weft__line *line)
{
	static const char key[] = "portguid 0x";
	uint64_t lid, guid;
	uint32_t vertex;

	if (!weft__skip_0x(line, &lid) || !lid || lid > WEFT_MAX_LID ||
	    weft_lid_owner(t->f, lid) != WEFT_NONE)
		return;
	line->p = weft__find_text(line, key);
	if (!line->p || !weft__skip_text(line, key) ||
	    !weft__skip_hex(line, &guid))
		return;
	vertex = vertex_of(t, guid);
	if (vertex != WEFT_NONE)
		take_row(t, line->number, (uint32_t)lid, vertex);
}

/* The rows of the first switch that has any. */
static void look_at_table(struct teller *t, const struct weft__source *source)
{
	static const char heading[] = "Unicast lids";
	struct weft__lines lines = weft__lines_begin(source, NULL);
	struct weft__line line;
	bool rows = false;
	int err = 0;

	while (weft__lines_next(&lines, &line, &err) &&
	       !(rows && weft__skip_text(&line, heading)))
		if (line.end - line.p > 2 && !memcmp(line.p, "0x", 2)) {
			rows = true;
			look_at_row(t, &line);
		}
}

/* Whether the LIDs of a port with that LMC are all its own or nobody's. */
static bool is_range(const struct teller *t, uint32_t vertex, unsigned lmc)
{
	unsigned base = base_of(t->f, vertex);

	if (base & ((1u << lmc) - 1) || base + (1u << lmc) - 1 > WEFT_MAX_LID)
		return false;
	for (uint32_t lid = base; lid < base + (1u << lmc); lid++) {
		uint32_t owner = weft_lid_owner(t->f, lid);

		if ((owner != WEFT_NONE && owner != vertex) ||
		    (t->owner[lid] != WEFT_NONE && t->owner[lid] != vertex))
			return false;
	}
	return true;
}

/* Drops what is no range.  Returns how many ports have a larger LMC than in the
 * topology, which is from *least to *most. */
static uint32_t settle(struct teller *t, unsigned *least, unsigned *most)
{
	const struct weft_fabric *f = t->f;
	uint32_t n = 0;

	*least = MAX_LMC;
	*most = 0;
	for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
		uint32_t vertex = i < f->nsw ? i : (i - f->nsw) | WEFT_ENDPORT;
		unsigned lmc = t->lmc[i];

		if (!lmc)
			continue;
		if (!is_range(t, vertex, lmc)) {
			weft__notice_add(&t->notice[NO_RANGE], 0,
				"the LIDs of port 0x%016" PRIx64 " (from 0x%04x on) are no range that an LMC makes: all but the first are left out",
				guid_of(f, vertex),
				base_of(f, vertex));
			t->lmc[i] = 0;
			continue;
		}
		n++;
		*least = lmc < *least ? lmc : *least;
		*most = lmc > *most ? lmc : *most;
	}
	return n;
}

static int say_and_copy(struct teller *t, const char *file,
			struct weft_fabric **out, struct weft_diag *diag)
{
	unsigned least, most;
	uint32_t n = settle(t, &least, &most);

	weft__notices_say(t->notice, DEFECTS, file, diag);
	if (!n)
		return 0;
	if (least == most)
		weft_diag_at(diag, WEFT_NOTE, file, 0,
			     "it tells the LMC, which the topology does not: %u on %" PRIu32
			     " port%s", most, n, n == 1 ? "" : "s");
	else
		weft_diag_at(diag, WEFT_NOTE, file, 0,
			     "it tells LMCs, which the topology does not: %u to %u on %" PRIu32
			     " ports", least, most, n);
	return weft__fabric_with_lmc(t->f, t->lmc, out, diag);
}

static void free_teller(struct teller *t)
{
	weft__switch_index_free(&t->index);
	free(t->lmc);
	free(t->owner);
}

/* 0 or -ENOMEM. */
static int init_teller(struct teller *t, const struct weft_fabric *f)
{
	size_t size = (WEFT_MAX_LID + 1) * sizeof(*t->owner);

	*t = (struct teller){ .f = f };
	for (int i = 0; i < DEFECTS; i++)
		t->notice[i].severity = WEFT_WARNING;
	t->owner = malloc(size);
	t->lmc = calloc(f->nsw + f->nep + 1ull, 1);
	if (!t->owner || !t->lmc || weft__switch_index_init(&t->index, f)) {
		free(t->owner);
		free(t->lmc);
		return -ENOMEM;
	}
	memset(t->owner, 0xff, size);
	return 0;
}

int weft__lmc_in(const struct weft__source *source,
		 const struct weft_fabric *fabric, struct weft_fabric **out,
		 struct weft_diag *diag)
{
	struct teller t;
	int err;

	*out = NULL;
	if (weft__format_of(source) != &weft__format_lfts)
		return 0;
	err = init_teller(&t, fabric);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	look_at_table(&t, source);
	err = say_and_copy(&t, source->name, out, diag);
	free_teller(&t);
	return err;
}

int weft__lmc_told(const char *path, const struct weft_fabric *fabric,
		   struct weft_fabric **out, struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, MAX_TABLE, &source, diag);

	if (err)
		return err;
	err = weft__lmc_in(&source, fabric, out, diag);
	weft__source_close(&source);
	return err;
}

/* --- rows of LIDs that nobody has ---------------------------------------- */

/* Whether the tables route a LID that nobody has. */
static bool is_unowned(const struct weft_fabric *f, const uint8_t *row,
		       uint32_t lid)
{
	return lid <= f->max_lid && weft_lid_owner(f, lid) == WEFT_NONE &&
	       row[lid] != WEFT_NO_PORT;
}

/* The largest LMC that all ports of hosts might have; 0 where a row or a LID
 * speaks against any.  Nothing is known of LIDs above all of the fabric. */
static unsigned possible_lmc(const struct weft_fabric *f, const uint8_t *row)
{
	unsigned lmc = MAX_LMC;
	bool any = false;

	for (uint32_t e = 0; e < f->nep; e++) {
		unsigned lid = f->ep[e].lid, end = lid + 1;

		if (!lid || f->ep[e].kind != WEFT_HOST)
			continue;
		any = true;
		while (end < lid + (1u << lmc) &&
		       (end > f->max_lid || is_unowned(f, row, end)))
			end++;
		while (lmc && (end < lid + (1u << lmc) ||
			       lid & ((1u << lmc) - 1)))
			lmc--;
	}
	return any ? lmc : 0;
}

void weft__warn_unowned(const struct weft_fabric *fabric,
			const struct weft_lft *lft, const char *file,
			struct weft_diag *diag)
{
	uint32_t s = 0, n = 0, first = 0;
	const uint8_t *row;
	char hint[160] = "";
	unsigned lmc;

	while (s + 1 < fabric->nsw && weft__lft_is_empty(lft, s))
		s++;
	row = weft_lft_row(lft, s);
	for (uint32_t lid = fabric->max_lid; lid; lid--)
		if (is_unowned(fabric, row, lid)) {
			n++;
			first = lid;
		}
	if (!n)
		return;
	lmc = possible_lmc(fabric, row);
	if (lmc)
		snprintf(hint, sizeof(hint),
			 "; they would be those of LMC %u, which neither the topology nor the tables tell: ibnetdiscover and opensm-lfts.dump do",
			 lmc);
	weft_diag_at(diag, WEFT_WARNING, file, 0, "%" PRIu32
		     " LID%s routed and belong%s to nobody in the topology (the first is 0x%04" PRIx32 "): not looked at%s", n,
		     n == 1 ? " is" : "s are", n == 1 ? "s" : "", first, hint);
}
