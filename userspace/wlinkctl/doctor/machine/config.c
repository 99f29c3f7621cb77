// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's configuration, from where distributions leave it.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "doctor/read.h"

#define CONFIG_BYTES	((size_t)1 << 20)

/* Return: a child's output end, or -1. It packs out @path. */
static int unpack(const char *path, pid_t *child)
{
	int ends[2];

	if (access(path, R_OK) || pipe2(ends, O_CLOEXEC))
		return -1;
	*child = fork();
	if (!*child) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(open("/dev/null", O_RDWR), STDERR_FILENO);
		execlp("gzip", "gzip", "-dc", path, NULL);
		_exit(127);
	}
	close(ends[1]);
	if (*child < 0) {
		close(ends[0]);
		return -1;
	}
	return ends[0];
}

/* Return: the lines, or NULL. */
static char *packed(const char *root, const char *path)
{
	char *text = malloc(CONFIG_BYTES);
	char whole[PATH_MAX];
	size_t len = 0;
	int status = 1;
	ssize_t got;
	pid_t child;
	int fd = -1;

	if (snprintf(whole, sizeof(whole), "%s%s", root, path) <
	    (int)sizeof(whole))
		fd = unpack(whole, &child);
	if (!text || fd < 0) {
		free(text);
		return NULL;
	}
	while (len < CONFIG_BYTES - 1 &&
	       (got = read(fd, text + len, CONFIG_BYTES - 1 - len)) > 0)
		len += (size_t)got;
	close(fd);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	text[len] = 0;
	if (len && WIFEXITED(status) && !WEXITSTATUS(status))
		return text;
	free(text);
	return NULL;
}

static char *plain(const char *root, const char *path)
{
	char *text = malloc(CONFIG_BYTES);

	if (text && doctor_read(root, path, text, CONFIG_BYTES)) {
		free(text);
		return NULL;
	}
	return text;
}

void doctor_config_read(struct doctor *doctor)
{
	char release[128], path[256];

	doctor->config = packed(doctor->root, "/proc/config.gz");
	if (doctor->config ||
	    doctor_read(doctor->root, "/proc/sys/kernel/osrelease", release,
			sizeof(release)))
		return;
	snprintf(path, sizeof(path), "/boot/config-%s", release);
	doctor->config = plain(doctor->root, path);
	if (doctor->config)
		return;
	snprintf(path, sizeof(path), "/lib/modules/%s/config", release);
	doctor->config = plain(doctor->root, path);
}

bool doctor_config(const struct doctor *doctor, const char *name, char *value,
		   size_t size)
{
	size_t len = strlen(name);
	const char *line = doctor->config;

	snprintf(value, size, "n");
	if (!line)
		return false;
	while (line && *line) {
		if (!strncmp(line, name, len) && line[len] == '=') {
			line += len + 1;
			line += *line == '"';
			snprintf(value, size, "%.*s",
				 (int)strcspn(line, "\"\n"), line);
			break;
		}
		line = strchr(line, '\n');
		line += line ? 1 : 0;
	}
	return true;
}
