// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "flow/flow.h"
#include "plan.h"
#include "report.h"

void report_progress(uint64_t now_ns, uint64_t of_ns)
{
	printf("%" PRIu64 " %" PRIu64 "\n", now_ns, of_ns);
	fflush(stdout);
}

void report_flows(const struct plan *plan, uint64_t start_ns)
{
	FILE *f = plan_file(plan, "flows", "");
	size_t i;

	fprintf(f, "- start_ns=%" PRIu64 " ended_ns=%" PRIu64 "\n", start_ns,
		plan->duration_ns);
	for (i = 0; i < plan->flow_count; i++) {
		const struct flow *w = &plan->flows[i];
		uint64_t end = w->end_ns;

		/* No datagram says that it is the last one. */
		if (end == FLOW_NEVER)
			end = w->stopped && w->last_ns ? w->last_ns :
							 plan->duration_ns;

		fprintf(f, "%s start_ns=%" PRIu64 " end_ns=%" PRIu64
			" ended=%d sent_bytes=%" PRIu64 " bytes=%" PRIu64
			" warm_bytes=%" PRIu64
			" packets_sent=%" PRIu64 " packets=%" PRIu64
			" retransmissions=%u srtt_us=%u mss=%u busy_us=%" PRIu64
			" rwnd_limited_us=%" PRIu64
			" sndbuf_limited_us=%" PRIu64,
			w->name, w->start_ns, end, w->ended,
			w->sent, w->received, w->warm, w->packets_sent,
			w->packets_received, w->retrans, w->srtt_us, w->mss,
			w->busy_us, w->rwnd_limited_us, w->sndbuf_limited_us);
		if (w->ops->report)
			w->ops->report(w, f);
		fputc('\n', f);
	}
	plan_file_close(f, "figures of flows");
}
