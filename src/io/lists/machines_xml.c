// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Adapters of a machine in what hwloc and NCCL write; see weft-formats(5).
 *
 * hwloc (lstopo --of xml) nests objects.  An adapter is an OSDev that has a
 * NodeGUID; the NUMA node that it is near is that of the innermost object around
 * it that has one alone, as its own memory (hwloc 2) or around it (hwloc 1).
 *
 * NCCL (NCCL_TOPO_DUMP_FILE) has <net guid="0x..."> inside <cpu numaid="0">.
 */
#include "io/lists/machines_read.h"
#include "io/xml.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>
#include <stdio.h>

#define DEPTH 64	/* of objects */
#define NAME 256

/* An object of hwloc that is open. */
struct object {
	uint32_t numas;		/* NUMA nodes in it so far */
	uint32_t numa;		/* the last of them */
	bool device;
};

struct reader {
	const struct weft__source *source;
	struct weft_adapters *out;
	struct weft_diag *diag;
	char host[NAME];
	struct object object[DEPTH];
	unsigned depth;
	int numa;		/* of the present cpu of NCCL; -1: none */
	uint32_t found;
};

static bool is_value(const struct weft__tag *tag, const char *name,
		     const char *text)
{
	struct weft__line value;

	return weft__tag_value(tag, name, &value) &&
	       (size_t)(value.end - value.p) == strlen(text) &&
	       !memcmp(value.p, text, strlen(text));
}

/* A decimal number; -1 if it is none. */
static int number_of(const struct weft__tag *tag, const char *name)
{
	struct weft__line value;
	uint64_t n;

	return weft__tag_value(tag, name, &value) &&
	       weft__skip_uint(&value, INT32_MAX, &n) && weft__at_end(&value) ?
		(int)n : -1;
}

static int add(struct reader *r, const struct weft__tag *tag, const char *name,
	       int numa)
{
	struct weft__line value, start;
	uint64_t guid;

	if (!weft__tag_value(tag, name, &value))
		return 0;
	start = value;
	if (!weft__machines_guid(&value, &guid) || !weft__at_end(&value))
		return weft_fail_at(r->diag, EINVAL, r->source->name, tag->line,
				    "not the GUID of an adapter: \"%.*s\"",
				    (int)(start.end - start.p < 80 ?
					  start.end - start.p : 80), start.p);
	if (!guid)
		return 0;
	r->found++;
	return weft_adapters_add(r->out, guid, r->host, numa, r->source->name,
				 tag->line) ? weft_no_memory(r->diag) : 0;
}

/* --- hwloc ---------------------------------------------------------------- */

/* The NUMA node that is near what is open; -1: none, or several are. */
static int nearest(const struct reader *r)
{
	for (unsigned i = r->depth; i-- > 0;)
		if (r->object[i].numas)
			return r->object[i].numas == 1 ?
				(int)r->object[i].numa : -1;
	return -1;
}

static void close_object(struct reader *r)
{
	const struct object *o;

	if (!r->depth)
		return;
	o = &r->object[--r->depth];
	if (r->depth && o->numas) {
		r->object[r->depth - 1].numas += o->numas;
		r->object[r->depth - 1].numa = o->numa;
	}
}

static int open_object(struct reader *r, const struct weft__tag *tag)
{
	struct object o = { .device = is_value(tag, "type", "OSDev") };
	int numa = number_of(tag, "os_index");

	if (r->depth == DEPTH)
		return weft_fail_at(r->diag, EINVAL, r->source->name, tag->line,
				    "objects are nested too deep");
	if (is_value(tag, "type", "NUMANode") && numa >= 0) {
		o.numas = 1;
		o.numa = numa;
	}
	r->object[r->depth++] = o;
	return 0;
}

static int read_hwloc(struct reader *r, const struct weft__tag *tag)
{
	int err = 0;

	if (weft__tag_is(tag, "object")) {
		if (tag->opens)
			err = open_object(r, tag);
		if (!err && tag->closes)
			close_object(r);
	} else if (weft__tag_is(tag, "info") && r->depth &&
		   r->object[r->depth - 1].device &&
		   is_value(tag, "name", "NodeGUID")) {
		err = add(r, tag, "value", nearest(r));
	}
	return err;
}

/* --- NCCL ----------------------------------------------------------------- */

static int read_nccl(struct reader *r, const struct weft__tag *tag)
{
	if (weft__tag_is(tag, "cpu"))
		r->numa = tag->opens && !tag->closes ?
			number_of(tag, "numaid") : -1;
	else if (weft__tag_is(tag, "net") && tag->opens)
		return add(r, tag, "guid", r->numa);
	return 0;
}

/* --- files ---------------------------------------------------------------- */

/* Takes the name that the machine has by hwloc, wherever that stands. */
static void find_host(struct reader *r)
{
	struct weft__xml xml = weft__xml_begin(r->source);
	struct weft__line value;
	struct weft__tag tag;
	int err = 0;

	while (weft__xml_next(&xml, &tag, &err))
		if (weft__tag_is(&tag, "info") &&
		    is_value(&tag, "name", "HostName") &&
		    weft__tag_value(&tag, "value", &value) &&
		    value.p < value.end && value.end - value.p < NAME) {
			snprintf(r->host, sizeof(r->host), "%.*s",
				 (int)(value.end - value.p), value.p);
			return;
		}
}

int weft__machines_xml(const struct weft__source *source, const char *host,
		       struct weft_adapters *out, struct weft_diag *diag)
{
	struct reader r = { .source = source, .out = out, .diag = diag,
			    .numa = -1 };
	struct weft__xml xml = weft__xml_begin(source);
	int (*read)(struct reader *, const struct weft__tag *) = NULL;
	struct weft__tag tag;
	int err = weft__source_check(source, diag), broken = 0;

	snprintf(r.host, sizeof(r.host), "%s", host);
	find_host(&r);
	while (!err && weft__xml_next(&xml, &tag, &broken)) {
		if (!read)
			read = weft__tag_is(&tag, "topology") ? read_hwloc :
			       weft__tag_is(&tag, "system") ? read_nccl : NULL;
		err = read ? read(&r, &tag) :
			weft_fail_at(diag, EINVAL, source->name, tag.line,
				     "neither a topology of hwloc (lstopo --of xml) nor one of NCCL (NCCL_TOPO_DUMP_FILE)");
	}
	if (broken)
		return weft_fail_at(diag, EINVAL, source->name, xml.line,
				    "a tag of XML does not end");
	if (!err && !r.found)
		return weft_fail_at(diag, EINVAL, source->name, 0,
				    "no InfiniBand adapter in it: hwloc finds some by lstopo --whole-io, NCCL by its IB plugin");
	return err;
}
