// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * measure: has pairs of hosts that "weft measure" listed send to each other,
 * all of a round at a time, and writes the rate of each, in MB/s.
 *
 *	mpicc -O2 -o measure measure.c
 *	weft measure FABRIC -o pairs
 *	mpirun -N 1 ./measure pairs rates
 *	weft compare --measured=rates FABRIC
 *
 * A process for each host; a host is told by the first word of its name before
 * any dot, or with -r process i is the i-th host of the file.  Every pair of a
 * round sends for the whole time, so that none has cables for itself when others
 * are done.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME 160
#define BATCH 8	/* messages on their way */

enum { TAG_DATA = 1, TAG_END, TAG_TAKEN };

/* The pairs by the ranks of their processes; round r has those from first[r]
 * on. */
struct plan {
	int pairs, rounds;
	int *from, *to, *first;
};

static int rank, size, bytes = 1 << 20, by_rank;
static double seconds = .2;

static void stop(const char *what, const char *name)
{
	fprintf(stderr, "measure: %s%s%s\n", what, *name ? ": " : "", name);
	MPI_Abort(MPI_COMM_WORLD, 2);
	exit(2);
}

static void *room(size_t n)
{
	void *p = calloc(n + 1, 1);

	if (!p)
		stop("out of memory", "");
	return p;
}

/* --- who is where --------------------------------------------------------- */

/* Names of the hosts of all processes, by rank. */
static char (*gather_names(void))[NAME]
{
	char mine[MPI_MAX_PROCESSOR_NAME + NAME] = "", (*all)[NAME];
	int n;

	MPI_Get_processor_name(mine, &n);
	mine[strcspn(mine, ".")] = '\0';
	mine[NAME - 1] = '\0';
	all = room((size_t)size * NAME);
	MPI_Allgather(mine, NAME, MPI_CHAR, all, NAME, MPI_CHAR,
		      MPI_COMM_WORLD);
	return all;
}

/* The rank of a host, hosts[n] being those of the file. */
static int rank_of(const char *name, char (*names)[NAME], char (*host)[NAME],
		   int hosts)
{
	for (int i = 0; by_rank && i < hosts; i++)
		if (!strcmp(host[i], name) && i < size)
			return i;
	for (int i = 0; !by_rank && i < size; i++)
		if (!strcmp(names[i], name))
			return i;
	stop(by_rank ? "there are less processes than hosts, this one has none" :
		       "no process is on this host; list those of the job for weft measure with --host-file, or give -r",
	     name);
	return -1;
}

/* --- the file ------------------------------------------------------------- */

/* Cuts a line into words; returns how many there are. */
static int cut(char *line, char **word, int most)
{
	int n = 0;

	line[strcspn(line, "#\r\n")] = '\0';
	for (char *w = strtok(line, " \t"); w; w = strtok(NULL, " \t"))
		if (n < most)
			word[n++] = w;
	return n;
}

static struct plan read_plan(const char *file, char (*names)[NAME])
{
	struct plan p = { 0 };
	char line[2 * NAME + 64], *word[4], (*host)[NAME] = NULL;
	int hosts = 0, number = 0;
	FILE *in = fopen(file, "r");

	if (!in)
		stop("cannot be read", file);
	while (fgets(line, sizeof(line), in)) {
		int n = cut(line, word, 4);

		number++;
		if (n == 2 && !strcmp(word[0], "host")) {
			host = realloc(host, (hosts + 1) * sizeof(*host));
			if (!host)
				stop("out of memory", "");
			snprintf(host[hosts++], NAME, "%s", word[1]);
		} else if (n == 1 && !strcmp(word[0], "round")) {
			p.first = realloc(p.first,
					  (p.rounds + 2) * sizeof(int));
			if (!p.first)
				stop("out of memory", "");
			p.first[p.rounds++] = p.pairs;
		} else if (n == 2 && p.rounds) {
			p.from = realloc(p.from, (p.pairs + 1) * sizeof(int));
			p.to = realloc(p.to, (p.pairs + 1) * sizeof(int));
			if (!p.from || !p.to)
				stop("out of memory", "");
			p.from[p.pairs] = rank_of(word[0], names, host, hosts);
			p.to[p.pairs++] = rank_of(word[1], names, host, hosts);
		} else if (n) {
			snprintf(line, sizeof(line), "%s:%d", file, number);
			stop("neither 'host', 'round' nor a pair behind one", line);
		}
	}
	fclose(in);
	free(host);
	if (!p.pairs)
		stop("no pairs", file);
	p.first[p.rounds] = p.pairs;
	return p;
}

/* Gives all processes what the first one has read. */
static void share_plan(struct plan *p)
{
	int n[2] = { p->pairs, p->rounds };

	MPI_Bcast(n, 2, MPI_INT, 0, MPI_COMM_WORLD);
	if (rank) {
		*p = (struct plan){ n[0], n[1], room(n[0] * sizeof(int)),
				    room(n[0] * sizeof(int)),
				    room((n[1] + 1) * sizeof(int)) };
	}
	MPI_Bcast(p->from, n[0], MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(p->to, n[0], MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(p->first, n[1] + 1, MPI_INT, 0, MPI_COMM_WORLD);
}

/* --- sending -------------------------------------------------------------- */

/* What a process does in a round: it may send to one and hear of another. */
struct turn {
	int to, from;	/* ranks, -1: none */
	char *out, *in;	/* [BATCH * bytes] */
	MPI_Request sent[BATCH], heard[BATCH];
	MPI_Request taken;	/* the receiver's word for a batch */
	double rate;
};

static void send_batch(struct turn *t, int tag)
{
	int n = tag == TAG_DATA ? bytes : 0;

	MPI_Irecv(NULL, 0, MPI_BYTE, t->to, TAG_TAKEN, MPI_COMM_WORLD,
		  &t->taken);
	for (int i = 0; i < BATCH; i++)
		MPI_Isend(t->out + (size_t)i * bytes, n, MPI_BYTE, t->to, tag,
			  MPI_COMM_WORLD, &t->sent[i]);
}

static void hear_batch(struct turn *t)
{
	for (int i = 0; i < BATCH; i++)
		MPI_Irecv(t->in + (size_t)i * bytes, bytes, MPI_BYTE, t->from,
			  MPI_ANY_TAG, MPI_COMM_WORLD, &t->heard[i]);
}

/* Whether the sender's batch has gone; sends the next one or, when the time is
 * over, the end.  False: the end has been sent, too. */
static int go_on(struct turn *t, double start, double *sum, int *ending)
{
	double now;
	int done;

	MPI_Test(&t->taken, &done, MPI_STATUS_IGNORE);
	if (!done)
		return 1;
	MPI_Waitall(BATCH, t->sent, MPI_STATUSES_IGNORE);
	if (*ending)
		return 0;
	now = MPI_Wtime() - start;
	*sum += (double)BATCH * bytes;
	t->rate = *sum / now / 1e6;
	*ending = now >= seconds;
	send_batch(t, *ending ? TAG_END : TAG_DATA);
	return 1;
}

/* Whether there is more to hear after what has come. */
static int hear_on(struct turn *t)
{
	MPI_Status status[BATCH];
	int done;

	MPI_Testall(BATCH, t->heard, &done, status);
	if (!done)
		return 1;
	MPI_Send(NULL, 0, MPI_BYTE, t->from, TAG_TAKEN, MPI_COMM_WORLD);
	if (status[0].MPI_TAG == TAG_END)
		return 0;
	hear_batch(t);
	return 1;
}

static double run_round(struct turn *t)
{
	int sends = t->to >= 0, hears = t->from >= 0, ending = 0;
	double sum = 0, start;

	t->rate = 0;
	if (hears)
		hear_batch(t);
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	if (sends)
		send_batch(t, TAG_DATA);
	while (sends || hears) {
		sends = sends && go_on(t, start, &sum, &ending);
		hears = hears && hear_on(t);
	}
	return t->rate;
}

static void run_all(const struct plan *p, double *rate)
{
	struct turn t = { .out = room((size_t)BATCH * bytes),
			  .in = room((size_t)BATCH * bytes) };

	for (int r = 0; r < p->rounds; r++) {
		int mine = -1;

		t.to = t.from = -1;
		for (int i = p->first[r]; i < p->first[r + 1]; i++) {
			if (p->from[i] == rank) {
				if (t.to >= 0)
					stop("a host sends to two others in a round", "");
				t.to = p->to[mine = i];
			}
			if (p->to[i] == rank) {
				if (t.from >= 0)
					stop("a host hears of two others in a round", "");
				t.from = p->from[i];
			}
		}
		run_round(&t);
		if (mine >= 0)
			rate[mine] = t.rate;
	}
	free(t.out);
	free(t.in);
}

/* The pairs as they came, each with its rate behind it. */
static void write_rates(const char *pairs, const char *rates,
			const double *rate)
{
	FILE *in = fopen(pairs, "r"), *out = fopen(rates, "w");
	char line[2 * NAME + 64], copy[sizeof(line)], *word[4];
	int rounds = 0;

	if (!in || !out)
		stop("cannot be written", rates);
	fprintf(out, "bytes %d\n", bytes);
	while (fgets(line, sizeof(line), in)) {
		int n;

		strcpy(copy, line);
		n = cut(copy, word, 4);
		rounds += n == 1;
		line[strcspn(line, "\r\n")] = '\0';
		if (n == 2 && rounds)
			fprintf(out, "%s %s %.2f\n", word[0], word[1], *rate++);
		else
			fprintf(out, "%s\n", line);
	}
	fclose(in);
	if (fclose(out))
		stop("cannot be written", rates);
}

/* --- main ----------------------------------------------------------------- */

static int read_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "b:t:r")) != -1)
		if (option == 'b')
			bytes = atoi(optarg);
		else if (option == 't')
			seconds = atof(optarg);
		else if (option == 'r')
			by_rank = 1;
		else
			return 0;
	return argc - optind == 2 && bytes > 0 && seconds > 0 &&
	       bytes <= 1 << 27;
}

int main(int argc, char **argv)
{
	struct plan p = { 0 };
	char (*names)[NAME];
	double *mine, *all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!read_options(argc, argv))
		stop("measure [-b BYTES] [-t SECONDS of a round] [-r] PAIRS RATES",
		     "");
	names = gather_names();
	if (!rank)
		p = read_plan(argv[optind], names);
	share_plan(&p);
	mine = room(p.pairs * sizeof(*mine));
	all = room(p.pairs * sizeof(*all));
	run_all(&p, mine);
	MPI_Reduce(mine, all, p.pairs, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		write_rates(argv[optind], argv[optind + 1], all);
	free(names);
	free(mine);
	free(all);
	free(p.from);
	free(p.to);
	free(p.first);
	MPI_Finalize();
	return 0;
}
