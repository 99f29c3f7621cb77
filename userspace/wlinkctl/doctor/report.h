/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_DOCTOR_REPORT_H
#define _WLINKCTL_DOCTOR_REPORT_H

/* What the doctor has found, and how it is told. */

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum verdict - how bad a finding is
 * @VERDICT_OK: as it should be
 * @VERDICT_NOTE: good to know, or it could not be found out
 * @VERDICT_WARN: departures or the traffic are less exact than they could be
 * @VERDICT_FAIL: results taken like this would be wrong
 */
enum verdict {
	VERDICT_OK,
	VERDICT_NOTE,
	VERDICT_WARN,
	VERDICT_FAIL,
	VERDICTS,
};

extern const char *const verdict_names[VERDICTS];

/**
 * struct finding - the result of one check
 * @verdict: how bad it is
 * @check: name of the check
 * @dev: device it is about, empty for the machine
 * @what: what was found
 * @why: why it matters, one sentence
 * @change: command or setting that changes it, may be empty
 */
struct finding {
	enum verdict verdict;
	const char *check;
	char dev[IF_NAMESIZE];
	char what[320];
	const char *why;
	char change[320];
};

/**
 * struct report - all findings
 * @findings: array
 * @n: how many
 * @dev: device of the findings to come, NULL for the machine
 * @failed: there was no memory for all
 */
struct report {
	struct finding *findings;
	size_t n;
	const char *dev;
	bool failed;
};

/**
 * report_add() - add a finding
 * @report: to which
 * @verdict: how bad it is
 * @check: name of the check, a constant
 * @why: why it matters, a constant
 * @format: what was found, as printf() has it
 */
void report_add(struct report *report, enum verdict verdict, const char *check,
		const char *why, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/**
 * report_change() - say what changes the last finding
 * @report: of which
 * @format: as printf() has it
 */
void report_change(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * report_count() - how many findings are of a verdict
 * @report: of which
 * @verdict: it
 */
size_t report_count(const struct report *report, enum verdict verdict);

/**
 * report_text() - write findings for a reader, on standard output
 * @report: they
 */
void report_text(const struct report *report);

/**
 * report_json() - write findings as members of the open object
 * @report: they
 */
void report_json(const struct report *report);

/**
 * report_free() - forget all findings
 * @report: they
 */
void report_free(struct report *report);

/* Room for any text of report_time(). */
#define REPORT_TIME	24

/**
 * report_time() - write a time with three digits, such as "4.17 ms"
 * @ns: it
 * @text: result, REPORT_TIME bytes
 *
 * Return: @text.
 */
const char *report_time(uint64_t ns, char *text);

#endif
