// SPDX-License-Identifier: GPL-2.0
/* See log.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "log.h"

static const char header[] =
	"# times in ns from the start of the run, events in the order they were written\n"
	"# sdu\tt\tlink\tflow\tway\tbearer\tgen\tseq\tbytes\tpdus\tpdus_lost\tdrop\tarrival\tstart\tend\tdeliver\ttcp_seq\tpayload\tdue\twhole\tretx\tbuffer\tecn\n"
	"# rate\tt\tlink\tgen\told_bps\tnew_bps\tbearer\n"
	"# channel\tt\tlink\tbad\tbearer\tgen\n"
	"# grant\tt\tlink\tbearer\tgen\tbytes\tused\n"
	"# play\tt\tlink\tbearer\tgen\tstate\tpass\n"
	"# tcp\tt\tflow\tcwnd\tssthresh\tsnd_una\tsnd_nxt\tsnd_wnd\tsrtt_us\trcv_wnd\tpayload\n";

void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("wlab-log: ", stderr);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
	exit(1);
}

int main(int argc, char **argv)
{
	static struct log log;
	struct rlimit files;
	size_t i;

	/* Three series a flow are open at once. */
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	if (argc != 6)
		fail("usage: wlab-log IN OUT START_NS DURATION_NS WARMUP_NS");
	log.in = argv[1];
	log.out = argv[2];
	log.start_ns = strtoull(argv[3], NULL, 10);
	log.duration_ns = strtoull(argv[4], NULL, 10);
	log.warmup_ns = strtoull(argv[5], NULL, 10);
	names_read(&log);
	log.events = out_open(&log, ".", "events", ".tsv");
	setvbuf(log.events, NULL, _IOFBF, 1 << 20);
	fputs(header, log.events);
	for (i = 0; i < log.flow_count; i++) {
		struct name_flow *f = &log.flows[i];

		f->seq = out_open(&log, "series", f->name, ".seq.tsv");
		if (f->tcp)
			f->cwnd = out_open(&log, "series", f->name, ".cwnd.tsv");
	}
	ring_read(&log, event_write);
	stats_write(&log);
	for (i = 0; i < log.flow_count; i++) {
		out_close(log.flows[i].seq);
		out_close(log.flows[i].cwnd);
		out_close(log.flows[i].rates);
	}
	for (i = 0; i < log.link_count; i++) {
		out_close(log.links[i].rate);
		out_close(log.links[i].background);
		out_close(log.links[i].capture);
	}
	out_close(log.events);
	if (fflush(stdout))
		fail("cannot print the figures: %s", strerror(errno));
	return 0;
}
