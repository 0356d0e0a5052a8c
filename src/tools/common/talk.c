// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Messages and the progress bar, both on stderr.
 *
 * The bar is drawn by a thread of its own, so that whatever takes long needs
 * to say only what it does.  It appears when the program has run for a second,
 * on terminals only, and gives way to messages.
 */
#include "tools/common/tool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MS 1000	/* from the start to the first bar */
#define NEXT_MS 200	/* between two bars */
#define LEFT_AFTER 2	/* seconds until it is told how long it takes */
#define MESSAGES 8	/* warnings, without --verbose */

struct tool_talk {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool drawing;		/* the thread runs */
	bool stop;
	bool shown;		/* a bar is on the screen */
	bool quiet, verbose;
	const char *program;
	const char *about;	/* file of messages that name none, or NULL */
	char phase[64];
	char note[64];		/* beside the bar */
	uint64_t done, total;	/* total 0 = cannot tell */
	unsigned stage, stages;	/* phases that are alike; stages 0 = none */
	struct timespec start;
	struct timespec since;	/* the phase, or the first of its stages */
};

/* Under the lock. */
static void erase(struct tool_talk *talk)
{
	if (talk->shown)
		fputs("\r\033[K", stderr);
	talk->shown = false;
}

static void emit(void *context, const struct weft_message *message)
{
	struct tool_talk *talk = context;
	struct weft_message m = *message;

	if (!m.file)
		m.file = talk->about;
	if ((m.severity == WEFT_NOTE && !talk->verbose) ||
	    (m.severity == WEFT_WARNING && talk->quiet))
		return;
	pthread_mutex_lock(&talk->lock);
	erase(talk);
	weft_diag_stderr((void *)talk->program, &m);
	pthread_mutex_unlock(&talk->lock);
}

/* The share that is done; < 0: cannot tell. */
static double share_done(const struct tool_talk *talk)
{
	double share = talk->total ? (double)talk->done / talk->total : -1;

	if (!talk->stages)
		return share;
	return (talk->stage + (share > 0 ? share : 0)) / talk->stages;
}

/* "43 s left", once that can be told; else nothing. */
static void tell_left(const struct tool_talk *talk, double share, char *text,
		      size_t size)
{
	struct timespec now;
	double past, left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	past = now.tv_sec - talk->since.tv_sec +
	       (now.tv_nsec - talk->since.tv_nsec) * 1e-9;
	*text = '\0';
	if (past < LEFT_AFTER || share <= 0 || share > 1)
		return;
	left = past * (1 - share) / share;
	if (left < 100)
		snprintf(text, size, "%.0f s left", left);
	else if (left < 6000)
		snprintf(text, size, "%.0f min left", left / 60);
	else
		snprintf(text, size, "%.0f h left", left / 3600);
}

/* Under the lock.  "phase [####    ]  43 %  12 s left", as much as there is
 * room for. */
static void draw(struct tool_talk *talk)
{
	double share = share_done(talk);
	int room = tool_text_width(stderr) - 1, used;
	char note[96];
	int bar, percent;

	tell_left(talk, share, note, sizeof(note));
	if (*note && *talk->note)
		strcat(note, "  ");
	snprintf(note + strlen(note), sizeof(note) - strlen(note), "%s",
		 talk->note);
	used = strlen(note);
	used += used ? 2 : 0;
	bar = room - 48 - used;
	if (!talk->phase[0])
		return;
	erase(talk);
	talk->shown = true;
	if (share < 0) {
		fprintf(stderr, "%.*s ...", room > 4 ? room - 4 : 0,
			talk->phase);
		return;
	}
	percent = 100 * share;
	if (bar > 40)
		bar = 40;
	if (bar >= 10) {
		int n = bar * percent / 100;

		fprintf(stderr, "%-38.38s [", talk->phase);
		for (int i = 0; i < bar; i++)
			fputc(i < n ? '#' : ' ', stderr);
		fprintf(stderr, "] %3d %%", percent);
	} else {
		int words = room - 6 - used;

		fprintf(stderr, "%.*s %3d %%", words > 0 ? words : 0,
			talk->phase, percent);
		if (words <= 0)
			return;
	}
	if (used)
		fprintf(stderr, "  %s", note);
}

static void *draw_loop(void *context)
{
	struct tool_talk *talk = context;
	struct timespec at = talk->start;
	long ms = FIRST_MS;

	pthread_mutex_lock(&talk->lock);
	while (!talk->stop) {
		at.tv_sec += ms / 1000;
		at.tv_nsec += ms % 1000 * 1000000;
		if (at.tv_nsec >= 1000000000) {
			at.tv_nsec -= 1000000000;
			at.tv_sec++;
		}
		while (!talk->stop &&
		       !pthread_cond_timedwait(&talk->wake, &talk->lock, &at))
			;
		if (!talk->stop)
			draw(talk);
		ms = NEXT_MS;
	}
	erase(talk);
	pthread_mutex_unlock(&talk->lock);
	return NULL;
}

static void start_drawing(struct tool_talk *talk)
{
	const char *term = getenv("TERM");

	if (talk->quiet || !isatty(STDERR_FILENO) || !term ||
	    !strcmp(term, "dumb"))
		return;
	talk->drawing = !pthread_create(&talk->thread, NULL, draw_loop, talk);
}

bool tool_talk_start(struct tool *t)
{
	struct tool_talk *talk = calloc(1, sizeof(*talk));
	pthread_condattr_t attr;

	if (!talk)
		return false;
	talk->program = t->program;
	clock_gettime(CLOCK_MONOTONIC, &talk->start);
	talk->since = talk->start;
	pthread_mutex_init(&talk->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&talk->wake, &attr);
	pthread_condattr_destroy(&attr);
	t->diag = (struct weft_diag){ .emit = emit, .context = talk,
				     .opened = tool_output_input };
	t->talk = talk;
	return true;
}

void tool_talk_options(struct tool *t)
{
	t->talk->quiet = t->args.quiet;
	t->talk->verbose = t->args.verbose;
	t->diag.limit = t->args.verbose ? 0 : MESSAGES;
	start_drawing(t->talk);
}

void tool_talk_stop(struct tool *t)
{
	struct tool_talk *talk = t->talk;

	weft_diag_finish(&t->diag);
	if (talk->drawing) {
		pthread_mutex_lock(&talk->lock);
		talk->stop = true;
		pthread_cond_signal(&talk->wake);
		pthread_mutex_unlock(&talk->lock);
		pthread_join(talk->thread, NULL);
	}
	pthread_cond_destroy(&talk->wake);
	pthread_mutex_destroy(&talk->lock);
	free(talk);
	t->talk = NULL;
}

bool tool_no_memory(struct tool *t)
{
	weft_diag_say(&t->diag, WEFT_ERROR, "out of memory");
	return false;
}

void tool_phase(struct tool *t, const char *format, ...)
{
	struct tool_talk *talk = t->talk;
	va_list ap;

	pthread_mutex_lock(&talk->lock);
	va_start(ap, format);
	vsnprintf(talk->phase, sizeof(talk->phase), format, ap);
	va_end(ap);
	talk->done = talk->total = 0;
	talk->note[0] = '\0';
	if (!talk->stages)
		clock_gettime(CLOCK_MONOTONIC, &talk->since);
	pthread_mutex_unlock(&talk->lock);
}

void tool_stage(struct tool *t, unsigned stage, unsigned stages)
{
	pthread_mutex_lock(&t->talk->lock);
	if (!t->talk->stages)
		clock_gettime(CLOCK_MONOTONIC, &t->talk->since);
	t->talk->stage = stage;
	t->talk->stages = stages;
	pthread_mutex_unlock(&t->talk->lock);
}

void tool_phase_end(struct tool *t)
{
	pthread_mutex_lock(&t->talk->lock);
	t->talk->phase[0] = '\0';
	t->talk->stages = 0;
	erase(t->talk);
	pthread_mutex_unlock(&t->talk->lock);
}

void tool_talk_about(struct tool *t, const char *file)
{
	t->talk->about = file;
}

void tool_progress(void *context, uint64_t done, uint64_t total)
{
	struct tool *t = context;

	pthread_mutex_lock(&t->talk->lock);
	t->talk->done = done;
	t->talk->total = total;
	pthread_mutex_unlock(&t->talk->lock);
}

void tool_progress_note(struct tool *t, const char *format, ...)
{
	va_list ap;

	pthread_mutex_lock(&t->talk->lock);
	va_start(ap, format);
	vsnprintf(t->talk->note, sizeof(t->talk->note), format, ap);
	va_end(ap);
	pthread_mutex_unlock(&t->talk->lock);
}
