/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_ATTR_H
#define _WL_ATTR_H

/*
 * Between struct wl_values and the payload of TCA_OPTIONS. Plain bytes, so
 * that the plugin (tc's own message) and wlinkctl (libmnl) share one encoder
 * and one decoder.
 */

#include "table/table.h"

/* More than every attribute of a bearer together, with a profile of as many rows and a
 * distribution of as many points as there may be.
 */
#define WL_ATTR_BYTES	45056

/* Room that tc has for a whole message about a class. */
#define WL_TC_CLASS_BYTES	4096
#define WL_TC_TOO_LONG \
	"%s %.80s is too long for tc; wlinkctl can send it"
#define WL_TC_WHAT(values)						\
	(values)->profile[0] ? "profile" : "jitter",			\
	(values)->profile[0] ? (values)->profile : (values)->table

/**
 * wl_attr_encode() - write the given parameters as attributes
 * @values: parameters
 * @buf: result, at least WL_ATTR_BYTES bytes, aligned to 4
 *
 * Return: bytes written.
 */
size_t wl_attr_encode(const struct wl_values *values, void *buf);

/**
 * wl_attr_nest() - put a header before what is to be inside
 * @at: where the header goes; what is inside stands NLA_HDRLEN behind it
 * @type: attribute
 * @len: bytes inside
 *
 * Return: bytes with the header.
 */
size_t wl_attr_nest(void *at, uint16_t type, size_t len);

/**
 * wl_attr_decode() - read the parameters from attributes
 * @values: result
 * @buf: payload of TCA_OPTIONS
 * @len: its bytes
 *
 * Attributes that are unknown or shorter than they should be are left out, so
 * a newer kernel can be read.
 */
void wl_attr_decode(struct wl_values *values, const void *buf, size_t len);

/**
 * typedef wl_attr_fn - called for each attribute
 * @ctx: of the caller
 * @type: attribute without flags
 * @offset: of its header in the payload
 * @data: its payload
 * @len: bytes of @data
 */
typedef void (*wl_attr_fn)(void *ctx, uint16_t type, size_t offset,
			   const void *data, size_t len);

/**
 * wl_attr_each() - walk a payload of attributes
 * @buf: payload
 * @len: its bytes
 * @fn: called for each
 * @ctx: handed to @fn
 *
 * Stops at the first attribute that does not fit.
 */
void wl_attr_each(const void *buf, size_t len, wl_attr_fn fn, void *ctx);

/**
 * wl_attr_keyword() - whose attribute starts at an offset?
 * @buf: payload of TCA_OPTIONS
 * @len: its bytes
 * @offset: of the attribute's header in @buf
 *
 * Return: the keyword, the name of a nest, or NULL.
 */
const char *wl_attr_keyword(const void *buf, size_t len, size_t offset);

#endif
