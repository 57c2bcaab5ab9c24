#include "runner/case/baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool baseline_has_case(const struct run_world *world, const char *id)
{
	const struct test_case *test;

	for (size_t s = 0; s < world->suite_count; s++)
		for (size_t c = 0; (test = suite_case(world->suites[s], c)); c++)
			if (strcmp(test->id, id) == 0)
				return true;
	return false;
}

static const struct baseline_entry *find(const struct baseline *baseline, const char *id)
{
	for (size_t i = 0; i < baseline->count; i++)
		if (strcmp(baseline->entries[i].id, id) == 0)
			return &baseline->entries[i];
	return NULL;
}

static bool parse_verdict(const char *word, enum verdict *verdict)
{
	static const enum verdict allowed[] = { VERDICT_FAIL, VERDICT_INCONC, VERDICT_ERROR };

	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++) {
		if (strcmp(word, verdict_name(allowed[i])) == 0) {
			*verdict = allowed[i];
			return true;
		}
	}
	return false;
}

char *baseline_line(char *line)
{
	size_t len = strlen(line);

	while (len > 0 && strchr("\r\n \t", line[len - 1]))
		line[--len] = '\0';
	line += strspn(line, " \t");
	return *line == '\0' || *line == '#' ? NULL : line;
}

const char *baseline_split(char *line, struct baseline_words *words)
{
	char *rest = line, *word;

	words->id = strsep(&rest, " \t");
	if (rest)
		rest += strspn(rest, " \t");
	word = strsep(&rest, " \t");
	if (!word || !*word)
		return "a line is: ID VERDICT reason...";
	if (!parse_verdict(word, &words->verdict))
		return "the verdict has to be fail, inconc or error";
	words->reason = rest ? rest + strspn(rest, " \t") : "";
	return NULL;
}

bool baseline_unexplained(const char *reason)
{
	static const char word[] = BASELINE_UNEXPLAINED;
	size_t len = sizeof(word) - 1;

	return strncmp(reason, word, len) == 0 &&
	       (reason[len] == '\0' || strchr(": \t", reason[len]));
}

/* What is wrong with the line, or NULL. */
static const char *take(struct baseline *baseline, const struct run_world *world, char *line)
{
	struct baseline_words words;
	const char *wrong = baseline_split(line, &words);
	struct baseline_entry *grown;

	if (wrong)
		return wrong;
	if (!*words.reason)
		return "the reason is missing";
	if (baseline_unexplained(words.reason))
		return "the reason has to be written: " BASELINE_UNEXPLAINED " stands in its place";
	if (!baseline_has_case(world, words.id))
		return "there is no case of this id";
	if (find(baseline, words.id))
		return "the case stands here twice";
	grown = realloc(baseline->entries, (baseline->count + 1) * sizeof(*grown));
	if (!grown)
		return "out of memory";
	baseline->entries = grown;
	grown[baseline->count].id = strdup(words.id);
	if (!grown[baseline->count].id)
		return "out of memory";
	grown[baseline->count++].verdict = words.verdict;
	return NULL;
}

int baseline_read(const char *path, const struct run_world *world, struct baseline *baseline,
		  struct text *why)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	unsigned int number = 0;
	int error = 0;

	memset(baseline, 0, sizeof(*baseline));
	if (!file) {
		text_printf(why, "%s: %s", path, strerror(errno));
		return -EINVAL;
	}
	while (getline(&line, &size, file) >= 0) {
		const char *wrong;
		char *from = baseline_line(line);

		number++;
		if (!from)
			continue;
		wrong = take(baseline, world, from);
		if (wrong) {
			text_printf(why, "%s%s:%u: %s", error ? "\n" : "", path, number, wrong);
			error = -EINVAL;
		}
	}
	if (ferror(file) && !error) {
		text_printf(why, "%s: cannot be read", path);
		error = -EINVAL;
	}
	free(line);
	fclose(file);
	if (error)
		baseline_clear(baseline);
	return error;
}

void baseline_clear(struct baseline *baseline)
{
	for (size_t i = 0; i < baseline->count; i++)
		free(baseline->entries[i].id);
	free(baseline->entries);
	memset(baseline, 0, sizeof(*baseline));
}

const char *baseline_judge(const struct baseline *baseline, const char *id, enum verdict verdict)
{
	const struct baseline_entry *entry = find(baseline, id);

	if (!entry)
		return NULL;
	if (entry->verdict == verdict)
		return "expected";
	return verdict == VERDICT_PASS ? "stale" : NULL;
}
