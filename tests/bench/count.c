// SPDX-License-Identifier: GPL-2.0
/*
 * A TCG plugin for QEMU: instructions that the guest has executed, and the
 * processor time that QEMU took for them, at marks which the guest sets.
 *
 *   -plugin libcount.so,out=FILE[,profile=FILE]
 *
 * A mark is the instruction in mark_bytes, a NOP that nobody else writes. Each
 * gives a line of FILE: number, instructions, ns of processor time, ns of the
 * wall clock. A guest that sleeps adds to none but the last. A profile holds a
 * line of address, instructions for each block executed between the mark
 * profile_on and the next one.
 *
 * QEMU executes each step of a repeated string instruction (REP) as a block of its
 * own; here as on a processor all steps are one instruction.
 *
 * One virtual processor: the counters are plain.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "qemu_plugin.h"

/* Any change of what is declared there comes with a new number. */
__attribute__((visibility("default"))) int qemu_plugin_version = 1;

/* nopl 0x776c6e6b(%rax), and the same with %rcx: what comes is to be profiled. */
static const unsigned char mark_bytes[] = { 0x0f, 0x1f, 0x80, 0x6b, 0x6e, 0x6c, 0x77 };
static const unsigned char profile_bytes[] = { 0x0f, 0x1f, 0x81, 0x6b, 0x6e, 0x6c, 0x77 };

/* What a block has executed; blocks of one address share one. */
struct block {
	uint64_t address;
	uint64_t insns;
	uint64_t before;
	uint64_t sum;
	struct block *next;
};

#define BUCKETS	65536

static struct block *buckets[BUCKETS];
static uint64_t total;
static unsigned int marks;
static bool profiling;
static FILE *out;
static const char *profile;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct block *block_at(uint64_t address)
{
	struct block **bucket = &buckets[(address ^ address >> 16) % BUCKETS];
	struct block *block;

	for (block = *bucket; block; block = block->next)
		if (block->address == address)
			return block;
	block = calloc(1, sizeof(*block));
	if (!block)
		abort();
	block->address = address;
	block->next = *bucket;
	*bucket = block;
	return block;
}

static void profile_step(bool begin)
{
	struct block *block;
	int i;

	for (i = 0; i < BUCKETS; i++) {
		for (block = buckets[i]; block; block = block->next) {
			if (profiling)
				block->sum += block->insns - block->before;
			block->before = block->insns;
		}
	}
	profiling = begin;
}

static void on_mark(unsigned int cpu, void *begin)
{
	(void)cpu;
	fprintf(out, "%u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", marks++, total,
		clock_ns(CLOCK_THREAD_CPUTIME_ID), clock_ns(CLOCK_MONOTONIC));
	fflush(out);
	if (profile)
		profile_step(begin);
}

static bool is(const struct qemu_plugin_insn *insn, const unsigned char *bytes)
{
	return qemu_plugin_insn_size(insn) == sizeof(mark_bytes) &&
	       !memcmp(qemu_plugin_insn_data(insn), bytes, sizeof(mark_bytes));
}

static bool is_repeated(const struct qemu_plugin_insn *insn)
{
	const unsigned char *byte = qemu_plugin_insn_data(insn);
	size_t size = qemu_plugin_insn_size(insn);

	if (size < 2 || (byte[0] != 0xf2 && byte[0] != 0xf3))
		return false;
	/* MOVS, CMPS, STOS, LODS, SCAS, the last byte but a REX prefix. */
	return size <= 3 && (size == 2 || (byte[1] & 0xf0) == 0x40) &&
	       byte[size - 1] >= 0xa4 && byte[size - 1] <= 0xaf &&
	       (byte[size - 1] & 0xfe) != 0xa8;
}

static void on_block(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t insns = qemu_plugin_tb_n_insns(tb), i;

	(void)id;
	if (insns == 1 && is_repeated(qemu_plugin_tb_get_insn(tb, 0)))
		return;
	qemu_plugin_register_vcpu_tb_exec_inline(tb, INLINE_ADD_U64, &total, insns);
	if (profile)
		qemu_plugin_register_vcpu_tb_exec_inline(tb, INLINE_ADD_U64,
							 &block_at(qemu_plugin_tb_vaddr(tb))->insns,
							 insns);
	for (i = 0; i < insns; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (is(insn, mark_bytes))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, CB_NO_REGS, NULL);
		else if (is(insn, profile_bytes))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, CB_NO_REGS,
							       &profiling);
	}
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *data)
{
	struct block *block;
	FILE *to;
	int i;

	(void)id;
	(void)data;
	fclose(out);
	if (!profile)
		return;
	to = fopen(profile, "w");
	if (!to)
		return;
	for (i = 0; i < BUCKETS; i++)
		for (block = buckets[i]; block; block = block->next)
			if (block->sum)
				fprintf(to, "%" PRIx64 " %" PRIu64 "\n", block->address,
					block->sum);
	fclose(to);
}

__attribute__((visibility("default")))
int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
		else if (!strncmp(argv[i], "profile=", 8))
			profile = strdup(argv[i] + 8);
	}
	if (!out) {
		fprintf(stderr, "libcount: out=FILE is missing or cannot be written\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_block);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
	return 0;
}
