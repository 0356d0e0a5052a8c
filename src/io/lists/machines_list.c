// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which adapters are in one machine, as a list says; see weft-formats(5).  A
 * line each:
 *
 *	# GUID			machine	NUMA node
 *	506b:4b03:00f0:a1c2	n001	0
 *	0x506b4b0300f0a1d6	n001
 */
#include "io/lists/machines_read.h"

#include "io/notice.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdio.h>

#define NAME 256

bool weft__machines_guid(struct weft__line *line, uint64_t *guid)
{
	const char *p = line->p, *end = line->end;
	uint64_t all = 0;
	unsigned parts = 0;

	if (weft__skip_0x(line, guid))
		return true;
	for (; parts < 4; parts++) {
		uint64_t value;
		const char *next = weft__number_hex(p, p + 4 < end ? p + 4 : end,
						    &value);

		if (next != p + 4)
			return false;
		all = all << 16 | value;
		p = next;
		if (parts < 3 && (p == end || *p++ != ':'))
			return false;
	}
	if (p < end && (*p == ':' || !weft__number_ends(p, end)))
		return false;
	*guid = all;
	line->p = p;
	return true;
}

static int refuse_nvidia(const struct weft__source *source,
			 struct weft_diag *diag)
{
	return weft_fail_at(diag, EINVAL, source->name, 0,
			    "what nvidia-smi topo prints has no GUIDs, so that its adapters are in no fabric: take lstopo --of xml, NCCL_TOPO_DUMP_FILE, or lines of GUID, machine and NUMA node");
}

static int read_line(const struct weft__source *source, struct weft__line *line,
		     struct weft_adapters *out, struct weft_diag *diag)
{
	struct weft__line start = *line;
	char machine[NAME];
	const char *word;
	uint64_t guid, numa = 0;
	size_t length;
	bool near;

	if (!weft__expect(line, "a GUID, as 506b:4b03:00f0:a1c2 or 0x506b4b0300f0a1c2") ||
	    !weft__machines_guid(line, &guid) || !guid)
		return weft__refuse_field(source, &start, line, "not an adapter",
					  diag);
	length = weft__skip_word(line, &word);
	if (!length || length >= NAME)
		return weft__refuse_line(source, &start,
					 "an adapter without its machine", diag);
	snprintf(machine, sizeof(machine), "%.*s", (int)length, word);
	weft__skip_blanks(line);
	/* the kernel has -1 where it does not know */
	near = !weft__at_end(line) && !weft__skip_text(line, "-1");
	if (near && weft__expect(line, "a NUMA node, 0 to 253, or -1") &&
	    !weft__skip_uint(line, 253, &numa))
		return weft__refuse_field(source, &start, line, "not an adapter",
					  diag);
	if (!weft__at_end(line))
		return weft__refuse_line(source, line, "more than an adapter",
					 diag);
	return weft_adapters_add(out, guid, machine, near ? (int)numa : -1,
				 source->name, start.number) ?
		weft_no_memory(diag) : 0;
}

int weft__machines_list(const struct weft__source *source,
			struct weft_adapters *out, struct weft_diag *diag)
{
	struct weft__lines lines = weft__lines_begin(source, diag);
	uint32_t before = out->n;
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		weft__skip_blanks(&line);
		if (weft__at_end(&line) || *line.p == '#')
			continue;
		if (weft__find_text(&line, "GPU0"))
			return refuse_nvidia(source, diag);
		weft__trim(&line, line.p);
		err = weft__is_text(&line, 1024) ?
			read_line(source, &line, out, diag) :
			weft__refuse_line(source, &line, "this is no text",
					  diag);
	}
	if (!err && out->n == before)
		return weft_fail_at(diag, EINVAL, source->name, 0,
				    "no adapters in it; a line has a GUID, its machine and its NUMA node, as in '506b:4b03:00f0:a1c2 n001 0'");
	return err;
}

int weft__machines_file(const char *path, weft__opener *open,
			struct weft_adapters *out, struct weft_diag *diag)
{
	struct weft__source source;
	int err = open(path, &source, diag);

	if (err)
		return err;
	err = weft__machines_list(&source, out, diag);
	weft__source_close(&source);
	return err;
}
