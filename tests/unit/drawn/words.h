/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UT_WORDS_H
#define _UT_WORDS_H

/*
 * Words of tc as the plugin reads and the module takes them, without either: between
 * text, attributes and a configuration; and which words something has said. The table of
 * words and the core have names in common, so that text.c knows the one and cfg.c the
 * other.
 */
#include <stdbool.h>
#include <stddef.h>

struct wl_cfg;

#define WORDS_BYTES	45056
#define WORDS_ERROR	800

/* Behind all words of the table. */
#define WORDS_MAX	256

/**
 * struct words_seen - what something has said
 * @times: by word: how often it was said with another value than before
 * @value: the last one
 * @named: bit mask of those that have a name
 */
struct words_seen {
	unsigned int times[WORDS_MAX];
	unsigned long long value[WORDS_MAX];
	unsigned long long named[WORDS_MAX];
};

/**
 * words_encode() - read words, write attributes
 * @count: of words
 * @words: keywords and values
 * @buf: payload of TCA_OPTIONS, WORDS_BYTES bytes, aligned to 8
 * @len: bytes of it
 * @error: what is wrong, WORDS_ERROR bytes
 *
 * Return: whether all is good.
 */
bool words_encode(int count, const char *const *words, void *buf, size_t *len, char *error);

/**
 * words_take() - change a configuration as words say
 * @cfg: configuration
 * @count: of words
 * @words: keywords and values
 * @error: what is wrong, WORDS_ERROR bytes
 *
 * Return: whether all is good.
 */
bool words_take(struct wl_cfg *cfg, int count, const char *const *words, char *error);

/**
 * words_put() - write a configuration as attributes
 * @cfg: configuration of bearer 1
 * @buf: payload of TCA_OPTIONS, WORDS_BYTES bytes, aligned to 8
 *
 * Return: bytes of it.
 */
size_t words_put(const struct wl_cfg *cfg, void *buf);

/**
 * words_see() - note what attributes say
 * @seen: where
 * @buf: payload of TCA_OPTIONS
 * @len: bytes of it
 */
void words_see(struct words_seen *seen, const void *buf, size_t len);

/**
 * words_see_text() - note what text says
 * @seen: where
 * @line: keywords and values
 *
 * Return: whether each is a word with a value that it may have.
 */
bool words_see_text(struct words_seen *seen, const char *line);

/**
 * words_see_fuzz() - note what the fuzzers begin with
 * @seen: where
 */
void words_see_fuzz(struct words_seen *seen);

/**
 * words_missing() - fail with the name of each word that was not seen
 * @seen: what was
 * @least: how many values of each there must be
 * @typed: also of those that are typed only
 */
void words_missing(const struct words_seen *seen, unsigned int least, bool typed);

#endif
