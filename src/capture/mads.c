// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: many questions at a time
 *
 * Each place (struct place) holds one question that is under way.  The lower
 * half of a transaction ID, the only part that the kernel leaves alone, says in
 * which place a question is and how many were in it before, so that an answer
 * that comes after its question was given up is known for what it is.
 *
 * Deadlines are kept here and retries made here: the kernel would keep them,
 * too, but a simulator does not, and a question that stays without an answer by
 * LID goes on along the path from this port, which needs no forwarding table.
 */
#include "capture/mads.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <infiniband/umad.h>

#define PLACE_BITS 12
#define MAX_PLACES (1u << PLACE_BITS)
#define SMP_DATA_AT 64
#define BUSY 1 /* status */

struct place {
	struct weft__question question;
	uint32_t number;
	uint32_t serial; /* of the questions that were here */
	unsigned tries;
	bool used, by_path;
	int64_t deadline; /* ms */
};

struct weft__mads {
	struct weft__mads_spec spec;
	umad_port_t local;
	bool has_local;
	int fd;
	int agent[256];	      /* by class, -1 = not registered */
	void *send, *receive; /* umads */
	struct place *place;  /* [spec.outstanding] */
	unsigned used;
	struct weft_diag *diag;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (int64_t)1000 + t.tv_nsec / 1000000;
}

static int register_classes(struct weft__mads *mads)
{
	static const struct {
		int class, version;
	} classes[] = {
		{ IB_SMI_CLASS, 1 },
		{ IB_SMI_DIRECT_CLASS, 1 },
		{ IB_SA_CLASS, 2 },
		{ IB_PERFORMANCE_CLASS, 1 },
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		int agent = umad_register(mads->fd, classes[i].class,
					  classes[i].version, 0, NULL);

		if (agent < 0)
			return weft_fail(
				mads->diag, EACCES,
				"cannot send management datagrams (class 0x%x): %s; run as root, or with access to /dev/infiniband/umad*",
				classes[i].class, strerror(-agent));
		mads->agent[classes[i].class] = agent;
	}
	return 0;
}

static int open_port(struct weft__mads *mads)
{
	const struct weft__mads_spec *spec = &mads->spec;
	int err;

	if (umad_init() < 0)
		return weft_fail(
			mads->diag, ENODEV,
			"no access to InfiniBand management (/sys/class/infiniband_mad): is ib_umad loaded ('modprobe ib_umad')?");
	err = umad_get_port(spec->ca, spec->port, &mads->local);
	if (err)
		return weft_fail(
			mads->diag, ENODEV,
			"no InfiniBand port %s%s%s; 'ibstat -l' lists adapters, -C and -P choose one",
			spec->ca ? "of " : "here", spec->ca ? spec->ca : "",
			spec->port ? " with that number" : "");
	mads->has_local = true;
	mads->fd = umad_open_port(mads->local.ca_name, mads->local.portnum);
	if (mads->fd < 0)
		return weft_fail(mads->diag, EACCES,
				 "cannot open %s port %d: %s; run as root, or with access to /dev/infiniband/umad*",
				 mads->local.ca_name, mads->local.portnum,
				 strerror(-mads->fd));
	return register_classes(mads);
}

int weft__mads_open(const struct weft__mads_spec *spec, struct weft__mads **out,
		    struct weft_diag *diag)
{
	struct weft__mads *mads = calloc(1, sizeof(*mads));
	int err;

	if (!mads)
		return weft_no_memory(diag);
	mads->spec = *spec;
	mads->diag = diag;
	mads->fd = -1;
	if (mads->spec.outstanding > MAX_PLACES)
		mads->spec.outstanding = MAX_PLACES;
	mads->place = calloc(mads->spec.outstanding, sizeof(*mads->place));
	mads->send = umad_alloc(1, umad_size() + IB_MAD_SIZE);
	mads->receive = umad_alloc(1, umad_size() + IB_MAD_SIZE);
	if (!mads->place || !mads->send || !mads->receive)
		err = weft_no_memory(diag);
	else
		err = open_port(mads);
	if (err)
		weft__mads_close(mads);
	else
		*out = mads;
	return err;
}

void weft__mads_close(struct weft__mads *mads)
{
	if (!mads)
		return;
	if (mads->fd >= 0)
		umad_close_port(mads->fd);
	if (mads->has_local)
		umad_release_port(&mads->local);
	umad_free(mads->send);
	umad_free(mads->receive);
	free(mads->place);
	free(mads);
}

struct weft__mads_port weft__mads_port(const struct weft__mads *mads)
{
	return (struct weft__mads_port){
		.ca = mads->local.ca_name,
		.port = mads->local.portnum,
		.lid = mads->local.base_lid,
		.sm_lid = mads->local.sm_lid,
		.sm_sl = mads->local.sm_sl,
	};
}

static void set_data(const struct weft__question *q, ib_rpc_t *rpc)
{
	if (q->class == IB_SA_CLASS) {
		rpc->dataoffs = IB_SA_DATA_OFFS;
		rpc->datasz = IB_SA_DATA_SIZE;
	} else if (q->class == IB_PERFORMANCE_CLASS) {
		rpc->dataoffs = IB_PC_DATA_OFFS;
		rpc->datasz = IB_PC_DATA_SZ;
	} else {
		rpc->dataoffs = IB_SMP_DATA_OFFS;
		rpc->datasz = IB_SMP_DATA_SIZE;
	}
}

/* Sends what is in a place, once more or for the first time. */
static int ask(struct weft__mads *mads, struct place *p)
{
	struct weft__question *q = &p->question;
	ib_rpc_t rpc = {
		.mgtclass = q->class,
		.method = IB_MAD_METHOD_GET,
		.attr = { q->attribute, q->modifier },
		.mask = q->mask,
	};
	int sent;

	if (q->class == IB_SMI_CLASS && p->by_path)
		rpc.mgtclass = IB_SMI_DIRECT_CLASS;
	rpc.trid = (++p->serial << PLACE_BITS | (uint32_t)(p - mads->place)) &
		   UINT32_MAX;
	if (!rpc.trid) /* which stands for any */
		rpc.trid = (++p->serial << PLACE_BITS) & UINT32_MAX;
	set_data(q, &rpc);
	memset(mads->send, 0, umad_size() + IB_MAD_SIZE);
	if (mad_build_pkt(mads->send, &rpc, &q->to, NULL, q->data) < 0)
		return weft_fail(mads->diag, EIO,
				 "cannot put a datagram together: more than %d hops?",
				 IB_SUBNET_PATH_HOPS_MAX - 1);
	sent = umad_send(mads->fd, mads->agent[rpc.mgtclass], mads->send,
			 IB_MAD_SIZE, (int)mads->spec.timeout_ms, 0);
	if (sent < 0)
		return weft_fail(mads->diag, EIO,
				 "%s port %d takes no datagrams: %s",
				 mads->local.ca_name, mads->local.portnum,
				 strerror(errno));
	p->tries++;
	p->deadline = now_ms() + mads->spec.timeout_ms;
	return 0;
}

/* Fills free places with new questions.  *more: there may be others. */
static int fill(struct weft__mads *mads, const struct weft__asker *asker,
		bool *more)
{
	int err = 0;

	for (unsigned i = 0; i < mads->spec.outstanding && *more && !err; i++) {
		struct place *p = &mads->place[i];

		if (p->used)
			continue;
		memset(&p->question, 0, sizeof(p->question));
		*more = asker->next(asker->context, &p->question, &p->number);
		if (!*more)
			break;
		p->used = true;
		p->tries = 0;
		p->by_path = p->question.class == IB_SMI_CLASS &&
			     !p->question.to.lid;
		mads->used++;
		err = ask(mads, p);
	}
	return err;
}

static int finish(struct weft__mads *mads, struct place *p,
		  const struct weft__asker *asker, enum weft__answer answer,
		  const uint8_t *data)
{
	p->used = false;
	mads->used--;
	return asker->answered(asker->context, p->number, answer, data);
}

/* The attempt in a place came to nothing: another one, or none. */
static int try_again(struct weft__mads *mads, struct place *p,
		     const struct weft__asker *asker)
{
	if (p->tries <= mads->spec.retries)
		return ask(mads, p);
	if (p->question.class == IB_SMI_CLASS && !p->by_path &&
	    p->question.to.drpath.cnt) {
		p->by_path = true;
		p->tries = 0;
		p->question.to.lid = 0;
		return ask(mads, p);
	}
	return finish(mads, p, asker, WEFT__SILENT, NULL);
}

static int take(struct weft__mads *mads, const struct weft__asker *asker)
{
	uint8_t *mad = umad_get_mad(mads->receive);
	uint32_t tid = (uint32_t)mad_get_field64(mad, 0, IB_MAD_TRID_F);
	uint32_t at = tid & (MAX_PLACES - 1);
	struct place *p = &mads->place[at];
	ib_rpc_t where = { 0 };
	unsigned status;

	if (at >= mads->spec.outstanding || !p->used ||
	    tid >> PLACE_BITS != (p->serial & UINT32_MAX >> PLACE_BITS))
		return 0; /* too late */
	if (umad_status(mads->receive))
		return try_again(mads, p, asker);
	if (!mad_get_field(mad, 0, IB_MAD_RESPONSE_F))
		return 0;
	status = p->by_path ? mad_get_field(mad, 0, IB_DRSMP_STATUS_F) :
			      mad_get_field(mad, 0, IB_MAD_STATUS_F);
	if (status & BUSY)
		return try_again(mads, p, asker);
	set_data(&p->question, &where);
	if (status)
		return finish(mads, p, asker, WEFT__REFUSED, NULL);
	return finish(mads, p, asker, WEFT__ANSWERED, mad + where.dataoffs);
}

/* Milliseconds to the first deadline, 0 if it is past. */
static int until_deadline(const struct weft__mads *mads)
{
	int64_t first = INT64_MAX, left;

	for (unsigned i = 0; i < mads->spec.outstanding; i++)
		if (mads->place[i].used && mads->place[i].deadline < first)
			first = mads->place[i].deadline;
	left = first - now_ms();
	return left < 0 ? 0 : (int)left + 1;
}

static int give_up(struct weft__mads *mads, const struct weft__asker *asker)
{
	int64_t now = now_ms();
	int err = 0;

	for (unsigned i = 0; i < mads->spec.outstanding && !err; i++)
		if (mads->place[i].used && mads->place[i].deadline <= now)
			err = try_again(mads, &mads->place[i], asker);
	return err;
}

int weft__mads_ask(struct weft__mads *mads, const struct weft__asker *asker,
		   struct weft_diag *diag)
{
	bool more = true;
	int err;

	mads->diag = diag;
	err = fill(mads, asker, &more);
	while (!err && mads->used) {
		int length = IB_MAD_SIZE;
		int agent = umad_recv(mads->fd, mads->receive, &length,
				      until_deadline(mads));

		if (agent >= 0)
			err = take(mads, asker);
		else if (agent == -ETIMEDOUT || agent == -EWOULDBLOCK ||
			 agent == -EINTR)
			err = give_up(mads, asker);
		else
			err = weft_fail(diag, EIO,
					"%s port %d gives no datagrams: %s",
					mads->local.ca_name,
					mads->local.portnum, strerror(-agent));
		if (!err)
			err = fill(mads, asker, &more);
	}
	for (unsigned i = 0; i < mads->spec.outstanding; i++)
		mads->place[i].used = false;
	mads->used = 0;
	return err;
}
