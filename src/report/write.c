// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The page of a report: its sections, one after the other. */
#include "report/write.h"

#include <weft/version.h>

#include "page/page.h"

static const struct section {
	const char *id, *name; /* as the list at the top calls it */
	void (*write)(const struct weft__report *r, FILE *out);
	enum { ALWAYS, TRAFFIC, COMPARISON, COUNTERS, SINCE, MULTICAST } needs;
} sections[] = {
	{ "glance", "At a glance", weft__report_glance, ALWAYS },
	{ "since", "Since the last capture", weft__report_since, SINCE },
	{ "fabric", "The fabric", weft__report_fabric, ALWAYS },
	{ "check", "Is it correct?", weft__report_check, ALWAYS },
	{ "patterns", "Bandwidth", weft__report_patterns, TRAFFIC },
	{ "links", "Most loaded channels", weft__report_links, TRAFFIC },
	{ "bisections", "Bisections", weft__report_bisections, TRAFFIC },
	{ "lanes", "Lanes", weft__report_lanes, TRAFFIC },
	{ "loops", "Credit loops", weft__report_loops, ALWAYS },
	{ "multicast", "Multicast", weft__report_multicast, MULTICAST },
	{ "weak", "Single points of failure", weft__report_weak, ALWAYS },
	{ "ports", "Ports", weft__report_ports, COUNTERS },
	{ "engines", "Engines", weft__report_engines, COMPARISON },
	{ "conf", "opensm.conf", weft__report_conf, ALWAYS },
};

#define NSECTIONS (sizeof(sections) / sizeof(sections[0]))

static bool is_there(const struct weft__report *r, const struct section *s)
{
	if (s->needs == TRAFFIC)
		return r->has_traffic;
	if (s->needs == COUNTERS)
		return r->counters.nread || r->counters.nstates;
	if (s->needs == SINCE)
		return r->since;
	if (s->needs == MULTICAST)
		return r->multicast.n;
	return s->needs == ALWAYS || r->comparison;
}

static void write_contents(const struct weft__report *r, FILE *out)
{
	fputs("<nav aria-label=\"Sections\"><ul>\n", out);
	for (size_t i = 0; i < NSECTIONS; i++)
		if (is_there(r, &sections[i]))
			fprintf(out, "<li><a href=\"#%s\">%s</a></li>\n",
				sections[i].id, sections[i].name);
	fputs("</ul></nav>\n", out);
}

/* Words that the sections use, for who meets them for the first time. */
static void write_glossary(FILE *out)
{
	static const struct {
		const char *word, *meaning;
	} words[] = {
		{ "routing, forwarding tables",
		  "the table in each switch that says by which port a packet leaves; the subnet manager (opensm) computes all of them"
		  },
		{ "full bandwidth",
		  "what a host's own cable carries; 50 % of it: half as fast as with the network to itself"
		  },
		{ "load of a channel",
		  "the routes over it when every host sends to every other one; its maximum over all channels (one direction of a cable) is the edge-forwarding index"
		  },
		{ "lane (virtual lane, VL)",
		  "one of several queues that share a cable; packets on different lanes do not wait for each other"
		  },
		{ "service level (SL)",
		  "a number in each packet, by which switches choose its lane"
		  },
		{ "credit loop",
		  "a circle of channels of which each waits for room in the next one; under load, all of them can stop for ever"
		  },
		{ "leaf", "a switch with hosts on it" },
	};

	fputs("<details><summary>What the words mean</summary>\n<dl>\n", out);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		weft__page_text(out, "dt", NULL, "%s", words[i].word);
		weft__page_text(out, "dd", "note", "%s", words[i].meaning);
	}
	fputs("</dl></details>\n", out);
}

void weft__report_write(const struct weft__report *r, FILE *out)
{
	const struct weft__report_spec *s = r->spec;

	weft__page_begin(out, s->input, r->shape.what);
	write_contents(r, out);
	for (size_t i = 0; i < NSECTIONS; i++)
		if (is_there(r, &sections[i]))
			sections[i].write(r, out);
	write_glossary(out);
	weft__page_end(out, "Made by weft " WEFT_VERSION
			    ", weft-report(1). This page needs no network and no other file.");
}
