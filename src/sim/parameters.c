// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is simulated, by options with names; see weft/sim.h. */
#include <weft/diag.h>
#include <weft/number.h>
#include <weft/options.h>
#include <weft/sim.h>

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Where in the spec a parameter is, and how it gets there. */
struct place {
	size_t offset, size;
	uint64_t unit; /* of a number; 0: it is a share, or a text */
	bool zero;     /* whether a share may be 0 */
	int (*read)(const char *name, const char *text, void *field,
		    struct weft_diag *diag);
};

/* --- texts ---------------------------------------------------------------- */

/* Reads a number of bytes, of which there are 1 to 2^40. */
static bool read_bytes(const char **at, uint64_t *out)
{
	return weft_number_uint_at(at, "-:,", 1ull << 40, out) && *out;
}

/* Reads "BYTES", "BYTES-BYTES", with ":WEIGHT" or without. */
static bool read_size(const char **at, struct weft_sim_sizes *out)
{
	uint64_t least, most, weight = 1;

	if (out->n == WEFT_SIM_SIZES || !read_bytes(at, &least))
		return false;
	most = least;
	if (**at == '-' && (++*at, !read_bytes(at, &most) || most < least))
		return false;
	if (**at == ':' && (++*at, !read_bytes(at, &weight)))
		return false;
	if (weight > UINT32_MAX || (**at && **at != ','))
		return false;
	out->entry[out->n].least = least;
	out->entry[out->n].most = most;
	out->entry[out->n++].weight = weight;
	return true;
}

static int read_sizes(const char *name, const char *text, void *field,
		      struct weft_diag *diag)
{
	struct weft_sim_sizes *sizes = field;
	const char *at = text;

	sizes->n = 0;
	while (at == text || *at == ',') {
		at += *at == ',';
		if (!read_size(&at, sizes))
			return weft_fail(
				diag, EINVAL,
				"option %s takes up to %d of BYTES or BYTES-BYTES, 1 to 2^40, each with :WEIGHT or without, and commas between them, not '%s'",
				name, WEFT_SIM_SIZES, text);
	}
	return 0;
}

/* Reads "0:64,1:32", lanes and their weights. */
static int read_vlarb(const char *name, const char *text, void *field,
		      struct weft_diag *diag)
{
	struct weft_sim_vlarb *out = field;
	const char *at = text;

	out->n = 0;
	while (*at) {
		uint64_t vl, weight;

		if (out->n == 64 ||
		    !weft_number_uint_at(&at, ":", WEFT_MAX_LANES - 1, &vl) ||
		    !*at++ || !weft_number_uint_at(&at, ",", 255, &weight))
			return weft_fail(
				diag, EINVAL,
				"option %s takes up to 64 of LANE:WEIGHT, lanes 0 to %d and weights 0 to 255, not '%s'",
				name, WEFT_MAX_LANES - 1, text);
		out->entry[out->n].vl = vl;
		out->entry[out->n++].weight = weight;
		at += *at == ',';
	}
	return 0;
}

/* --- the tables ----------------------------------------------------------- */

#define SIM_WHOLE(field, name, preset, least, most, unit, help)                \
	{ name, WEFT_OPT_INT, preset, help, least, most, NULL },
#define SIM_SHARE(field, name, zero, help)                                     \
	{ name, WEFT_OPT_REAL, NULL, help, 0, 0, NULL },
#define SIM_CHOICE(field, name, choices, help)                                 \
	{ name, WEFT_OPT_ENUM, NULL, help, 0, 0, choices },
#define SIM_FLAG(field, name, help)                                            \
	{ name, WEFT_OPT_BOOL, NULL, help, 0, 0, NULL },
#define SIM_TEXT(field, name, read, help)                                      \
	{ name, WEFT_OPT_STRING, NULL, help, 0, 0, NULL },
static const struct weft_option options[] = {
#include "sim/parameters.def"
	{ .type = WEFT_OPT_END }
};
#undef SIM_WHOLE
#undef SIM_SHARE
#undef SIM_CHOICE
#undef SIM_FLAG
#undef SIM_TEXT

#define PLACE(field)                                                           \
	.offset = offsetof(struct weft_sim_spec, field),                       \
	.size = sizeof(((struct weft_sim_spec *)0)->field)
#define SIM_WHOLE(field, name, preset, least, most, units, help)               \
	{ PLACE(field), .unit = units },
#define SIM_SHARE(field, name, may_be_zero, help)                              \
	{ PLACE(field), .zero = may_be_zero },
#define SIM_CHOICE(field, name, choices, help) { PLACE(field), .unit = 1 },
#define SIM_FLAG(field, name, help) { PLACE(field), .unit = 1 },
#define SIM_TEXT(field, name, reader, help) { PLACE(field), .read = reader },
static const struct place places[] = {
#include "sim/parameters.def"
};

const struct weft_option *weft_sim_options(void)
{
	return options;
}

/* --- into a spec ---------------------------------------------------------- */

/* Sets an integer of any size, on machines of either byte order. */
static void put(struct weft_sim_spec *spec, const struct place *p, long value)
{
	char *field = (char *)spec + p->offset;
	uint64_t all = (uint64_t)value * p->unit;
	uint32_t half = (uint32_t)all;
	uint8_t least = (uint8_t)all;

	if (p->size == sizeof(all))
		memcpy(field, &all, sizeof(all));
	else if (p->size == sizeof(half))
		memcpy(field, &half, sizeof(half));
	else
		memcpy(field, &least, sizeof(least));
}

static int put_share(struct weft_sim_spec *spec, const struct place *p,
		     const char *name, double percent, const char *text,
		     struct weft_diag *diag)
{
	double share = percent / 100;

	if (percent > 100 || !(p->zero ? percent >= 0 : percent > 0))
		return weft_fail(
			diag, EINVAL,
			"option %s takes a percentage%s, not '%s'", name,
			p->zero ? ", 0 to 100" : " above 0, 100 at most", text);
	memcpy((char *)spec + p->offset, &share, sizeof(share));
	return 0;
}

static int set(struct weft_sim_spec *spec, const struct place *p,
	       const struct weft_options *o, const char *name,
	       struct weft_diag *diag)
{
	const char *text = weft_options_text(o, name);

	if (p->read)
		return p->read(name, text, (char *)spec + p->offset, diag);
	if (!p->unit)
		return put_share(spec, p, name, weft_options_real(o, name),
				 text, diag);
	put(spec, p, weft_options_int(o, name));
	return 0;
}

int weft_sim_set(struct weft_sim_spec *spec, const struct weft_options *o,
		 struct weft_diag *diag)
{
	int err = 0;

	for (size_t i = 0; options[i].type != WEFT_OPT_END && !err; i++)
		if (weft_options_given(o, options[i].name))
			err = set(spec, &places[i], o, options[i].name, diag);
	return err;
}

void weft_sim_preset(struct weft_sim_spec *spec)
{
	*spec = (struct weft_sim_spec){
		.load = 1,
		.leave = -1,
		.host_sl = -1,
		.switch_sl = -1,
		.warmup = UINT64_MAX,
	};
	for (size_t i = 0; options[i].type != WEFT_OPT_END; i++)
		if (options[i].preset)
			put(spec, &places[i],
			    strtol(options[i].preset, NULL, 10));
}
