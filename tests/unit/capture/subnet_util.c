// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A subnet that answers questions; see subnet_util.h. */
#include "subnet_util.h"

#include <infiniband/umad.h>

#include <arpa/inet.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

#define FD 7
#define AGENT 100 /* and the class */
#define QUEUE 64

struct subnet subnet;

/* --- what it answers ------------------------------------------------------ */

unsigned subnet_out(unsigned node, unsigned lid)
{
	return (3 * node + lid) % (node == A ? 19 : 5);
}

unsigned subnet_lane(unsigned in, unsigned out, unsigned sl)
{
	return (in + 3 * out + 5 * sl) % 16;
}

unsigned subnet_sl(unsigned slid, unsigned dlid)
{
	return (slid + dlid) % 6;
}

/* In the order of weft-counters.csv. */
static const struct {
	enum MAD_FIELDS field, wide;
	unsigned bits;
} fields[] = {
	{ IB_PC_ERR_SYM_F, 0, 16 },	   { IB_PC_LINK_RECOVERS_F, 0, 8 },
	{ IB_PC_LINK_DOWNED_F, 0, 8 },	   { IB_PC_ERR_RCV_F, 0, 16 },
	{ IB_PC_ERR_PHYSRCV_F, 0, 16 },	   { IB_PC_ERR_SWITCH_REL_F, 0, 16 },
	{ IB_PC_XMT_DISCARDS_F, 0, 16 },   { IB_PC_ERR_XMTCONSTR_F, 0, 8 },
	{ IB_PC_ERR_RCVCONSTR_F, 0, 8 },   { IB_PC_ERR_LOCALINTEG_F, 0, 4 },
	{ IB_PC_ERR_EXCESS_OVR_F, 0, 4 },  { IB_PC_VL15_DROPPED_F, 0, 16 },
	{ IB_PC_XMT_WAIT_F, 0, 32 },
	{ IB_PC_XMT_BYTES_F, IB_PC_EXT_XMT_BYTES_F, 32 },
	{ IB_PC_RCV_BYTES_F, IB_PC_EXT_RCV_BYTES_F, 32 },
	{ IB_PC_XMT_PKTS_F, IB_PC_EXT_XMT_PKTS_F, 32 },
	{ IB_PC_RCV_PKTS_F, IB_PC_EXT_RCV_PKTS_F, 32 },
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

uint64_t subnet_counter(unsigned node, unsigned port, unsigned counter,
			unsigned reading, bool wide)
{
	uint64_t value = UINT64_C(0x9e3779b97f4a7c15) *
			 (1 + node + 8 * port + 256 * counter +
			  16384 * reading);

	if (wide && fields[counter].wide)
		return value;
	return value >> 32 & ((UINT64_C(1) << fields[counter].bits) - 1);
}

static void put_lanes(const struct asked *q, uint8_t *data)
{
	for (unsigned sl = 0; sl < 16; sl++)
		data[sl / 2] |= subnet_lane(q->modifier >> 8, q->modifier & 255,
					    sl) << (sl % 2 ? 0 : 4);
}

/* Two entries in each half of a table: the place of the first tells which, the
 * other one is the last.  The upper half of a lane's byte is reserved. */
static void put_arbitration(const struct asked *q, uint8_t *data)
{
	unsigned half = q->modifier >> 16;

	data[2 * half] = (uint8_t)(0xf0 | q->port);
	data[2 * half + 1] = (uint8_t)(10 * half);
	data[2 * 7] = 5; /* of no weight */
	data[2 * 31] = 1;
	data[2 * 31 + 1] = 255;
}

/* The groups 0 and 31 of block 0, and 1 of block 1. */
static void put_groups(const struct asked *q, uint8_t *data)
{
	unsigned block = q->modifier & 0x1ff, position = q->modifier >> 28;

	if (!block && !position)
		data[0] = 0x80, data[1] = 0x02; /* ports 15 and 1 */
	if (!block && position == 1)
		data[1] = data[2 * 31 + 1] = 0x02; /* port 17 */
	if (block == 1 && !position)
		data[2 * 1 + 1] = 0x01; /* port 0 */
}

static void put_manager(const struct asked *q, uint8_t *data)
{
	mad_set_field64(data, 0, IB_SMINFO_GUID_F, 0x1000 + q->node);
	mad_set_field(data, 0, IB_SMINFO_ACT_F, 70 + q->node);
	mad_set_field(data, 0, IB_SMINFO_PRIO_F, 9 + q->node);
	mad_set_field(data, 0, IB_SMINFO_STATE_F,
		      q->node == H1 ? 3 : q->node == A ? 2 : 7);
}

/* Adapters of host 0x40 have the extended counters, and switch 0x20 those
 * without packets of one kind. */
static void put_class(const struct asked *q, uint8_t *data)
{
	mad_set_field(data, 0, IB_CPI_CAPMASK_F,
		      q->node == H2 ? 0x200 : q->node == A ? 0x400 : 0x1800);
}

static void put_counters(const struct asked *q, uint8_t *data, bool wide)
{
	for (unsigned i = 0; i < FIELDS; i++) {
		uint64_t value = subnet_counter(q->node, q->select, i,
						q->nth + 1, wide);

		if (!wide)
			mad_set_field(data, 0, fields[i].field,
				      (uint32_t)value);
		else if (fields[i].wide)
			mad_set_field64(data, 0, fields[i].wide, value);
	}
}

static void put_path(const struct asked *q, uint8_t *data)
{
	mad_set_field(data, 0, IB_SA_PR_SL_F, subnet_sl(q->slid, q->dlid));
}

static void put_answer(const struct asked *q, uint8_t *mad)
{
	uint8_t *data = mad + (q->class == IB_SA_CLASS ? IB_SA_DATA_OFFS : 64);

	memset(data, 0, IB_MAD_SIZE - (size_t)(data - mad));
	if (q->class == IB_SA_CLASS)
		put_path(q, data);
	else if (q->attribute == IB_ATTR_LINEARFORWTBL)
		for (unsigned i = 0; i < 64; i++)
			data[i] = subnet_out(q->node, 64 * q->modifier + i);
	else if (q->attribute == IB_ATTR_SLVL_TABLE)
		put_lanes(q, data);
	else if (q->attribute == IB_ATTR_VL_ARBITRATION)
		put_arbitration(q, data);
	else if (q->attribute == IB_ATTR_MULTICASTFORWTBL)
		put_groups(q, data);
	else if (q->attribute == IB_ATTR_SMINFO)
		put_manager(q, data);
	else if (q->attribute == CLASS_PORT_INFO)
		put_class(q, data);
	else
		put_counters(q, data, q->attribute == IB_GSI_PORT_COUNTERS_EXT);
}

/* --- datagrams ------------------------------------------------------------ */

static struct response {
	uint64_t due;
	size_t number; /* in the log */
	uint8_t umad[512];
} queue[QUEUE];
static unsigned nqueue;

/* The port that has a LID; false: nobody. */
static bool find_lid(unsigned lid, struct asked *q)
{
	for (q->node = 0; q->node < NODES; q->node++)
		for (int p = 0; p <= subnet.node[q->node].numports; p++) {
			const ibnd_port_t *port = subnet.ports[q->node][p];

			if (!port || !port->base_lid ||
			    (lid ^ port->base_lid) >> port->lmc)
				continue;
			q->port = (unsigned)p;
			return true;
		}
	return false;
}

/* The node at the end of a path. */
static void find_path(uint8_t *mad, struct asked *q)
{
	unsigned hops = mad_get_field(mad, 0, IB_DRSMP_HOPCNT_F);
	uint8_t path[64];

	mad_get_array(mad, 0, IB_DRSMP_PATH_F, path);
	for (q->node = 0; q->node < NODES; q->node++) {
		const ib_dr_path_t *is =
			&subnet.node[q->node].path_portid.drpath;

		if ((unsigned)is->cnt == hops &&
		    !memcmp(is->p + 1, path + 1, hops))
			break;
	}
	if (q->node < NODES)
		q->port = mad_get_field(subnet.node[q->node].info, 0,
					IB_NODE_LOCAL_PORT_F);
}

static struct asked read_question(void *umad)
{
	uint8_t *mad = umad_get_mad(umad);
	unsigned lid = ntohs(umad_get_mad_addr(umad)->lid);
	struct asked q = { .node = NODES };

	q.class = (int)mad_get_field(mad, 0, IB_MAD_MGMTCLASS_F);
	q.attribute = mad_get_field(mad, 0, IB_MAD_ATTRID_F);
	q.modifier = mad_get_field(mad, 0, IB_MAD_ATTRMOD_F);
	q.by_path = q.class == IB_SMI_DIRECT_CLASS;
	q.sent = subnet.now;
	if (q.by_path)
		find_path(mad, &q);
	else if (!find_lid(lid, &q))
		q.node = NODES;
	if (q.class == IB_PERFORMANCE_CLASS)
		q.select = mad_get_field(mad + IB_PC_DATA_OFFS, 0,
					 IB_PC_PORT_SELECT_F);
	if (q.class == IB_SA_CLASS) {
		q.mask = mad_get_field64(mad, 0, IB_SA_COMPMASK_F);
		q.dlid = mad_get_field(mad + IB_SA_DATA_OFFS, 0,
				       IB_SA_PR_DLID_F);
		q.slid = mad_get_field(mad + IB_SA_DATA_OFFS, 0,
				       IB_SA_PR_SLID_F);
	}
	return q;
}

static bool is_same(const struct asked *a, const struct asked *b)
{
	return a->node == b->node && a->attribute == b->attribute &&
	       a->modifier == b->modifier && a->select == b->select &&
	       a->port == b->port && a->dlid == b->dlid && a->slid == b->slid;
}

/* Puts an answer on its way. */
static void respond(size_t number, void *umad, int status)
{
	struct response *r = &queue[nqueue++];
	uint8_t *mad;

	ASSERT(nqueue <= QUEUE);
	r->due = subnet.now + subnet.delay;
	r->number = number;
	memcpy(r->umad, umad, umad_size() + IB_MAD_SIZE);
	mad = umad_get_mad(r->umad);
	((struct ib_user_mad *)r->umad)->status =
		status == TIMED_OUT ? ETIMEDOUT : 0;
	if (status < 0)
		return;
	mad_set_field(mad, 0, IB_MAD_RESPONSE_F, 1);
	mad_set_field(mad, 0, IB_MAD_STATUS_F, (uint32_t)status);
	if (subnet.log[number].by_path) /* which is the way back */
		mad_set_field(mad, 0, IB_DRSMP_DIRECTION_F, 1);
	put_answer(&subnet.log[number], mad);
}

int __wrap_umad_send(int fd, int agent, void *umad, int length, int timeout,
		     int retries);
int __wrap_umad_send(int fd, int agent, void *umad, int length, int timeout,
		     int retries)
{
	struct asked q = read_question(umad);
	uint8_t *mad = umad_get_mad(umad);
	int fate;

	EXPECT_EQ(fd, FD);
	EXPECT_EQ(agent, AGENT + q.class);
	EXPECT_EQ(length, IB_MAD_SIZE);
	EXPECT_EQ(mad_get_field(mad, 0, IB_MAD_METHOD_F), IB_MAD_METHOD_GET);
	EXPECT_EQ(retries, 0);
	EXPECT(timeout > 0 && (uint32_t)mad_get_field64(mad, 0, IB_MAD_TRID_F));
	if (subnet.no_send) {
		errno = subnet.no_send;
		return -1;
	}
	for (size_t i = 0; i < subnet.n; i++)
		q.nth += is_same(&subnet.log[i], &q);
	ASSERT(subnet.n < SUBNET_ASKED);
	subnet.log[subnet.n++] = q;
	fate = subnet.fate ? subnet.fate(&q) :
	       q.node < NODES	 ? OK :
				   LOST;
	if (fate != LOST)
		respond(subnet.n - 1, umad, fate);
	subnet.most_under_way = nqueue > subnet.most_under_way ?
				nqueue : subnet.most_under_way;
	return 0;
}

/* The answer that is there first, or of those that are there the last one. */
static unsigned choose_response(uint64_t until)
{
	unsigned best = nqueue;

	for (unsigned i = 0; i < nqueue; i++)
		if (queue[i].due <= until &&
		    (best == nqueue || subnet.last_first ||
		     queue[i].due < queue[best].due))
			best = i;
	return best;
}

int __wrap_umad_recv(int fd, void *umad, int *length, int timeout);
int __wrap_umad_recv(int fd, void *umad, int *length, int timeout)
{
	unsigned which;

	EXPECT_EQ(fd, FD);
	EXPECT_EQ(*length, IB_MAD_SIZE);
	if (subnet.no_receive)
		return -subnet.no_receive;
	if (subnet.interrupted)
		return subnet.interrupted-- % 2 ? -EINTR : -EWOULDBLOCK;
	ASSERT(timeout >= 0); /* it would wait for ever */
	which = choose_response(subnet.now + (unsigned)timeout);
	if (which == nqueue) {
		subnet.now += (unsigned)timeout;
		return -ETIMEDOUT;
	}
	if (queue[which].due > subnet.now)
		subnet.now = queue[which].due;
	subnet.log[queue[which].number].answered = subnet.now;
	memcpy(umad, queue[which].umad, umad_size() + IB_MAD_SIZE);
	nqueue--;
	memmove(&queue[which], &queue[which + 1],
		(nqueue - which) * sizeof(queue[0]));
	return AGENT + (int)mad_get_field(umad_get_mad(umad), 0,
					  IB_MAD_MGMTCLASS_F);
}

/* --- the port, the fabric, the clock -------------------------------------- */

int __wrap_umad_init(void);
int __wrap_umad_init(void)
{
	return subnet.no_umad ? -1 : 0;
}

int __wrap_umad_get_port(const char *ca, int number, umad_port_t *port);
int __wrap_umad_get_port(const char *ca, int number, umad_port_t *port)
{
	if (subnet.no_port)
		return -ENODEV;
	EXPECT(!ca || !strcmp(ca, "toy0"));
	*port = (umad_port_t){ .portnum = number ? number : 1, .base_lid = 4,
			       .sm_lid = subnet.no_manager ? 0 : 4,
			       .sm_sl = 3 };
	strcpy(port->ca_name, "toy0");
	subnet.opened++;
	return 0;
}

int __wrap_umad_release_port(umad_port_t *port);
int __wrap_umad_release_port(umad_port_t *port)
{
	EXPECT_STR(port->ca_name, "toy0");
	subnet.released++;
	return 0;
}

int __wrap_umad_open_port(const char *ca, int number);
int __wrap_umad_open_port(const char *ca, int number)
{
	EXPECT_STR(ca, "toy0");
	EXPECT_EQ(number, 1);
	return subnet.no_open ? -EACCES : FD;
}

int __wrap_umad_close_port(int fd);
int __wrap_umad_close_port(int fd)
{
	EXPECT_EQ(fd, FD);
	subnet.closed++;
	nqueue = 0;
	return 0;
}

int __wrap_umad_register(int fd, int class, int version, uint8_t rmpp,
			 long mask[]);
int __wrap_umad_register(int fd, int class, int version, uint8_t rmpp,
			 long mask[])
{
	EXPECT_EQ(fd, FD);
	EXPECT_EQ(version, class == IB_SA_CLASS ? 2 : 1);
	EXPECT(!rmpp && !mask);
	return class == subnet.no_class ? -EPERM : AGENT + class;
}

ibnd_fabric_t *__wrap_ibnd_discover_fabric(char *ca, int port,
					   ib_portid_t *from,
					   struct ibnd_config *config);
ibnd_fabric_t *__wrap_ibnd_discover_fabric(char *ca, int port,
					   ib_portid_t *from,
					   struct ibnd_config *config)
{
	EXPECT_STR(ca, "toy0");
	EXPECT_EQ(port, 1);
	EXPECT(!from);
	subnet.config = *config;
	return subnet.no_fabric ? NULL : &subnet.fabric;
}

void __wrap_ibnd_destroy_fabric(ibnd_fabric_t *fabric);
void __wrap_ibnd_destroy_fabric(ibnd_fabric_t *fabric)
{
	EXPECT(fabric == &subnet.fabric);
	subnet.destroyed++;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	t->tv_sec = (time_t)(subnet.now / 1000);
	t->tv_nsec = (long)(subnet.now % 1000) * 1000000;
	return 0;
}

int __wrap_usleep(useconds_t us);
int __wrap_usleep(useconds_t us)
{
	subnet.now += us / 1000;
	return 0;
}
