// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/term.h"

void term_open(struct term *term)
{
	struct termios raw;

	memset(term, 0, sizeof(*term));
	term->live = isatty(STDOUT_FILENO);
	if (!term->live)
		return;
	term->keys = !tcgetattr(STDIN_FILENO, &term->old);
	if (term->keys) {
		raw = term->old;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 0;
		raw.c_cc[VTIME] = 0;
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
	}
	fputs("\033[?1049h\033[?25l\033[H\033[2J", stdout);
	fflush(stdout);
}

void term_close(const struct term *term)
{
	if (!term->live)
		return;
	fputs("\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	if (term->keys)
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &term->old);
}

void term_size(size_t *width, size_t *height)
{
	struct winsize size;

	*width = 0;
	*height = 0;
	if (!isatty(STDOUT_FILENO))
		return;
	*width = 80;
	*height = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return;
	if (size.ws_col)
		*width = size.ws_col;
	if (size.ws_row)
		*height = size.ws_row;
}

int term_key(struct term *term)
{
	unsigned char key;
	ssize_t n;

	if (!term->keys)
		return 0;
	n = read(STDIN_FILENO, &key, 1);
	if (n == 1)
		return key;
	/* Its other end is gone. */
	if (!n)
		return -1;
	return 0;
}
