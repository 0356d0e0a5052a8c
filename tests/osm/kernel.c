// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into opensm, before ibsim's library: what a kernel does for whoever
 * sends MADs, and libumad2sim 0.10 does not.
 *
 * A request that nobody answers comes back as timed out.  ibsim answers for nodes,
 * but hands a request for SMInfo to the opensm there, and an answer that finds no way
 * back goes to whoever sent that.  Where that opensm is stopped or killed meanwhile,
 * or a cable goes, the other one waits for ever: its sweeps end when nothing is under
 * way.  tests/osm/takeover.sh has that happen.
 *
 * A port stays open, and agents stay registered, whoever reads from it is cancelled
 * between two reads, and when all is over nobody waits for libumad2sim's own thread: a
 * late answer to a port that has been closed, or to nobody's agent, is a crash there,
 * one cancelled keeps a lock, and the end waits for a thread that may be waiting for
 * the end.
 */
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/umad.h>

#define PATIENCE 5000	/* ms, or UMAD_PATIENCE of them; longer than a busy
			 * machine takes to answer */
#define LOOK 100	/* ms between looks at what is overdue */
#define MAD 256
#define MOST 4096	/* requests under way: OpenSM has a few */

/* Bytes of a MAD. */
enum { CLASS = 1, METHOD = 3, ID = 12 };
#define RESPONSE 0x80

struct request {
	int64_t until;
	int agent;
	uint8_t mad[MAD];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request under_way[MOST];
static unsigned nunder_way;

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int64_t patience(void)
{
	const char *text = getenv("UMAD_PATIENCE");

	return text ? atoi(text) : PATIENCE;
}

static void expect(int agent, void *umad)
{
	struct request *r;

	pthread_mutex_lock(&lock);
	if (nunder_way < MOST) {
		r = &under_way[nunder_way++];
		r->until = now_ms() + patience();
		r->agent = agent;
		memcpy(r->mad, umad_get_mad(umad), MAD);
	}
	pthread_mutex_unlock(&lock);
}

/* Takes the request that is answered away; false: there is none. */
static bool is_expected(void *umad)
{
	const uint8_t *mad = umad_get_mad(umad);
	bool found = false;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < nunder_way && !found; i++) {
		const struct request *r = &under_way[i];

		/* the sender's half of the transaction ID */
		found = r->mad[CLASS] == mad[CLASS] &&
			!memcmp(r->mad + ID, mad + ID, 4);
		if (found)
			under_way[i] = under_way[--nunder_way];
	}
	pthread_mutex_unlock(&lock);
	return found;
}

/* Returns the agent of a request that is overdue, which it has come back to, or
 * -1. */
static int overdue(ib_user_mad_t *umad, int *length)
{
	int64_t now = now_ms();
	int agent = -1;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < nunder_way && agent < 0; i++) {
		const struct request *r = &under_way[i];

		if (now < r->until)
			continue;
		agent = r->agent;
		memset(umad, 0, umad_size());
		umad->agent_id = agent;
		umad->status = ETIMEDOUT;
		memcpy(umad_get_mad(umad), r->mad, MAD);
		*length = MAD;
		under_way[i] = under_way[--nunder_way];
	}
	pthread_mutex_unlock(&lock);
	return agent;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

/* The exit status; -1: opensm does not leave yet. */
static int leaving = -1;

/* libumad2sim has told ibsim, and waits for its thread. */
static void leave(void)
{
	char files[32];		/* its, of what it simulates */

	snprintf(files, sizeof(files), "./sys-%d", (int)getpid());
	nftw(files, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	fflush(NULL);
	_exit(leaving);
}

int pthread_join(pthread_t thread, void **result)
{
	int (*next)(pthread_t, void **) = dlsym(RTLD_NEXT, "pthread_join");

	if (leaving >= 0)
		leave();
	return next(thread, result);
}

static void note_leaving(int status, void *context)
{
	(void)context;
	leaving = status & 0xff;
}

/* Called when libumad2sim is in use, so that it is told after us. */
static void be_told(void)
{
	on_exit(note_leaving, NULL);
}

int umad_send(int port, int agent, void *umad, int length, int timeout,
	      int retries)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int (*next)(int, int, void *, int, int, int) =
		dlsym(RTLD_NEXT, "umad_send");
	int err;

	pthread_once(&once, be_told);
	if (timeout > 0)
		expect(agent, umad);
	err = next(port, agent, umad, length, timeout, retries);
	if (err < 0 && timeout > 0)
		is_expected(umad);
	return err;
}

int umad_recv(int port, void *umad, int *length, int timeout)
{
	int (*next)(int, void *, int *, int) = dlsym(RTLD_NEXT, "umad_recv");
	const int64_t until = now_ms() + timeout;
	const int room = *length;
	const uint8_t *mad = umad_get_mad(umad);
	int agent, cancel;

	do {
		*length = room;
		pthread_testcancel();
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
		agent = next(port, umad, length, timeout ? LOOK : 0);
		pthread_setcancelstate(cancel, NULL);
		if (agent >= 0) {
			bool answer = mad[METHOD] & RESPONSE ||
				      umad_status(umad);

			/* what comes too late has come back already */
			if (!answer || is_expected(umad) || umad_status(umad))
				return agent;
			continue;
		}
		agent = *length > room ? -1 : overdue(umad, length);
		if (agent >= 0 || *length > room)
			return agent;
	} while (timeout < 0 || now_ms() < until);
	errno = ETIMEDOUT;
	return -ETIMEDOUT;
}

int umad_close_port(int port)
{
	(void)port;
	return 0;
}

int umad_unregister(int port, int agent)
{
	(void)port;
	(void)agent;
	return 0;
}
