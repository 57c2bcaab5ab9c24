/*
 * Joins the records of a split run: the journals line by line, the evidence file by file, and one
 * run.json. What the parts do not agree on is remarked, not hidden.
 */
#include "reports/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/missing.h"

enum { PATH_SIZE = 4096, DEPTH_MAX = 16, COPY_SIZE = 65536 };

static int join_path(char path[static PATH_SIZE], const char *dir, const char *name)
{
	struct text text;

	text_init(&text, path, PATH_SIZE);
	text_printf(&text, "%s/%s", dir, name);
	return text.truncated ? -ENAMETOOLONG : 0;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

static int copy_file(const char *from, const char *to)
{
	char buf[COPY_SIZE];
	int in, out, rc = 0;

	in = open(from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (in < 0)
		return -errno;
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (out < 0) {
		rc = -errno;
		close(in);
		return rc;
	}
	for (;;) {
		ssize_t n = read(in, buf, sizeof(buf));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			rc = n < 0 ? -errno : 0;
			break;
		}
		rc = write_all(out, buf, (size_t)n);
		if (rc != 0)
			break;
	}
	if (close(out) != 0 && rc == 0)
		rc = -errno;
	close(in);
	return rc;
}

/* Only folders and plain files are carried over; a record has nothing else. */
static int copy_tree(const char *from, const char *to, unsigned int depth, struct text *why)
{
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	if (depth == DEPTH_MAX) {
		text_printf(why, "%s: nested too deeply", from);
		return -ELOOP;
	}
	dir = opendir(from);
	if (dir == NULL) {
		rc = -errno;
		text_printf(why, "%s: %s", from, strerror(-rc));
		return rc;
	}
	if (mkdir(to, 0777) != 0 && errno != EEXIST) {
		rc = -errno;
		text_printf(why, "%s: %s", to, strerror(-rc));
	}
	while (rc == 0 && (entry = readdir(dir)) != NULL) {
		char source[PATH_SIZE], target[PATH_SIZE];
		struct stat status;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		rc = join_path(source, from, entry->d_name);
		if (rc == 0)
			rc = join_path(target, to, entry->d_name);
		if (rc == 0 && lstat(source, &status) != 0)
			rc = -errno;
		if (rc != 0) {
			text_printf(why, "%s: %s", from, strerror(-rc));
			break;
		}
		if (S_ISDIR(status.st_mode)) {
			rc = copy_tree(source, target, depth + 1, why);
		} else if (S_ISREG(status.st_mode)) {
			rc = copy_file(source, target);
			/* The same case in two records: the evidence of the first stays. */
			if (rc == -EEXIST)
				rc = 0;
			if (rc != 0)
				text_printf(why, "%s: %s", target, strerror(-rc));
		}
	}
	closedir(dir);
	return rc;
}

static int write_file(const char *dir, const char *name, const char *data, struct text *why)
{
	char path[PATH_SIZE];
	int rc = join_path(path, dir, name), fd;

	if (rc == 0) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		rc = fd < 0 ? -errno : write_all(fd, data, strlen(data));
		if (fd >= 0 && close(fd) != 0 && rc == 0)
			rc = -errno;
	}
	if (rc != 0)
		text_printf(why, "%s/%s: %s", dir, name, strerror(-rc));
	return rc;
}

static void set_count(json_t *counts, const char *name, size_t value)
{
	json_object_set_new(counts, name, json_integer((json_int_t)value));
}

/* What stands in every part's run.json alike; null and a remark where they differ. */
static void common_member(json_t *run, const struct run_record *records, size_t count,
			  const char *member, struct text *why)
{
	json_t *first = json_object_get(records[0].run, member);

	for (size_t i = 1; i < count; i++) {
		json_t *other = json_object_get(records[i].run, member);

		if (first == other || (first != NULL && other != NULL && json_equal(first, other)))
			continue;
		text_printf(why, "%s%s differs between %s and %s", why->len > 0 ? "; " : "", member,
			    records[0].dir, records[i].dir);
		json_object_set_new(run, member, json_null());
		return;
	}
	if (first != NULL)
		json_object_set(run, member, first);
}

/*
 * The IUTs of all parts: shards have some roles each. False where that does not say what the joined
 * record's IUT is: a part does not list them, or one role has two.
 */
static bool joined_iuts(json_t *run, const struct run_record *records, size_t count)
{
	json_t *iuts = json_array(), *by_role = json_object(), *one;
	bool whole = true;
	size_t k;

	for (size_t i = 0; i < count; i++) {
		const json_t *part = json_object_get(records[i].run, "iuts");

		whole = whole && json_array_size(part) > 0;
		json_array_foreach(part, k, one)
		{
			const char *role = json_string_value(json_object_get(one, "role"));
			json_t *same = role == NULL ? NULL : json_object_get(by_role, role);

			whole = whole && role != NULL && (same == NULL || json_equal(same, one));
			if (role != NULL && same == NULL) {
				json_object_set(by_role, role, one);
				json_array_append(iuts, one);
			}
		}
	}
	json_decref(by_role);
	if (whole) {
		json_object_set(run, "iuts", iuts);
		run_name_iuts(run);
	}
	json_decref(iuts);
	return whole;
}

/* The earliest (or latest) of the parts' times, which sort as text. */
static void extreme_member(json_t *run, const struct run_record *records, size_t count,
			   const char *member, bool latest)
{
	const char *best = NULL;

	for (size_t i = 0; i < count; i++) {
		const char *word = run_record_word(&records[i], member);

		if (word != NULL && (best == NULL || (strcmp(word, best) > 0) == latest))
			best = word;
	}
	if (best != NULL)
		json_object_set_new(run, member, json_string(best));
}

/* Counts that stand in every run.json are summed over the joined results, not over the parts: a
 * case in two parts counts once. */
static json_t *joined_counts(const struct run_counts *counts)
{
	static const enum verdict verdicts[] = {
		VERDICT_PASS, VERDICT_INCONC, VERDICT_FAIL, VERDICT_ERROR, VERDICT_NA,
	};
	json_t *json = json_object();

	set_count(json, "selected", counts->selected);
	set_count(json, "finished", counts->finished);
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		set_count(json, verdict_name(verdicts[i]), counts->verdict[verdicts[i]]);
	set_count(json, "expected_failures", counts->expected_failures);
	set_count(json, "stale", counts->stale);
	set_count(json, "not_run", counts->not_run);
	set_count(json, "too_long", counts->too_long);
	set_count(json, "not_put_back", counts->not_put_back);
	set_count(json, "warnings", counts->warnings);
	return json;
}

/* Records of different IUTs, or of different strictness, are not parts of one run. */
static int check_parts(const struct run_record *records, size_t count, struct text *why)
{
	static const char *const members[] = { "profile_digest", "profile", "role", "mode",
					       "should" };

	for (size_t i = 1; i < count; i++) {
		for (size_t m = 0; m < sizeof(members) / sizeof(members[0]); m++) {
			const char *first = run_record_word(&records[0], members[m]);
			const char *other = run_record_word(&records[i], members[m]);

			if (first == NULL || other == NULL || strcmp(first, other) == 0)
				continue;
			/* of one profile's run each part has the roles of its own cases */
			if (strcmp(members[m], "role") == 0 &&
			    json_object_get(records[0].run, "iuts") != NULL &&
			    json_object_get(records[i].run, "iuts") != NULL)
				continue;
			text_printf(why,
				    "%s and %s are not parts of one run: %s is '%s' in one and "
				    "'%s' in the other",
				    records[0].dir, records[i].dir, members[m], first, other);
			return -EINVAL;
		}
	}
	return 0;
}

/* The union of {suite: [id...]}. */
static void add_cases(json_t *cases, const json_t *more)
{
	const char *name;
	json_t *ids;

	json_object_foreach((json_t *)(uintptr_t)more, name, ids)
	{
		json_t *seen = json_object_get(cases, name);

		/* a set while it grows: an object's members */
		if (seen == NULL) {
			seen = json_object();
			json_object_set_new(cases, name, seen);
		}
		for (size_t i = 0; i < json_array_size(ids); i++) {
			const char *id = json_string_value(json_array_get(ids, i));

			if (id != NULL)
				json_object_set_new(seen, id, json_true());
		}
	}
}

static void joined_cases(json_t *run, const struct run_record *records, size_t count,
			 const char *member)
{
	json_t *sets = json_object(), *cases = json_object(), *set, *value;
	const char *name, *id;
	bool known = false;

	for (size_t i = 0; i < count; i++) {
		const json_t *more = json_object_get(records[i].run, member);

		known = known || json_is_object(more);
		add_cases(sets, more);
	}
	json_object_foreach(sets, name, set)
	{
		json_t *ids = json_array();

		json_object_foreach(set, id, value) json_array_append_new(ids, json_string(id));
		json_object_set_new(cases, name, ids);
	}
	json_decref(sets);
	if (known)
		json_object_set_new(run, member, cases);
	else
		json_decref(cases);
}

enum { SHARDS_MAX = 65536 };

/* Which parts of a split run are not among those that are joined. */
static void missing_parts(json_t *run, json_t *parts, struct text *remarks)
{
	json_int_t shards = json_integer_value(json_object_get(json_array_get(parts, 0), "shards"));
	json_t *missing;
	bool *there;

	if (shards < 2 || shards > SHARDS_MAX)
		return;
	there = calloc((size_t)shards, sizeof(*there));
	missing = json_array();
	for (size_t i = 0; there != NULL && i < json_array_size(parts); i++) {
		const json_t *part = json_array_get(parts, i);
		json_int_t n = json_integer_value(json_object_get(part, "shard"));

		if (json_integer_value(json_object_get(part, "shards")) != shards)
			text_printf(remarks, "%sthe parts are not of one number of parts",
				    remarks->len > 0 ? "; " : "");
		else if (n >= 1 && n <= shards)
			there[n - 1] = true;
	}
	for (json_int_t n = 1; there != NULL && n <= shards; n++)
		if (!there[n - 1])
			json_array_append_new(missing, json_integer(n));
	free(there);
	json_object_set_new(run, "shards", json_integer(shards));
	json_object_set_new(run, "missing_shards", missing);
}

/* What was merged before is taken apart again, so that parts may be joined one after the other. */
static json_t *all_parts(const struct run_record *records, size_t count)
{
	json_t *parts = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *merged = json_object_get(records[i].run, "merged");

		if (json_array_size(merged) > 0)
			json_array_extend(parts, merged);
		else
			json_array_append(parts, records[i].run);
	}
	return parts;
}

static int write_run(const struct run_record *records, size_t count, struct run_record *joined,
		     const char *out, struct text *why)
{
	static const char *const common[] = {
		"version", "commit", "back_ends", "profile", "profile_digest",
		"mode",	   "seed",   "should",	  "repeat",  "host",
	};
	char buf[1024];
	struct text remarks;
	json_t *run = json_object(), *parts = all_parts(records, count);
	char *data;
	int rc;

	text_init(&remarks, buf, sizeof(buf));
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		common_member(run, records, count, common[i], &remarks);
	if (!joined_iuts(run, records, count)) {
		common_member(run, records, count, "iut", &remarks);
		common_member(run, records, count, "role", &remarks);
	}
	extreme_member(run, records, count, "started", false);
	extreme_member(run, records, count, "ended", true);
	for (size_t i = 0; i < count; i++) {
		const char *not_put_back = run_record_word(&records[i], "not_put_back");

		if (json_is_null(json_object_get(records[i].run, "ended")))
			json_object_set_new(run, "ended", json_null());
		if (not_put_back != NULL)
			json_object_set_new(run, "not_put_back", json_string(not_put_back));
	}
	joined_cases(run, records, count, "cases");
	joined_cases(run, records, count, "left_out");
	missing_parts(run, parts, &remarks);
	/* The joined record was read without its run.json: only now it is known what is missing. */
	results_clear(&joined->missing);
	joined->incomplete = false;
	joined->counts.not_run = joined->counts.too_long = 0;
	json_decref(joined->run);
	joined->run = json_incref(run);
	rc = missing_find(joined);
	json_object_set_new(run, "counts", joined_counts(&joined->counts));
	json_object_set_new(run, "merged", parts);
	data = json_dumps(run, JSON_COMPACT);
	json_decref(run);
	if (data == NULL || rc != 0) {
		free(data);
		text_puts(why, "out of memory");
		return -ENOMEM;
	}
	rc = write_file(out, "run.json", data, why);
	free(data);
	if (rc == 0 && remarks.len > 0)
		text_puts(why, buf);
	return rc;
}

static int append_results(const struct run_record *record, int fd, const char *out,
			  struct text *why)
{
	for (size_t i = 0; i < record->results.count; i++) {
		char *line = result_print(&record->results.items[i]);
		int rc = line == NULL ? -ENOMEM : write_all(fd, line, strlen(line));

		free(line);
		if (rc == 0)
			rc = write_all(fd, "\n", 1);
		if (rc != 0) {
			text_printf(why, "%s/results.jsonl: %s", out, strerror(-rc));
			return rc;
		}
	}
	return 0;
}

static int write_results(const struct run_record *records, size_t count, const char *out,
			 struct text *why)
{
	char path[PATH_SIZE];
	int rc = join_path(path, out, "results.jsonl"), fd;

	if (rc == 0) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		rc = fd < 0 ? -errno : 0;
	}
	if (rc != 0) {
		text_printf(why, "%s/results.jsonl: %s", out, strerror(-rc));
		return rc;
	}
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = append_results(&records[i], fd, out, why);
	if (close(fd) != 0 && rc == 0) {
		rc = -errno;
		text_printf(why, "%s: %s", path, strerror(-rc));
	}
	return rc;
}

static int write_evidence(const struct run_record *record, const char *out, struct text *why)
{
	char from[PATH_SIZE], to[PATH_SIZE];
	int rc = join_path(from, record->dir, "cases");

	if (rc == 0)
		rc = join_path(to, out, "cases");
	if (rc != 0) {
		text_printf(why, "%s: %s", record->dir, strerror(-rc));
		return rc;
	}
	if (access(from, F_OK) != 0)
		return 0;
	return copy_tree(from, to, 0, why);
}

static int write_merged(const struct run_record *records, size_t count, const char *out,
			struct text *why)
{
	struct run_record joined;
	int rc = 0;

	if (mkdir(out, 0777) != 0) {
		rc = -errno;
		text_printf(why, "%s: %s", out, strerror(-rc));
		return rc;
	}
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = write_evidence(&records[i], out, why);
	if (rc == 0)
		rc = write_results(records, count, out, why);
	if (rc != 0)
		return rc;
	/* Reading it back sorts the cases out that stand in several parts. */
	rc = run_record_read(out, &joined, why);
	if (rc != 0)
		return rc;
	rc = write_run(records, count, &joined, out, why);
	run_record_clear(&joined);
	return rc;
}

int report_merge(const char *const *dirs, size_t count, const char *out, struct text *why)
{
	struct run_record *records = calloc(count, sizeof(*records));
	size_t read = 0;
	int rc = 0;

	if (records == NULL) {
		text_puts(why, "out of memory");
		return -ENOMEM;
	}
	while (rc == 0 && read < count) {
		rc = run_record_read(dirs[read], &records[read], why);
		if (rc == 0)
			read++;
	}
	if (rc == 0)
		rc = check_parts(records, count, why);
	if (rc == 0)
		rc = write_merged(records, count, out, why);
	for (size_t i = 0; i < read; i++)
		run_record_clear(&records[i]);
	free(records);
	return rc;
}
