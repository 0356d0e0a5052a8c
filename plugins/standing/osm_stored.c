// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What stands, in a file; see osm_stored.h. */
#include "plugins/standing/osm_stored.h"

#include "plugins/files/osm_files.h"
#include "plugins/standing/osm_flaps.h"

#include "core/quiet_thread.h"
#include "core/text/words.h"
#include "stored/stored.h"

#include <weft/options.h>
#include <weft/stored.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME "weft-standing"
#define OPTIONS 1000	/* bytes of them, in words */

/* A file to be written. */
struct weft__storing_job {
	char directory[PATH_MAX];
	const char *engine;
	char options[OPTIONS];
	struct weft__stood stood;	/* holds of its own */
	struct weft__debt debt;
	struct weft_stored_flap *flap;
	uint32_t nflaps;
	uint64_t owed;
	struct weft__stored_seal seal;	/* of the file, when it is written;
					 * zeroed before */
};

/* Where OpenSM has its cache, by its own rule; NULL where it has none, of which
 * it has told. */
static const char *cache_directory(void)
{
	const char *name = getenv("OSM_CACHE_DIR");
	struct stat st;

	if (!name || !*name)
		name = OSM_DEFAULT_CACHE_DIR;
	return !stat(name, &st) && S_ISDIR(st.st_mode) ? name : NULL;
}

/* --- reading ----------------------------------------------------------- */

/* Errors of a file that is not needed are warnings. */
static void warn(void *context, const struct weft_message *m)
{
	struct weft_diag *diag = context;

	weft_diag_at(diag, WEFT_WARNING, m->file, m->line,
		     "what stood before is not known: %s", m->text);
}

/* Whether half of the switches that there are stand in a file. */
static bool is_this_fabric(const struct weft_fabric *f,
			   const struct weft_fabric *stored)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		n += weft_fabric_switch_by_guid(stored, f->sw[s].guid) !=
		     WEFT_NONE;
	return 2ull * n >= f->nsw;
}

static int judge(const char *path, const struct weft_stored *stored,
		 const struct weft__settling *s, struct weft_diag *diag)
{
	const struct weft_fabric *f = s->snapshot->fabric;

	if (strcmp(stored->engine, s->log->engine))
		return weft_fail_at(diag, EINVAL, path, 0,
				    "these tables are %s's", stored->engine);
	if (!is_this_fabric(f, stored->now.fabric))
		return weft_fail_at(diag, EINVAL, path, 0,
				    "these tables are of another fabric: most switches are not in it");
	return 0;
}

static struct weft__held *hold(struct weft_stored_tables *tables)
{
	struct weft__held *held = weft__held_new();

	if (held)
		weft__held_fill(held, &tables->fabric, &tables->routes);
	return held;
}

/* Has what was read stand. */
static int take(struct weft__stood *stood, struct weft_stored *stored,
		struct weft_diag *diag)
{
	stood->now_since = stored->now.since;
	stood->home_since = stored->home.fabric ? stored->home.since :
						  stored->now.since;
	stood->told = stored->told;
	if (stored->home.fabric)
		stood->home = hold(&stored->home);
	stood->now = hold(&stored->now);
	if (stored->were)
		stood->before = hold(&(struct weft_stored_tables){
			.fabric = stored->were,
		});
	stored->were = NULL;
	if (stood->now && !stood->home)
		stood->home = weft__hold(stood->now);
	if (stood->now)
		return 0;
	weft__stood_forget(stood);
	return weft_fail(diag, ENOMEM, "out of memory");
}

static void say_where_from(const char *path, int64_t since,
			   const struct weft__log *log)
{
	time_t when = since;
	char text[32] = "";
	struct tm tm;

	if (localtime_r(&when, &tm))
		strftime(text, sizeof(text), "%F %T", &tm);
	osm_log(log->log, OSM_LOG_INFO,
		"%s: what stood before is known: %s, as of %s\n",
		log->engine, path, text);
}

void weft__stored_seek(struct weft__storing *storing, struct weft__stood *stood,
		       uint64_t *owed, const struct weft__settling *s)
{
	struct weft_diag diag = { .emit = warn, .context = s->diag };
	const char *directory = cache_directory();
	struct weft_stored stored;
	char path[PATH_MAX];
	int err;

	if (storing->sought || !directory ||
	    snprintf(path, sizeof(path), "%s/" NAME, directory) >= PATH_MAX)
		return;
	storing->sought = true;
	/* Another master has routed since the file was written. */
	if (s->subnet->coming_out_of_standby)
		return;
	if (stood->now || (access(path, F_OK) && errno == ENOENT))
		return;
	err = weft__file_check_own(path, &diag);
	if (!err)
		err = weft_stored_read(path, &stored, &diag);
	if (err)
		return;
	err = judge(path, &stored, s, &diag);
	if (!err)
		err = take(stood, &stored, &diag);
	if (!err) {
		*owed = stored.owed;
		say_where_from(path, stood->now_since, s->log);
	}
	weft_stored_free(&stored);
}

/* --- writing ----------------------------------------------------------- */

static void free_job(struct weft__storing_job *job)
{
	if (!job)
		return;
	weft__stood_forget(&job->stood);
	free(job->flap);
	free(job);
}

/* Options that were given, in words. */
static void describe(const struct weft_options *o, char text[OPTIONS])
{
	const struct weft_option *row = weft_options_table(o);
	struct weft__words w = { .buf = text, .size = OPTIONS };

	for (; row->type != WEFT_OPT_END; row++)
		if (weft_options_given(o, row->name) &&
		    weft_options_text(o, row->name))
			weft__words_add(&w, "%s%s=%s", *text ? ", " : "",
					row->name,
					weft_options_text(o, row->name));
	weft__words_end(&w);
}

/* Copies what flaps, by a clock that tells the day.  Returns false without
 * memory. */
static bool copy_flaps(struct weft__storing_job *job,
		       const struct weft__flaps *flaps)
{
	int64_t ahead = time(NULL) - flaps->now;

	job->flap = calloc(flaps->n + 1, sizeof(*job->flap));
	if (!job->flap)
		return false;
	job->nflaps = flaps->n;
	for (size_t i = 0; i < flaps->n; i++) {
		const struct weft__flap *from = &flaps->flap[i];
		struct weft_stored_flap *to = &job->flap[i];

		for (unsigned end = 0; end < 2; end++) {
			to->guid[end] = from->cable.guid[end];
			to->port[end] = from->cable.port[end];
		}
		to->times = from->times;
		to->there = from->there;
		to->out = from->out;
		to->since = from->since + ahead;
	}
	return true;
}

static struct weft__storing_job *new_job(const char *directory,
					 const struct weft__storing_news *news,
					 const struct weft__conf *conf,
					 const char *engine)
{
	struct weft__storing_job *job = calloc(1, sizeof(*job));

	if (!job || !copy_flaps(job, news->flaps)) {
		free(job);
		return NULL;
	}
	snprintf(job->directory, sizeof(job->directory), "%s", directory);
	job->engine = engine;
	describe(conf->options, job->options);
	job->debt = *news->debt;
	job->owed = news->owed;
	job->stood = *news->stood;
	if (job->stood.moving)	/* which a restart ends */
		job->stood.home = job->stood.now;
	if (job->stood.before)
		weft__hold(job->stood.before);
	weft__hold(job->stood.now);
	weft__hold(job->stood.home);
	return job;
}

/* Writes what is found out later into a file that is there. */
static int amend(const struct weft__storing_job *job,
		 const struct weft_stored *stored)
{
	struct weft__file_tail tail = { .size = job->seal.size };

	_Static_assert(sizeof(tail.bytes) == WEFT__STORED_LATE,
		       "all that is late, and no more");
	weft__stored_little(tail.mark, job->seal.sum, sizeof(tail.mark));
	weft__stored_late(stored, job->seal.sum, tail.bytes);
	return weft__file_amend(job->directory, NAME, &tail);
}

/* debt: as of now, whatever the job was made with. */
static void write_job(struct weft__storing *s, struct weft__storing_job *job,
		      const struct weft__debt *debt)
{
	const struct weft__stood *t = &job->stood;
	struct weft_stored stored = {
		.engine = (char *)job->engine,
		.options = (char *)job->options, .told = t->told,
		.flap = job->flap, .nflaps = job->nflaps, .owed = job->owed,
		.now = { t->now->fabric, t->now->routes, t->now_since },
	};
	struct weft_diag diag = { .emit = weft__log_emit, .context = &s->log };
	struct weft__file file;
	int err = 0;

	if (s->failing)		/* which was told */
		diag.emit = NULL;
	if (debt->known)
		stored.debt = (struct weft_stored_debt){
			debt->since, debt->worth, debt->anew, debt->entries,
			debt->blocks,
		};
	if (t->before)
		stored.were = t->before->fabric;
	if (t->home != t->now)
		stored.home = (struct weft_stored_tables){
			t->home->fabric, t->home->routes, t->home_since,
		};
	if (job->seal.size && !amend(job, &stored))
		return;
	weft__file_begin(&file, job->directory, NAME);
	if (file.stream)
		err = weft__stored_write(file.stream, &stored, &job->seal,
					 &diag);
	weft__file_end(&file, err, &diag);
	s->failing = diag.count[WEFT_WARNING];
	if (s->failing)
		job->seal.size = 0;
}

/* Writes what waits; the lock, which the caller holds, is given up
 * meanwhile. */
static void write_next(struct weft__storing *s)
{
	struct weft__storing_job *job = s->next;
	struct weft__debt debt = job->debt;

	if (s->last != job)
		free_job(s->last);
	s->last = job;
	s->next = NULL;
	s->writing = true;
	pthread_mutex_unlock(&s->lock);
	write_job(s, job, &debt);
	pthread_mutex_lock(&s->lock);
	s->writing = false;
	pthread_cond_broadcast(&s->wake);
}

static void *write_jobs(void *context)
{
	struct weft__storing *s = context;

	pthread_mutex_lock(&s->lock);
	while (s->next || !s->quit)
		if (s->next)
			write_next(s);
		else
			pthread_cond_wait(&s->wake, &s->lock);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* Has a job written next, or at once where there is no thread; the one that
 * waited gives way.  The caller holds the lock. */
static void begin(struct weft__storing *s, struct weft__storing_job *job)
{
	if (s->next != job && s->next != s->last)
		free_job(s->next);
	s->next = job;
	if (!s->begun)
		s->begun = weft__thread_start(&s->thread, write_jobs, s);
	if (s->begun)
		pthread_cond_broadcast(&s->wake);
	while (!s->begun && s->next && !s->writing)
		write_next(s);
}

/* Writes nothing any more of what stood. */
static void forget_last(struct weft__storing *s)
{
	weft__storing_wait(s);
	pthread_mutex_lock(&s->lock);
	free_job(s->last);
	s->last = NULL;
	pthread_mutex_unlock(&s->lock);
}

void weft__stored_start(struct weft__storing *s,
			const struct weft__storing_news *news,
			const struct weft__conf *conf,
			const struct weft__log *log)
{
	const char *directory = cache_directory();
	struct weft__storing_job *job = NULL;

	if (!conf->standing) {
		forget_last(s);
		weft__file_remove(directory, NAME);
		return;
	}
	if (directory && news->stood->now)
		job = new_job(directory, news, conf, log->engine);
	if (!job)
		return;
	pthread_mutex_lock(&s->lock);
	if (!s->begun)
		s->log = *log;
	begin(s, job);
	pthread_mutex_unlock(&s->lock);
}

void weft__stored_debt(struct weft__storing *s, const struct weft__held *now,
		       const struct weft__debt *debt)
{
	struct weft__storing_job *job;

	pthread_mutex_lock(&s->lock);
	job = s->next ? s->next : s->last;
	if (job && job->stood.now == now) {
		job->debt = *debt;
		begin(s, job);
	}
	pthread_mutex_unlock(&s->lock);
}

void weft__storing_init(struct weft__storing *s)
{
	*s = (struct weft__storing){ .next = NULL };
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->wake, NULL);
}

void weft__storing_wait(struct weft__storing *s)
{
	pthread_mutex_lock(&s->lock);
	while (s->next || s->writing)
		pthread_cond_wait(&s->wake, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

void weft__storing_free(struct weft__storing *s)
{
	pthread_mutex_lock(&s->lock);
	s->quit = true;
	pthread_cond_broadcast(&s->wake);
	pthread_mutex_unlock(&s->lock);
	if (s->begun)
		pthread_join(s->thread, NULL);
	free_job(s->last);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
}
