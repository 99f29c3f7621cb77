// SPDX-License-Identifier: GPL-2.0
/*
 * How well this machine's clock agrees with others': what logs of two machines
 * can be merged by.
 */

#include <stdlib.h>
#include <sys/timex.h>

#include "doctor/doctor.h"

static const char why_sync[] =
	"logs of two machines can be merged no better than their clocks agree";

static uint64_t distance_ns(const struct timex *tx)
{
	uint64_t value = (uint64_t)labs(tx->offset);

	return tx->status & STA_NANO ? value : value * 1000;
}

static void tai(struct doctor *doctor, const struct timex *tx)
{
	static const char why[] =
		"CLOCK_TAI of records is UTC where nobody has set the leap seconds";

	if (tx->tai) {
		report_add(&doctor->report, VERDICT_OK, "tai", why,
			   "CLOCK_TAI is %d s ahead of UTC", tx->tai);
		return;
	}
	report_add(&doctor->report, VERDICT_NOTE, "tai", why,
		   "CLOCK_TAI is UTC: no offset is set");
	report_change(&doctor->report,
		      "chrony: \"leapsectz right/UTC\" in chrony.conf; ntpd: a leapfile; the same on all machines");
}

void doctor_sync(struct doctor *doctor)
{
	char offset[REPORT_TIME], most[REPORT_TIME];
	struct timex tx = { 0 };
	int state;

	if (!doctor->live)
		return;
	state = adjtimex(&tx);
	if (state < 0) {
		report_add(&doctor->report, VERDICT_NOTE, "clock-sync",
			   why_sync, "unknown: adjtimex(): %m");
		return;
	}
	report_time(distance_ns(&tx), offset);
	report_time((uint64_t)tx.maxerror * 1000, most);
	if (state == TIME_ERROR || tx.status & STA_UNSYNC) {
		report_add(&doctor->report, VERDICT_WARN, "clock-sync",
			   why_sync,
			   "not synchronised (status 0x%04x, offset %s%s, at most %s off)",
			   (unsigned int)tx.status, tx.offset < 0 ? "-" : "",
			   offset, most);
		report_change(&doctor->report,
			      "apt-get install chrony; chronyc makestep (not needed where all runs on one machine)");
	} else {
		report_add(&doctor->report, VERDICT_OK, "clock-sync", why_sync,
			   "synchronised: offset %s%s, at most %s off",
			   tx.offset < 0 ? "-" : "", offset, most);
	}
	tai(doctor, &tx);
}
