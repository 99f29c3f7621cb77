// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

/* From the folder of wlinkctl: where make builds them, where make install puts them. */
static const char *const places[] = { "", "../libexec/wlink/" };

/* Return: length of the folder in @path with its last slash; 0 if it is not known. */
static size_t own_folder(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	if (n <= 0)
		return 0;
	path[n] = '\0';
	/* Programs call back the wlinkctl that runs them. */
	setenv("WLINKCTL", path, 1);
	return (size_t)(strrchr(path, '/') + 1 - path);
}

bool program_find(const char *command, char *path, size_t size)
{
	size_t folder = own_folder(path, size);
	size_t i;
	int n;

	if (!folder || strchr(command, '/'))
		return false;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		n = snprintf(path + folder, size - folder, "%swlinkctl-%s",
			     places[i], command);
		if (n > 0 && (size_t)n < size - folder && !access(path, X_OK))
			return true;
	}
	return false;
}

static void __attribute__((noreturn)) become(const char *path, char **words)
{
	execv(path, words);
	complain(errno == ENOENT ? "%s needs python3; type: apt-get install python3" :
				   "%s cannot be run", path);
	_exit(EXIT_USAGE);
}

/* A batch goes on after it. */
static int run_and_wait(const char *path, char **words)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		become(path, words);
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		complain("%s: %s", path, strerror(errno));
		return EXIT_USAGE;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_USAGE;
}

int program_run(const struct wlinkctl *ctl, char *path, int argc, char **argv)
{
	char **words = calloc((size_t)argc + 3, sizeof(*words));
	int code;
	int n = 0;

	if (!words) {
		complain("no memory for words");
		return EXIT_USAGE;
	}
	words[n++] = path;
	if (ctl->json)
		words[n++] = (char *)"--json";
	memcpy(words + n, argv, (size_t)argc * sizeof(*words));
	fflush(stdout);
	if (!ctl->in_batch)
		become(path, words);
	code = run_and_wait(path, words);
	free(words);
	return code;
}
