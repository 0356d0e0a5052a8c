/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Diagnostics: how the library tells a person what is wrong.
 *
 * A function that fails returns -errno and has said why, once, through the
 * diag it was given; the function that first decides that something is an
 * error is the one that words it.  A parser names file and line, an engine
 * names switch and port.  The receiver decides where the words go: tools print
 * them, the OpenSM shim logs them, tests keep them.
 *
 * Threads: a diag counts without a lock and is for one thread at a time; each
 * thread takes its own one.  Functions that use several threads themselves
 * call emit() and explain() from the thread that called them.
 */
#ifndef WEFT_DIAG_H
#define WEFT_DIAG_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum weft_severity {
	WEFT_NOTE,		/* worth knowing, nothing is wrong */
	WEFT_WARNING,		/* a defect that was worked around */
	WEFT_ERROR,		/* the operation fails */
};

/* One message.  Strings live only for the duration of the emit() call. */
struct weft_message {
	enum weft_severity severity;
	const char *file;	/* NULL where no file is involved */
	unsigned long line;	/* 1-based; 0 = the file as a whole */
	const char *text;	/* one line, no newline, no severity word */
};

/*
 * A receiver.  emit may be NULL: messages are then only counted.
 * limit: how many messages of each severity below WEFT_ERROR are passed on at
 * most (0 = all); weft_diag_finish() reports how many were held back.
 *
 * explain receives, line by line, what an engine found out about the fabric and
 * how it decided (weft route --explain): results, never limited or counted.
 * NULL: nobody asked, and the engine spares itself the work.
 *
 * opened, with the context of emit, is told of each file that is read as an
 * input; NULL: nobody wants to know.
 */
struct weft_diag {
	void (*emit)(void *context, const struct weft_message *message);
	void *context;
	void (*explain)(void *explain_context, const char *line);
	void *explain_context;
	void (*opened)(void *context, const char *path);
	unsigned limit;
	unsigned count[3];	/* of each severity, held back ones included */
};

/* Say one message, about nothing in particular or about a line of a file.
 * diag may be NULL; format is as of printf(), without a newline. */
void weft_diag_say(struct weft_diag *diag, enum weft_severity severity,
		   const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void weft_diag_at(struct weft_diag *diag, enum weft_severity severity,
		  const char *file, unsigned long line,
		  const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Whether somebody wants to know; false for NULL. */
static inline bool weft_diag_explains(const struct weft_diag *diag)
{
	return diag && diag->explain;
}

/* One line of explanation; nothing where nobody asked. */
void weft_diag_explain(struct weft_diag *diag, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "1 switch", "12,345 hosts": how many of a noun, in buf; noun NULL: the number
 * alone.  WEFT_COUNT() brings a buffer, which lasts as long as the
 * block that it is in. */
#define WEFT_COUNT_SIZE 64
const char *weft_diag_count(char *buf, uint64_t n, const char *noun);
#define WEFT_COUNT(n, noun) \
	weft_diag_count((char[WEFT_COUNT_SIZE]){ 0 }, (n), (noun))

/* A name of the NULL-terminated list that text may have been meant to be, for
 * "did you mean"; NULL if none is near. */
const char *weft_diag_suggest(const char *text, const char *const *names);

/* Emits one summary line for each severity that ran over the limit. */
void weft_diag_finish(struct weft_diag *diag);

/*
 * weft_fail(diag, EINVAL, "...") says an error and evaluates to -EINVAL, so
 * that "return weft_fail(...)" is the whole of an error path.
 */
#define weft_fail(diag, err, ...) \
	(weft_diag_say((diag), WEFT_ERROR, __VA_ARGS__), -(err))
/* Says that memory ran out; -ENOMEM. */
#define weft_no_memory(diag) weft_fail(diag, ENOMEM, "out of memory")
/* weft_fail() about a line of a file, 0 = the file as a whole. */
#define weft_fail_at(diag, err, file, line, ...) \
	(weft_diag_at((diag), WEFT_ERROR, (file), (line), __VA_ARGS__), -(err))

/*
 * Copies text for a line on a terminal: bytes of control characters, which
 * could move its cursor or feign a line, become \xNN.  What does not fit is
 * left out. Returns buffer, NUL-terminated.  Texts of messages are printable
 * already.
 */
const char *weft_diag_printable(char *buffer, size_t size, const char *text);

/* An emit() that writes "prog: file:line: warning: text" to stderr;
 * context is the program's name (const char *). */
void weft_diag_stderr(void *context, const struct weft_message *message);

#ifdef __cplusplus
}
#endif
#endif
