// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Colours of pictures.  All names begin with .fabric, so that a page around the
 * picture keeps its own.  What makes PNG of it knows neither schemes nor
 * variables of CSS, and takes the light colours, which come first.
 */
#include "draw/style.h"

static const struct colour {
	const char *class, *property, *light, *dark;
} colours[] = {
	{ ".paper", "fill", "#ffffff", "#14181c" },
	{ "text", "fill", "#1d2328", "#e3e7ea" },
	{ ".soft", "fill", "#57616b", "#a4aeb8" },
	{ ".soft", "stroke", "#ffffff", "#14181c" },
	{ ".frame", "stroke", "#c3cad0", "#4a555f" },
	{ ".frame", "fill", "#f5f7f8", "#1b2126" },
	{ ".s", "stroke", "#34485a", "#b7c4d0" },
	{ ".k0", "fill", "#d3e5f5", "#24476a" },
	{ ".k1", "fill", "#dcefd9", "#2b5230" },
	{ ".k2", "fill", "#fbe6c8", "#6a4a1c" },
	{ ".k3", "fill", "#ecdcf3", "#543a66" },
	{ ".host", "fill", "#4f86b8", "#84b9ea" },
	{ ".l", "stroke", "#8f9ba6", "#76838f" },
	{ ".band", "fill", "#8f9ba6", "#76838f" },
	{ ".band", "stroke", "#8f9ba6", "#76838f" },
	{ ".gap", "stroke", "#b3662e", "#d58a50" },
	{ ".m1", "stroke", "#7a5fc0", "#b7a0f0" },
	{ ".m2", "stroke", "#1a7f8e", "#5cc6d6" },
	{ ".m3", "stroke", "#b0189a", "#ff7ae0" },
	{ ".m4", "stroke", "#b3123f", "#ff6f91" },
	{ ".m5", "stroke", "#b3123f", "#ff6f91" },
	{ ".m6", "stroke", "#0a66c2", "#6cb6ff" },
	{ ".d0", "stroke", "#14538c", "#74bbff" },
	{ ".d1", "stroke", "#3f7fb5", "#4f8fc9" },
	{ ".d2", "stroke", "#86b0d3", "#3a6285" },
	{ ".d3", "stroke", "#cfd8df", "#3b454e" },
	{ ".d4", "stroke", "#e0d8cf", "#4c443c" },
	{ ".d5", "stroke", "#e0a878", "#8f6039" },
	{ ".d6", "stroke", "#cf6a2b", "#d97a3a" },
	{ ".d7", "stroke", "#a3271c", "#ff6a55" },
	{ ".h0", "stroke", "#a9c7e0", "#2f4d68" },
	{ ".h1", "stroke", "#8fb8d6", "#3d6a8f" },
	{ ".h2", "stroke", "#74a9b8", "#4b8a99" },
	{ ".h3", "stroke", "#8fb06a", "#7ea34f" },
	{ ".h4", "stroke", "#c9b13c", "#c9b13c" },
	{ ".h5", "stroke", "#e08a2b", "#e8963c" },
	{ ".h6", "stroke", "#d9541e", "#f0703a" },
	{ ".h7", "stroke", "#b3123f", "#ff4f6d" },
};

#define NCOLOURS (sizeof(colours) / sizeof(colours[0]))

void weft__draw_style(FILE *out)
{
	fputs(".fabric text{font-family:'DejaVu Sans','Liberation Sans',sans-serif;font-size:11px}\n"
	      ".fabric .title{font-size:17px;font-weight:bold}\n"
	      ".fabric .what{font-size:13px}\n"
	      ".fabric .small{font-size:9px}\n"
	      ".fabric .soft{paint-order:stroke;stroke-width:2.5px}\n"
	      ".fabric .s{stroke-width:.8}\n"
	      ".fabric .frame{stroke-width:1}\n"
	      ".fabric .l,.fabric .m,.fabric .gap{fill:none}\n"
	      ".fabric .gap{stroke-width:1.2;stroke-dasharray:2 4}\n"
	      ".fabric .band{fill-opacity:.13;stroke-width:.6;stroke-opacity:.35}\n"
	      ".fabric .m1{stroke-dasharray:5 3;stroke-opacity:.6}\n"
	      ".fabric .m5{stroke-dasharray:8 2}\n"
	      ".fabric .s.m{stroke-width:3;stroke-dasharray:none}\n",
	      out);
	for (size_t i = 0; i < NCOLOURS; i++)
		fprintf(out, ".fabric %s{%s:%s}\n", colours[i].class,
			colours[i].property, colours[i].light);
	fputs("@media(prefers-color-scheme:dark){\n", out);
	for (size_t i = 0; i < NCOLOURS; i++)
		fprintf(out, ".fabric %s{%s:%s}\n", colours[i].class,
			colours[i].property, colours[i].dark);
	fputs("}\n", out);
}
