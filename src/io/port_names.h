/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names and columns of the files about ports, for who writes and who reads. */
#ifndef WEFT_IO_PORT_NAMES_H
#define WEFT_IO_PORT_NAMES_H

#define WEFT__PORTS_FILE "weft-ports.csv"
#define WEFT__COUNTERS_FILE "weft-counters.csv"
#define WEFT__VLARB_FILE "weft-vlarb.csv"
#define WEFT__MULTICAST_FILE "weft-multicast.csv"
#define WEFT__SM_FILE "weft-sm.csv"
#define WEFT__SAMPLE_FILE "weft-sample.csv"

/* The columns that weft_io_read_counters() reads, by their names. */
#define WEFT__PORTS_COLUMNS \
	"guid,port,lid,lmc,state,physical,width,speed,mtu,vls,sm_lid,sm_sl"
#define WEFT__COUNTERS_COLUMNS "guid,port,reading,seconds"

#endif
