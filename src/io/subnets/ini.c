// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which file is which subnet: an INI file. */
#include "io/subnets/ini.h"

#include "core/grow.h"
#include "io/ini.h"

#include <weft/number.h>
#include <weft/subnets.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What sections of routers begin with. */
#define ROUTER "router "

struct reading {
	const char *path;
	unsigned long line; /* of the entry */
	struct weft_subnets_ini out;
	struct weft_diag *diag;
	int err;
};

static void fail(struct reading *r, const char *what, const char *word)
{
	weft_diag_at(r->diag, WEFT_ERROR, r->path, r->line, "'%.60s' %s", word,
		     what);
	r->err = -EINVAL;
}

/* Returns the subnet that a section is, a new one if it was not there. */
static struct weft_subnet_input *subnet_of(struct reading *r,
					   const char *section)
{
	struct weft_subnet_input *one;

	for (uint32_t i = 0; i < r->out.n; i++)
		if (!strcmp(r->out.subnet[i].name, section))
			return &r->out.subnet[i];
	r->err = weft__grow_one(&r->out.subnet, r->out.n);
	if (r->err)
		return NULL;
	one = &r->out.subnet[r->out.n];
	*one = (struct weft_subnet_input){ .name = strdup(section) };
	if (!one->name) {
		r->err = -ENOMEM;
		return NULL;
	}
	r->out.n++;
	return one;
}

/* Returns a path that is relative to the folder of the file, unless there is no
 * such file and the text is a description. */
static char *resolve(const char *path, const char *value)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	char *text;

	if (*value == '/' || !folder)
		return strdup(value);
	text = malloc(folder + strlen(value) + 1);
	if (text) {
		memcpy(text, path, folder);
		strcpy(text + folder, value);
	}
	return text;
}

static void tell_twice(struct reading *r, const struct weft_subnet_input *other,
		       const char *value)
{
	weft_diag_at(r->diag, WEFT_ERROR, r->path, r->line,
		     "prefix %s is that of [%s] in line %lu, too", value,
		     other->name, other->line);
	r->err = -EINVAL;
}

static void set_prefix(struct reading *r, struct weft_subnet_input *in,
		       const char *value)
{
	char text[WEFT_GID_SIZE];
	uint64_t guid;

	in->line = r->line;
	if (!weft_number_0x(value, &in->prefix) || !in->prefix) {
		snprintf(text, sizeof(text), "%s", value);
		text[strcspn(text, "/")] = '\0';
		if (weft_gid_parse(text, &in->prefix, &guid) || guid ||
		    !in->prefix)
			fail(r,
			     "is no prefix: 0xfec0000000000001, or fec0:0:0:1::",
			     value);
	}
	for (uint32_t i = 0; i < r->out.n && !r->err; i++)
		if (&r->out.subnet[i] != in &&
		    r->out.subnet[i].prefix == in->prefix)
			tell_twice(r, &r->out.subnet[i], value);
}

static void set_path(struct reading *r, char **path, const char *name,
		     const char *value)
{
	if (*path) {
		fail(r, "is there twice in a section", name);
		return;
	}
	*path = resolve(r->path, value);
	if (!*path)
		r->err = -ENOMEM;
}

/* Takes a line of a router: the GUID of a port, and its subnet. */
static void take_port(struct reading *r, const char *router, const char *name,
		      const char *value)
{
	struct weft_router_input *p;

	r->err = weft__grow_one(&r->out.port, r->out.nports);
	if (r->err)
		return;
	p = &r->out.port[r->out.nports++];
	*p = (struct weft_router_input){
		.router = strdup(router),
		.subnet = strdup(value),
		.line = r->line,
	};
	if (!p->router || !p->subnet) {
		r->err = -ENOMEM;
		return;
	}
	if (!weft_number_0x(name, &p->guid) || !p->guid)
		fail(r,
		     "is no GUID of a port: 0x and up to 16 hexadecimal digits",
		     name);
}

static int take(void *context, const struct weft__ini_entry *entry)
{
	struct reading *r = context;
	const char *section = entry->section, *name = entry->name;
	const char *value = entry->value;
	struct weft_subnet_input *in;

	r->line = entry->line;
	if (r->err)
		return r->err;
	if (!*section) {
		fail(r, "is in no section: put it under [NAME] of a subnet",
		     name);
		return r->err;
	}
	if (!strncmp(section, ROUTER, sizeof(ROUTER) - 1)) {
		take_port(r, section + sizeof(ROUTER) - 1, name, value);
		return r->err;
	}
	in = subnet_of(r, section);
	if (!in)
		return r->err;
	if (!strcmp(name, "prefix"))
		set_prefix(r, in, value);
	else if (!strcmp(name, "fabric"))
		set_path(r, &in->fabric, name, value);
	else if (!strcmp(name, "tables"))
		set_path(r, &in->tables, name, value);
	else if (!strcmp(name, "map"))
		set_path(r, &in->map, name, value);
	else
		fail(r, "is no key: there are fabric, tables, map and prefix",
		     name);
	return r->err;
}

/* What has to be in a file, each line of which is understood. */
static int check(const struct reading *r)
{
	if (!r->out.n)
		return weft_fail_at(r->diag, EINVAL, r->path, 0,
				    "names no subnet: a section [NAME] for each, with fabric = FILE");
	for (uint32_t i = 0; i < r->out.n; i++)
		if (!r->out.subnet[i].fabric)
			return weft_fail_at(r->diag, EINVAL, r->path, 0,
					    "[%s] has no fabric = FILE",
					    r->out.subnet[i].name);
	return 0;
}

int weft__subnets_ini_parse(const struct weft__source *source,
			    struct weft_subnets_ini *out,
			    struct weft_diag *diag)
{
	struct reading r = { .path = source->name, .diag = diag };
	int err;

	r.out.path = strdup(source->name);
	err = r.out.path ? weft__ini_read(source, "key = value", take, &r,
					  diag) : -ENOMEM;
	if (!err)
		err = check(&r);
	if (!r.out.path || r.err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	if (err)
		weft_subnets_ini_free(&r.out);
	else
		*out = r.out;
	return err;
}

int weft_subnets_ini_read(const char *path, struct weft_subnets_ini *out,
			  struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	err = weft__subnets_ini_parse(&source, out, diag);
	weft__source_close(&source);
	return err;
}

void weft_subnets_ini_free(struct weft_subnets_ini *ini)
{
	for (uint32_t i = 0; i < ini->n; i++) {
		free(ini->subnet[i].name);
		free(ini->subnet[i].fabric);
		free(ini->subnet[i].tables);
		free(ini->subnet[i].map);
	}
	for (uint32_t i = 0; i < ini->nports; i++) {
		free(ini->port[i].router);
		free(ini->port[i].subnet);
	}
	free(ini->subnet);
	free(ini->port);
	free(ini->path);
	*ini = (struct weft_subnets_ini){ .n = 0 };
}
