// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "config.h"

#include "draw/picture.h"

#include <errno.h>
#include <weft/diag.h>

#ifdef HAVE_RSVG
#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include "core/late.h"

#define LIBRARY "librsvg-2.so.2"
#define CALLS(CALL)                                                            \
	CALL(cairo_create)                                                     \
	CALL(cairo_destroy)                                                    \
	CALL(cairo_image_surface_create)                                       \
	CALL(cairo_paint)                                                      \
	CALL(cairo_pdf_surface_create_for_stream)                              \
	CALL(cairo_pdf_surface_set_metadata)                                   \
	CALL(cairo_scale)                                                      \
	CALL(cairo_set_source_rgb)                                             \
	CALL(cairo_status)                                                     \
	CALL(cairo_surface_destroy)                                            \
	CALL(cairo_surface_finish)                                             \
	CALL(cairo_surface_status)                                             \
	CALL(cairo_surface_write_to_png_stream)                                \
	CALL(g_memory_input_stream_new_from_data)                              \
	CALL(g_object_unref)                                                   \
	CALL(rsvg_handle_get_intrinsic_size_in_pixels)                         \
	CALL(rsvg_handle_new_from_stream_sync)                                 \
	CALL(rsvg_handle_render_document)

static const char *const names[] = { CALLS(WEFT__LATE_NAME) };
static struct {
	CALLS(WEFT__LATE)
} rsvg;

#define SCALE 1.5	   /* pixels for each unit, */
#define MOST_PIXELS 12000. /* but no more in width or height */

/* cairo's way of writing. */
static cairo_status_t put(void *context, const unsigned char *data, unsigned n)
{
	return fwrite(data, 1, n, context) == n ? CAIRO_STATUS_SUCCESS :
						  CAIRO_STATUS_WRITE_ERROR;
}

static double scale_of(double width, double height)
{
	double longest = width > height ? width : height;

	return SCALE * longest > MOST_PIXELS ? MOST_PIXELS / longest : SCALE;
}

/* A surface of that kind; the date of a PDF would make each run's another. */
static cairo_surface_t *new_surface(enum weft__picture kind, double width,
				    double height, FILE *out)
{
	double by = scale_of(width, height);
	cairo_surface_t *s;

	if (kind == WEFT__PICTURE_PNG)
		return rsvg.cairo_image_surface_create(CAIRO_FORMAT_RGB24,
						       (int)(width * by + .5),
						       (int)(height * by + .5));
	s = rsvg.cairo_pdf_surface_create_for_stream(put, out, width, height);
	rsvg.cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE,
					    "1970-01-01T00:00:00Z");
	return s;
}

/* Draws on it, and writes it; false if anything failed. */
static bool render(RsvgHandle *svg, cairo_surface_t *surface,
		   enum weft__picture kind, double width, double height,
		   FILE *out)
{
	double by = kind == WEFT__PICTURE_PNG ? scale_of(width, height) : 1;
	RsvgRectangle all = { 0, 0, width, height };
	cairo_t *cairo = rsvg.cairo_create(surface);
	bool ok;

	rsvg.cairo_set_source_rgb(cairo, 1, 1, 1);
	rsvg.cairo_paint(cairo);
	rsvg.cairo_scale(cairo, by, by);
	ok = rsvg.rsvg_handle_render_document(svg, cairo, &all, NULL) &&
	     rsvg.cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
	rsvg.cairo_destroy(cairo);
	if (kind == WEFT__PICTURE_PDF)
		rsvg.cairo_surface_finish(surface);
	else if (ok)
		ok = rsvg.cairo_surface_write_to_png_stream(
			     surface, put, out) == CAIRO_STATUS_SUCCESS;
	return ok && rsvg.cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
}

int weft__picture_possible(struct weft_diag *diag)
{
	if (weft__load_late(&rsvg, LIBRARY, names,
			    sizeof(names) / sizeof(*names)))
		return 0;
	return weft_fail(
		diag, ENOTSUP,
		"PNG and PDF need %s, which cannot be loaded: install librsvg (and cairo), or write .svg, which any browser shows",
		LIBRARY);
}

/* Large fabrics have more elements than librsvg takes from strangers. */
static bool draw(enum weft__picture kind, const char *text, size_t n, FILE *out)
{
	GInputStream *in =
		rsvg.g_memory_input_stream_new_from_data(text, n, NULL);
	RsvgHandle *svg = rsvg.rsvg_handle_new_from_stream_sync(
		in, NULL, RSVG_HANDLE_FLAG_UNLIMITED, NULL, NULL);
	gdouble width = 0, height = 0;
	cairo_surface_t *surface;
	bool ok = false;

	if (svg && rsvg.rsvg_handle_get_intrinsic_size_in_pixels(svg, &width,
								 &height)) {
		surface = new_surface(kind, width, height, out);
		ok = render(svg, surface, kind, width, height, out);
		rsvg.cairo_surface_destroy(surface);
	}
	if (svg)
		rsvg.g_object_unref(svg);
	rsvg.g_object_unref(in);
	return ok;
}

int weft__picture_write(enum weft__picture kind, const char *text, size_t n,
			FILE *out, struct weft_diag *diag)
{
	int err = weft__picture_possible(diag);

	if (err || draw(kind, text, n, out) || ferror(out))
		return err;
	return weft_fail(
		diag, EIO,
		"librsvg cannot draw the picture: write it as .svg instead");
}
#else
int weft__picture_possible(struct weft_diag *diag)
{
	return weft_fail(
		diag, ENOTSUP,
		"this weft was built without librsvg, which PNG and PDF need: write .svg, which any browser shows, or build with librsvg2-dev installed");
}

int weft__picture_write(enum weft__picture kind, const char *svg, size_t n,
			FILE *out, struct weft_diag *diag)
{
	(void)kind;
	(void)svg;
	(void)n;
	(void)out;
	return weft__picture_possible(diag);
}
#endif
