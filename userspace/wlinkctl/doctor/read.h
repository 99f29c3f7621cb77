/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_DOCTOR_READ_H
#define _WLINKCTL_DOCTOR_READ_H

/* Files of a machine, below a folder that stands for its root. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * doctor_read() - read a file
 * @root: folder that stands for /, "" for this machine
 * @path: file, absolute
 * @text: result, a string without its last newline
 * @size: of @text; what is longer is cut
 *
 * Return: 0, or -1 with errno set and @text empty.
 */
int doctor_read(const char *root, const char *path, char *text, size_t size);

/**
 * doctor_number() - read a file that begins with a whole number
 * @root: as doctor_read() has it
 * @path: file
 * @value: result
 *
 * Return: 0, or -1 with errno set; EBADMSG if there is no number.
 */
int doctor_number(const char *root, const char *path, int64_t *value);

/**
 * doctor_reason() - say why a file could not be read
 * @error: errno
 * @path: file
 * @text: result
 * @size: of @text
 *
 * Return: @text, such as "no permission to read /proc/timer_list".
 */
const char *doctor_reason(int error, const char *path, char *text, size_t size);

/**
 * doctor_has_word() - is a word in a text of words?
 * @text: words, separated by spaces
 * @word: whole word
 */
bool doctor_has_word(const char *text, const char *word);

/**
 * doctor_word_after() - find a word that begins with a text
 * @text: words, separated by spaces
 * @begin: such as "isolcpus="
 * @value: result: the rest of the word
 * @size: of @value
 *
 * The last one counts, as on a kernel's command line.
 *
 * Return: true if there is one.
 */
bool doctor_word_after(const char *text, const char *begin, char *value,
		       size_t size);

#endif
