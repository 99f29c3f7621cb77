/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RING_FORMAT_H
#define _WLINKCTL_RING_FORMAT_H

/* The kernel's own description of its events: tracefs' files named format. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RING_FIELDS	48
#define RING_NAME	48

/**
 * enum ring_type - how a field is read
 * @RING_UNSIGNED: whole number
 * @RING_SIGNED: whole number with a sign
 * @RING_BOOL: false or true
 * @RING_TEXT: characters, up to the first 0
 * @RING_FAR_TEXT: the same, elsewhere in the record
 * @RING_BYTES: anything else
 */
enum ring_type {
	RING_UNSIGNED,
	RING_SIGNED,
	RING_BOOL,
	RING_TEXT,
	RING_FAR_TEXT,
	RING_BYTES,
};

/**
 * struct ring_field - one field of an event
 * @name: its name
 * @type: how it is read
 * @offset: where it is in the record
 * @size: its bytes
 */
struct ring_field {
	char name[RING_NAME];
	enum ring_type type;
	uint32_t offset;
	uint32_t size;
};

/**
 * struct ring_format - one kind of event
 * @name: its name
 * @id: number that its records begin with
 * @fields: its fields, without those that all events have
 * @n: how many
 */
struct ring_format {
	char name[RING_NAME];
	uint32_t id;
	struct ring_field fields[RING_FIELDS];
	size_t n;
};

/**
 * ring_format_read() - read a file named format
 * @format: result
 * @text: the file; changed
 *
 * Return: 0, or -1 if it is not such a file, or if it has more than
 * RING_FIELDS fields.
 */
int ring_format_read(struct ring_format *format, char *text);

/**
 * struct ring_layout - how a page of the ring buffer begins
 * @commit: offset of the length of the data
 * @commit_size: its bytes, those of the kernel's long
 * @data: offset of the data
 * @bytes: of a page
 */
struct ring_layout {
	uint32_t commit;
	uint32_t commit_size;
	uint32_t data;
	uint32_t bytes;
};

#define RING_PAGE_MAX	1048576U

/**
 * ring_layout_read() - read the file header_page
 * @layout: result
 * @text: the file; changed
 *
 * Return: 0, or -1 if it is not such a file.
 */
int ring_layout_read(struct ring_layout *layout, char *text);

/**
 * ring_field_u64() - read a number
 * @field: RING_UNSIGNED, RING_SIGNED or RING_BOOL
 * @record: record that has it
 * @len: its bytes
 *
 * Return: the number, a negative one as two's complement; 0 if the record is
 * too short.
 */
static inline uint64_t ring_field_u64(const struct ring_field *field,
				      const void *record, size_t len)
{
	const unsigned char *at = (const unsigned char *)record + field->offset;
	bool sign = field->type == RING_SIGNED;
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;

	if (field->offset > len || field->size > len - field->offset)
		return 0;
	/* Copies of a size that the compiler knows: this is the hot path. */
	switch (field->size) {
	case sizeof(u64):
		memcpy(&u64, at, sizeof(u64));
		return u64;
	case sizeof(u32):
		memcpy(&u32, at, sizeof(u32));
		return sign ? (uint64_t)(int32_t)u32 : u32;
	case sizeof(u16):
		memcpy(&u16, at, sizeof(u16));
		return sign ? (uint64_t)(int16_t)u16 : u16;
	case sizeof(*at):
		return sign ? (uint64_t)(int8_t)*at : *at;
	default:
		return 0;
	}
}

/**
 * ring_field_text() - read a text
 * @field: RING_TEXT or RING_FAR_TEXT
 * @record: record that has it
 * @len: its bytes
 * @to: result, cut if it is too long
 * @size: of @to
 */
void ring_field_text(const struct ring_field *field, const void *record,
		     size_t len, char *to, size_t size);

#endif
