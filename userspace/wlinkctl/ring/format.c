// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "ring/format.h"

/**
 * struct part - one line of a description
 * @type: in the words of C
 * @name: of the field
 * @array: it has several elements
 * @offset: in the record or page
 * @size: bytes
 * @is_signed: as the line says
 */
struct part {
	const char *type;
	const char *name;
	bool array;
	uint32_t offset;
	uint32_t size;
	bool is_signed;
};

static bool number_after(const char *line, const char *key, uint32_t *value)
{
	const char *at = strstr(line, key);

	return at && sscanf(at + strlen(key), "%u", value) == 1;
}

/* "\tfield:char dev[16];\toffset:8;\tsize:16;\tsigned:0;" Return: is it one? */
static bool part_read(struct part *part, char *line)
{
	char *begin = strstr(line, "field:");
	char *end = begin ? strchr(begin, ';') : NULL;
	uint32_t is_signed = 0;
	char *name, *bracket;

	if (!end || !number_after(end, "\toffset:", &part->offset) ||
	    !number_after(end, "\tsize:", &part->size))
		return false;
	number_after(end, "\tsigned:", &is_signed);
	part->is_signed = is_signed;
	*end = '\0';
	begin += strlen("field:");
	/* The name is the last word, but for the size of an array. */
	name = strrchr(begin, ' ');
	if (!name)
		return false;
	*name++ = '\0';
	bracket = strchr(name, '[');
	part->array = bracket;
	if (bracket)
		*bracket = '\0';
	part->type = begin;
	part->name = name;
	return *name && strlen(name) < RING_NAME;
}

static enum ring_type type_of(const struct part *part)
{
	if (!strncmp(part->type, "__data_loc char", 15))
		return RING_FAR_TEXT;
	if (part->array)
		return strcmp(part->type, "char") ? RING_BYTES : RING_TEXT;
	if (part->size != 1 && part->size != 2 && part->size != 4 &&
	    part->size != 8)
		return RING_BYTES;
	if (!strcmp(part->type, "bool"))
		return RING_BOOL;
	return part->is_signed ? RING_SIGNED : RING_UNSIGNED;
}

static int field_add(struct ring_format *format, const struct part *part)
{
	struct ring_field *field = &format->fields[format->n];

	/* A record comes without what all events have, but for the id. */
	if (!strncmp(part->name, "common_", 7))
		return 0;
	if (format->n == RING_FIELDS)
		return -1;
	snprintf(field->name, sizeof(field->name), "%s", part->name);
	field->type = type_of(part);
	field->offset = part->offset;
	field->size = part->size;
	format->n++;
	return 0;
}

int ring_format_read(struct ring_format *format, char *text)
{
	bool has_id = false;
	char *save = NULL;
	struct part part;
	char *line;

	memset(format, 0, sizeof(*format));
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "name: ", 6))
			snprintf(format->name, sizeof(format->name), "%s",
				 line + 6);
		else if (sscanf(line, "ID: %u", &format->id) == 1)
			has_id = true;
		else if (!strncmp(line, "print fmt:", 10))
			break;
		else if (part_read(&part, line) && field_add(format, &part))
			return -1;
	}
	return has_id && format->name[0] && format->n ? 0 : -1;
}

int ring_layout_read(struct ring_layout *layout, char *text)
{
	char *save = NULL;
	struct part part;
	char *line;

	memset(layout, 0, sizeof(*layout));
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!part_read(&part, line))
			continue;
		/* Sums of them do not wrap. */
		if (part.offset > RING_PAGE_MAX || part.size > RING_PAGE_MAX)
			return -1;
		if (!strcmp(part.name, "commit")) {
			layout->commit = part.offset;
			layout->commit_size = part.size;
		} else if (!strcmp(part.name, "data")) {
			layout->data = part.offset;
			layout->bytes = part.offset + part.size;
		}
	}
	if (layout->commit_size != 4 && layout->commit_size != 8)
		return -1;
	/* The time stamp stands before both. */
	if (layout->commit < 8 || layout->bytes > RING_PAGE_MAX ||
	    layout->data < layout->commit + layout->commit_size ||
	    layout->bytes <= layout->data)
		return -1;
	return 0;
}

void ring_field_text(const struct ring_field *field, const void *record,
		     size_t len, char *to, size_t size)
{
	const char *base = record;
	uint32_t offset = field->offset;
	uint32_t bytes = field->size;
	uint32_t place;

	to[0] = '\0';
	if (offset > len || bytes > len - offset)
		return;
	if (field->type == RING_FAR_TEXT) {
		/* Where it is in the lower half, its bytes in the upper. */
		if (bytes != sizeof(place))
			return;
		memcpy(&place, base + offset, sizeof(place));
		offset = place & 0xffff;
		bytes = place >> 16;
		if (offset > len || bytes > len - offset)
			return;
	}
	if (bytes > size - 1)
		bytes = (uint32_t)(size - 1);
	memcpy(to, base + offset, bytes);
	to[bytes] = '\0';
}
