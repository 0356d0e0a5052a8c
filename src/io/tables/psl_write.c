// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writing SLs in the form that ibdmchk reads: a line for each source node and
 * destination LID,
 *
 *	0x0002c90000000099 154 0
 *
 * the node GUID, the LID in decimal and the SL.  ibdmchk takes 0 for everything
 * if there is no line at all, so that nothing is written where SL 0 is the only
 * one; else it wants all pairs.
 */
#include <weft/io.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void write_rows(FILE *out, const struct weft_fabric *f,
		       const struct weft_layers *layers, uint32_t source,
		       uint64_t guid)
{
	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		if (f->lid_owner[lid] != WEFT_NONE)
			fprintf(out, "0x%016" PRIx64 " %u %u\n", guid, lid,
				weft_layers_sl(layers, f, source, lid));
}

int weft_io_write_psl(FILE *out, const struct weft_fabric *f,
		      const struct weft_layers *layers, struct weft_diag *diag)
{
	bool rows = layers->form != WEFT_SL_ONE || layers->sl;
	int err;

	errno = 0;
	fprintf(out, "# node guid, destination lid, sl%s\n",
		rows ? "" : "; all are 0");
	for (uint32_t e = 0; rows && e < f->nep && !ferror(out); e++)
		write_rows(out, f, layers, WEFT_ENDPORT | e,
			   f->node[f->ep[e].node].guid);
	for (uint32_t s = 0; rows && s < f->nsw && !ferror(out); s++)
		write_rows(out, f, layers, s, f->sw[s].guid);
	if (fflush(out) || ferror(out)) {
		err = errno ? errno : EIO;
		return weft_fail(diag, err, "cannot write service levels: %s",
				 strerror(err));
	}
	return 0;
}
