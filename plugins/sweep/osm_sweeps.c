// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weft-sweeps.jsonl; see osm_sweeps.h.
 *
 * What uniform traffic gets takes about as long to find out as routes do.  A
 * thread of its own does it, and writes the line, when the sweep, which holds
 * the subnet lock, is over; the next sweep waits for what it finds, but not for
 * the disk (osm_writing.h).
 */
#include "plugins/sweep/osm_sweeps.h"

#include "plugins/files/osm_files.h"

#include "core/quiet_thread.h"

#include <weft/worth.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME "weft-sweeps.jsonl"
#define BLOCK 64
#define FLAPPING 32	/* cables that a line has, at most */

void weft__sweeps_begin(struct weft__sweeps *s)
{
	unsigned long number = s->sweep.number + 1;

	weft__sweeps_wait(s);
	s->sweep = (struct weft__sweep){ .number = number };
	clock_gettime(CLOCK_REALTIME, &s->sweep.begun);
}

void weft__count_changes(const struct weft__snapshot *snapshot,
			 unsigned max_lid, struct weft__changes *out)
{
	*out = (struct weft__changes){ 0 };
	for (uint32_t s = 0; s < snapshot->fabric->nsw; s++) {
		const osm_switch_t *sw = snapshot->sw[s];
		uint64_t before = out->entries;

		for (unsigned base = 0; base <= max_lid; base += BLOCK) {
			uint64_t entries = out->entries;

			if (sw->lft && base + BLOCK <= sw->lft_size &&
			    base + BLOCK <= max_lid + 1 &&
			    !memcmp(sw->new_lft + base, sw->lft + base, BLOCK))
				continue;
			for (unsigned lid = base;
			     lid < base + BLOCK && lid <= max_lid; lid++)
				out->entries += sw->lft &&
					lid < sw->lft_size ?
					sw->new_lft[lid] != sw->lft[lid] :
					sw->new_lft[lid] != OSM_NO_PATH;
			out->blocks += out->entries > entries;
		}
		out->switches += out->entries > before;
	}
}

/* Prints a string of JSON; what is no ASCII stands for itself in Latin 1, since
 * a name may hold any bytes. */
static void put_string(FILE *out, const char *name, const char *text)
{
	fprintf(out, ", \"%s\": ", name);
	if (!*text) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if (*c < ' ' || *c > '~')
			fprintf(out, "\\u%04x", *c);
		else
			fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c",
				*c);
	fputc('"', out);
}

static void put_time(FILE *out, const struct timespec *t)
{
	char text[32];
	struct tm tm;

	gmtime_r(&t->tv_sec, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(out, "{\"time\": \"%s.%03ldZ\"", text, t->tv_nsec / 1000000);
}

static void put_bandwidth(FILE *out, const struct weft__sweeps *s)
{
	const struct weft_saturation_spec spec = { .all_hosts = false };
	struct weft_saturation got;

	fputs(", \"bandwidth\": ", out);
	if (!s->held ||
	    weft_saturation_run(s->fabric, &s->held->routes, &spec, &got,
				NULL) ||
	    got.hosts < 2)
		fputs("null", out);
	else
		fprintf(out,
			"{\"even\": %.4f, \"mean\": %.4f, \"least\": %.4f}",
			got.even, got.mean, got.least);
}

/* Where these came from. */
static void put_adopted(FILE *out, const struct weft__asked *asked)
{
	if (asked->switches)
		fprintf(out, "{\"switches\": %" PRIu32 ", \"silent\": %" PRIu32
			", \"held\": %" PRIu64 ", \"seconds\": %.3f}",
			asked->switches, asked->silent, asked->entries,
			asked->seconds);
	else
		fputs("null", out);
}

/* What became of the tables that stood before. */
static void put_standing(FILE *out, const struct weft__stay *stay)
{
	const struct weft_standing *w = &stay->what;

	put_string(out, "routed_anew", stay->why);
	fputs(", \"standing\": ", out);
	if (!stay->stayed) {
		fputs("null", out);
		return;
	}
	fputs("{\"adopted\": ", out);
	put_adopted(out, &stay->adopted);
	fprintf(out, ", \"kept\": %" PRIu64 ", \"dead\": %" PRIu64
		", \"given_way\": %" PRIu64 ", \"returned\": %" PRIu64
		", \"moved\": %" PRIu64 ", \"fresh\": %" PRIu64
		", \"waiting\": %" PRIu64 ", \"later\": %" PRIu64 "}", w->kept,
		w->dead, w->given_way, w->returned, w->moved, w->fresh,
		w->waiting, stay->later);
}

/* Cables that come and go. */
static void put_flapping(FILE *out, const struct weft__flaps *flaps)
{
	unsigned n = 0;

	fprintf(out, ", \"flapping\": {\"cables\": %" PRIu32 ", \"list\": [",
		weft__flaps_count(flaps));
	for (size_t i = 0; i < flaps->n && n < FLAPPING; i++) {
		const struct weft__flap *flap = &flaps->flap[i];
		const struct weft__cable *c = &flap->cable;

		if (!flap->out)
			continue;
		fprintf(out, "%s{\"ends\": [\"0x%016" PRIx64 ":%u\", \"0x%016" PRIx64 ":%u\"], \"times\": %u, \"there\": %s}",
			n++ ? ", " : "", c->guid[0], c->port[0], c->guid[1],
			c->port[1], flap->times, flap->there ? "true" :
							       "false");
	}
	fputs("]}", out);
}

/* What tables routed anew would have been worth before this sweep. */
static void put_debt(FILE *out, const struct weft__debt *d)
{
	if (d->known)
		fprintf(out,
			", \"debt\": {\"worth\": %.4f, \"anew\": %.4f, \"entries\": %" PRIu64 ", \"blocks\": %" PRIu64 "}",
			d->worth, d->anew, d->entries, d->blocks);
	else
		fputs(", \"debt\": null", out);
}

/* What a sweep has found out when it is not refused. */
static void put_routed(FILE *out, const struct weft__sweeps *s)
{
	const struct weft__sweep *w = &s->sweep;

	fprintf(out, ", \"changes\": {\"entries\": %" PRIu64 ", \"blocks\": %" PRIu64 ", \"switches\": %" PRIu32 "}", w->changes.entries,
		w->changes.blocks, w->changes.switches);
	fprintf(out, ", \"lanes\": %u, \"qos_levels\": %u, \"rerouted_lids\": %" PRIu32, w->lanes, w->levels, w->rerouted);
	fprintf(out, ", \"forwarding_index\": %" PRIu64 ", \"max_hops\": %u",
		w->verdict.forwarding_index, w->verdict.max_hops);
	put_string(out, "credit_loop", w->verdict.cycle);
	put_standing(out, &w->stay);
	put_debt(out, &w->debt);
	put_flapping(out, w->flaps);
	put_bandwidth(out, s);
}

/* Returns the line, malloc()ed; NULL without memory. */
static char *make_line(const struct weft__sweeps *s, size_t *length)
{
	const struct weft__sweep *w = &s->sweep;
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	if (!out)
		return NULL;
	put_time(out, &w->begun);
	fprintf(out, ", \"sweep\": %lu", w->number);
	put_string(out, "engine", s->log.engine);
	put_string(out, "outcome", w->refused ? "refused" : "routed");
	if (w->refused)
		fprintf(out, ", \"error_code\": \"%04X\"", w->heard.code);
	put_string(out, "error", w->heard.error);
	put_string(out, "conf_error", w->heard_of_conf.error);
	fprintf(out, ", \"warnings\": %u",
		w->heard.warnings + w->heard_of_conf.warnings);
	put_string(out, "strategy", w->how);
	fprintf(out, ", \"hosts\": %" PRIu32 ", \"switches\": %" PRIu32
		", \"cables\": %" PRIu32, w->hosts, w->switches, w->cables);
	fprintf(out,
		", \"seconds\": {\"snapshot\": %.3f, \"route\": %.3f, \"verify\": %.3f, \"commit\": %.3f}",
		w->times.snapshot,
		w->times.route, w->times.verify, w->times.commit);
	if (!w->refused)
		put_routed(out, s);
	fputs("}\n", out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* Puts what the sweep left open into its line, from a proof of the whole, and
 * sees whether it was right. */
static void look_at_all(struct weft__sweeps *s)
{
	struct weft_diag diag = { .emit = weft__log_emit, .context = &s->log };
	struct weft__verdict *v = &s->sweep.verdict;
	const struct weft_proof *proof;

	weft__known_find(s->known);
	if (!v->partly)
		return;
	proof = &s->known->proven.proof;
	v->forwarding_index = proof->load_max;
	v->max_hops = proof->max_hops;
	s->known->wrong = !s->known->proven.holds;
	if (s->known->wrong)
		weft_diag_say(&diag, WEFT_ERROR,
			      "tables in force do not hold as a whole, although what changed does: they are routed anew in the next sweep");
}

/* A line on its way to the file. */
struct line {
	struct weft__writing_job job;
	char *path, *text;
	size_t length;
	uint64_t size;
	unsigned keep;
	struct weft__log log;
	atomic_bool *failing;
};

static void drop_line(struct weft__writing_job *job)
{
	struct line *line = (struct line *)job;

	free(line->path);
	free(line->text);
	free(line);
}

/* Tells once of lines that are not written. */
static void tell(atomic_bool *failing, const char *path, int err,
		 struct weft__log *log)
{
	struct weft_diag diag = { .emit = weft__log_emit, .context = log };

	if (!atomic_exchange(failing, err) && err)
		weft__file_warn(path, err, &diag);
}

static void write_line(struct weft__writing_job *job)
{
	struct line *line = (struct line *)job;

	tell(line->failing, line->path,
	     weft__file_append(line->path, line->text, line->length, line->size,
			       line->keep), &line->log);
}

/* Has the line of the sweep written. */
static void hand_over(struct weft__sweeps *s)
{
	struct line *line = malloc(sizeof(*line));

	if (line)
		*line = (struct line){
			.job = { .write = write_line, .drop = drop_line },
			.path = strdup(s->path), .size = s->size,
			.keep = s->keep, .log = s->log, .failing = &s->failing,
		};
	if (line)
		line->text = make_line(s, &line->length);
	if (line && line->path && line->text) {
		if (!weft__writing_put(s->writing, &line->job))
			tell(&s->failing, s->path, -EBUSY, &s->log);
		return;
	}
	if (line)
		drop_line(&line->job);
	tell(&s->failing, s->path, -ENOMEM, &s->log);
}

static void *look(void *context)
{
	struct weft__sweeps *s = context;

	if (s->known)
		look_at_all(s);
	if (s->path)
		hand_over(s);
	weft__let_go(s->held);
	s->held = NULL;
	if (s->known && !s->known->wrong)
		weft__later_find(s->later);
	return NULL;
}

void weft__sweeps_end(struct weft__sweeps *s, const char *directory,
		      const struct weft__conf *conf,
		      const struct weft_fabric *fabric,
		      struct weft__held *held, struct weft__known *known,
		      struct weft__later *later,
		      const struct weft__log *log)
{
	size_t size = directory ? strlen(directory) + sizeof("/" NAME) : 0;

	weft__sweeps_wait(s);
	free(s->path);
	s->path = conf->sweeps_size && directory ? malloc(size) : NULL;
	s->known = known;
	s->later = later;
	if (!s->path && !known)
		return;
	if (s->path)
		snprintf(s->path, size, "%s/" NAME, directory);
	s->size = 1024ull * conf->sweeps_size;
	s->keep = conf->sweeps_keep;
	s->log = *log;
	s->fabric = fabric;
	s->held = held ? weft__hold(held) : NULL;
	if (held && weft__thread_start(&s->thread, look, s)) {
		s->running = true;
		return;
	}
	/* What takes long is not found out under the lock. */
	weft__let_go(s->held);
	s->held = NULL;
	if (s->path)
		hand_over(s);
}

void weft__sweeps_wait(struct weft__sweeps *s)
{
	if (s->running)
		pthread_join(s->thread, NULL);
	s->running = false;
}

void weft__sweeps_free(struct weft__sweeps *s)
{
	weft__sweeps_wait(s);
	free(s->path);
	s->path = NULL;
}
