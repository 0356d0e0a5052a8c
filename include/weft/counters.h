/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the ports of a fabric say of themselves: states and counters, as weft
 * capture reads them.  Files: weft-formats(5), PORTS.
 */
#ifndef WEFT_COUNTERS_H
#define WEFT_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_aliases;
struct weft_diag;
struct weft_fabric;

/* Values of PortInfo; 0 = not told. */
enum weft_port_state {
	WEFT_PORT_UNKNOWN, WEFT_PORT_DOWN, WEFT_PORT_INIT, WEFT_PORT_ARMED,
	WEFT_PORT_ACTIVE,
};

/* Counters of PortCounters; the four of data and packets are those of
 * PortCountersExtended where a port has them. */
enum weft_counter {
	WEFT_SYMBOL_ERRORS,
	WEFT_LINK_RECOVERIES,
	WEFT_LINK_DOWNED,
	WEFT_RCV_ERRORS,
	WEFT_RCV_REMOTE_PHYSICAL_ERRORS,
	WEFT_RCV_SWITCH_RELAY_ERRORS,
	WEFT_XMIT_DISCARDS,
	WEFT_XMIT_CONSTRAINT_ERRORS,
	WEFT_RCV_CONSTRAINT_ERRORS,
	WEFT_LOCAL_INTEGRITY_ERRORS,
	WEFT_BUFFER_OVERRUNS,
	WEFT_VL15_DROPPED,
	WEFT_XMIT_WAIT,		/* ticks with something to send and no credit */
	WEFT_XMIT_DATA,		/* words of four bytes */
	WEFT_RCV_DATA,
	WEFT_XMIT_PACKETS,
	WEFT_RCV_PACKETS,
	WEFT_COUNTERS
};

/* As the field writes it: "SymbolErrorCounter", "PortXmitWait". */
const char *weft_counter_name(enum weft_counter counter);
/* Whether any growth is a defect: all but waits, data and packets. */
bool weft_counter_is_error(enum weft_counter counter);

struct weft_port_counters {
	uint8_t state;		/* enum weft_port_state */
	uint8_t physical;	/* as PortInfo has it: 2 polling, 3 disabled,
				 * 5 link up; 0 = not told */
	uint8_t vls;		/* data lanes in operation, 0 = not told */
	uint8_t readings;	/* 0, 1 or 2 */
	double seconds;		/* between the two readings, else 0 */
	uint32_t known;		/* bit i: counter i was read */
	uint32_t grew;		/* bit i: it was read twice */
	uint64_t value[WEFT_COUNTERS];	/* the last reading */
	uint64_t growth[WEFT_COUNTERS];	/* between two; one that was cleared in
					 * between counts from 0 */
};

/* port[ch] is of the port that sends on channel ch of the fabric: port p of
 * switch s (p = 0, too), or an endport. */
struct weft_counters {
	uint32_t nch;
	struct weft_port_counters *port;	/* [nch] */
	uint32_t nread;		/* ports with a counter */
	uint32_t nstates;	/* ports with a state */
};

/*
 * Reads states and counters from the directory of a capture, or one of its
 * files weft-ports.csv and weft-counters.csv; or counters, without when they were
 * counted, from the output of ibqueryerrors, perfquery or ibdiagnet: a file, or
 * ibqueryerrors*, perfquery* and *.pm of a directory that has no
 * weft-counters.csv.  Ports that the fabric does not have are left out with a
 * warning, but for those of nodes that no cable reaches.  *out is set on success
 * only and is to be freed.  0; -ENOENT, without a message, where a directory has
 * none of these files, or path is none; -EINVAL after an error with file and
 * line.  O(rows log ports).
 */
int weft_io_read_counters(const char *path, const struct weft_fabric *fabric,
			  struct weft_counters *out, struct weft_diag *diag);
void weft_counters_free(struct weft_counters *counters);  /* zeroed is fine */

/*
 * Writes the values of a file of a capture, or of text like it, under the
 * aliases of the fabric.  Comments, and a last line that is cut, are left out.
 * 0, or -errno after an error, as for a row that cannot be read.
 */
int weft_io_alias_values(const char *path, const struct weft_aliases *aliases,
			 FILE *out, struct weft_diag *diag);
int weft_io_alias_text(const char *text, size_t size,
		       const struct weft_aliases *aliases, FILE *out,
		       struct weft_diag *diag);
/* Files of comma-separated values in a capture, by name, NULL at the end. */
extern const char *const weft_io_value_files[];

/* Growth per second; NAN unless the counter was read twice, some time apart. */
double weft_counter_rate(const struct weft_port_counters *port,
			 enum weft_counter counter);

#ifdef __cplusplus
}
#endif
#endif
