// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "ring/format.h"

static enum ring_type type_of(const char *type, bool array, uint32_t size,
			      bool is_signed)
{
	if (!strncmp(type, "__data_loc char", 15))
		return RING_FAR_TEXT;
	if (array)
		return strcmp(type, "char") ? RING_BYTES : RING_TEXT;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return RING_BYTES;
	if (!strcmp(type, "bool"))
		return RING_BOOL;
	return is_signed ? RING_SIGNED : RING_UNSIGNED;
}

/* "\tfield:char dev[16];\toffset:8;\tsize:16;\tsigned:0;" Return: is it one? */
static bool field_read(struct ring_field *field, const char *line)
{
	char *name, *bracket, type[256];
	uint32_t is_signed = 0;

	if (sscanf(line, " field: %255[^;]; offset:%u; size:%u; signed:%u",
		   type, &field->offset, &field->size, &is_signed) < 3)
		return false;
	/* The name is the last word, but for the size of an array. */
	name = strrchr(type, ' ');
	if (!name)
		return false;
	*name++ = '\0';
	bracket = strchr(name, '[');
	if (bracket)
		*bracket = '\0';
	if (!*name || strlen(name) >= sizeof(field->name))
		return false;
	memcpy(field->name, name, strlen(name) + 1);
	field->type = type_of(type, bracket, field->size, is_signed);
	return true;
}

int ring_format_read(struct ring_format *format, char *text)
{
	struct ring_field field;
	bool has_id = false;
	char *save = NULL;
	char *line;

	memset(format, 0, sizeof(*format));
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "print fmt:", 10))
			break;
		if (!strncmp(line, "name: ", 6)) {
			snprintf(format->name, sizeof(format->name), "%s",
				 line + 6);
		} else if (sscanf(line, "ID: %u", &format->id) == 1) {
			has_id = true;
		/* A record comes without what all events have, but for the id. */
		} else if (field_read(&field, line) &&
			   strncmp(field.name, "common_", 7)) {
			if (format->n == RING_FIELDS)
				return -1;
			format->fields[format->n++] = field;
		}
	}
	return has_id && format->name[0] && format->n ? 0 : -1;
}

int ring_layout_read(struct ring_layout *layout, char *text)
{
	struct ring_field part;
	char *save = NULL;
	char *line;

	memset(layout, 0, sizeof(*layout));
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!field_read(&part, line))
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
