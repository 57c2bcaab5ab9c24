/*
 * Which cases a run takes: globs over ids, suites, clauses, requirements and faults.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/case/run.h"

const struct iut_ops *run_iut(const struct run_world *world, enum role role)
{
	for (size_t i = 0; i < world->iut_count; i++)
		if (strcmp(world->iuts[i]->role, role_name(role)) == 0)
			return world->iuts[i];
	return NULL;
}

static bool add_by_name(struct iut_set *set, const struct iut_fault *table, size_t count,
			const char *name)
{
	for (size_t i = 0; i < count && i < IUT_SET_WORDS * 64; i++) {
		if (strcmp(table[i].name, name) == 0) {
			iut_set_add(set, i);
			return true;
		}
	}
	return false;
}

bool iut_set_add_fault(struct iut_set *set, const struct iut_ops *ops, const char *name)
{
	return add_by_name(set, ops->faults, ops->fault_count, name);
}

bool iut_set_add_variant(struct iut_set *set, const struct iut_ops *ops, const char *name)
{
	return add_by_name(set, ops->variants, ops->variant_count, name);
}

static bool names_case(const struct iut_fault *fault, const char *id)
{
	for (const char *const *c = fault->cases; c && *c; c++)
		if (strcmp(*c, id) == 0)
			return true;
	return false;
}

static bool caught_here(const struct run_world *world, const struct test_case *test,
			const char *glob)
{
	const struct iut_ops *ops = run_iut(world, test->role);

	for (size_t i = 0; ops && i < ops->fault_count; i++)
		if (fnmatch(glob, ops->faults[i].name, 0) == 0 &&
		    names_case(&ops->faults[i], test->id))
			return true;
	return false;
}

/* "24.501/5.3.9" and "24.501 5.3.9" are the same clause. */
static bool one_clause_matches(char *clause, const char *glob)
{
	if (fnmatch(glob, clause, 0) == 0)
		return true;
	for (char *c = clause; *c; c++)
		if (*c == ' ')
			*c = '/';
	return fnmatch(glob, clause, 0) == 0;
}

/*
 * A case may name several clauses, "38.413 9.2.6.14, 10.3.6, 23.501 5.19.5.2": each counts, and one
 * without a specification of its own belongs to the one before.
 */
static bool clause_matches(const char *clauses, const char *glob)
{
	char all[256], one[300], specification[32] = "";
	char *rest = all;

	snprintf(all, sizeof(all), "%s", clauses);
	for (char *part; (part = strsep(&rest, ",")) != NULL;) {
		char *blank;

		part += strspn(part, " ");
		blank = strchr(part, ' ');
		/* A specification is "24.501": two digits before the point, three behind it. */
		if (blank && blank - part == 6 && part[2] == '.' && !memchr(part + 3, '.', 3))
			snprintf(specification, sizeof(specification), "%.7s", part);
		else
			blank = NULL;
		snprintf(one, sizeof(one), "%s%s", blank ? "" : specification, part);
		if (one_clause_matches(one, glob))
			return true;
	}
	snprintf(one, sizeof(one), "%s", clauses);
	return one_clause_matches(one, glob);
}

static bool matches(const struct run_world *world, const struct suite *suite,
		    const struct test_case *test, const char *glob)
{
	if (strncmp(glob, "clause:", 7) == 0)
		return clause_matches(test->clause, glob + 7);
	if (strncmp(glob, "req:", 4) == 0)
		return fnmatch(glob + 4, test->requirement, 0) == 0;
	if (strncmp(glob, "fault:", 6) == 0)
		return caught_here(world, test, glob + 6);
	return fnmatch(glob, test->id, 0) == 0 || fnmatch(glob, suite->name, 0) == 0;
}

int run_select(const struct run_world *world, const char *const *globs, size_t glob_count,
	       struct run_selection *selection, struct text *why)
{
	size_t total = 0;
	bool *used;

	memset(selection, 0, sizeof(*selection));
	for (size_t s = 0; s < world->suite_count; s++)
		for (size_t g = 0; g < world->suites[s]->group_count; g++)
			total += world->suites[s]->groups[g].count;
	used = calloc(glob_count + 1, sizeof(*used));
	selection->items = calloc(total + 1, sizeof(*selection->items));
	if (!used || !selection->items) {
		free(used);
		run_selection_clear(selection);
		text_puts(why, "out of memory");
		return -ENOMEM;
	}
	for (size_t s = 0; s < world->suite_count; s++) {
		const struct suite *suite = world->suites[s];
		const struct test_case *test;

		for (size_t c = 0; (test = suite_case(suite, c)); c++) {
			bool chosen = glob_count == 0;

			for (size_t g = 0; g < glob_count; g++) {
				if (matches(world, suite, test, globs[g])) {
					chosen = true;
					used[g] = true;
				}
			}
			if (chosen)
				selection->items[selection->count++] =
					(struct run_selected){ .suite = suite, .test = test };
		}
	}
	for (size_t g = 0; g < glob_count; g++) {
		if (used[g])
			continue;
		text_printf(why, "no case matches \"%s\"", globs[g]);
		free(used);
		run_selection_clear(selection);
		return -ENOENT;
	}
	free(used);
	return 0;
}

void run_selection_clear(struct run_selection *selection)
{
	free(selection->items);
	memset(selection, 0, sizeof(*selection));
}

/* --- shards -------------------------------------------------------------------------------------
 */

static bool parse(const char *s, unsigned int *n)
{
	unsigned long value;
	char *end;

	if (!s || !*s)
		return false;
	errno = 0;
	value = strtoul(s, &end, 10);
	if (*end || errno || value > 1000000 || s[0] == '-')
		return false;
	*n = (unsigned int)value;
	return true;
}

bool run_shard_environment(unsigned int *shard, unsigned int *shards, int *error, struct text *why)
{
	/* first: the index that the variable gives to the first job; NULL: another variable says */
	static const struct {
		const char *index, *count, *first_in;
		unsigned int first;
	} known[] = {
		{ "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", 0 },
		{ "JOB_COMPLETION_INDEX", "SPILLWAY_SHARDS", NULL, 0 },
		{ "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", NULL, 0 },
		{ "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", NULL, 0 },
		{ "CI_NODE_INDEX", "CI_NODE_TOTAL", NULL, 1 },
	};

	*error = 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const char *index = getenv(known[i].index);
		const char *count = getenv(known[i].count);
		unsigned int first = known[i].first;
		unsigned int n, of;

		/* One without the other is somebody else's business. */
		if (!index || !count)
			continue;
		if (known[i].first_in && getenv(known[i].first_in) &&
		    !parse(getenv(known[i].first_in), &first)) {
			*error = -EINVAL;
		} else if (!parse(index, &n) || !parse(count, &of) || of == 0 || n < first ||
			   n - first >= of) {
			*error = -EINVAL;
		} else {
			*shard = n - first + 1;
			*shards = of;
		}
		if (*error)
			text_printf(why, "%s=%s with %s=%s is no part of a run", known[i].index,
				    index, known[i].count, count);
		return true;
	}
	return false;
}
