// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reports diagnostics; see weft/diag.h. */
#include <weft/diag.h>

#include <stdio.h>

#define TEXT_MAX 2048	/* longer messages are cut */

static void emit(struct weft_diag *diag, enum weft_severity severity,
		 const char *file, unsigned long line, const char *text)
{
	struct weft_message message = {
		.severity = severity, .file = file, .line = line, .text = text,
	};

	if (diag->emit)
		diag->emit(diag->context, &message);
}

static void say(struct weft_diag *diag, enum weft_severity severity,
		const char *file, unsigned long line,
		const char *format, va_list ap)
{
	char text[TEXT_MAX], printable[TEXT_MAX];

	diag->count[severity]++;
	if (diag->limit && severity != WEFT_ERROR &&
	    diag->count[severity] > diag->limit)
		return;
	vsnprintf(text, sizeof(text), format, ap);
	emit(diag, severity, file, line,
	     weft_diag_printable(printable, sizeof(printable), text));
}

void weft_diag_say(struct weft_diag *diag, enum weft_severity severity,
		   const char *format, ...)
{
	va_list ap;

	if (!diag)
		return;
	va_start(ap, format);
	say(diag, severity, NULL, 0, format, ap);
	va_end(ap);
}

void weft_diag_at(struct weft_diag *diag, enum weft_severity severity,
		  const char *file, unsigned long line,
		  const char *format, ...)
{
	va_list ap;

	if (!diag)
		return;
	va_start(ap, format);
	say(diag, severity, file, line, format, ap);
	va_end(ap);
}

void weft_diag_explain(struct weft_diag *diag, const char *format, ...)
{
	char text[TEXT_MAX];
	va_list ap;

	if (!weft_diag_explains(diag))
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	diag->explain(diag->explain_context, text);
}

void weft_diag_finish(struct weft_diag *diag)
{
	static const char *const what[] = { "note", "warning" };
	char text[80];

	if (!diag || !diag->limit)
		return;
	for (int s = WEFT_NOTE; s <= WEFT_WARNING; s++) {
		unsigned held;

		if (diag->count[s] <= diag->limit)
			continue;
		held = diag->count[s] - diag->limit;
		snprintf(text, sizeof(text), "%u more %s%s not shown", held,
			 what[s], held == 1 ? "" : "s");
		emit(diag, s, NULL, 0, text);
		diag->count[s] = diag->limit;
	}
}

void weft_diag_stderr(void *context, const struct weft_message *message)
{
	static const char *const word[] = { "note", "warning", "error" };
	const char *program = context;
	char file[TEXT_MAX];

	fprintf(stderr, "%s: ", program ? program : "weft");
	if (message->file)
		weft_diag_printable(file, sizeof(file), message->file);
	if (message->file && message->line)
		fprintf(stderr, "%s:%lu: ", file, message->line);
	else if (message->file)
		fprintf(stderr, "%s: ", file);
	fprintf(stderr, "%s: %s\n", word[message->severity], message->text);
}
