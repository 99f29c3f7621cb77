/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_NUM_H
#define _TRACE_NUM_H

/*
 * Numbers of traces: millions of them, some measured and with more digits than
 * anybody needs. They are rounded to the nearest unit; what has a unit of tc is
 * read as tc reads it.
 */

#include <stdbool.h>
#include <stdint.h>

/**
 * trace_count() - read digits
 * @at: text; moved behind them
 * @value: result
 *
 * Return: 0, or -1 if there is no digit or the value is past 64 bits.
 */
int trace_count(const char **at, uint64_t *value);

/**
 * trace_decimal() - read a decimal number such as 12, 0.25 or 1.5e-3
 * @text: the number and nothing else
 * @places: how many decimals the result has before its point
 * @value: result, times 10^@places
 *
 * Return: 0, or -1 if it does not read as a number that is not negative, or is
 *	past 64 bits.
 */
int trace_decimal(const char *text, int places, uint64_t *value);

/**
 * trace_time() - read a time
 * @text: with a unit of tc, or bare
 * @bare_places: seconds are 9, ms are 6; below 0: bare ones but 0 are refused
 * @value: result in ns
 *
 * Return: 0, or -1 if it is none.
 */
int trace_time(const char *text, int bare_places, uint64_t *value);

/**
 * trace_rate() - read a rate
 * @text: with a unit of tc, or in bit/s
 * @value: result in bit/s
 *
 * Return: 0, or -1 if it is none.
 */
int trace_rate(const char *text, uint64_t *value);

/**
 * trace_take_decimal() - read a number as most files have it
 * @at: text; moved behind the number
 * @places: how many decimals the result has before its point
 * @value: result, times 10^@places
 *
 * For the many; trace_decimal() knows all that is allowed.
 *
 * Return: whether there is one.
 */
bool trace_take_decimal(const char **at, int places, uint64_t *value);

/**
 * trace_take_time() - read a time as most files have it: whole, with a unit
 * @at: text; moved behind the unit
 * @value: result in ns
 *
 * Return: whether there is one.
 */
bool trace_take_time(const char **at, uint64_t *value);

/**
 * trace_take_rate() - read a rate as most files have it: whole, up to mbit
 * @at: text; moved behind the unit, if there is one
 * @value: result in bit/s
 *
 * Return: whether there is one.
 */
bool trace_take_rate(const char **at, uint64_t *value);

/**
 * trace_field() - take the next word of a row
 * @at: the rest of the row; moved behind the word, NULL after the last one
 * @part: what parts words: a comma, or ' ' for any number of blanks
 *
 * Return: the word without blanks around it, or NULL if there is none left.
 */
char *trace_field(char **at, char part);

/**
 * trace_is_number() - does a text begin like a number?
 * @text: text
 */
bool trace_is_number(const char *text);

#endif
