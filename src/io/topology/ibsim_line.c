// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The words in a line of ibsim's topologies; see ibsim.c. */
#include "io/topology/ibsim_line.h"

#include "io/formats.h"

uint8_t weft__ibsim_widest(uint32_t mask)
{
	return mask & 8 ? 12 : mask & 4 ? 8 : mask & 2 ? 4 : mask & 16 ? 2 : 1;
}

uint8_t weft__ibsim_fastest(const struct weft__ibsim_rates *rates)
{
	uint32_t e = rates->extended, s = rates->speed;

	return e & 8 ? WEFT_NDR : e & 4 ? WEFT_HDR : e & 2 ? WEFT_EDR :
	       e & 1 ? WEFT_FDR : s & 4 ? WEFT_QDR : s & 2 ? WEFT_DDR :
		       WEFT_SDR;
}

bool weft__ibsim_number(struct weft__line *l, uint64_t *value)
{
	weft__skip_blanks(l);
	return weft__skip_0x(l, value) ||
	       weft__skip_uint(l, UINT64_MAX, value);
}

bool weft__ibsim_small(struct weft__line *l, uint64_t min, uint64_t max,
		       uint32_t *value)
{
	struct weft__line ahead = *l;
	uint64_t v;

	if (!weft__ibsim_number(&ahead, &v) || v < min || v > max)
		return false;
	l->p = ahead.p;
	*value = (uint32_t)v;
	return true;
}

bool weft__ibsim_width(struct weft__line *l, uint32_t *mask)
{
	weft__expect(l, "a mask of widths, 1 to 31");
	return weft__ibsim_small(l, 1, 31, mask);
}

/* 0 is QDR, as ibnetdiscover -f prints it beside an extended speed. */
bool weft__ibsim_speed(struct weft__line *l, uint32_t *mask)
{
	weft__expect(l, "a mask of speeds, 0 to 7");
	if (!weft__ibsim_small(l, 0, 7, mask))
		return false;
	*mask = *mask ? *mask : 4;
	return true;
}

bool weft__ibsim_extended(struct weft__line *l, uint32_t *mask)
{
	weft__expect(l, "a mask of extended speeds, 0 to 15");
	return weft__ibsim_small(l, 0, 15, mask);
}

bool weft__ibsim_quoted(struct weft__line *l, const char **text,
			uint32_t *length)
{
	struct weft__line ahead = *l;
	const char *close;

	if (!weft__skip_char(&ahead, '"'))
		return false;
	close = weft__find_char(&ahead, '"');
	if (!close || close == ahead.p || close - ahead.p > UINT16_MAX)
		return false;
	*text = ahead.p;
	*length = (uint32_t)(close - ahead.p);
	l->p = close + 1;
	return true;
}

/* "4xHDR" */
static void parse_rate(const char *word, size_t length,
		       struct weft__ibsim_facts *f)
{
	const char *x = memchr(word, 'x', length < 3 ? length : 3);
	size_t width = x ? (size_t)(x - word) + 1 : 0;

	if (!x)
		return;
	f->width = weft__width_of(word, width);
	f->speed = weft__speed_of(word + width, length - width);
	f->odd_rate = !f->width || !f->speed;
}

/* One word; false where it should go on with a number and does not. */
static bool parse_fact(struct weft__line *l, struct weft__ibsim_facts *f)
{
	const char *word;
	size_t length;

	if (weft__skip_text(l, "w="))
		return weft__ibsim_width(l, &f->rates.width);
	if (weft__skip_text(l, "s="))
		return weft__ibsim_speed(l, &f->rates.speed);
	if (weft__skip_text(l, "e="))
		return weft__ibsim_extended(l, &f->rates.extended);
	length = weft__skip_word(l, &word);
	if (length == 3 && !memcmp(word, "lid", 3)) {
		weft__expect(l, "the LID, a number");
		return weft__ibsim_small(l, 0, UINT32_MAX - 1,
				  f->lid == WEFT__UNSAID ? &f->lid :
							   &(uint32_t){ 0 });
	}
	if (length == 3 && !memcmp(word, "lmc", 3)) {
		weft__expect(l, "the LMC, a number");
		return weft__ibsim_small(l, 0, UINT32_MAX, &f->lmc);
	}
	if (weft__is_digit(*word))
		parse_rate(word, length, f);
	else if (length == 8 && !memcmp(word, "enhanced", 8))
		f->enhanced = true;
	return true;
}

static bool parse_facts(struct weft__line *l, struct weft__ibsim_facts *f)
{
	for (;;) {
		weft__skip_blanks(l);
		if (weft__at_end(l))
			return true;
		if (!parse_fact(l, f))
			return false;
	}
}

/* A name that has no quotes ends where facts begin. */
static void bare_name(struct weft__line *l, struct weft__ibsim_name *name)
{
	static const char *const facts[] = {
		" enhanced port ", " base port ", " lid ", " lmc ",
	};
	const char *end = l->end;

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		const char *at = weft__find_text(l, facts[i]);

		end = at && at < end ? at : end;
	}
	*name = (struct weft__ibsim_name){ l->p, (size_t)(end - l->p) };
	l->p = end;
}

bool weft__ibsim_rest(struct weft__line *l, const struct weft__ibsim_rates *all,
		      struct weft__ibsim_facts *f,
		      struct weft__ibsim_name *name)
{
	struct weft__line before = *l;
	const char *hash = weft__find_char(l, '#'), *open, *close;

	*f = (struct weft__ibsim_facts){ .rates = *all, .lid = WEFT__UNSAID };
	before.end = hash ? hash : l->end;
	if (!parse_facts(&before, f)) {
		*l = before;
		return false;
	}
	l->p = hash ? hash + 1 : l->end;
	weft__skip_blanks(l);
	open = weft__find_char(l, '"');
	if (!open) {
		if (name)
			bare_name(l, name);
		return parse_facts(l, f);
	}
	close = memrchr(open, '"', (size_t)(l->end - open));
	before.p = l->p;
	before.end = open;
	weft__expect(l, "the name, between two quotes");
	l->p = open;
	if (close == open)
		return false;
	if (name)
		*name = (struct weft__ibsim_name){
			open + 1, (size_t)(close - open - 1)
		};
	if (!parse_facts(&before, f)) {
		*l = before;
		return false;
	}
	l->p = close + 1;
	return parse_facts(l, f);
}
