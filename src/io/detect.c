// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What a file is, by its content.
 *
 * Each line that only one format has is a vote for it; the format with most
 * votes wins.  So banners, prompts and error messages of a terminal log do not
 * matter, and a file need not begin with its format's first line.
 */
#include "io/formats.h"

#define LOOK ((size_t)64 << 10)		/* bytes of text that vote */
#define NFORMATS (WEFT_FORMAT_PATHS + 1)

const char *weft_format_name(enum weft_format format)
{
	static const char *const name[NFORMATS] = {
		[WEFT_FORMAT_UNKNOWN] = "unknown",
		[WEFT_FORMAT_IBNETDISCOVER] = "ibnetdiscover",
		[WEFT_FORMAT_ROWS] = "ibnetdiscover -p",
		[WEFT_FORMAT_SUBNET_LST] = "opensm-subnet.lst",
		[WEFT_FORMAT_LFTS] = "opensm-lfts.dump",
		[WEFT_FORMAT_FDBS] = "opensm.fdbs",
		[WEFT_FORMAT_SL2VL] = "opensm-sl2vl.dump",
		[WEFT_FORMAT_SL] = "weft-sl.dump",
		[WEFT_FORMAT_PATHS] = "weft-paths.dump",
	};

	return (unsigned)format < NFORMATS ? name[format] : name[0];
}

static bool skip_number(struct weft__line *l)
{
	uint32_t value;

	weft__skip_blanks(l);
	return weft__skip_decimal(l, &value);
}

static bool skip_guid(struct weft__line *l)
{
	uint64_t value;

	weft__skip_blanks(l);
	return weft__skip_0x(l, &value);
}

/* Switch	36 "S-..., vendid=0x2c9, [1]	"H-... */
static bool is_ibnetdiscover(struct weft__line l)
{
	static const char *const id[] = {
		"vendid=0x", "switchguid=0x", "caguid=0x", "rtguid=0x",
		"# Topology file: generated",
	};

	for (size_t i = 0; i < sizeof(id) / sizeof(*id); i++)
		if (weft__skip_text(&l, id[i]))
			return true;
	if (weft__skip_char(&l, '[')) {
		if (!skip_number(&l) || !weft__skip_char(&l, ']'))
			return false;
	} else if (!(weft__skip_text(&l, "Switch") ||
		     weft__skip_text(&l, "Ca") || weft__skip_text(&l, "Rt")) ||
		   !skip_number(&l)) {
		return false;
	}
	return weft__find_text(&l, "\"S-") || weft__find_text(&l, "\"H-") ||
	       weft__find_text(&l, "\"R-");
}

/* SW    19 24 0x00066a00ec002dea 4x QDR ... */
static bool is_row(struct weft__line l)
{
	return (weft__skip_text(&l, "SW ") || weft__skip_text(&l, "CA ") ||
		weft__skip_text(&l, "RT ")) &&
	       skip_number(&l) && skip_number(&l) && skip_guid(&l);
}

/* { SW-SM Ports:24 SystemGUID:... */
static bool is_subnet_lst(struct weft__line l)
{
	return weft__skip_text(&l, "{ ") && weft__find_text(&l, " NodeGUID:");
}

/* Unicast lids [...] of switch ..., 0x0002 019 : (Switch portguid ... */
static bool is_lfts(struct weft__line l)
{
	return weft__skip_text(&l, "Unicast lids [") ||
	       (skip_guid(&l) && skip_number(&l) &&
		weft__skip_text(&l, " : ("));
}

/* LID    : Port : Hops : Optimal, then 0x0002 : 019  : 01   : yes */
static bool is_fdbs(struct weft__line l)
{
	if (weft__skip_text(&l, "LID    : Port :") ||
	    weft__find_text(&l, "dump_ucast_routes: Switch 0x"))
		return true;
	return skip_guid(&l) && weft__skip_text(&l, " : ") &&
	       (weft__skip_text(&l, "UNREACHABLE") || skip_number(&l));
}

/* Switch 0x..., base LID 5, "...", then #in out : 0  1  2 ... */
static bool is_sl2vl(struct weft__line l)
{
	if (weft__skip_text(&l, "#in out :"))
		return true;
	return (weft__skip_text(&l, "Switch ") ||
		weft__skip_text(&l, "Channel Adapter ") ||
		weft__skip_text(&l, "Router ")) &&
	       skip_guid(&l) && weft__skip_text(&l, ", base LID ");
}

static bool is_sl(struct weft__line l)
{
	return weft__skip_text(&l, "# weft-sl");
}

static bool is_paths(struct weft__line l)
{
	return weft__skip_text(&l, "# weft-paths");
}

static bool (*const rule[NFORMATS])(struct weft__line line) = {
	[WEFT_FORMAT_IBNETDISCOVER] = is_ibnetdiscover,
	[WEFT_FORMAT_ROWS] = is_row,
	[WEFT_FORMAT_SUBNET_LST] = is_subnet_lst,
	[WEFT_FORMAT_LFTS] = is_lfts,
	[WEFT_FORMAT_FDBS] = is_fdbs,
	[WEFT_FORMAT_SL2VL] = is_sl2vl,
	[WEFT_FORMAT_SL] = is_sl,
	[WEFT_FORMAT_PATHS] = is_paths,
};

/* Lines are looked at up to here, so that one of 10 MB costs nothing. */
#define LINE_LOOK 4096

enum weft_format weft__format_of(const struct weft__source *source)
{
	struct weft__lines lines = weft__lines_begin(source);
	unsigned votes[NFORMATS] = { 0 };
	enum weft_format best = WEFT_FORMAT_UNKNOWN;
	struct weft__line line;
	size_t looked = 0;

	while (looked < LOOK && weft__lines_next(&lines, &line)) {
		size_t length = (size_t)(line.end - line.p);

		weft__skip_blanks(&line);
		if (weft__skip_text(&line, "DR path "))
			continue;
		looked += length + 1;
		if (line.end - line.p > LINE_LOOK)
			line.end = line.p + LINE_LOOK;
		for (unsigned f = 1; f < NFORMATS; f++)
			votes[f] += rule[f](line);
	}
	for (unsigned f = 1; f < NFORMATS; f++)
		if (votes[f] > votes[best])
			best = f;
	return best;
}

const char *weft__format_hint(const struct weft__source *source)
{
	static const struct {
		const char *begin, *hint;
	} known[] = {
		{ "\x1f\x8b", "it is compressed: gunzip it first" },
		{ "\xfd" "7zXZ", "it is compressed: unxz it first" },
		{ "\x28\xb5\x2f\xfd", "it is compressed: unzstd it first" },
		{ "BZh", "it is compressed: bunzip2 it first" },
		{ "\xff\xfe", "it is UTF-16: convert it to UTF-8 first" },
		{ "\xfe\xff", "it is UTF-16: convert it to UTF-8 first" },
		{ "Switch\t : 0x", "a list of nodes (ibnetdiscover -l) "
			"has no cables: run ibnetdiscover without options" },
		{ "Ca\t : 0x", "a list of nodes (ibnetdiscover -l) "
			"has no cables: run ibnetdiscover without options" },
	};
	struct weft__line all = { .p = source->data,
				  .end = source->data + source->size };

	if (!source->size)
		return "it is empty";
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (weft__skip_text(&all, known[i].begin))
			return known[i].hint;
	return NULL;
}

int weft_io_detect(const char *path, enum weft_format *format,
		   struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	*format = weft__format_of(&source);
	weft__source_close(&source);
	return 0;
}
