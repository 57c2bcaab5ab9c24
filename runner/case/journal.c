#include "runner/case/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_dirs(char *path)
{
	for (char *slash = path + 1;; slash++) {
		slash = strchr(slash, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			return -errno;
		if (!slash)
			return 0;
		*slash = '/';
	}
}

/* Cuts off what stands behind the last newline. */
static int mend(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char buf[4096];
	off_t from = end;

	while (from > 0) {
		size_t n = from < (off_t)sizeof(buf) ? (size_t)from : sizeof(buf);
		char *newline;

		if (pread(fd, buf, n, from - (off_t)n) != (ssize_t)n)
			return -EIO;
		newline = memrchr(buf, '\n', n);
		if (newline) {
			from = from - (off_t)n + (newline - buf) + 1;
			break;
		}
		from -= (off_t)n;
	}
	return from == end || ftruncate(fd, from) == 0 ? 0 : -errno;
}

/*
 * Two runs must not write one record. A lock of this kind is not passed on to children, so a child
 * that outlives a killed supervisor for a moment does not hold it; and it would be lost when any
 * descriptor of the file is closed, so the file is one that nobody else opens.
 */
static int take_lock(struct journal *journal)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[4096];

	snprintf(path, sizeof(path), "%s/.lock", journal->dir);
	journal->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (journal->lock < 0)
		return -errno;
	if (fcntl(journal->lock, F_SETLK, &lock) == 0)
		return 0;
	return errno == EACCES ? -EAGAIN : -errno;
}

/* A run that was killed before it could describe itself left nothing: its folder may be used. */
static bool described(const char *dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/run.json", dir);
	return access(path, F_OK) == 0;
}

int journal_open(struct journal *journal, const char *dir, bool again, struct text *why)
{
	char path[4096];
	int error = 0;

	memset(journal, 0, sizeof(*journal));
	journal->fd = -1;
	journal->lock = -1;
	journal->dir = strdup(dir);
	if (!journal->dir || snprintf(path, sizeof(path), "%s", dir) >= (int)sizeof(path) - 64 ||
	    !dir[0]) {
		text_puts(why, "the name of the record's folder cannot be used");
		free(journal->dir);
		return -EINVAL;
	}
	if (!again)
		error = make_dirs(path);
	if (!error) {
		snprintf(path, sizeof(path), "%s/results.jsonl", dir);
		journal->fd =
			open(path, O_RDWR | O_APPEND | O_CLOEXEC | (again ? 0 : O_CREAT), 0666);
		if (journal->fd < 0)
			error = -errno;
	}
	if (!error && !again && (lseek(journal->fd, 0, SEEK_END) > 0 || described(dir)))
		error = -EEXIST;
	if (!error)
		error = take_lock(journal);
	if (!error)
		error = mend(journal->fd);
	if (!error)
		return 0;
	if (error == -EEXIST)
		text_printf(why,
			    "%s holds a run record already: choose another --out, or go on with "
			    "--resume",
			    dir);
	else if (error == -EAGAIN)
		text_printf(why, "%s: another run writes this record", dir);
	else
		text_printf(why, "%s: %s", path, strerror(-error));
	journal_close(journal);
	return error;
}

void journal_close(struct journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	journal->fd = -1;
	if (journal->lock >= 0)
		close(journal->lock);
	journal->lock = -1;
	free(journal->dir);
	journal->dir = NULL;
}

int journal_append(struct journal *journal, const struct result *result)
{
	char *line = result_print(result);
	off_t before = lseek(journal->fd, 0, SEEK_END);
	size_t len;
	ssize_t n;
	int error = 0;

	if (!line)
		return -ENOMEM;
	len = strlen(line);
	line[len++] = '\n'; /* instead of the terminator */
	do
		n = write(journal->fd, line, len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		error = -errno;
	else if ((size_t)n < len)
		error = -ENOSPC;
	else if (journal->durable && fdatasync(journal->fd) != 0 && errno != EINVAL)
		error = -errno;
	free(line);
	if (error && n > 0 && before >= 0 && ftruncate(journal->fd, before) != 0)
		return error; /* the reader passes over the torn line */
	return error;
}

int journal_describe(struct journal *journal, json_t *run)
{
	char path[4096], temporary[4096];
	int error = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/run.json", journal->dir);
	snprintf(temporary, sizeof(temporary), "%s/run.json.new", journal->dir);
	file = fopen(temporary, "we");
	if (!file) {
		error = -errno;
	} else {
		if (json_dumpf(run, file, JSON_INDENT(1) | JSON_ENSURE_ASCII) != 0 ||
		    fputc('\n', file) == EOF || fflush(file) != 0 ||
		    (journal->durable && fsync(fileno(file)) != 0))
			error = errno ? -errno : -EIO;
		if (fclose(file) != 0 && !error)
			error = -errno;
		if (!error && rename(temporary, path) != 0)
			error = -errno;
		if (error)
			unlink(temporary);
	}
	json_decref(run);
	return error;
}

json_t *journal_read_run(const char *dir, struct text *why)
{
	char path[4096];
	json_error_t error;
	json_t *run;

	snprintf(path, sizeof(path), "%s/run.json", dir);
	run = json_load_file(path, 0, &error);
	if (json_is_object(run))
		return run;
	json_decref(run);
	text_printf(why, "%s: %s", path, run ? "not an object" : error.text);
	return NULL;
}

int journal_case_dir(const struct journal *journal, const char *id, unsigned int repetition,
		     struct text *relative, struct text *path)
{
	text_printf(relative, "cases/%s", id);
	if (repetition > 1)
		text_printf(relative, "/repeat-%u", repetition);
	text_printf(path, "%s/%s", journal->dir, relative->buf);
	if (relative->truncated || path->truncated)
		return -ENAMETOOLONG;
	return make_dirs(path->buf);
}

void journal_drop_case(const struct journal *journal, const char *path)
{
	static const char *const files[] = { "log.txt", "events.jsonl", "trace.pcapng" };
	char name[4200];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(name, sizeof(name), "%s/%s", path, files[i]);
		unlink(name);
	}
	/* and the folders that hold nothing else */
	snprintf(name, sizeof(name), "%s", path);
	while (rmdir(name) == 0 && strlen(name) > strlen(journal->dir)) {
		char *slash = strrchr(name, '/');

		if (!slash)
			return;
		*slash = '\0';
	}
}

void journal_tail(const char *path, unsigned int lines, struct text *out)
{
	char buf[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t end;
	ssize_t n;
	char *from;

	if (fd < 0)
		return;
	end = lseek(fd, 0, SEEK_END);
	n = pread(fd, buf, sizeof(buf) - 1,
		  end > (off_t)sizeof(buf) - 1 ? end - ((off_t)sizeof(buf) - 1) : 0);
	close(fd);
	if (n <= 0)
		return;
	buf[n] = '\0';
	/* back over so many newlines, the one at the very end not counted */
	from = buf + n - 1;
	while (from > buf && (from[-1] != '\n' || --lines > 0))
		from--;
	text_puts(out, from);
}
