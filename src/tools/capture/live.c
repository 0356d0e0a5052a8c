// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft capture: asking a live fabric, and writing what it answered. */
#include "tools/capture/capture.h"

#include "capture/capture.h"
#include "tools/common/record.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL ".weft-capture"

/* --- options ---------------------------------------------------------- */

static void show_phase(void *context, const char *what)
{
	tool_phase(context, "%s", what);
}

/* The value of --paths; false after an error message. */
static bool read_sample(struct tool *t, struct weft__capture_spec *spec)
{
	const struct capture_options *own = t->own;

	if (!own->paths)
		return true;
	spec->paths = true;
	if (!*own->paths)
		return true;
	if (weft_number_uint(own->paths, UINT32_MAX, &spec->sample) &&
	    spec->sample)
		return true;
	tool_usage(t, "--paths takes a number of pairs, not '%s'", own->paths);
	return false;
}

static struct weft__capture_spec spec_of(struct tool *t, const char *journal)
{
	const struct capture_options *own = t->own;

	return (struct weft__capture_spec){
		.mads = {
			.ca = own->ca, .port = (int)own->port,
			.timeout_ms = (unsigned)own->timeout,
			.retries = (unsigned)own->retries,
			.outstanding = (unsigned)own->outstanding,
		},
		.interval_ms = (unsigned)own->interval * 1000,
		.seed = (uint64_t)t->args.seed, .journal = journal,
		.fresh = own->fresh, .phase = show_phase,
		.progress = tool_progress, .context = t,
	};
}

/* --- files ------------------------------------------------------------ */

/* A file of values, under aliases unless these are NULL. */
static bool write_value(struct tool *t, const char *directory,
			const struct weft__capture_file *file,
			const struct weft__capture *c,
			const struct weft_aliases *aliases)
{
	FILE *out = tool_output_open_in(t, directory, file->name), *plain;
	char *text = NULL;
	size_t size = 0;
	bool ok;

	if (!out)
		return false;
	if (!aliases)
		return !file->write(c, out) || tool_no_memory(t);
	plain = open_memstream(&text, &size);
	ok = plain && !file->write(c, plain);
	if (plain && fclose(plain))
		ok = false;
	if (!ok)
		tool_no_memory(t);
	else if (weft_io_alias_text(text, size, aliases, out, &t->diag))
		ok = false;
	free(text);
	return ok;
}

static bool write_values(struct tool *t, const char *directory,
			 const struct weft__capture *c, bool sample,
			 const struct weft_aliases *aliases)
{
	for (const struct weft__capture_file *f = weft__capture_files; f->name;
	     f++)
		if (f->sample && !sample ?
			    !tool_output_drop(t, directory, f->name) :
			    !write_value(t, directory, f, c, aliases))
			return false;
	return true;
}

static unsigned kinds_of(const struct weft__capture *c)
{
	return 1u << WEFT_FILE_TABLES |
	       (unsigned)weft__capture_has_sl2vl(c) << WEFT_FILE_SL2VL |
	       (unsigned)weft__capture_has_sl(c) << WEFT_FILE_SL;
}

static bool write_files(struct tool *t, const char *directory,
			const struct weft__capture *c, bool sample)
{
	const struct capture_options *own = t->own;
	const struct weft_fabric *f = weft__capture_fabric(c);
	const struct weft_routes *routes = weft__capture_routes(c);
	struct weft_aliases *aliases = NULL;
	struct weft_routes other = { 0 };
	struct weft_fabric *made = NULL;
	bool ok = true;

	if (own->anonymise) {
		ok = tool_capture_aliases(t, f, &aliases) &&
		     !weft_alias_fabric(aliases, &made, &t->diag) &&
		     !weft_alias_routes(aliases, routes, &other, &t->diag);
		f = made;
		routes = &other;
	}
	ok = ok && tool_capture_write(t, directory, f, routes, kinds_of(c)) &&
	     write_values(t, directory, c, sample, aliases);
	weft_routes_free(&other);
	weft_fabric_free(made);
	weft_aliases_free(aliases);
	return ok;
}

/* --- what is missing -------------------------------------------------- */

/* Warns of what was not answered; whether anything was not. */
static bool tell_missing(struct tool *t, const struct weft__capture *c)
{
	char text[128];
	uint32_t hidden = weft__capture_hidden(c, text, sizeof(text));
	bool any = false;

	if (hidden)
		weft_diag_say(
			&t->diag, WEFT_WARNING,
			"%s up whose other end did not answer, and what lies behind is missing: the first is %s; see whether it is alive and its M_Key is 0",
			hidden == 1 ? "a cable is" : WEFT_COUNT(hidden, "cable"),
			text);
	for (unsigned kind = 0; kind < WEFT__KINDS; kind++) {
		struct weft__missing m = weft__capture_missing(c, kind);
		char name[80];

		if (!m.silent)
			continue;
		any = true;
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "%s: no answer from %s to %" PRIu64 " of %" PRIu64
			      " questions, the first of them %s (0x%016" PRIx64
			      ")",
			      weft__kind_name(kind),
			      WEFT_COUNT(m.nodes, "node"), m.silent, m.asked,
			      weft_diag_printable(name, sizeof(name), m.name),
			      m.guid);
	}
	if (weft__capture_missing(c, WEFT__KINDS).silent)
		weft_diag_say(
			&t->diag, WEFT_WARNING,
			"service levels: the subnet manager told none for %s",
			WEFT_COUNT(weft__capture_missing(c, WEFT__KINDS).silent,
				   "pair"));
	return any || hidden;
}

static void summarise(FILE *out, const struct weft__capture *c,
		      const char *name)
{
	const struct weft_fabric *f = weft__capture_fabric(c);

	fprintf(out, "%s: %s, %s, %s\n", name, WEFT_COUNT(f->nsw, "switch"),
		WEFT_COUNT(f->nhosts, "host"), WEFT_COUNT(f->nlinks, "cable"));
	for (unsigned kind = 0; kind < WEFT__KINDS; kind++) {
		struct weft__missing m = weft__capture_missing(c, kind);

		if (!m.asked)
			continue;
		fprintf(out, "  %-18s %s", weft__kind_name(kind),
			WEFT_COUNT(m.asked - m.silent - m.refused, "answer"));
		if (m.kept)
			fprintf(out, ", %" PRIu64 " of them from before",
				m.kept);
		if (m.refused)
			fprintf(out, ", %" PRIu64 " refused", m.refused);
		if (m.silent)
			fprintf(out, ", %" PRIu64 " MISSING", m.silent);
		putc('\n', out);
	}
}

/* Answers of one kind. */
struct answers {
	const char *kind;
	uint64_t answers;
	struct weft__missing m;
};

static const struct tool_field answer_fields[] = {
#define FIELD(...) TOOL_FIELD(struct answers, __VA_ARGS__)
	FIELD(kind, NAME, "kind"),
	FIELD(m.asked, COUNT, "asked"),
	FIELD(answers, COUNT, "answers"),
	FIELD(m.kept, COUNT, "kept"),
	FIELD(m.refused, COUNT, "refused"),
	FIELD(m.silent, COUNT, "missing"),
	TOOL_FIELDS_END
#undef FIELD
};

/* The fabric, and all answers. */
struct facts {
	const char *directory;
	uint32_t hosts, switches, links;
	struct answers kind[WEFT__KINDS], *kinds;
	uint32_t nkinds;
};

static const struct tool_field fields[] = {
#define FIELD(...) TOOL_FIELD(struct facts, __VA_ARGS__)
	FIELD(directory, NAME, "directory"),
	FIELD(hosts, COUNT, "hosts"),
	FIELD(switches, COUNT, "switches"),
	FIELD(links, COUNT, "links"),
	TOOL_ROWS_OF(struct facts, kinds, nkinds, answer_fields, "kinds"),
	TOOL_FIELDS_END
#undef FIELD
};

static bool print_values(const struct tool *t, const struct weft__capture *c,
			 const char *directory, FILE *out)
{
	const struct weft_fabric *f = weft__capture_fabric(c);
	struct facts facts = {
		.directory = directory, .hosts = f->nhosts,
		.switches = f->nsw, .links = f->nlinks, .kinds = facts.kind,
	};

	for (unsigned kind = 0; kind < WEFT__KINDS; kind++) {
		const struct weft__missing m = weft__capture_missing(c, kind);

		if (m.asked)
			facts.kind[facts.nkinds++] = (struct answers){
				.kind = weft__kind_name(kind), .m = m,
				.answers = m.asked - m.silent - m.refused,
			};
	}
	return tool_record_print(t, fields, &facts, out);
}

/* --- the whole -------------------------------------------------------- */

static enum tool_status write_all(struct tool *t, const char *directory,
				  const struct weft__capture *c, bool sample)
{
	bool missing = tell_missing(t, c);
	FILE *out;

	tool_phase(t, "writing");
	if (!write_files(t, directory, c, sample))
		return TOOL_FAILED;
	out = tool_output_open_in(t, directory, CAPTURE_SUMMARY);
	if (!out)
		return TOOL_FAILED;
	summarise(out, c, "captured");
	tool_phase_end(t);
	if (!print_values(t, c, directory, stdout))
		summarise(stdout, c, directory);
	if (!missing)
		return tool_output_drop(t, directory, JOURNAL) ? TOOL_FINE :
								 TOOL_FAILED;
	weft_diag_at(&t->diag, WEFT_WARNING, directory, 0,
		     "incomplete; once what is missing answers, 'weft capture --force %s' asks for that alone",
		     directory);
	return TOOL_FOUND;
}

enum tool_status tool_capture_live(struct tool *t, const char *directory)
{
	char journal[PATH_MAX];
	struct weft__capture_spec spec = spec_of(t, journal);
	enum tool_status status;
	struct weft__capture *c;

	if ((size_t)snprintf(journal, sizeof(journal), "%s/" JOURNAL,
			     directory) >= sizeof(journal))
		return tool_usage(t, "the name of the directory is too long");
	if (!read_sample(t, &spec))
		return TOOL_FAILED;
	if (!tool_output_directory(t, directory) ||
	    weft__capture_run(&spec, &c, &t->diag))
		return TOOL_FAILED;
	status = write_all(t, directory, c, spec.sample);
	weft__capture_free(c);
	return status;
}
