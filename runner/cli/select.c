#include "runner/cli/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct iut_ops *registry_iut(const struct registry *registry, const char *role)
{
	for (size_t i = 0; i < registry->world.iut_count; i++) {
		if (strcmp(registry->world.iuts[i]->role, role) == 0)
			return registry->world.iuts[i];
	}
	return NULL;
}

bool fault_names_case(const struct iut_fault *fault, const char *id)
{
	if (fault->cases == NULL)
		return false;
	for (size_t i = 0; fault->cases[i] != NULL; i++) {
		if (strcmp(fault->cases[i], id) == 0)
			return true;
	}
	return false;
}

/* What the pattern's words could have been, for the suggestion. */
static size_t candidates(const struct registry *registry, const char *pattern, const char **words,
			 size_t max)
{
	size_t count = 0;

	if (strncmp(pattern, "fault:", 6) == 0) {
		for (size_t i = 0; i < registry->world.iut_count; i++) {
			const struct iut_ops *iut = registry->world.iuts[i];

			for (size_t f = 0; f < iut->fault_count && count < max; f++)
				words[count++] = iut->faults[f].name;
		}
		return count;
	}
	for (size_t s = 0; s < registry->world.suite_count; s++) {
		const struct suite *suite = registry->world.suites[s];

		if (strchr(pattern, ':') == NULL && count < max)
			words[count++] = suite->name;
		for (size_t c = 0; count < max; c++) {
			const struct test_case *test = suite_case(suite, c);

			if (test == NULL)
				break;
			if (strncmp(pattern, "req:", 4) == 0)
				words[count++] = test->requirement;
			else if (strncmp(pattern, "clause:", 7) == 0)
				words[count++] = test->clause;
			else
				words[count++] = test->id;
		}
	}
	return count;
}

static void explain_no_match(const struct registry *registry, const char *pattern, struct text *why)
{
	static const char *const prefixes[] = { "clause:", "req:", "fault:" };
	const char *words[1024];
	const char *colon = strchr(pattern, ':');
	size_t count = candidates(registry, pattern, words, sizeof(words) / sizeof(words[0]));
	const char *nearest = nearest_word(colon == NULL ? pattern : colon + 1, words, count);

	text_printf(why, "nothing selected: no case matches '%s'", pattern);
	if (nearest != NULL) {
		text_printf(why, " (did you mean '%.*s%s'?)",
			    colon == NULL ? 0 : (int)(colon - pattern + 1), pattern, nearest);
		return;
	}
	if (colon != NULL && strncmp(pattern, "clause:", 7) != 0 &&
	    strncmp(pattern, "req:", 4) != 0 && strncmp(pattern, "fault:", 6) != 0) {
		char prefix[16];
		size_t len = (size_t)(colon - pattern + 1);

		if (len < sizeof(prefix)) {
			memcpy(prefix, pattern, len);
			prefix[len] = '\0';
			nearest = nearest_word(prefix, prefixes, 3);
		}
		text_printf(why, " (did you mean '%s'?)", nearest == NULL ? "clause:" : nearest);
		return;
	}
	text_puts(why, "; 'spillway list' prints the cases");
}

/* Which of the patterns matches nothing; NULL where each matches something. */
static const char *unmatched(const struct registry *registry, const struct word_list *patterns)
{
	char buf[512];
	struct text text;

	for (size_t i = 0; i < patterns->count; i++) {
		struct run_selection selection = { 0 };
		int rc;

		text_init(&text, buf, sizeof(buf));
		rc = run_select(&registry->world, &patterns->words[i], 1, &selection, &text);
		run_selection_clear(&selection);
		if (rc == -ENOENT)
			return patterns->words[i];
	}
	return NULL;
}

int select_cases(const struct registry *registry, const struct word_list *patterns,
		 const char *role, struct run_selection *selection, struct text *why)
{
	char buf[512];
	struct text text;
	const char *other = NULL;
	size_t kept = 0;
	int rc;

	*selection = (struct run_selection){ 0 };
	text_init(&text, buf, sizeof(buf));
	rc = run_select(&registry->world, patterns->words, patterns->count, selection, &text);
	if (rc == -ENOENT) {
		const char *pattern = unmatched(registry, patterns);

		if (pattern != NULL) {
			explain_no_match(registry, pattern, why);
			return rc;
		}
	}
	if (rc != 0) {
		text_puts(why, buf[0] == '\0' ? "out of memory" : buf);
		return rc;
	}
	if (role != NULL && selection->count > 0)
		other = role_name(selection->items[0].test->role);
	for (size_t i = 0; role != NULL && i < selection->count; i++) {
		if (strcmp(role, role_name(selection->items[i].test->role)) == 0)
			selection->items[kept++] = selection->items[i];
	}
	if (role != NULL)
		selection->count = kept;
	if (selection->count > 0)
		return 0;
	text_puts(why, "nothing selected");
	if (role != NULL)
		text_printf(why, ": no case for an IUT of role '%s'", role);
	if (other != NULL)
		text_printf(why, "; those that match are for role '%s'", other);
	return -ENOENT;
}
